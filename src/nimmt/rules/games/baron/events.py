"""What happens in Baron Oxx and in no other game."""

from __future__ import annotations

from nimmt.rules.game import Cards, Event, Names, Rows, Seat
from nimmt.rules.games.baron.deck import Colour
from nimmt.rules.games.baron.state import Play
from nimmt.rules.kit import events
from nimmt.rules.kit.events import count, spaced


class CardsRevealed(Event, frozen=True, gc=False):
    """All cards of the turn, in the order in which they will be placed."""

    SECONDS = 1.2

    plays: tuple[Play, ...]

    def tell(self, names: Names) -> str:
        return f"Revealed: {', '.join(f'{names[play.seat]} {play.card}' for play in self.plays)}."


class CardPlaced(events.CardPlaced, frozen=True, gc=False):
    """A card lies in its row. `colours` are those of which the row and the card together show six or more."""

    colours: tuple[Colour, ...] = ()

    def tell(self, names: Names) -> str:
        who, loot = names[self.seat], f"{spaced(self.taken)} ({count(self.bulls, 'bull')})"
        if self.rule == "sixth-card":
            return f"{who}: {self.card} is the sixth card of row {self.row} and takes {loot}."
        if self.rule == "six-bulls":
            crowd = " and ".join(self.colours)
            return f"{who}: {self.card} brings row {self.row} to six bulls or more in {crowd} and takes {loot}."
        if self.rule == "no-colour":
            return f"{who}: {self.card} fits no row, takes {loot} and starts row {self.row} again."
        return f"{who}: {self.card} goes to row {self.row}."


class CardReturned(Event, frozen=True, gc=False):
    """Variant 2: a card that fits no row lies face down under its owner's draw pile; all have seen which."""

    seat: Seat
    card: int
    rule: str = "returned"

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]}: {self.card} fits no row and goes under the draw pile."


class CardsDrawn(Event, frozen=True, gc=False):
    """Empty hands are filled again: all see how many cards are drawn, and each seat its own."""

    sizes: Cards
    drawn: tuple[Cards | None, ...]

    def seen_by(self, seat: Seat | None) -> CardsDrawn:
        return CardsDrawn(self.sizes, tuple(c if owner == seat else None for owner, c in enumerate(self.drawn)))

    def tell(self, names: Names) -> str:
        told = [
            f"{names[seat]} {count(size, 'card') if cards is None else spaced(cards)}"
            for seat, (size, cards) in enumerate(zip(self.sizes, self.drawn, strict=True))
            if size
        ]
        return f"Drawn: {', '.join(told)}."


class StoodStill(Event, frozen=True, gc=False):
    """Variant 2: the game ends because no card finds a row any more."""

    SECONDS = 0.0

    turns: int

    def tell(self, names: Names) -> str:
        del names
        return f"Nobody could place a card for {count(self.turns, 'turn')}: the game stands still and ends."


class LeftCounted(Event, frozen=True, gc=False):
    """Variant 2: what is left in hands and draw piles is laid open, and its bulls count against its owner."""

    SECONDS = 0.0

    left: Rows
    bulls: Cards

    def tell(self, names: Names) -> str:
        told = [
            f"{names[seat]} {spaced(cards)} ({count(bulls, 'bull')})"
            for seat, (cards, bulls) in enumerate(zip(self.left, self.bulls, strict=True))
            if cards
        ]
        return f"Left over: {', '.join(told)}."

"""What happens in X nimmt! and in no other game."""

from __future__ import annotations

from nimmt.rules.game import Cards, Event, Names, Rows, Seat
from nimmt.rules.games.x.state import Play
from nimmt.rules.kit.events import count, spaced


class CardsRevealed(Event, frozen=True, gc=False):
    """All cards of the turn, in the order in which they will be placed."""

    SECONDS = 1.2

    plays: tuple[Play, ...]

    def tell(self, names: Names) -> str:
        return f"Revealed: {', '.join(f'{names[play.seat]} {play.card}' for play in self.plays)}."


class CardKept(Event, frozen=True, gc=False):
    """One of the cards taken lies in the X row, the others are in the hand; all saw which."""

    seat: Seat
    card: int
    x_row: Cards
    """The X row with the card."""
    discarded: Cards
    """What had to leave the X row for the X pile."""
    to_hand: Cards

    def tell(self, names: Names) -> str:
        told = f"{names[self.seat]} puts {self.card} into the X row"
        if self.discarded:
            told += f", where {spaced(self.discarded)} must leave for the X pile"
        if self.to_hand:
            told += f", and picks up {spaced(self.to_hand)}"
        return f"{told}."


class HandsCounted(Event, frozen=True, gc=False):
    """The round is over: the hands lie open and bulls are counted, those of the X piles twice."""

    SECONDS = 0.0

    hands: Rows
    in_hand: Cards
    """Bulls in the hand, by seat."""
    in_x_pile: Cards
    """Bulls in the X pile, by seat."""

    def tell(self, names: Names) -> str:
        counts = zip(names, self.hands, self.in_hand, self.in_x_pile, strict=False)
        return f"Counted: {'; '.join(_counted(*seat) for seat in counts)}."


def _counted(name: str, hand: Cards, in_hand: int, in_pile: int) -> str:
    held = f"{spaced(hand)} ({count(in_hand, 'bull')})" if hand else "nothing"
    return f"{name} holds {held} and has {count(in_pile, 'bull')} in the X pile"

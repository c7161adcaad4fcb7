"""What happens in 11 nimmt! and in no other game."""

from __future__ import annotations

from nimmt.rules.game import Cards, Event, Names, Rows, Seat
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import count, spaced


class HandsDealt(Event, frozen=True, gc=False):
    """A round begins: a hand for each seat to see alone."""

    round: int
    starter: Seat
    hands: tuple[Cards | None, ...]

    def seen_by(self, seat: Seat | None) -> HandsDealt:
        own = tuple(hand if owner == seat else None for owner, hand in enumerate(self.hands))
        return HandsDealt(self.round, self.starter, own)

    def tell(self, names: Names) -> str:
        lines = [f"Round {self.round}: {names[self.starter]} begins."]
        lines += [f"{names[s]} holds {spaced(hand)}." for s, hand in enumerate(self.hands) if hand is not None]
        return "\n".join(lines)


class PilesOpened(Event, frozen=True, gc=False):
    """Cards from the draw pile lie open as new piles; `pile` is the number of the first of them."""

    cards: Cards
    pile: int

    def tell(self, names: Names) -> str:
        del names
        if len(self.cards) == 1:
            return f"{self.cards[0]} opens pile {self.pile}."
        piles = range(self.pile, self.pile + len(self.cards))
        return f"{' and '.join(map(str, self.cards))} open piles {' and '.join(map(str, piles))}."


class CardLaid(Event, frozen=True, gc=False):
    """A card lies on a pile and covers the card `on`."""

    seat: Seat
    card: int
    pile: int
    on: int
    rule: str

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} lays {self.card} on {self.on} (pile {self.pile})."


class TurnEnded(Event, frozen=True, gc=False):
    """A seat with bull cards has laid all that it wants to."""

    SECONDS = 0.0

    seat: Seat

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} lays no more."


class PileTaken(Event, frozen=True, gc=False):
    """A pile is in a hand now. All see how many cards it had, only the taker sees which."""

    seat: Seat
    pile: int
    top: int
    count: int
    cards: Cards | None
    rule: str

    def seen_by(self, seat: Seat | None) -> PileTaken:
        return self if seat == self.seat else PileTaken(self.seat, self.pile, self.top, self.count, None, self.rule)

    def tell(self, names: Names) -> str:
        told = f"{names[self.seat]} takes pile {self.pile} with {self.top} on top: {count(self.count, 'card')}"
        if self.cards is None:
            return f"{told}."
        return f"{told}, {spaced(self.cards)} ({count(bulls(self.cards), 'bull')})."


class BullCardGained(Event, frozen=True, gc=False):
    """A bull card, from the supply or, when that is empty, from a player."""

    seat: Seat
    giver: Seat | None
    rule: str

    def tell(self, names: Names) -> str:
        origin = "" if self.giver is None else f" from {names[self.giver]}"
        return f"{names[self.seat]} gets a bull card{origin}."


class BullCardMissed(Event, frozen=True, gc=False):
    """No bull card is left in the supply and nobody else has as many as the taker."""

    SECONDS = 0.0

    seat: Seat
    rule: str

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} alone has the most bull cards and gets no other."


class HandsShown(Event, frozen=True, gc=False):
    """The round is over: what is left in the hands lies open and is counted."""

    SECONDS = 0.0

    hands: Rows
    bulls: Cards
    rule: str

    def tell(self, names: Names) -> str:
        done = [names[seat] for seat, hand in enumerate(self.hands) if not hand]
        why = f"{done[0]} has no card left" if done else "No pile is left"
        left = [
            f"{names[seat]} {spaced(hand)} ({count(self.bulls[seat], 'bull')})"
            for seat, hand in enumerate(self.hands)
            if hand
        ]
        return f"{why}; counted are {', '.join(left)}."

"""What happens in Beat the Buffalo and in no other game."""

from __future__ import annotations

from nimmt.games.buffalo.types import (
    BUFFALO,
    AnyUse,
    First,
    Insert,
    Kind,
    Last,
    Lift,
    Play,
    Push,
    Sort,
    Stop,
    Swap,
    Take7,
)
from nimmt.rules.game import Cards, Event, Names, Seat
from nimmt.rules.kit import events as kit
from nimmt.rules.kit import secret
from nimmt.rules.kit.events import count, spaced

PRINTED: dict[Kind, str] = {
    "Take7": "Take 7!",
    "Stop": "Stop!",
    "Swap": "Swap!",
    "Insert": "Insert!",
    "Push": "Push!",
    "First": "First card",
    "Last": "Last card",
    "Sort": "Sort",
}


def with_buffalo(names: Names, buffalo: str = "the buffalo") -> Names:
    """One name more at the end is what the buffalo's seat, -1, finds."""
    return (*names, buffalo)


def who(names: Names, seat: Seat) -> str:
    return "the buffalo" if seat == BUFFALO else names[seat]


def describe(use: AnyUse, names: Names) -> str:
    match use:
        case Take7(row=row):
            return f"Take 7! at row {row}"
        case Stop(row=row):
            return f"Stop! at row {row}"
        case Lift(row=row):
            return f"the end of Stop! at row {row}"
        case Swap(seat=seat):
            return f"Swap! for {who(names, seat)}"
        case Insert(row=row):
            return f"Insert! into row {row}"
        case Push(card=card, row=row):
            return f"Push! of {card} to row {row}"
        case First(seat=seat):
            return f"First card for {who(names, seat)}"
        case Last(seat=seat):
            return f"Last card for {who(names, seat)}"
        case Sort(order=order):
            return f"Sort: {', '.join(who(names, seat) for seat in order)}"


class SpecialsRevealed(Event, frozen=True, gc=False):
    """Special cards that lie face up from now on."""

    SECONDS = 0.0

    kinds: tuple[Kind, ...]
    face_up: Cards = ()
    """All special cards that lie face up then, in their places: a kind alone does not say which of its two it is."""

    def tell(self, names: Names) -> str:
        del names
        verb = "lies" if len(self.kinds) == 1 else "lie"
        return f"{' and '.join(PRINTED[kind] for kind in self.kinds)} {verb} face up for the team."


class CardsRevealed(secret.CardsRevealed, frozen=True, gc=False):
    """All cards of the turn, the buffalo's included, in the order in which they will be placed."""

    plays: tuple[Play, ...]

    def tell(self, names: Names) -> str:
        return secret.CardsRevealed.tell(self, with_buffalo(names))


class CardPlaced(kit.CardPlaced, frozen=True, gc=False):
    """As in the other games; the seat of the buffalo's card is -1."""

    def tell(self, names: Names) -> str:
        return kit.CardPlaced.tell(self, with_buffalo(names, "The buffalo"))

    def taker(self) -> Seat | None:
        return self.seat if self.taken and self.seat >= 0 else None


# -- deciding about special cards ---------------------------------------------------------------------------


class SpecialProposed(Event, frozen=True, gc=False):
    seat: Seat
    use: AnyUse

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} proposes {describe(self.use, names)}."


class ProposalAgreed(Event, frozen=True, gc=False):
    SECONDS = 0.0

    seat: Seat

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} agrees."


class ProposalDeclined(Event, frozen=True, gc=False):
    seat: Seat

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} declines; the proposal is dropped."


class ProposalWithdrawn(Event, frozen=True, gc=False):
    seat: Seat

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} withdraws the proposal."


class SeatPassed(Event, frozen=True, gc=False):
    SECONDS = 0.0

    seat: Seat

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} passes."


# -- what special cards do ----------------------------------------------------------------------------------


class SpecialUsed(Event, frozen=True, gc=False):
    """The seat that proposed it, or acted alone, and what the team uses."""

    seat: Seat
    use: AnyUse

    def tell(self, names: Names) -> str:
        if isinstance(self.use, Lift):
            return f"{names[self.seat]} lifts Stop! from row {self.use.row}."
        return f"{names[self.seat]} uses {describe(self.use, names)}."


class SpecialRemoved(Event, frozen=True, gc=False):
    """A special card that lay at a row has left the game."""

    SECONDS = 0.0

    kind: Kind
    row: int

    def tell(self, names: Names) -> str:
        del names
        return f"{PRINTED[self.kind]} at row {self.row} leaves the game."


class CardTakenBack(Event, frozen=True, gc=False):
    seat: Seat
    card: int

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} takes {self.card} back."


class CardSwapped(Event, frozen=True, gc=False):
    """The card that is played instead of the one taken back."""

    seat: Seat
    card: int

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} plays {self.card} instead."


def _squeezed(taken: Cards, bulls: int, kept: int | None) -> str:
    if not taken:
        return "."
    return f", which is full: the team takes {spaced(taken)} ({count(bulls, 'bull')}), {kept} starts it again."


class CardInserted(Event, frozen=True, gc=False):
    """A card went between others. A full row is taken but for its last card, which is kept."""

    seat: Seat
    card: int
    row: int
    taken: Cards
    bulls: int
    kept: int | None
    rule: str = "insert"

    def tell(self, names: Names) -> str:
        ending = _squeezed(self.taken, self.bulls, self.kept)
        return f"{names[self.seat]}: {self.card} is inserted into row {self.row}{ending}"


class CardPushed(Event, frozen=True, gc=False):
    """A card moved from row to row. A full row is taken but for its last card, which is kept."""

    card: int
    from_row: int
    row: int
    taken: Cards
    bulls: int
    kept: int | None
    rule: str = "push"

    def tell(self, names: Names) -> str:
        del names
        ending = _squeezed(self.taken, self.bulls, self.kept)
        return f"{self.card} is pushed from row {self.from_row} to row {self.row}{ending}"


class OrderChanged(Event, frozen=True, gc=False):
    """All cards still to be placed, in their new order."""

    plays: tuple[Play, ...]

    def tell(self, names: Names) -> str:
        return f"The order is now: {secret.listed(with_buffalo(names), self.plays)}."


class PointsCounted(Event, frozen=True, gc=False):
    """The end: a small team's bulls count twice."""

    SECONDS = 0.0

    bulls: int
    doubled: bool
    team: int
    buffalo: int

    def tell(self, names: Names) -> str:
        del names
        how = f" ({count(self.bulls, 'bull')}, doubled)" if self.doubled else ""
        return f"The team has {count(self.team, 'point')}{how}, the buffalo {self.buffalo}."

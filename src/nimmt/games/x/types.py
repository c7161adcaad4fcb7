"""Options, actions, state, views and events of X nimmt!"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from nimmt.rules import game
from nimmt.rules.game import Action, Cards, Event, Names, Rows, Seat, Value, Variant
from nimmt.rules.kit import cards as kit
from nimmt.rules.kit import secret
from nimmt.rules.kit.events import count, spaced
from nimmt.rules.kit.seats import check_seats

# -- options -----------------------------------------------------------------------------------------------------------

HIGHEST = 100
HAND = 8
TAKING = (3, 4, 5)
"""By row: which card of the row takes the ones before it. At rest a row holds fewer."""
ROWS = len(TAKING)
MIN_SEATS, MAX_SEATS = 2, 4


class Options(game.Options, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    rounds: Annotated[int, Meta(ge=1, le=100, description="How many rounds a match has.")] = 2


VARIANTS = (Variant("basic", "Basic game", "Eight cards each, three rows of different lengths. Two rounds."),)


def check(seats: int) -> None:
    check_seats(seats, MIN_SEATS, MAX_SEATS)


# -- actions -----------------------------------------------------------------------------------------------------------


class PlayCard(secret.PlayCard, frozen=True, gc=False):
    """Choose a card in secret; may be changed until all have chosen."""


class ChooseRow(secret.ChooseRow, frozen=True, gc=False):
    """Rule 4: take this row."""


class KeepCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Put this one of the cards just taken into the own X row."""

    card: int


# -- state -------------------------------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["deal", "choose", "row", "keep", "over"]


class Play(secret.Play, frozen=True, gc=False):
    """A card that a seat plays this turn."""


class Taking(Value, frozen=True, gc=False):
    """Cards that a seat has just taken, before it says which one goes to the X row."""

    seat: Seat
    cards: Cards

    def to_text(self) -> str:
        return f"{self.seat}:{','.join(map(str, self.cards))}"

    @classmethod
    def from_text(cls, text: str) -> Taking:
        seat, _, cards = text.partition(":")
        return cls(int(seat), tuple(map(int, cards.split(","))))


class Table(Value, frozen=True, gc=False):
    """All that everybody can see, or has seen and can remember."""

    options: Options
    seats: int
    phase: Phase
    round: int
    rows: Rows
    queue: tuple[Play, ...]
    """Cards revealed this turn and not placed yet, in the order of placement."""
    taken: Taking | None
    """Cards that wait for their taker's decision; they lie open."""
    x_rows: Rows
    x_piles: Rows
    known: Rows
    """By seat: the cards of its hand that all have seen going there. When a round ends the hands lie open."""
    scores: Rows
    """Points of each finished round, by seat."""


def bare_table(options: Options, seats: int) -> Table:
    """The table before the first deal."""
    nothing: Rows = ((),) * seats
    return Table(
        options=options,
        seats=seats,
        phase="deal",
        round=1,
        rows=(),
        queue=(),
        taken=None,
        x_rows=nothing,
        x_piles=nothing,
        known=nothing,
        scores=(),
    )


class State(Value, frozen=True, gc=False):
    table: Table
    hands: Rows
    chosen: tuple[int | None, ...]
    waiting: tuple[Seat, ...]
    """Seats that have not chosen yet."""


class View(secret.View, frozen=True, gc=False):
    """What a seat may know; a spectator has no seat and no hand."""

    table: Table


def open_cards(table: Table) -> dict[str, Cards]:
    """What lies face up, by place."""
    lying = kit.places("row", table.rows, 1)
    lying |= kit.places("the X row of seat", table.x_rows) | kit.places("the X pile of seat", table.x_piles)
    lying["the cards to be placed"] = tuple([play.card for play in table.queue])
    lying["the cards taken"] = table.taken.cards if table.taken else ()
    return lying


def places(state: State) -> dict[str, Cards]:
    """Where every card in play lies."""
    return open_cards(state.table) | kit.places("the hand of seat", state.hands)


# -- events ------------------------------------------------------------------------------------------------------------


class CardsRevealed(secret.CardsRevealed, frozen=True, gc=False):
    """All cards of the turn, in the order in which they will be placed."""

    plays: tuple[Play, ...]


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

"""What games share in which all choose a card in secret, reveal, and place from the lowest card on.

Their states have `hands`, and `chosen` and `waiting` with what each seat has chosen and who has not. Their tables have
`phase`, `rows`, and in `queue` the cards that are revealed and still to be placed. A game's `rules.py` says in which
phase which of these steps is taken, and all that is special about it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Self, TypeVar, cast

from msgspec.structs import replace

from nimmt.rules.game import (
    Action,
    Cards,
    Decision,
    Event,
    IllegalAction,
    InvalidPosition,
    Names,
    Refusal,
    Rows,
    Seat,
    Value,
)
from nimmt.rules.kit.seats import at, shown, without

V = TypeVar("V", bound=Value)

# -- types -------------------------------------------------------------------------------------------------------------
# Bases: each game has types of its own, so that the actions and events of one are never taken for those of another.


class PlayCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Choose a card in secret; may be changed until all have chosen."""

    card: int


class ChooseRow(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Choose the row for the own card that is to be placed next."""

    row: int


class Play(Value, frozen=True, gc=False):
    """A card that a seat plays this turn."""

    seat: Seat
    card: int

    def to_text(self) -> str:
        return f"{self.seat}:{self.card}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        seat, _, card = text.partition(":")
        return cls(int(seat), int(card))

    def told(self) -> str:
        """The card as it is read out."""
        return str(self.card)


class View(Value, frozen=True, gc=False):
    """What a seat may know; a spectator has no seat and no hand."""

    seat: Seat | None
    table: Any
    hand: Cards
    choice: int | None
    """The own card of this turn, while it may still be changed."""
    waiting: tuple[Seat, ...]
    hand_sizes: Cards


class CardsRevealed(Event, frozen=True, gc=False):
    """All cards of the turn, in the order in which they will be placed."""

    SECONDS = 1.0
    HURRIED = 0.0

    plays: tuple[Play, ...]

    def tell(self, names: Names) -> str:
        return f"Revealed: {listed(names, self.plays)}."


def listed(names: Names, plays: Sequence[Play]) -> str:
    return ", ".join(f"{names[play.seat]} {play.told()}" for play in plays)


# -- deciding ----------------------------------------------------------------------------------------------------------


@cache
def cards_wanted(waiting: tuple[Seat, ...]) -> tuple[Decision, ...]:
    """These seats are to choose a card. It is asked all the time: the same few values serve every table."""
    return tuple(Decision(seat, "card") for seat in waiting)


def check_held(hand: Cards, seat: Seat, card: int) -> None:
    """Refuse a card that the seat does not hold."""
    if card not in hand:
        raise IllegalAction(Refusal.NOT_IN_HAND, seat, f"You have no card {shown(card)} in your hand.")


def check_row(queue: Sequence[Play], seat: Seat, row: int, rows: int) -> None:
    """Refuse a row that does not exist, or from a seat whose card is not the next to be placed."""
    if queue[0].seat != seat:
        raise IllegalAction(Refusal.NOT_YOUR_TURN, seat, "It is another seat's turn to choose a row.")
    if not 1 <= row <= rows:
        raise IllegalAction(Refusal.NO_SUCH_ROW, seat, f"There is no row {shown(row)}: choose 1 to {rows}.")


@cache
def still_waiting(waiting: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """Who has not chosen once this seat has; a seat that changes its choice was not waited for."""
    return without(waiting, seat) if seat in waiting else waiting


# -- what an event does to a view --------------------------------------------------------------------------------------


def own_cards(seat: Seat | None, cards: Sequence[Cards | None]) -> Cards:
    """Of what each seat got to see alone, that which this seat (None: a spectator) sees."""
    return (cards[seat] or ()) if seat is not None else ()


def dealt(view: V, table: Value, hands: Sequence[Cards | None], size: int) -> V:
    """A round begins at this table: everybody holds so many cards and is to choose one."""
    seats = len(hands)
    begun: Any = replace(
        cast(Any, view),
        table=table,
        hand=own_cards(cast(Any, view).seat, hands),
        choice=None,
        waiting=tuple(range(seats)),
        hand_sizes=(size,) * seats,
    )
    return cast(V, begun)


def chosen(view: V, seat: Seat, choice: object) -> V:
    """A seat has chosen in secret; what, only its own view shows."""
    old: Any = view
    return cast(
        V, replace(old, waiting=still_waiting(old.waiting, seat), choice=choice if seat == old.seat else old.choice)
    )


def revealed(view: V, plays: Sequence[Play]) -> V:
    """The cards of the turn have left the hands and lie in the order in which they will be placed."""
    old: Any = view
    now: Any = replace(
        old,
        table=replace(old.table, phase="row", queue=tuple(plays)),
        hand=not_played(old.hand, plays),
        choice=None,
        waiting=(),
        hand_sizes=tuple(size - 1 for size in old.hand_sizes),
    )
    return cast(V, now)


def not_played(cards: Cards, plays: Sequence[Play]) -> Cards:
    played = {play.card for play in plays}
    return tuple([card for card in cards if card not in played])


def placed(view: V) -> V:
    """Where the turn is after a placement: the next card's owner decides, or, if all lie, all choose again.

    If that card can be placed without its owner, or if the round is over, the next event says so.
    """
    old: Any = view
    if old.table.queue:
        return cast(V, replace(old, table=replace(old.table, phase="row")))
    waiting = tuple(range(old.table.seats))
    return cast(V, replace(old, table=replace(old.table, phase="choose"), waiting=waiting))


def grown(rows: Rows, row: int, card: int, taken: Cards) -> Rows:
    """The rows with a card more; if it took what lay there, it begins its row again."""
    return at(rows, row - 1, (card,) if taken else (*rows[row - 1], card))


# -- what a position must obey -----------------------------------------------------------------------------------------


def check_choices(state: Any) -> None:
    """While all choose, and only then, seats have chosen cards of their hands; the others are waited for."""
    choosing = state.table.phase == "choose"
    missing = tuple(seat for seat, choice in enumerate(state.chosen) if choice is None) if choosing else ()
    if state.waiting != missing or (choosing and not missing):
        raise InvalidPosition("waiting must name, in order, the seats that have not chosen, at least one.")
    for seat, choice in enumerate(state.chosen):
        if choice is not None and not (choosing and getattr(choice, "card", choice) in state.hands[seat]):
            raise InvalidPosition(f"Seat {seat} cannot have chosen what is not in its hand, and only while all choose.")
    if choosing and not all(state.hands):
        raise InvalidPosition("Nobody can choose from an empty hand.")


def check_queue(queue: Sequence[Play], owners: range) -> None:
    """Who may own a card has one at most among those that are still to be placed."""
    seats = [play.seat for play in queue]
    if len(set(seats)) != len(seats) or not set(seats) <= set(owners):
        raise InvalidPosition("Each seat has at most one card to be placed.")


def check_order(queue: Sequence[Play]) -> None:
    if list(queue) != sorted(queue, key=lambda play: play.card):
        raise InvalidPosition("Cards to be placed are written from the lowest to the highest.")


def check_begun(rows: Rows, number: int) -> None:
    if len(rows) != number or not all(rows):
        raise InvalidPosition(f"There must be {number} rows with a card in each.")


# -- imagining ---------------------------------------------------------------------------------------------------------


def imagined_hands(view: Any, known: Rows, cards: Sequence[int]) -> tuple[Rows, int]:
    """The own hand, and what is known of the others, filled up from `cards`; also how many of those that took."""
    hands: list[Cards] = []
    used = 0
    for seat, size in enumerate(view.hand_sizes):
        if seat == view.seat:
            hands.append(view.hand)
            continue
        hidden = size - len(known[seat])
        hands.append(tuple(sorted((*known[seat], *cards[used : used + hidden]))))
        used += hidden
    return tuple(hands), used


def _as_chosen(seat: Seat, card: int) -> Any:
    del seat
    return card


def imagined_choices(view: Any, hands: Rows, choice: Callable[[Seat, int], Any] = _as_chosen) -> tuple[Any, ...]:
    """The own choice; who else has chosen, chose the first card of the hand imagined."""
    choosing = view.table.phase == "choose"
    return tuple(
        view.choice if seat == view.seat
        else choice(seat, hand[0]) if choosing and hand and seat not in view.waiting
        else None
        for seat, hand in enumerate(hands)
    )  # fmt: skip


def nobody_has_chosen(state: V) -> V:
    """The state before anybody has chosen in secret: what others have chosen is known to nobody. Any game's state."""
    old: Any = state
    if old.table.phase != "choose" or not any(choice is not None for choice in getattr(old, "chosen", ())):
        return state
    waiting = tuple(range(len(old.chosen)))
    return cast(V, replace(old, chosen=(None,) * len(old.chosen), waiting=waiting))

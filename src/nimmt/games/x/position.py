"""Positions set up by hand, as they lie on somebody's table; and what every position must obey, made by whomever."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from nimmt.games.x.placing import ascending
from nimmt.games.x.types import HIGHEST, MAX_SEATS, ROWS, TAKING, Options, State, Table, bare_table, places
from nimmt.rules.game import InvalidPosition, Rows
from nimmt.rules.kit.cards import closest_row, deck, sorted_hands
from nimmt.rules.kit.seats import check_common
from nimmt.rules.kit.secret import check_begun, check_choices, check_order, check_queue

Lists = Sequence[Sequence[int]]


def table_position(
    rows: Lists,
    hands: Lists,
    x_rows: Lists | None = None,
    x_piles: Lists | None = None,
    options: Options | None = None,
) -> State:
    """Everybody is about to choose from the hands given; raises `InvalidPosition`. One seat is enough."""
    seats = len(hands)
    bare = bare_table(options or Options(), seats)
    table = replace(
        bare,
        phase="choose",
        rows=_tuples(rows),
        x_rows=bare.x_rows if x_rows is None else _tuples(x_rows),
        x_piles=bare.x_piles if x_piles is None else _tuples(x_piles),
    )
    state = State(table, sorted_hands(hands), (None,) * seats, tuple(range(seats)))
    check_state(state)
    return state


def _tuples(cards: Lists) -> Rows:
    return tuple(map(tuple, cards))


# -- what a position must obey -----------------------------------------------------------------------------------------


def check_state(state: State) -> None:
    table = state.table
    check_common(
        state,
        MAX_SEATS,
        places,
        deck(HIGHEST),
        chosen=state.chosen,
        x_rows=table.x_rows,
        x_piles=table.x_piles,
        known=table.known,
    )
    _check_rows(table)
    _check_hands(state)
    check_choices(state)
    _check_queue(table)
    _check_taken(table)


def _check_rows(table: Table) -> None:
    if not all(map(ascending, (*table.rows, *table.x_rows))):
        raise InvalidPosition("The cards of a row and of an X row ascend.")
    if not table.rows and table.phase == "deal":
        return
    check_begun(table.rows, ROWS)
    for row, (cards, taking) in enumerate(zip(table.rows, TAKING, strict=True), 1):
        if len(cards) >= taking:
            raise InvalidPosition(f"Row {row} holds more than {taking - 1} cards.")


def _check_hands(state: State) -> None:
    table = state.table
    for hand, known in zip(state.hands, table.known, strict=True):
        if not (ascending(hand) and ascending(known)):
            raise InvalidPosition("Hands are written in ascending order.")
        if not set(known) <= set(hand):
            raise InvalidPosition("Cards known to be in a hand must be there.")
    if table.phase in ("deal", "over"):
        if table.known != state.hands:
            raise InvalidPosition("Between rounds all hands lie open.")
        if all(state.hands):
            raise InvalidPosition("A round ends only when a hand is empty.")


def _check_queue(table: Table) -> None:
    queue, phase = table.queue, table.phase
    if queue and phase not in ("row", "keep"):
        raise InvalidPosition("Cards are still to be placed only while somebody chooses a row or what to keep.")
    check_queue(queue, range(table.seats))
    check_order(queue)
    if phase == "row" and (not queue or closest_row(table.rows, queue[0].card) is not None):
        raise InvalidPosition("A row is chosen exactly for a card that fits none.")


def _check_taken(table: Table) -> None:
    taken = table.taken
    if (table.phase == "keep") != (taken is not None):
        raise InvalidPosition("Taken cards lie open exactly while somebody chooses what to keep.")
    if taken is None:
        return
    if taken.seat not in range(table.seats) or taken.seat in [play.seat for play in table.queue]:
        raise InvalidPosition("Who chooses what to keep is a seat whose card is placed.")
    if not (2 <= len(taken.cards) < max(TAKING) and ascending(taken.cards)):
        raise InvalidPosition(f"Taken cards ascend, and there is a choice among 2 to {max(TAKING) - 1}.")

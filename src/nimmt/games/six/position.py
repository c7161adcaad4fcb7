"""Positions set up by hand, as they lie on somebody's table; and what every position must obey, made by whomever."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict, replace

from nimmt.games.six.fans import Board
from nimmt.games.six.placing import pieces, placing_order, target_row
from nimmt.games.six.types import (
    HAND,
    MAX_SEATS,
    ROW_LIMIT,
    ROWS,
    Markers,
    MountainMarker,
    Options,
    Play,
    State,
    Table,
    bare_table,
    drafted_hands,
    highest_card,
    places,
)
from nimmt.rules.game import Cards, InvalidPosition, Rows
from nimmt.rules.kit.cards import bulls, deck, sorted_hands
from nimmt.rules.kit.seats import check_ascending, check_common
from nimmt.rules.kit.secret import check_begun, check_choices, check_queue

Lists = Sequence[Sequence[int]]


def table_position(
    rows: Lists,
    hands: Lists,
    *,
    options: Options | None = None,
    markers: Markers | None = None,
    twists: Sequence[bool] | None = None,
) -> State:
    """Everybody is about to choose from the hands given; raises `InvalidPosition`. One seat is enough.

    Fan cards in play that `markers` says nothing about lie as at the beginning of a round. If twist cards are in play
    and `twists` does not say who has one, everybody has.

    In a draft without rows cards are still being drafted: all that nobody holds are in the pool.
    """
    options = options or Options()
    seats, lying = len(hands), tuple(map(tuple, rows))
    held = sorted_hands(hands)
    drafting = options.draft and not lying
    twisting = "twist" in options.fan and not drafting
    nothing: Rows = ((),) * seats
    bare = bare_table(options, seats)
    table = replace(
        bare,
        phase="draft" if drafting else "choose",
        rows=lying,
        markers=_markers(options, lying, markers or Markers()),
        twists=(twisting,) * seats if twists is None else tuple(twists),
        pool=_without(bare.pool, held) if drafting else (),
        drafted=held if options.draft else (),
    )
    state = State(table, held, nothing, (None,) * seats, () if drafting else tuple(range(seats)))
    check_state(state)
    return state


def _without(pool: Cards, hands: Rows) -> Cards:
    drafted = {card for hand in hands for card in hand}
    return tuple(card for card in pool if card not in drafted)


def _markers(options: Options, rows: Rows, given: Markers) -> Markers:
    """Those given, and for the other fan cards in play where the rules lay them: judged by the ends of the rows."""
    if len(rows) != ROWS or not all(rows):
        return given
    derived, board = Markers(), Board(rows, Markers())
    for fan in pieces(options.fan):
        derived = fan.start(derived, board)
    return replace(derived, **{name: marker for name, marker in asdict(given).items() if marker is not None})


# -- what a position must obey -----------------------------------------------------------------------------------------


def check_state(state: State) -> None:
    table = state.table
    check_common(
        state,
        MAX_SEATS,
        places,
        deck(highest_card(table.options, table.seats)),
        piles=state.piles,
        chosen=state.chosen,
        bulls=table.bulls,
        twists=table.twists,
        drafted=table.drafted if table.options.draft else state.hands,
    )
    if len(set(table.options.fan)) != len(table.options.fan):
        raise InvalidPosition("Each kind of fan card can be in play only once.")
    _check_rows(table)
    _check_history(table)
    _check_phase(state)
    piled = sorted(card for pile in state.piles for card in pile)
    if piled != sorted(table.taken) or sum(table.bulls) != bulls(piled) or min(table.bulls) < 0:
        raise InvalidPosition("The bulls and the cards taken must be those of the bull piles.")


def _check_rows(table: Table) -> None:
    if not table.rows and table.phase in ("deal", "draft"):
        return
    check_begun(table.rows, ROWS)
    markers, fans = table.markers, table.options.fan
    for name, marker in (("even-odd", markers.even_odd), ("mountain", markers.mountain), ("cow", markers.cow)):
        if (marker is not None) != (name in fans):
            raise InvalidPosition(f"The fan card {name} must lie at a row exactly if it is in play.")
    lying = [marker.row for marker in (markers.even_odd, markers.mountain) if marker]
    if not all(1 <= row <= ROWS for row in (*lying, markers.cow or 1)):
        raise InvalidPosition(f"A fan card lies at a row from 1 to {ROWS}.")
    if markers.mountain in _MOUNTAIN_NOWHERE:
        raise InvalidPosition("The mountain marker points away from the rows.")
    for row, cards in enumerate(table.rows, 1):
        if len(cards) + (markers.cow == row) > ROW_LIMIT:
            raise InvalidPosition(f"Row {row} holds more than {ROW_LIMIT} cards.")


def _check_history(table: Table) -> None:
    """Nothing follows from it in the rules, but those who think about it must find cards, seats and rows in it."""
    past, highest = table.history, highest_card(table.options, table.seats)
    cards = [*past.starts, *(play.card for turn in past.turns for play in turn)]
    if len(set(cards)) != len(cards) or not all(1 <= card <= highest for card in cards):
        raise InvalidPosition("In the history every card is one of the deck, and none is there twice.")
    if len(past.starts) not in (0, ROWS) or not all(1 <= row <= ROWS for row in past.rows):
        raise InvalidPosition(f"The history has {ROWS} rows, or is empty.")
    everybody = list(range(table.seats))
    if len(past.turns) > HAND or any(sorted(play.seat for play in turn) != everybody for turn in past.turns):
        raise InvalidPosition(f"The history has {HAND} turns at most, with one card of each seat.")


_MOUNTAIN_NOWHERE = (MountainMarker(1, "up"), MountainMarker(ROWS, "down"))


def _check_phase(state: State) -> None:
    table, phase = state.table, state.table.phase
    sizes = {len(hand) for hand in state.hands}
    if phase in ("choose", "row") and (len(sizes) != 1 or max(sizes) > HAND):
        raise InvalidPosition(f"All hands must hold the same number of cards, {HAND} at most.")
    check_ascending(state.hands)
    _check_choices(state)
    if (phase == "row") != bool(table.queue):
        raise InvalidPosition("Cards are still to be placed exactly while somebody chooses a row.")
    if phase == "row":
        _check_queue(table)
    if phase in ("deal", "over") and sizes != {0}:
        raise InvalidPosition("Between rounds nobody holds a card.")
    if table.options.draft:
        _check_draft(state)
    elif phase == "draft" or table.pool or table.drafted:
        raise InvalidPosition("There is a draft only with the option draft.")
    if any(table.twists) and "twist" not in table.options.fan:
        raise InvalidPosition("There are twist cards only with the fan card twist.")


def _check_choices(state: State) -> None:
    check_choices(state)
    for seat, play in enumerate(state.chosen):
        if play is not None and not (_can_twist(state.table, play) and play.seat == seat):
            raise InvalidPosition(f"Seat {seat} cannot have chosen {play.to_text()}.")


def _can_twist(table: Table, play: Play) -> bool:
    return not play.twisted or (play.card < 100 and "twist" in table.options.fan)


def _check_queue(table: Table) -> None:
    check_queue(table.queue, range(table.seats))
    if not all(_can_twist(table, play) for play in table.queue):
        raise InvalidPosition("A card to be placed cannot be twisted like this.")
    if list(table.queue) != sorted(table.queue, key=placing_order):
        raise InvalidPosition("Cards to be placed are written from the lowest to the highest.")
    fans = pieces(table.options.fan)
    if target_row(fans, table.markers, table.rows, table.queue[0].value) is not None:
        raise InvalidPosition(f"{table.queue[0].card} fits a row: there is nothing to choose.")


def _check_draft(state: State) -> None:
    table = state.table
    if table.phase == "deal":
        raise InvalidPosition("In a draft nothing is dealt.")
    if table.phase == "draft":
        picks = [len(cards) for cards in table.drafted]
        order = [(seat - table.round + 1) % table.seats for seat in range(table.seats)]
        expected = [(sum(picks) + table.seats - 1 - place) // table.seats for place in order]
        if table.drafted != state.hands or picks != expected or any(table.rows):
            raise InvalidPosition("Seats draft in turn, and hold what they drafted.")
        if len(table.pool) <= ROWS or len(table.pool) + sum(picks) != highest_card(table.options, table.seats):
            raise InvalidPosition(f"In a draft every card is drafted or in the pool, and more than {ROWS} are there.")
    elif table.pool or drafted_hands(table) != state.hands:
        raise InvalidPosition("Everybody holds what they drafted and have not played.")

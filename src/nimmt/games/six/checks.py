"""What a position of 6 nimmt! must obey, wherever it came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nimmt.games.six.placing import pieces, placing_order, target_row
from nimmt.games.six.types import (
    HAND,
    MAX_SEATS,
    ROW_LIMIT,
    ROWS,
    MountainMarker,
    Play,
    State,
    Table,
    drafted_hands,
    highest_card,
)
from nimmt.rules.game import Cards, InvalidPosition
from nimmt.rules.kit.cards import bulls, deck
from nimmt.rules.kit.seats import check_ascending, check_common
from nimmt.rules.kit.secret import check_begun, check_choices, check_queue


def check_state(state: State, cards: Callable[[State], Mapping[str, Cards]]) -> None:
    table = state.table
    check_common(
        state,
        MAX_SEATS,
        cards,
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

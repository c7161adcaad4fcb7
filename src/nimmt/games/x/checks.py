"""What a position of X nimmt! must obey, wherever it came from."""

from __future__ import annotations

from collections.abc import Mapping

from nimmt.games.x.placing import ascending, target_row
from nimmt.games.x.types import HIGHEST, MAX_SEATS, ROWS, TAKING, State, Table
from nimmt.rules.game import Cards, InvalidPosition
from nimmt.rules.kit.cards import deck
from nimmt.rules.kit.seats import check_cards, check_lengths, check_scores


def check_state(places: Mapping[str, Cards], state: State) -> None:
    table = state.table
    check_lengths(
        table.seats,
        MAX_SEATS,
        hands=state.hands,
        chosen=state.chosen,
        x_rows=table.x_rows,
        x_piles=table.x_piles,
        known=table.known,
    )
    check_scores(table.seats, table.round, table.scores, over=table.phase == "over")
    check_cards(places, deck(HIGHEST))
    _check_rows(table)
    _check_hands(state)
    _check_choices(state)
    _check_queue(table)
    _check_taken(table)


def _check_rows(table: Table) -> None:
    if not all(map(ascending, (*table.rows, *table.x_rows))):
        raise InvalidPosition("The cards of a row and of an X row ascend.")
    if not table.rows and table.phase == "deal":
        return
    if len(table.rows) != ROWS or not all(table.rows):
        raise InvalidPosition(f"There must be {ROWS} rows with a card in each.")
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


def _check_choices(state: State) -> None:
    choosing = state.table.phase == "choose"
    missing = tuple(seat for seat, card in enumerate(state.chosen) if card is None) if choosing else ()
    if state.waiting != missing or (choosing and not missing):
        raise InvalidPosition("waiting must name, in order, the seats that have not chosen, at least one.")
    for seat, card in enumerate(state.chosen):
        if card is not None and not (choosing and card in state.hands[seat]):
            raise InvalidPosition(f"Seat {seat} cannot have chosen {card}.")
    if choosing and not all(state.hands):
        raise InvalidPosition("Nobody can choose from an empty hand.")


def _check_queue(table: Table) -> None:
    queue, phase = table.queue, table.phase
    if queue and phase not in ("row", "keep"):
        raise InvalidPosition("Cards are still to be placed only while somebody chooses a row or what to keep.")
    seats = [play.seat for play in queue]
    if len(set(seats)) != len(seats) or not set(seats) <= set(range(table.seats)):
        raise InvalidPosition("Each seat has at most one card to be placed.")
    if not ascending(tuple(play.card for play in queue)):
        raise InvalidPosition("Cards to be placed are written from the lowest to the highest.")
    if phase == "row" and (not queue or target_row(table.rows, queue[0].card) is not None):
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

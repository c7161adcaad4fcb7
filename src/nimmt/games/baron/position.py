"""Positions set up by hand, as they lie on somebody's table; and what every position must obey, made by whomever."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from nimmt.games.baron.deck import HIGHEST, faces
from nimmt.games.baron.placing import fitting_rows
from nimmt.games.baron.types import (
    HAND,
    MAX_SEATS,
    ROW_LIMIT,
    ROWS,
    Options,
    State,
    Table,
    bare_table,
    check_values,
    places,
)
from nimmt.rules.game import InvalidOptions, InvalidPosition
from nimmt.rules.kit.cards import deck, sorted_hands
from nimmt.rules.kit.seats import check_common
from nimmt.rules.kit.secret import check_begun, check_choices, check_order, check_queue


def table_position(
    rows: Sequence[Sequence[int]],
    hands: Sequence[Sequence[int]],
    draw_piles: Sequence[Sequence[int]] | None = None,
    options: Options | None = None,
) -> State:
    """All are about to choose, one seat for each hand; draw piles have their top card first.

    Raises `InvalidPosition` where the rules could not go on.
    """
    seats = len(hands)
    table = replace(bare_table(options or Options(), seats), phase="choose", rows=tuple(map(tuple, rows)))
    state = State(
        table,
        sorted_hands(hands),
        ((),) * seats if draw_piles is None else tuple(map(tuple, draw_piles)),
        (None,) * seats,
        tuple(range(seats)),
    )
    check_state(state)
    return state


# -- what a position must obey -----------------------------------------------------------------------------------------


def check_state(state: State) -> None:
    table = state.table
    _check_options(table.options)
    check_common(
        state,
        MAX_SEATS,
        places,
        deck(HIGHEST),
        least=-1000 if table.options.bulls_are_good else 0,  # a deck has 660 bulls at the very most
        draw_piles=state.draw_piles,
        chosen=state.chosen,
        bulls=table.bulls,
        piles=table.piles,
        returned=table.returned,
        known=table.known,
        left=table.left,
    )
    if table.round > table.options.games or (table.phase == "over" and table.round < table.options.games):
        raise InvalidPosition(f"The match has {table.options.games} games and is over after the last.")
    if table.bulls != tuple(map(faces(table.options.deck).worth, table.piles)):
        raise InvalidPosition("The bulls must be those of the bull piles.")
    _check_rows(table)
    _check_holdings(state)
    _check_memory(state)
    check_choices(state)
    _check_queue(table)


def _check_options(options: Options) -> None:
    try:
        check_values(options)
    except InvalidOptions as error:
        raise InvalidPosition(str(error)) from error


def _check_rows(table: Table) -> None:
    if not table.rows and table.phase == "deal":
        return
    check_begun(table.rows, ROWS)
    shown = faces(table.options.deck)
    for row, cards in enumerate(table.rows, 1):
        if len(cards) > ROW_LIMIT and not table.options.colour_counts:
            raise InvalidPosition(f"Row {row} holds more than {ROW_LIMIT} cards.")
        # A card may show six bulls of a colour by itself; then it may lie alone.
        if len(cards) > 1 and (crowded := shown.crowded(cards)):
            raise InvalidPosition(f"Row {row} shows six bulls or more in {crowded[0]}: it would have been taken.")


def _check_holdings(state: State) -> None:
    table, hands, draw_piles = state.table, state.hands, state.draw_piles
    if any(len(hand) > HAND or tuple(sorted(set(hand))) != hand for hand in hands):
        raise InvalidPosition(f"Hands hold {HAND} cards at most, each once, in ascending order.")
    if any(len(set(pile)) != len(pile) for pile in draw_piles):
        raise InvalidPosition("A draw pile holds each card once.")
    if table.phase in ("deal", "over") and (any(hands) or any(draw_piles)):
        raise InvalidPosition("Between games nobody holds a card.")
    good = table.options.bulls_are_good
    if not good and len({(len(hand), len(pile)) for hand, pile in zip(hands, draw_piles, strict=True)}) > 1:
        raise InvalidPosition("All must have the same number of cards in hand, and in the draw pile.")
    if any(table.left) and not (good and table.phase in ("deal", "over")):
        raise InvalidPosition("Cards are left only after a game in which bulls are good.")


def _check_memory(state: State) -> None:
    """What all remember of returned cards must be true; nothing is returned where bulls are bad."""
    table, good = state.table, state.table.options.bulls_are_good
    if not good and (any(table.returned) or any(table.known) or table.idle):
        raise InvalidPosition("Cards are returned only where bulls are good.")
    for pile, cards in zip(state.draw_piles, table.returned, strict=True):
        if pile[len(pile) - len(cards) :] != cards:
            raise InvalidPosition("Returned cards lie at the bottom of their draw pile, in the order of returning.")
    for hand, cards in zip(state.hands, table.known, strict=True):
        if tuple(sorted(set(cards))) != cards or not set(cards) <= set(hand):
            raise InvalidPosition("Known cards are in the hand, written in ascending order.")
    largest = max(len(hand) + len(pile) for hand, pile in zip(state.hands, state.draw_piles, strict=True))
    if table.idle < 0 or (table.phase == "choose" and table.idle >= largest) or (table.phase == "row" and table.idle):
        raise InvalidPosition("idle counts the turns without a placement, fewer than the largest holding has cards.")


def _check_queue(table: Table) -> None:
    if (table.phase == "row") != bool(table.queue):
        raise InvalidPosition("Cards are still to be placed exactly while somebody chooses a row.")
    if not table.queue:
        return
    check_queue(table.queue, range(table.seats))
    check_order(table.queue)
    fitting = fitting_rows(faces(table.options.deck), table.rows, table.queue[0].card)
    if len(fitting) == 1 or (not fitting and table.options.bulls_are_good):
        raise InvalidPosition(f"There is nothing to choose for {table.queue[0].card}.")

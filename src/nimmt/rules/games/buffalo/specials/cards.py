"""Special cards that bring one card to another place: Swap!, Insert! and Push!"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from nimmt.rules.game import Event, Refusal
from nimmt.rules.games.buffalo import actions
from nimmt.rules.games.buffalo.events import CardInserted, CardPushed, CardTakenBack
from nimmt.rules.games.buffalo.options import HAND
from nimmt.rules.games.buffalo.placing import collect, empty_row, is_open, lay, limit, squeeze
from nimmt.rules.games.buffalo.specials.base import (
    ALL_PLACED,
    NO_ROW,
    NOT_THE_BUFFALOS,
    ROW_NUMBERS,
    STOPPED,
    Refused,
    Special,
    no,
    not_a_team_card,
    other_plays,
    play_of,
)
from nimmt.rules.games.buffalo.state import BUFFALO, State, Table
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.seats import at, without


class Swap(Special[actions.Swap]):
    """The seat takes its card back; which one it plays instead is the seat's own decision."""

    def candidates(self, table: Table) -> Iterator[actions.Swap]:
        return (actions.Swap(play.seat) for play in table.queue)

    def refusal(self, table: Table, use: actions.Swap) -> Refused | None:
        if refused := not_a_team_card(table, use.seat):
            return refused
        return None if table.turn < HAND else no("There is no other card in hand to play.")

    def act(self, state: State, use: actions.Swap, events: list[Event]) -> State:
        play = play_of(state.table, use.seat)
        events.append(CardTakenBack(play.seat, play.card))
        queue, known = other_plays(state.table, use.seat), (*state.table.known, play)
        table = replace(state.table, phase="swap", queue=queue, known=known, window=None)
        hand = tuple(sorted((*state.hands[use.seat], play.card)))
        return replace(state, table=table, hands=at(state.hands, use.seat, hand))


class Insert(Special[actions.Insert]):
    """The team's next card goes between cards instead of to the end of a row."""

    places = True

    def candidates(self, table: Table) -> Iterator[actions.Insert]:
        del table
        return map(actions.Insert, ROW_NUMBERS)

    def refusal(self, table: Table, use: actions.Insert) -> Refused | None:
        if use.row not in ROW_NUMBERS:
            return NO_ROW
        if not table.queue:
            return ALL_PLACED
        if table.queue[0].seat == BUFFALO:
            return NOT_THE_BUFFALOS
        if empty_row(table) is not None:
            return no("The next card must go to the empty row.")
        if not is_open(table, use.row):
            return STOPPED
        if table.queue[0].card > table.rows[use.row - 1][-1]:
            return Refusal.DOES_NOT_FIT, "A card is inserted between others or in front, not at the end of a row."
        return None

    def act(self, state: State, use: actions.Insert, events: list[Event]) -> State:
        table, play = state.table, state.table.queue[0]
        row, taken = squeeze(table.rows[use.row - 1], play.card, limit(table, use.row))
        kept = row[0] if taken else None
        events.append(CardInserted(play.seat, play.card, use.row, taken, bulls(taken), kept))
        state = lay(replace(state, table=replace(table, queue=table.queue[1:])), use.row, row)
        return collect(state, use.row, taken, events) if taken else state


class Push(Special[actions.Push]):
    """A card moves from one row to another."""

    def candidates(self, table: Table) -> Iterator[actions.Push]:
        return (actions.Push(card, row) for cards in table.rows for card in cards for row in ROW_NUMBERS)

    def refusal(self, table: Table, use: actions.Push) -> Refused | None:
        if use.row not in ROW_NUMBERS:
            return NO_ROW
        if not table.queue:
            return ALL_PLACED
        source = _row_of(table, use.card)
        if source is None:
            return no("This card lies in no row.")
        if source == use.row:
            return no("A card is pushed to another row.")
        return None if is_open(table, source) and is_open(table, use.row) else STOPPED

    def act(self, state: State, use: actions.Push, events: list[Event]) -> State:
        table, source = state.table, cast(int, _row_of(state.table, use.card))
        row, taken = squeeze(table.rows[use.row - 1], use.card, limit(table, use.row))
        kept = row[0] if taken else None
        events.append(CardPushed(use.card, source, use.row, taken, bulls(taken), kept))
        state = lay(lay(state, source, without(table.rows[source - 1], use.card)), use.row, row)
        return collect(state, use.row, taken, events) if taken else state


def _row_of(table: Table, card: int) -> int | None:
    return next((row for row, cards in enumerate(table.rows, 1) if card in cards), None)

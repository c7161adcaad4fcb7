"""Special cards that lie at a row: Take 7! and Stop!, and the lifting of a Stop!"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from nimmt.rules.game import Event, Refusal
from nimmt.rules.games.buffalo import actions
from nimmt.rules.games.buffalo.placing import is_open, lies_at, remove
from nimmt.rules.games.buffalo.specials.base import NO_ROW, ROW_NUMBERS, Refused, Special, no
from nimmt.rules.games.buffalo.state import State, Table

_ROW_EMPTY: Final = no("It cannot lie at an empty row.")
_ANOTHER_THERE: Final = no("Another card of this kind lies at the row already.")


class Take7(Special[actions.Take7]):
    """The row holds one card more until it is taken."""

    def candidates(self, table: Table) -> Iterator[actions.Take7]:
        del table
        return map(actions.Take7, ROW_NUMBERS)

    def refusal(self, table: Table, use: actions.Take7) -> Refused | None:
        if use.row not in ROW_NUMBERS:
            return NO_ROW
        if not table.rows[use.row - 1]:
            return _ROW_EMPTY
        return _ANOTHER_THERE if lies_at(table, "Take7", use.row) else None

    def act(self, state: State, use: actions.Take7, events: list[Event]) -> State:
        del use, events
        return state


class Stop(Special[actions.Stop]):
    """The row is closed until the team lifts the card."""

    def candidates(self, table: Table) -> Iterator[actions.Stop]:
        del table
        return map(actions.Stop, ROW_NUMBERS)

    def refusal(self, table: Table, use: actions.Stop) -> Refused | None:
        if use.row not in ROW_NUMBERS:
            return NO_ROW
        if not table.rows[use.row - 1]:
            return _ROW_EMPTY
        return None if is_open(table, use.row) else _ANOTHER_THERE

    def act(self, state: State, use: actions.Stop, events: list[Event]) -> State:
        del events
        window = state.table.window
        if window is None or state.table.rules_version > 1:
            return state
        window = replace(window, stopped=(*window.stopped, use.row))
        return replace(state, table=replace(state.table, window=window))


class Lift(Special[actions.Lift]):
    def candidates(self, table: Table) -> Iterator[actions.Lift]:
        del table
        return map(actions.Lift, ROW_NUMBERS)

    def refusal(self, table: Table, use: actions.Lift) -> Refused | None:
        if use.row not in ROW_NUMBERS:
            return NO_ROW
        if is_open(table, use.row):
            return Refusal.NO_SUCH_SPECIAL, "No Stop! lies at this row."
        if table.window is not None and use.row in table.window.stopped:
            return no("This Stop! was laid just now: it can be lifted in a later window.")
        return None

    def act(self, state: State, use: actions.Lift, events: list[Event]) -> State:
        return remove(state, "Stop", use.row, events)

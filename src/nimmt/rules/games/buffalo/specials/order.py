"""Special cards that change the order of placement: First card, Last card and Sort."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations

from msgspec.structs import replace

from nimmt.rules.game import Event
from nimmt.rules.games.buffalo import actions
from nimmt.rules.games.buffalo.events import OrderChanged
from nimmt.rules.games.buffalo.specials.base import (
    ALL_PLACED,
    Refused,
    Special,
    idle_uses_allowed,
    no,
    not_a_team_card,
    other_plays,
    play_of,
)
from nimmt.rules.games.buffalo.state import Play, State, Table


class First(Special[actions.First]):
    def candidates(self, table: Table) -> Iterator[actions.First]:
        return (actions.First(play.seat) for play in table.queue)

    def refusal(self, table: Table, use: actions.First) -> Refused | None:
        if refused := not_a_team_card(table, use.seat):
            return refused
        if table.queue[0].seat == use.seat and not idle_uses_allowed(table):
            return no("This card is the next one already.")
        return None

    def act(self, state: State, use: actions.First, events: list[Event]) -> State:
        table = state.table
        return _reorder(state, (play_of(table, use.seat), *other_plays(table, use.seat)), events)


class Last(Special[actions.Last]):
    def candidates(self, table: Table) -> Iterator[actions.Last]:
        return (actions.Last(play.seat) for play in table.queue)

    def refusal(self, table: Table, use: actions.Last) -> Refused | None:
        if refused := not_a_team_card(table, use.seat):
            return refused
        if table.queue[-1].seat == use.seat and not idle_uses_allowed(table):
            return no("This card is the last one already.")
        return None

    def act(self, state: State, use: actions.Last, events: list[Event]) -> State:
        table = state.table
        return _reorder(state, (*other_plays(table, use.seat), play_of(table, use.seat)), events)


class Sort(Special[actions.Sort]):
    """All cards still to be placed get a new order."""

    def candidates(self, table: Table) -> Iterator[actions.Sort]:
        if not table.queue:
            return iter(())
        orders = permutations(play.seat for play in table.queue)
        return map(actions.Sort, islice(orders, 0 if idle_uses_allowed(table) else 1, None))

    def uses(self, table: Table) -> Iterator[actions.Sort]:
        # The first arrangement is the present order; there may be thousands of others, all possible: none is judged.
        return self.candidates(table)

    def refusal(self, table: Table, use: actions.Sort) -> Refused | None:
        present = tuple(play.seat for play in table.queue)
        if not present:
            return ALL_PLACED
        if sorted(use.order) != sorted(present):
            return no("The order must name the owner of each card still to be placed once.")
        if use.order == present and not idle_uses_allowed(table):
            return no("This is the order already.")
        return None

    def act(self, state: State, use: actions.Sort, events: list[Event]) -> State:
        return _reorder(state, tuple(play_of(state.table, seat) for seat in use.order), events)


def _reorder(state: State, queue: tuple[Play, ...], events: list[Event]) -> State:
    events.append(OrderChanged(queue))
    return replace(state, table=replace(state.table, queue=queue))

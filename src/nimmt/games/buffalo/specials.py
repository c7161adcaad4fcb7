"""The special cards of Beat the Buffalo as pieces that compose."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice, permutations
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar, cast

from msgspec.structs import replace

from nimmt.games.buffalo import types
from nimmt.games.buffalo.events import CardInserted, CardPushed, CardTakenBack, OrderChanged
from nimmt.games.buffalo.placing import collect, empty_row, is_open, lay, lies_at, limit, remove, squeeze
from nimmt.games.buffalo.types import BUFFALO, HAND, ROWS, Play, SpecialUse, State, Table
from nimmt.rules.game import Event, Refusal, Seat
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.seats import at, without

# -- base --------------------------------------------------------------------------------------------------------------
# What a special card must be able to do, and what several of them need.

Refused: TypeAlias = tuple[Refusal, str]
U = TypeVar("U", bound=SpecialUse)


def no(sentence: str) -> Refused:
    return Refusal.SPECIAL_NOT_POSSIBLE, sentence


ROW_NUMBERS: Final = range(1, ROWS + 1)
NO_ROW: Final = (Refusal.NO_SUCH_ROW, f"There is no such row: rows are 1 to {ROWS}.")
STOPPED: Final = no("Nothing can be added to a stopped row, taken from it or moved.")
ALL_PLACED: Final = no("No card is left to be placed in this turn.")
NOT_THE_BUFFALOS: Final = no("It does nothing to the buffalo's card.")
NOT_TO_BE_PLACED: Final = no("This seat has no card left to be placed.")


def idle_uses_allowed(table: Table) -> bool:
    """May a special card be spent on what changes nothing, to turn up the next one?"""
    return table.rules_version > 1


class Special(ABC, Generic[U]):
    places: ClassVar[bool] = False
    """Using it is the placement that was due."""

    @abstractmethod
    def candidates(self, table: Table) -> Iterator[U]:
        """Every use that may be possible, and perhaps some that are not."""

    @abstractmethod
    def refusal(self, table: Table, use: U) -> Refused | None: ...

    @abstractmethod
    def act(self, state: State, use: U, events: list[Event]) -> State: ...

    def uses(self, table: Table) -> Iterator[U]:
        return (use for use in self.candidates(table) if self.refusal(table, use) is None)


def play_of(table: Table, seat: Seat) -> Play:
    return next(play for play in table.queue if play.seat == seat)


def other_plays(table: Table, seat: Seat) -> tuple[Play, ...]:
    return tuple(play for play in table.queue if play.seat != seat)


def not_a_team_card(table: Table, seat: Seat) -> Refused | None:
    if seat == BUFFALO:
        return NOT_THE_BUFFALOS
    return None if any(play.seat == seat for play in table.queue) else NOT_TO_BE_PLACED


# -- cards -------------------------------------------------------------------------------------------------------------
# Special cards that bring one card to another place: Swap!, Insert! and Push!


class Swap(Special[types.Swap]):
    """The seat takes its card back; which one it plays instead is the seat's own decision."""

    def candidates(self, table: Table) -> Iterator[types.Swap]:
        return (types.Swap(play.seat) for play in table.queue)

    def refusal(self, table: Table, use: types.Swap) -> Refused | None:
        if refused := not_a_team_card(table, use.seat):
            return refused
        return None if table.turn < HAND else no("There is no other card in hand to play.")

    def act(self, state: State, use: types.Swap, events: list[Event]) -> State:
        play = play_of(state.table, use.seat)
        events.append(CardTakenBack(play.seat, play.card))
        queue, known = other_plays(state.table, use.seat), (*state.table.known, play)
        table = replace(state.table, phase="swap", queue=queue, known=known, window=None)
        hand = tuple(sorted((*state.hands[use.seat], play.card)))
        return replace(state, table=table, hands=at(state.hands, use.seat, hand))


class Insert(Special[types.Insert]):
    """The team's next card goes between cards instead of to the end of a row."""

    places = True

    def candidates(self, table: Table) -> Iterator[types.Insert]:
        del table
        return map(types.Insert, ROW_NUMBERS)

    def refusal(self, table: Table, use: types.Insert) -> Refused | None:
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

    def act(self, state: State, use: types.Insert, events: list[Event]) -> State:
        table, play = state.table, state.table.queue[0]
        row, taken = squeeze(table.rows[use.row - 1], play.card, limit(table, use.row))
        kept = row[0] if taken else None
        events.append(CardInserted(play.seat, play.card, use.row, taken, bulls(taken), kept))
        state = lay(replace(state, table=replace(table, queue=table.queue[1:])), use.row, row)
        return collect(state, use.row, taken, events) if taken else state


class Push(Special[types.Push]):
    """A card moves from one row to another."""

    def candidates(self, table: Table) -> Iterator[types.Push]:
        return (types.Push(card, row) for cards in table.rows for card in cards for row in ROW_NUMBERS)

    def refusal(self, table: Table, use: types.Push) -> Refused | None:
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

    def act(self, state: State, use: types.Push, events: list[Event]) -> State:
        table, source = state.table, cast(int, _row_of(state.table, use.card))
        row, taken = squeeze(table.rows[use.row - 1], use.card, limit(table, use.row))
        kept = row[0] if taken else None
        events.append(CardPushed(use.card, source, use.row, taken, bulls(taken), kept))
        state = lay(lay(state, source, without(table.rows[source - 1], use.card)), use.row, row)
        return collect(state, use.row, taken, events) if taken else state


def _row_of(table: Table, card: int) -> int | None:
    return next((row for row, cards in enumerate(table.rows, 1) if card in cards), None)


# -- order -------------------------------------------------------------------------------------------------------------
# Special cards that change the order of placement: First card, Last card and Sort.


class First(Special[types.First]):
    def candidates(self, table: Table) -> Iterator[types.First]:
        return (types.First(play.seat) for play in table.queue)

    def refusal(self, table: Table, use: types.First) -> Refused | None:
        if refused := not_a_team_card(table, use.seat):
            return refused
        if table.queue[0].seat == use.seat and not idle_uses_allowed(table):
            return no("This card is the next one already.")
        return None

    def act(self, state: State, use: types.First, events: list[Event]) -> State:
        table = state.table
        return _reorder(state, (play_of(table, use.seat), *other_plays(table, use.seat)), events)


class Last(Special[types.Last]):
    def candidates(self, table: Table) -> Iterator[types.Last]:
        return (types.Last(play.seat) for play in table.queue)

    def refusal(self, table: Table, use: types.Last) -> Refused | None:
        if refused := not_a_team_card(table, use.seat):
            return refused
        if table.queue[-1].seat == use.seat and not idle_uses_allowed(table):
            return no("This card is the last one already.")
        return None

    def act(self, state: State, use: types.Last, events: list[Event]) -> State:
        table = state.table
        return _reorder(state, (*other_plays(table, use.seat), play_of(table, use.seat)), events)


class Sort(Special[types.Sort]):
    """All cards still to be placed get a new order."""

    def candidates(self, table: Table) -> Iterator[types.Sort]:
        if not table.queue:
            return iter(())
        orders = permutations(play.seat for play in table.queue)
        return map(types.Sort, islice(orders, 0 if idle_uses_allowed(table) else 1, None))

    def uses(self, table: Table) -> Iterator[types.Sort]:
        # The first arrangement is the present order; there may be thousands of others, all possible: none is judged.
        return self.candidates(table)

    def refusal(self, table: Table, use: types.Sort) -> Refused | None:
        present = tuple(play.seat for play in table.queue)
        if not present:
            return ALL_PLACED
        if sorted(use.order) != sorted(present):
            return no("The order must name the owner of each card still to be placed once.")
        if use.order == present and not idle_uses_allowed(table):
            return no("This is the order already.")
        return None

    def act(self, state: State, use: types.Sort, events: list[Event]) -> State:
        return _reorder(state, tuple(play_of(state.table, seat) for seat in use.order), events)


def _reorder(state: State, queue: tuple[Play, ...], events: list[Event]) -> State:
    events.append(OrderChanged(queue))
    return replace(state, table=replace(state.table, queue=queue))


# -- rows --------------------------------------------------------------------------------------------------------------
# Special cards that lie at a row: Take 7! and Stop!, and the lifting of a Stop!

_ROW_EMPTY: Final = no("It cannot lie at an empty row.")
_ANOTHER_THERE: Final = no("Another card of this kind lies at the row already.")


def _refused_at(table: Table, row: int, what: types.Kind) -> Refused | None:
    """Why a special card of this kind may not be laid at a row."""
    if row not in ROW_NUMBERS:
        return NO_ROW
    if not table.rows[row - 1]:
        return _ROW_EMPTY
    return _ANOTHER_THERE if lies_at(table, what, row) else None


class Take7(Special[types.Take7]):
    """The row holds one card more until it is taken."""

    def candidates(self, table: Table) -> Iterator[types.Take7]:
        del table
        return map(types.Take7, ROW_NUMBERS)

    def refusal(self, table: Table, use: types.Take7) -> Refused | None:
        return _refused_at(table, use.row, "Take7")

    def act(self, state: State, use: types.Take7, events: list[Event]) -> State:
        del use, events
        return state


class Stop(Special[types.Stop]):
    """The row is closed until the team lifts the card."""

    def candidates(self, table: Table) -> Iterator[types.Stop]:
        del table
        return map(types.Stop, ROW_NUMBERS)

    def refusal(self, table: Table, use: types.Stop) -> Refused | None:
        return _refused_at(table, use.row, "Stop")

    def act(self, state: State, use: types.Stop, events: list[Event]) -> State:
        del events
        window = state.table.window
        if window is None or state.table.rules_version > 1:
            return state
        window = replace(window, stopped=(*window.stopped, use.row))
        return replace(state, table=replace(state.table, window=window))


class Lift(Special[types.Lift]):
    def candidates(self, table: Table) -> Iterator[types.Lift]:
        del table
        return map(types.Lift, ROW_NUMBERS)

    def refusal(self, table: Table, use: types.Lift) -> Refused | None:
        if use.row not in ROW_NUMBERS:
            return NO_ROW
        if is_open(table, use.row):
            return Refusal.NO_SUCH_SPECIAL, "No Stop! lies at this row."
        if table.window is not None and use.row in table.window.stopped:
            return no("This Stop! was laid just now: it can be lifted in a later window.")
        return None

    def act(self, state: State, use: types.Lift, events: list[Event]) -> State:
        return remove(state, "Stop", use.row, events)


# -- specials ----------------------------------------------------------------------------------------------------------
# The eight special cards, one small piece each, and the lifting of a Stop!
#
# A piece lists its possible uses, says why a use is not possible, and carries it out. Listing goes through the same
# judgement as refusing, so that the two cannot differ.

PIECES: Final[dict[str, Special[Any]]] = {
    "Take7": Take7(),
    "Stop": Stop(),
    "Swap": Swap(),
    "Insert": Insert(),
    "Push": Push(),
    "First": First(),
    "Last": Last(),
    "Sort": Sort(),
    "Lift": Lift(),
}
"""By the name of the use."""

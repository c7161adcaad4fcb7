"""Using the special cards that lie face up: what is possible, why something is not, and what it does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from nimmt.rules.game import Event, Refusal, Seat
from nimmt.rules.games.buffalo.actions import AnyUse, Lift, Stop, Take7
from nimmt.rules.games.buffalo.events import SpecialsRevealed, SpecialUsed
from nimmt.rules.games.buffalo.specials import PIECES, Refused, Special
from nimmt.rules.games.buffalo.state import State, Table, kind
from nimmt.rules.kit.seats import at

_NOT_FACE_UP: Final = (Refusal.NO_SUCH_SPECIAL, "This special card does not lie face up.")


def piece_for(use: AnyUse) -> Special[Any]:
    return PIECES[type(use).__name__]


def possible_uses(table: Table) -> Iterator[AnyUse]:
    """All that the team could do with special cards now, two cards of one kind counted once."""
    for name in dict.fromkeys(kind(special) for special in table.face_up):
        yield from PIECES[name].uses(table)
    yield from PIECES["Lift"].uses(table)


def anything_possible(table: Table) -> bool:
    return next(possible_uses(table), None) is not None


def refusal(table: Table, use: AnyUse) -> Refused | None:
    """Why the team cannot do this now; None if it can."""
    name = type(use).__name__
    if name != "Lift" and all(kind(special) != name for special in table.face_up):
        return _NOT_FACE_UP
    refused: Refused | None = piece_for(use).refusal(table, use)
    return refused


def carry_out(state: State, seat: Seat, use: AnyUse, events: list[Event]) -> State:
    """The team uses a special card: it is spent and replaced at once, then it acts."""
    events.append(SpecialUsed(seat, use))
    if not isinstance(use, Lift):
        state = _spend(state, use, events)
    acted: State = piece_for(use).act(state, use, events)
    return acted


def _spend(state: State, use: AnyUse, events: list[Event]) -> State:
    table, drawn = state.table, state.specials[:1]
    special = next(special for special in table.face_up if kind(special) == type(use).__name__)
    place = table.face_up.index(special)
    table = replace(table, face_up=(*table.face_up[:place], *drawn, *table.face_up[place + 1 :]))
    if drawn:
        events.append(SpecialsRevealed((kind(drawn[0]),)))
    if isinstance(use, Take7 | Stop):
        beside = at(table.beside, use.row - 1, (*table.beside[use.row - 1], special))
        table = replace(table, beside=beside)
    else:
        table = replace(table, used=(*table.used, special))
    return replace(state, table=table, specials=state.specials[1:])

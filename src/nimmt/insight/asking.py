"""A hint for a position: what `nimmt.hint` answers."""

from __future__ import annotations

from typing import Any, Protocol

from nimmt.insight.advice import Hint
from nimmt.insight.hint import WORLDS
from nimmt.insight.hint import hint as hint_from
from nimmt.rules.game import AnyGame, Seat


class Positioned(Protocol):
    """A moment of a match, such as `nimmt.Position`."""

    @property
    def game(self) -> AnyGame: ...

    @property
    def state(self) -> Any: ...


def hint(position: Positioned, seat: Seat | None = None, *, worlds: int = WORLDS, language: str = "en") -> Hint:
    """What each action of a seat may be expected to bring; without a seat, of the first that is waited for.

    Only what the seat may know is used, although a position has all cards open. Raises `ValueError` if there is nothing
    to decide.
    """
    game, state = position.game, position.state
    waiting = [decision.seat for decision in game.pending(state)]
    if game.outcome(state) is not None or not waiting:
        raise ValueError("Nobody has to decide anything in this position.")
    if seat is None:
        seat = waiting[0]
    elif not 0 <= seat < state.table.seats:
        raise ValueError(f"There is no seat {seat}: the seats are 0 to {state.table.seats - 1}.")
    elif seat not in waiting:
        others = ", ".join(map(str, waiting))
        raise ValueError(f"Seat {seat} has nothing to decide now: waited for is {others}.")
    return hint_from(game, game.view(state, seat), game.legal(state, seat), worlds=worlds, language=language)

"""Laws of refusing: what is not legal is refused with a code, and nothing changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from nimmt.rules.game import Action, AnyGame, IllegalAction, Refusal, Seat
from nimmt.testing.inventing import invented, near_misses
from nimmt.testing.laws.basics import broken, encoded, located
from nimmt.testing.playing import some

STRANGE_SEATS = (-1, -(2**63), 10**9, 2**63)


def other_actions_are_refused(
    game: AnyGame, state: Any, rng: Random, strangers: Sequence[type[Action]] = (), most: int = 150
) -> None:
    """Protects from everything that clients may send: whatever `legal` does not list is refused by `apply` with a code
    and a sentence, out of turn, before a deal and after the end too. `strangers` are actions of other games."""
    before = encoded(state)
    for seat in range(state.table.seats):
        legal = game.legal(state, seat)
        allowed = frozenset(legal)
        tried = some(rng, list(invented(game.action_types, rng)), most)
        tried += near_misses(some(rng, legal, 20), rng)
        tried += some(rng, [*invented(strangers, rng), *_disguised(some(rng, legal, 5), strangers)], most // 3)
        for action in tried:
            if type(action) not in game.action_types or action not in allowed:
                _refuses(game, state, seat, action)
    if encoded(state) != before:
        raise broken(game, state, "refusing has changed the state.")


def _disguised(actions: Iterable[Action], strangers: Sequence[type[Action]]) -> list[Action]:
    """The same names and values, but actions of other games."""
    return [
        stranger(**msgspec.structs.asdict(action))
        for action in actions
        for stranger in strangers
        if stranger.__name__ == type(action).__name__ and stranger.__struct_fields__ == action.__struct_fields__
    ]


def _refuses(game: AnyGame, state: Any, seat: Seat, action: Action) -> None:
    try:
        with located(game, state):
            game.apply(state, seat, action)
    except IllegalAction as error:
        if not isinstance(error.refusal, Refusal) or error.seat != seat or not str(error).endswith("."):
            raise broken(game, state, f"{action} by seat {seat} is refused without a code or a sentence.") from error
        _check_general_refusal(game, state, error)
    else:
        raise broken(game, state, f"{action} by seat {seat} is accepted, but legal({seat}) does not list it.")


def _check_general_refusal(game: AnyGame, state: Any, error: IllegalAction) -> None:
    """The reasons that are the same in all games, where one of them is the reason."""
    if game.outcome(state) is not None:
        expected = {Refusal.MATCH_OVER}
    elif game.deal_request(state) is not None:
        expected = {Refusal.WAITING_FOR_DEAL}
    elif not game.legal(state, error.seat):
        expected = {Refusal.NOT_YOUR_TURN, Refusal.WRONG_ACTION}
    else:
        return
    if error.refusal not in expected:
        raise broken(game, state, f"refused with {error.refusal}, not with {' or '.join(expected)}: {error}") from error


def unknown_seats_are_refused(game: AnyGame, state: Any) -> None:
    """Protects from seats that do not exist: asking for them is refused, never an error of some other kind."""
    some_action = next((game.legal(state, d.seat)[0] for d in game.pending(state)), game.action_types[0])
    for seat in (*STRANGE_SEATS, state.table.seats):
        for ask in (
            lambda seat: game.apply(state, seat, some_action),
            lambda seat: game.legal(state, seat),
            lambda seat: game.view(state, seat),
        ):
            try:
                with located(game, state):
                    ask(seat)
            except IllegalAction as error:
                if error.refusal is not Refusal.NO_SUCH_SEAT:
                    raise broken(game, state, f"seat {seat} is refused with {error.refusal}.") from error
            else:
                raise broken(game, state, f"seat {seat} does not exist and is accepted.")

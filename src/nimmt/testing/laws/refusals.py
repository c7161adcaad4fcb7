"""Laws of refusing: what is not legal is refused with a code, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from nimmt.rules.game import Action, AnyGame, IllegalAction, Refusal, Seat
from nimmt.testing.inventing import ENORMOUS, invented, near_misses
from nimmt.testing.laws.basics import broken, encoded, located
from nimmt.testing.playing import some

STRANGE_SEATS = (-ENORMOUS, -1, 10**9, 2**63)
CODES = frozenset(Refusal)


def other_actions_are_refused(
    game: AnyGame, state: Any, rng: Random, strangers: Sequence[type[Action]] = (), most: int = 150
) -> None:
    """Protects from everything that clients may send: whatever `legal` does not list is refused by `apply` with a code
    and a sentence, out of turn, before a deal and after the end too. `strangers` are actions of other games."""
    before, always = encoded(state), _general_refusal(game, state)
    made_up, strange = list(invented(game.action_types, rng)), list(invented(strangers, rng))
    for seat in range(state.table.seats):
        legal = game.legal(state, seat)
        allowed = frozenset(legal)
        tried = some(rng, made_up, most) + some(rng, strange, most // 5)
        tried += near_misses(some(rng, legal, 10), rng) + _disguised(some(rng, legal, 3), strangers)
        for action in tried:
            if type(action) not in game.action_types or action not in allowed:
                _refuses(game, state, seat, action, always)
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


def _refuses(game: AnyGame, state: Any, seat: Seat, action: Action, always: Refusal | None) -> None:
    with located(game, state):
        error = _refusal_of(game.apply, state, seat, action)
    if error is None:
        raise broken(game, state, f"{_shown(action)} by seat {seat} is accepted, but legal({seat}) does not list it.")
    if error.refusal not in CODES or error.seat != seat or not str(error).endswith("."):
        sentence = f"{_shown(action)} by seat {seat} is refused without its seat, a code or a sentence."
        raise broken(game, state, sentence) from error
    if always not in (None, error.refusal):
        raise broken(game, state, f"refused with {error.refusal}, not with {always}: {error}") from error


def _shown(action: Action) -> str:
    try:
        return str(action)
    except ValueError:
        return f"{type(action).__name__} with an enormous number"


def _refusal_of(ask: Callable[..., object], *arguments: object) -> IllegalAction | None:
    try:
        ask(*arguments)
    except IllegalAction as error:
        return error
    return None


def _general_refusal(game: AnyGame, state: Any) -> Refusal | None:
    """The reason that is the same in all games, if there is one."""
    if game.outcome(state) is not None:
        return Refusal.MATCH_OVER
    return Refusal.WAITING_FOR_DEAL if game.deal_request(state) is not None else None


def unknown_seats_are_refused(game: AnyGame, state: Any) -> None:
    """Protects from seats that do not exist: asking for them is refused, never an error of some other kind."""
    actions = [action for seat in range(state.table.seats) for action in game.legal(state, seat)[:1]]
    for seat in (*STRANGE_SEATS, state.table.seats):
        with located(game, state):
            errors = [_refusal_of(ask, state, seat) for ask in (game.legal, game.view)]
            errors += [_refusal_of(game.apply, state, seat, action) for action in actions]
        if any(error is None or error.refusal is not Refusal.NO_SUCH_SEAT for error in errors):
            raise broken(game, state, f"a seat that does not exist is not refused as such: {errors}.")

"""An action from what somebody types: `21` for the card that is played, `(44, 1)` for a card and a pile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from nimmt.match.record import decode_action
from nimmt.rules.game import Action, AnyGame, IllegalAction, Refusal, Seat

Choice: TypeAlias = Action | int | str | Sequence[Any] | Mapping[str, Any]
"""An action; its numbers, if they leave no doubt; the name of one that has none; or the action as in records."""


def read_choice(game: AnyGame, state: Any, seat: Seat, choice: Choice) -> Action:
    """What the seat means by it; raises `IllegalAction`. Whether it may do that now, the rules say."""
    if isinstance(choice, Action):
        return choice
    legal = game.legal(state, seat)  # refuses a seat that is not there
    if isinstance(choice, Mapping):
        return _read_data(game, seat, choice)
    if isinstance(choice, str):
        return _read_data(game, seat, {"type": choice})
    values = tuple(choice) if isinstance(choice, Sequence) else (choice,)
    meant = [action for action in legal if _is_meant(action, values)]
    if len(meant) > 1:
        names = " or ".join(type(action).__name__ for action in meant)
        raise _unclear(seat, f"{choice!r:.60} may mean {names}: name the type.")
    return meant[0] if meant else _not_legal(game, legal, seat, values)


def _is_meant(action: Action, values: tuple[Any, ...]) -> bool:
    """Whether these are its fields; those with a default may be left out."""
    fields = msgspec.structs.fields(type(action))
    given = (*values, *(field.default for field in fields[len(values) :]))
    return given == tuple(getattr(action, field.name) for field in fields)


def _not_legal(game: AnyGame, legal: Sequence[Action], seat: Seat, values: tuple[Any, ...]) -> Action:
    """The action that it would be: the rules know best why it is refused."""
    for kind in dict.fromkeys([*map(type, legal), *game.action_types]):
        fields = msgspec.structs.fields(kind)
        if len([field for field in fields if field.required]) <= len(values) <= len(fields):
            names = (field.name for field in fields)
            return _read_data(game, seat, {"type": kind.__name__, **dict(zip(names, values, strict=False))})
    raise _unclear(seat, f"No action of {game.id} is written {values!r:.60}. {_known(game)}")


def _read_data(game: AnyGame, seat: Seat, data: Mapping[str, Any]) -> Action:
    try:
        return decode_action(game, msgspec.json.encode(data))
    except (msgspec.MsgspecError, TypeError, OverflowError) as error:
        raise _unclear(seat, f"{dict(data)!r:.80} is not an action of {game.id}: {error}. {_known(game)}") from None


def _known(game: AnyGame) -> str:
    return f"The actions are: {', '.join(kind.__name__ for kind in game.action_types)}."


def _unclear(seat: Seat, sentence: str) -> IllegalAction:
    return IllegalAction(Refusal.WRONG_ACTION, seat, sentence)

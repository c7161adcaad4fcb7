"""Positions and actions as people write them: what they see on a table, in any notation, and what they type."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cache
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec

from nimmt.match.record import decode_action
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Cards, IllegalAction, InvalidPosition, Options, Refusal, Seat, Value
from nimmt.rules.kit.notation import Unreadable, read
from nimmt.rules.kit.options import chosen_options, option_fields


def set_up(game: AnyGame, parts: Mapping[str, Any], variant: str | None = None) -> Value:
    """A state from what lies on the table. Options of the game may stand among the parts, or as `options`."""
    make, hints = _maker(game)
    fields = {field.name for field in option_fields(game.options_type)}
    for name in parts:
        if name not in hints and name not in fields:
            known = ", ".join(name for name in hints if name != "options")
            raise InvalidPosition(f"A position of {game.id} takes {known} and its options, not {name!r:.40}.")
    missing = [name for name in _required(make) if name not in parts]
    if missing:
        raise InvalidPosition(f"The position lacks: {', '.join(missing)}.")
    changes = {name: value for name, value in parts.items() if name not in hints}
    arguments = {name: _argument(name, parts[name], hint) for name, hint in hints.items() if name in parts}
    options = chosen_options(game, variant, arguments.pop("options", None), changes)
    state: Value = make(**arguments, options=options)
    return state


def parts_of(game: AnyGame) -> dict[str, bool]:
    """What can be said about a table as text, and whether it must be."""
    make, hints = _maker(game)
    required = _required(make)
    plain = {name: _plain(hint) for name, hint in hints.items() if name not in ("options", "rules_version")}
    return {name: name in required for name, hint in plain.items() if get_origin(hint) is not dict}


def unknown_cards(game: AnyGame, options: Options, hand: Cards, seats: int, lying: Container[int]) -> dict[str, Any]:
    """Places that one player cannot see into, filled with cards that lie nowhere else: the others hold as many as this
    one, and what else the game has. Which cards they are must not matter for who asks from this player's view."""
    request = game.deal_request(game.setup(options, seats))
    first = next(iter(request.decks.values())) if request else ()
    rest = [card for card in first if card not in hand and card not in lying]
    needed = len(hand) * (seats - 1)
    if len(rest) < needed:
        raise InvalidPosition(f"There are not enough cards for {seats} hands of {len(hand)}.")
    others = [tuple(rest[len(hand) * at : len(hand) * (at + 1)]) for at in range(seats - 1)]
    more = getattr(registry.part(game.id, "position"), "hidden_parts", None)
    return {"hands": (hand, *others)} | (more(rest[needed:], len(hand)) if more else {})


@cache
def _maker(game: AnyGame) -> tuple[Callable[..., Value], dict[str, Any]]:
    """What makes positions of the game, and what it takes."""
    make = getattr(registry.part(game.id, "position"), "table_position", None)
    if make is None:
        raise InvalidPosition(f"A position of {game.id} must be given as a whole, as text or as JSON.")
    hints = get_type_hints(make)
    del hints["return"]
    return make, hints


def _required(make: Callable[..., Value]) -> list[str]:
    return [name for name, given in signature(make).parameters.items() if given.default is Parameter.empty]


def _argument(name: str, value: Any, hint: Any) -> Any:
    """A part as the game takes it: text is read in the notation of positions, plain data is checked."""
    if name == "options" or isinstance(value, msgspec.Struct):
        return value
    hint = _plain(hint)
    try:
        if get_origin(hint) is dict:
            key, inner = get_args(hint)
            return {msgspec.convert(k, key, strict=False): _argument(name, v, inner) for k, v in dict(value).items()}
        return read(value.strip(), hint) if isinstance(value, str) else msgspec.convert(value, hint)
    except (Unreadable, msgspec.ValidationError, TypeError, ValueError) as error:
        raise InvalidPosition(f"{name}: {str(error).rstrip('.')}.") from None


def _plain(hint: Any) -> Any:
    """The type with tuples for all sequences: those are what the notation knows."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _plain(next(arg for arg in inner if arg is not NoneType))
    if not isinstance(origin, type):
        return hint
    if issubclass(origin, Mapping):
        return dict[_plain(inner[0]), _plain(inner[1])]  # type: ignore[misc]
    return tuple[_plain(inner[0]), ...] if issubclass(origin, Sequence) else hint  # type: ignore[misc]


# -- actions -----------------------------------------------------------------------------------------------------------

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

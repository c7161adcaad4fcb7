"""A position, what is decided in it, and what the rules make of that."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec

from nimmt.library import position
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Event, Value
from nimmt.rules.kit.notation import fields_of
from nimmt.rules.kit.options import read_options

Description = Mapping[str, Any]
Move = Sequence[Any]
"""A seat, the name of an action, and the action's fields in their order."""


class Story(msgspec.Struct, frozen=True):
    game: AnyGame
    before: Any
    events: tuple[Event, ...]
    after: Any


def tell(description: Description) -> Story:
    """Set up the position and let the rules play the moves. A `prelude` happens before the picture begins."""
    game = registry.get(description["game"])
    state = set_up(game, description)
    before, _ = play(game, state, description.get("prelude", ()))
    after, events = play(game, before, description.get("moves", ()))
    return Story(game, before, events, after)


@cache
def descriptions() -> Mapping[str, Description]:
    """All pictures by their names."""
    file = Path(__file__).resolve().parent / "pictures" / "pictures.toml"
    return {description["name"]: description for description in tomllib.loads(file.read_text("utf-8"))["picture"]}


def beginning(name: str) -> tuple[AnyGame, Value]:
    """The position that a picture's moves begin with, its prelude included."""
    description = descriptions()[name]
    game = registry.get(description["game"])
    return game, set_up(game, description)


def set_up(game: AnyGame, description: Description) -> Value:
    """The position given, or the beginning of a match where nothing has to be dealt."""
    state: Value
    if "setup" in description:
        given = description["setup"]
        state = game.setup(read_options(game.options_type, given["options"]), given["seats"])
    else:
        state = position.set_up(game, description["position"])
    return state


def play(game: AnyGame, state: Value, moves: Sequence[Move]) -> tuple[Value, tuple[Event, ...]]:
    """Moves in order. Where a team may use special cards and the next move is another one, everybody passes."""
    events: list[Event] = []
    for seat, *words in moves:
        action = read_action(game.action_types, words)
        if action not in game.legal(state, seat):
            state = _all_pass(game, state, events)
        state, happened = game.apply(state, seat, action)
        events += happened
    return (_all_pass(game, state, events) if moves else state), tuple(events)


def read_action(types: Sequence[type[Any]], words: Sequence[Any]) -> Action:
    """`["PlayCard", 24, true]`, and for a field that is a value itself `["Use", ["Stop", 2]]`."""
    struct = next(kind for kind in types if kind.__name__ == words[0])
    hints = fields_of(struct).values()  # fields with a default may be left out
    action: Action = struct(*(_field(hint, word) for hint, word in zip(hints, words[1:], strict=False)))
    return action


def _field(hint: Any, word: Any) -> Any:
    if not isinstance(word, list):
        return word
    return read_action(get_args(hint), word) if isinstance(word[0], str) else tuple(word)


def _all_pass(game: AnyGame, state: Value, events: list[Event]) -> Value:
    while (pending := game.pending(state)) and pending[0].kind == "special":
        state, happened = game.apply(state, pending[0].seat, read_action(game.action_types, ["Pass"]))
        events += happened
    return state

"""The pictures of the rules: positions, and what the rules make of moves in them, so that no picture can be wrong.

They are data in a game's `RULES.toml`; each belongs to a rule of the text. The page draws with them, and so does the
documentation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, TypeAlias, get_args

import msgspec

from nimmt.drawing.pictures import Layout, Picture, artist_of, gallery, moment, turn
from nimmt.lessons.lesson import Language, Text
from nimmt.match.by_hand import set_up
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Event, Seat, Value
from nimmt.rules.kit.notation import fields_of
from nimmt.rules.kit.options import read_options

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fay")

Move: TypeAlias = list[Any]
"""A seat, the name of an action, and the action's fields in their order."""


class Beginning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match of which nothing has been dealt."""

    seats: int
    options: dict[str, Any]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands below cards shown side by side, in every language."""

    en: list[str]
    de: list[str]
    pl: list[str]
    ru: list[str]


class Plate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture that belongs to a rule: a position, perhaps with moves, or just cards."""

    name: str
    rule: str
    title: Text
    """What it shows."""
    position: dict[str, Any] | None = None
    """As `nimmt.position` takes it."""
    setup: Beginning | None = None
    prelude: list[Move] = []
    """Made before the picture begins."""
    moves: list[Move] = []
    hands: list[Seat] = []
    """The seats whose hands are shown."""
    cards: list[int | str] = []
    words: Words | None = None
    """Below these cards."""
    game: str = ""


class Plates(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What belongs to the rules besides their text."""

    when: dict[str, dict[str, Any]] = {}
    """Rules that hold only where an option has this value, or has it among others."""
    picture: list[Plate] = []


@cache
def plates_of(game_id: str) -> Plates:
    registry.get(game_id)
    file = resources.files(f"nimmt.games.{game_id}") / "RULES.toml"
    if not file.is_file():
        return Plates()
    read = msgspec.toml.decode(file.read_bytes(), type=Plates)
    return Plates(read.when, [msgspec.structs.replace(plate, game=game_id) for plate in read.picture])


@cache
def pictures() -> Mapping[str, Plate]:
    """All pictures of all games, by game and name: `six-turn`."""
    return {f"{game}-{plate.name}": plate for game in registry.GAMES for plate in plates_of(game).picture}


# -- what happens in them -----------------------------------------------------------------------------------------


class PlayedPlate(msgspec.Struct, frozen=True):
    game: AnyGame
    before: Any
    events: tuple[Event, ...]
    after: Any


def tell(plate: Plate) -> PlayedPlate:
    """Set up the position and let the rules play the moves."""
    game, state = beginning(plate)
    before, _ = play(game, state, plate.prelude)
    after, events = play(game, before, plate.moves)
    return PlayedPlate(game, before, events, after)


def beginning(plate: Plate) -> tuple[AnyGame, Value]:
    """The position given, or the beginning of a match where nothing has to be dealt."""
    game = registry.get(plate.game)
    if plate.setup is not None:
        options = read_options(game.options_type, plate.setup.options)
        state: Value = game.setup(options, plate.setup.seats)
        return game, state
    return game, set_up(game, plate.position or {})


def play(game: AnyGame, state: Value, moves: Sequence[Move]) -> tuple[Value, tuple[Event, ...]]:
    """Moves in order. Where a team may use special cards and the next move is another one, everybody passes."""
    events: list[Event] = []
    for seat, *words in moves:
        action = _action(game.action_types, words)
        if action not in game.legal(state, seat):
            state = _all_pass(game, state, events)
        state, happened = game.apply(state, seat, action)
        events += happened
    return (_all_pass(game, state, events) if moves else state), tuple(events)


def _action(types: Sequence[type[Any]], words: Sequence[Any]) -> Action:
    """`["PlayCard", 24, true]`, and for a field that is a value itself `["Use", ["Stop", 2]]`."""
    struct: Any = next(kind for kind in types if kind.__name__ == words[0])
    hints = fields_of(struct).values()  # fields with a default may be left out
    action: Action = struct(*(_field(hint, word) for hint, word in zip(hints, words[1:], strict=False)))
    return action


def _field(hint: Any, word: Any) -> Any:
    if not isinstance(word, list):
        return word
    return _action(get_args(hint), word) if isinstance(word[0], str) else tuple(word)


def _all_pass(game: AnyGame, state: Value, events: list[Event]) -> Value:
    while (pending := game.pending(state)) and pending[0].kind == "special":
        state, happened = game.apply(state, pending[0].seat, _action(game.action_types, ["Pass"]))
        events += happened
    return state


# -- how they look ------------------------------------------------------------------------------------------------


def draw(plate: Plate, language: Language = "en", layout: Layout = "wide") -> str:
    """The SVG document."""
    return _picture(plate, language, layout).svg(plate.title.in_language(language))


def _picture(plate: Plate, language: Language, layout: Layout) -> Picture:
    if plate.cards:
        game = registry.get(plate.game)
        artist = artist_of(game, game.setup(game.options_type(), game.max_seats).table, NAMES, language)
        words: list[str] = getattr(plate.words, language) if plate.words else [""] * len(plate.cards)
        return gallery(artist, list(zip(plate.cards, words, strict=True)), layout)
    story = tell(plate)
    if story.events:
        return turn(story.game, story.before, story.events, story.after, NAMES, language, layout)
    return moment(story.game, story.before, NAMES, plate.hands, language, layout)

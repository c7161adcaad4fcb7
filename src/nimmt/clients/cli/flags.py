"""The game that a command is about, and its options as flags."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, cast

from nimmt.clients.cli.errors import did_you_mean
from nimmt.clients.cli.files import read_json
from nimmt.clients.cli.output import tell
from nimmt.clients.cli.parsing import GameArgument, Parser, game_named
from nimmt.rules.game import AnyGame, InvalidOptions, Options
from nimmt.rules.kit.options import OptionField, find_variant, option_fields, read_options, read_word
from nimmt.rules.registry import GAMES

SEAT_NAMES = ("Anna", "Ben", "Cleo", "Dario", "Ella", "Finn", "Greta", "Hugo", "Ida", "Jonas")
"""Who sits there when nobody says: enough for the largest table."""


def add_game_argument(
    parser: argparse.ArgumentParser, *, required: bool = True, default: str | None = None, options: bool = True
) -> None:
    """`args.game` will be the game itself (None where it may be left out and was).

    With `options` the game's own flags come with it: `options_from` reads them.
    """
    required = required and default is None
    meant = f" (default: {default})" if default else ""
    where = f"; '{parser.prog} GAME --help' shows its options" if options else ""
    action = parser.add_argument(
        "game",
        metavar="GAME",
        type=game_named,
        default=default,
        nargs=None if required else "?",
        help=f"{', '.join(GAMES[:-1])} or {GAMES[-1]}{meant}{where}",
    )
    cast(Parser, parser).game_argument = GameArgument(action, required, default, _add_option_flags if options else None)


def _add_option_flags(parser: Parser, game: AnyGame) -> None:
    group = parser.add_argument_group(f"options of {game.name}")
    variants = ", ".join(variant.id for variant in game.variants)
    meaning = f"a way to play with a name of its own: {variants}. Other flags change it further."
    group.add_argument("--variant", metavar="NAME", help=meaning)
    for field in option_fields(game.options_type):
        help_text = f"{field.description} {_allowed(field)}".replace("%", "%%")
        group.add_argument(flag_of(field), dest=_dest(field), help=help_text, **_FLAG_KINDS[field.kind])


_FLAG_KINDS: dict[str, dict[str, Any]] = {
    "flag": {"action": argparse.BooleanOptionalAction},
    "number": {"metavar": "N"},
    "choice": {"metavar": "WORD"},
    "choices": {"metavar": "WORD", "action": "append"},
    "data": {"metavar": "FILE"},
}


def flag_of(field: OptionField) -> str:
    return f"--{field.name.replace('_', '-')}"


def _dest(field: OptionField) -> str:
    return f"option_{field.name}"


def _allowed(field: OptionField) -> str:
    default = default_of(field)
    if field.kind == "flag":
        return f"(default: {default})"
    allowed = "a JSON file" if field.kind == "data" else field.allowed
    none = ", or none" if field.optional else ""
    return f"({allowed}{none}; default: {default})"


def default_of(field: OptionField) -> str:
    """An option's default in words."""
    if field.default is None or field.default == ():
        return "none"
    if isinstance(field.default, bool):
        return "yes" if field.default else "no"
    if isinstance(field.default, tuple):
        return ", ".join(map(str, field.default))
    return str(field.default) if isinstance(field.default, int | str) else "the game's own"


def options_from(args: argparse.Namespace, game: AnyGame) -> Options:
    """The variant's options with the flags over them; raises `InvalidOptions`."""
    values = dict(find_variant(game, args.variant).options) if args.variant is not None else {}
    try:
        for field in option_fields(game.options_type):
            given = getattr(args, _dest(field))
            if given is not None:
                values[field.name] = _value(field, given)
        options: Options = read_options(game.options_type, values)
    except InvalidOptions as error:
        raise InvalidOptions(f"{game.id}: {error}") from None
    return options


def _value(field: OptionField, given: Any) -> Any:
    if field.kind == "flag":
        return given
    if field.kind == "choices":
        return _several(field, [word for part in given for word in part.split(",") if word])
    if field.kind == "data" and given != "none":
        return read_json(given)
    return read_word(field, given)


def _several(field: OptionField, words: list[str]) -> list[str]:
    if words == ["none"]:
        return []
    for word in words:
        if word not in field.choices:
            hint = did_you_mean(word, field.choices) or "."
            raise InvalidOptions(f"{flag_of(field)} may be {field.allowed}; not {word!r:.40}{hint}")
    return words


def check_table(game: AnyGame, options: Options, seats: int) -> None:
    """Refuse a table that the game does not allow; say aloud what its rulebook advises against."""
    try:
        game.setup(options, seats)
    except InvalidOptions as error:
        raise InvalidOptions(f"{game.id}: {error}") from None
    for warning in game.warnings(options, seats):
        tell(warning)


# -- other arguments that several commands take -----------------------------------------------------------------


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """For `type=` of an argument."""

    def read(word: str) -> int:
        number = int(word) if word.removeprefix("-").isdecimal() and len(word) < 20 else None
        if number is None or not least <= number <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most} is needed, not {word!r:.40}")
        return number

    return read


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def add_players_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--players",
        type=whole_number(1, 100),
        metavar="N",
        help="how many sit at the table (default: 4 if the game allows)",
    )


def players_from(args: argparse.Namespace, game: AnyGame) -> int:
    """What was asked for, or a table of four where the game allows that."""
    if args.players is not None:
        players: int = args.players
        return players
    return min(max(4, game.min_seats), game.max_seats)

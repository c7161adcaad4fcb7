"""The parser of a command: the game that it is about, and its options as flags."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any, NamedTuple, NoReturn, cast

from nimmt.clients.cli.common import CommandError, did_you_mean, read_json, tell
from nimmt.rules.game import AnyGame, InvalidOptions, Options
from nimmt.rules.kit.options import OptionField, find_variant, option_fields, read_options, read_word
from nimmt.rules.kit.seats import usual_seats
from nimmt.rules.registry import GAMES, check_folders, get

# -- parsing -----------------------------------------------------------------------------------------------------------
# The parser of a command. Which flags there are depends on the game that is named.

HELP_WIDTH = 78


class GameArgument(NamedTuple):
    """How a command takes a game: whether it must be named, which one is meant otherwise, and its options."""

    action: argparse.Action
    required: bool
    default: str | None
    add_flags: Callable[[Parser, AnyGame], None] | None


class Parser(argparse.ArgumentParser):
    """A parser that raises `CommandError`, and whose flags grow with the game that is named, wherever it stands."""

    game_argument: GameArgument | None = None
    game: AnyGame | None = None
    """The game whose flags it has learnt."""

    def __init__(self, prog: str, description: str = "") -> None:
        paragraphs = [fill(" ".join(part.split()), HELP_WIDTH) for part in description.split("\n\n")]
        super().__init__(
            prog,
            description="\n\n".join(paragraphs),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.called = prog
        """With the game, if one is named."""

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith(("?", ".")) else "."
        raise CommandError(f"{message[:1].upper()}{message[1:]}{end} See '{self.called} --help'.")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        words = sys.argv[1:] if args is None else list(args)
        if self.game_argument:
            words = _game_as_word(words)
            self.learn_game(words)
        if self._subparsers is None:  # they check what is theirs
            self._check_flags(words)
        known, unknown = super().parse_known_args(words, namespace)
        if unknown:
            self._refuse(unknown[0])
        return known, unknown

    def learn_game(self, words: Sequence[str]) -> None:
        """Find the game that is named, or take the default one, and add its flags."""
        taken = self.game_argument
        if taken is None:
            return
        sure, perhaps = self._bare_words(words)
        named = next((word for word in (*sure, *perhaps) if word in GAMES), None)
        meant = named or taken.default
        if meant is not None and taken.add_flags:
            game = self.game = get(meant)
            if named is not None:
                self.called = f"{self.prog} {game.id}"
                taken.action.metavar, taken.action.help = game.id, game.name
            taken.add_flags(self, game)
        elif meant is None and taken.required:
            if sure:
                raise unknown_game(sure[0])
            if not {"-h", "--help"} & set(words):
                self.error(f"which game? The games: {', '.join(GAMES)}.")

    def _bare_words(self, words: Sequence[str]) -> tuple[list[str], list[str]]:
        """Words that are neither flags nor their values, and apart from them those that a game's flag may own."""
        sure: list[str] = []
        perhaps: list[str] = []
        before: str | None = None
        for index, word in enumerate(words):
            if word == "--":
                return [*sure, *words[index + 1 :]], perhaps
            is_flag = word.startswith("-") and len(word) > 1
            if not is_flag and before is None:
                sure.append(word)
            elif not is_flag and before not in self._option_string_actions:
                perhaps.append(word)
            before = word if is_flag and self._may_own_the_next(word) else None
        return sure, perhaps

    def _may_own_the_next(self, flag: str) -> bool:
        action = self._option_string_actions.get(flag)
        return "=" not in flag and (action is None or action.nargs != 0)

    def _check_flags(self, words: Sequence[str]) -> None:
        """Before argparse takes the value of a flag that does not exist for something else."""
        for word in words:
            if word == "--":
                return
            if word.startswith("--") and word.partition("=")[0] not in self._option_string_actions:
                self._refuse(word)

    def _refuse(self, word: str) -> NoReturn:
        if not word.startswith("-"):
            self.error(f"there is nothing to be done with {word!r:.40}")
        flags = [flag for flag in self._option_string_actions if flag.startswith("--") and not flag.startswith("--no-")]
        flag = word.partition("=")[0]
        hint = did_you_mean(flag, flags) or "."
        self.error(f"'{self.called}' has no option {flag:.40}{hint} It has: {', '.join(flags)}")


def _game_as_word(words: Sequence[str]) -> list[str]:
    """`--game six` and `--game=six` say the same as `six`."""
    end = words.index("--") if "--" in words else len(words)
    flags = [word.removeprefix("--game=") for word in words[:end]]
    return [word for index, word in enumerate(flags) if word != "--game" or index == end - 1] + list(words[end:])


def unknown_game(word: str) -> CommandError:
    check_folders()  # perhaps that is why it is unknown
    hint = did_you_mean(word.lower(), GAMES)
    return CommandError(
        f"There is no game {word!r:.40}{hint or '.'} The games: {', '.join(GAMES)}.", code="unknown_game"
    )


def game_named(word: str) -> AnyGame:
    if word not in GAMES:
        raise unknown_game(word)
    return get(word)


# -- flags -------------------------------------------------------------------------------------------------------------
# The game that a command is about, and its options as flags.


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
    return usual_seats(game)

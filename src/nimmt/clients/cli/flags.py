"""The parser of a command: the game that it is about, and its options as flags."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from textwrap import fill
from typing import Any, NoReturn, TypeAlias

from nimmt.clients.cli.common import CommandError, did_you_mean, read_json, tell
from nimmt.rules.game import AnyGame, InvalidOptions, Options
from nimmt.rules.kit.options import OptionField, find_variant, option_fields, read_options, read_word
from nimmt.rules.kit.seats import usual_seats
from nimmt.rules.registry import GAMES, check_folders, get

# -- parsing -----------------------------------------------------------------------------------------------------------
# The parser of a command. Which flags there are depends on the game that is named.

HELP_WIDTH = 78
HELP = ("-h", "--help")

Add: TypeAlias = Callable[..., argparse.Action]
"""Takes what `add_argument` takes."""


class Parser(argparse.ArgumentParser):
    """A parser that raises `CommandError`, and knows what it takes."""

    takes_game = needs_game = has_actions = False
    default_game: str | None = None

    def __init__(self, prog: str, description: str = "", game: AnyGame | None = None) -> None:
        self.game = game
        """The game whose flags it has."""
        self.is_named = game is not None
        """The game was asked for; otherwise it is the default one, or none."""
        self.arguments: list[argparse.Action] = []
        paragraphs = [fill(" ".join(part.split()), HELP_WIDTH) for part in description.split("\n\n")]
        super().__init__(
            prog,
            description="\n\n".join(paragraphs),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    # -- what it takes ------------------------------------------------------------------------------------------

    def add_argument(self, *names: Any, **settings: Any) -> argparse.Action:
        return self._note(super().add_argument(*names, **settings))

    def group(self, title: str) -> Add:
        """Adds to a group that has a title in the help."""
        group = self.add_argument_group(title)
        return lambda *names, **settings: self._note(group.add_argument(*names, **settings))

    def one_of(self) -> Add:
        """Adds to a group of which one at most may be given."""
        group = self.add_mutually_exclusive_group()
        return lambda *names, **settings: self._note(group.add_argument(*names, **settings))

    def add_subparsers(self, **settings: Any) -> Any:
        self.has_actions = True
        return super().add_subparsers(**settings)

    def _note(self, action: argparse.Action) -> argparse.Action:
        self.arguments.append(action)
        return action

    def _flags(self) -> dict[str, argparse.Action]:
        return {flag: action for action in self.arguments for flag in action.option_strings}

    # -- what it is given ---------------------------------------------------------------------------------------

    @property
    def called(self) -> str:
        """With the game, if one is named."""
        return f"{self.prog} {self.game.id}" if self.game is not None and self.is_named else self.prog

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith(("?", ".")) else "."
        raise CommandError(f"{message[:1].upper()}{message[1:]}{end} See '{self.called} --help'.")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        words = sys.argv[1:] if args is None else list(args)
        if self.needs_game and self.game is None:
            self._ask_for_game(words)
        if not self.has_actions:  # they check what is theirs
            self._check_flags(words)
        known, unknown = super().parse_known_args(words, namespace)
        if unknown:
            self._refuse(unknown[0])
        if self.takes_game:
            self._settle_game(known)
        return known, unknown

    def names_its_game(self, words: Sequence[str]) -> bool | None:
        """Whether these words say that they are about its game; None if they cannot be understood."""
        try:
            known, _ = super().parse_known_args([word for word in words if word not in HELP])
        except CommandError:
            return None
        return (known.game or known.game_flag) is self.game

    def _settle_game(self, known: argparse.Namespace) -> None:
        known.game = known.game or known.game_flag or (get(self.default_game) if self.default_game else None)
        del known.game_flag
        if self.needs_game and known.game is None:
            self.error(f"which game? The games: {', '.join(GAMES)}.")

    def _ask_for_game(self, words: Sequence[str]) -> None:
        """No game is named: a word that must have been meant as one is refused. What follows an unknown flag need not
        be one: it may be the flag's value, if there were a game that has this flag."""
        known, rest = super().parse_known_args(words)
        after_flag = {
            value for flag, value in pairwise(words) if flag in rest and flag.startswith("-") and "=" not in flag
        }
        bare = [known.game, known.game_flag, *(word for word in rest if not word.startswith("-"))]
        for word in bare:
            if word is not None and word not in after_flag:
                raise unknown_game(word)
        self.error(f"which game? The games: {', '.join(GAMES)}.")

    def _check_flags(self, words: Sequence[str]) -> None:
        """Before argparse takes the value of a flag that does not exist for something else."""
        flags = self._flags()
        for word in words:
            if word == "--":
                return
            if word.startswith("--") and word.partition("=")[0] not in flags:
                self._refuse(word)

    def _refuse(self, word: str) -> NoReturn:
        if not word.startswith("-"):
            self.error(f"unexpected argument: {word!r:.40}")
        flags = [
            flag
            for flag, action in self._flags().items()
            if flag.startswith("--") and not flag.startswith("--no-") and action.help != argparse.SUPPRESS
        ]
        flag = word.partition("=")[0]
        hint = did_you_mean(flag, flags) or "."
        self.error(f"'{self.called}' has no option {flag:.40}{hint} It has: {', '.join(flags)}")


def games_in(words: Sequence[str]) -> list[AnyGame]:
    """All games that these words may be about."""
    named = dict.fromkeys(word.removeprefix("--game=") for word in words)
    return [get(word) for word in named if word in GAMES]


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
    parser: Parser, *, required: bool = True, default: str | None = None, options: bool = True
) -> None:
    """`args.game` will be the game itself (None where it may be left out and was).

    With `options` the game's own flags come with it: `options_from` reads them.
    """
    parser.takes_game, parser.needs_game, parser.default_game = True, required and default is None, default
    if parser.game is None and default is not None:
        parser.game = get(default)
    meant = f" (default: {default})" if default else ""
    where = f"; '{parser.prog} GAME --help' shows its options" if options else ""
    any_game = f"{', '.join(GAMES[:-1])} or {GAMES[-1]}{meant}{where}"
    game = parser.game if parser.is_named else None
    # Without a game that it needs, the parser says itself what is wrong with the words it is given.
    read = str if parser.needs_game and parser.game is None else game_named
    parser.add_argument(
        "game",
        metavar=game.id if game else "GAME",
        type=read,
        nargs="?",
        help=game.name if game else any_game,
    )
    parser.add_argument("--game", dest="game_flag", metavar="GAME", type=read, help=argparse.SUPPRESS)
    if options and parser.game is not None:
        _add_option_flags(parser, parser.game)


def _add_option_flags(parser: Parser, game: AnyGame) -> None:
    add = parser.group(f"options of {game.name}")
    variants = ", ".join(variant.id for variant in game.variants)
    meaning = f"a way to play with a name of its own: {variants}. Other flags change it further."
    add("--variant", metavar="NAME", help=meaning)
    for field in option_fields(game.options_type):
        help_text = f"{field.description} {_allowed(field)}".replace("%", "%%")
        add(flag_of(field), dest=_dest(field), help=help_text, **_FLAG_KINDS[field.kind])


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


def words_of(game: AnyGame, options: Options) -> Iterator[str]:
    """The flags that ask for these options; what must come from a file is named only."""
    for field in option_fields(game.options_type):
        value = getattr(options, field.name)
        if value == field.default:
            continue
        if field.kind == "flag":
            yield flag_of(field) if value else flag_of(field).replace("--", "--no-", 1)
        elif field.kind == "data" and value is not None:
            yield f"{flag_of(field)} FILE"
        else:
            words = value if isinstance(value, tuple) else (value,)
            yield f"{flag_of(field)} {','.join('none' if word is None else str(word) for word in words) or 'none'}"


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
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most}, not {word!r:.40}")
        return number

    return read


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def add_language_argument(parser: argparse.ArgumentParser) -> None:
    from nimmt.lessons.lesson import LANGUAGES

    parser.add_argument("--language", choices=LANGUAGES, help="the language (default: that of the system, or en)")


def add_players_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--players",
        type=whole_number(1, 100),
        metavar="N",
        help="how many sit at the table (default: 4 if the game allows)",
    )


def bots_from(text: str, seats: int) -> list[str]:
    """A bot for each seat: those named, and again from the first when there are more seats."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        check_bot(name)
    if len(names) > max(1, seats):
        raise CommandError(f"{len(names)} bots are too many for {seats} seats.")
    return [names[seat % len(names)] for seat in range(seats)]


def check_bot(name: str) -> None:
    from nimmt.bots import BOTS

    if name not in BOTS:
        hint = did_you_mean(name, BOTS) or "."
        raise CommandError(f"There is no bot {name!r:.40}{hint} The bots: {', '.join(BOTS)}.", code="unknown_bot")


def players_from(args: argparse.Namespace, game: AnyGame) -> int:
    """What was asked for, or a table of four where the game allows that."""
    if args.players is not None:
        players: int = args.players
        return players
    return usual_seats(game)

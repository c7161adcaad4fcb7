"""What the commands share: exit codes, errors, the game and its options as flags, reading files, writing JSON.

A command is a module with `configure(parser)` and `run(args) -> exit code`. Whatever is wrong it raises: `main` makes
one line of a `CommandError`, a `RulesError`, a `RecordError` or an `OSError`, and an object with `--json`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, cast

from nimmt.rules.game import AnyGame, InvalidOptions, Options
from nimmt.rules.kit.options import OptionField, find_variant, option_fields, read_options, read_word
from nimmt.rules.registry import GAMES, get

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

FINE = 0
NO = 1
"""The answer is no: a record that does not verify, an illegal action."""
WRONG_INPUT = 2
"""Wrong usage or input."""
CHOICE_MISSING = 3
INTERRUPTED = 130
PIPE_CLOSED = 141

EXIT_CODES = """\
exit codes:
  0  fine
  1  the answer is no: a record that does not verify, an illegal action
  2  wrong usage or input
  3  a choice is missing (referee)
  130 interrupted, 141 nobody reads the output any more
"""

MOST_BYTES = 64 * 2**20
"""The largest file that is read."""

SEAT_NAMES = ("Anna", "Ben", "Cleo", "Dario", "Ella", "Finn", "Greta", "Hugo", "Ida", "Jonas")
"""Who sits there when nobody says: enough for the largest table."""


class CommandError(Exception):
    """Ends the command with a sentence for people, a code for programs and an exit code."""

    def __init__(self, sentence: str, exit_code: int = WRONG_INPUT, *, code: str = "usage") -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
        self.code = code


# -- parsing ----------------------------------------------------------------------------------------------------


class GameArgument(NamedTuple):
    """How a command takes a game: whether it must be named, which one is meant otherwise, and its options."""

    required: bool
    default: str | None
    options: bool


class Parser(argparse.ArgumentParser):
    """A parser that raises `CommandError`, and whose flags grow with the game that is named, wherever it stands."""

    game_argument: GameArgument | None = None

    def __init__(self, prog: str, description: str = "") -> None:
        super().__init__(
            prog, description=description, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
        )

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith(("?", ".")) else "."
        raise CommandError(f"{message[:1].upper()}{message[1:]}{end} See '{self.prog} --help'.")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        words = sys.argv[1:] if args is None else list(args)
        game = self._game_in(words, self.game_argument) if self.game_argument else None
        if game and self.game_argument and self.game_argument.options:
            _add_option_flags(self, game)
            self.prog = f"{self.prog} {game.id}"
        known, unknown = super().parse_known_args(words, namespace)
        if unknown:
            self._refuse(unknown[0])
        return known, unknown

    def _game_in(self, words: Sequence[str], taken: GameArgument) -> AnyGame | None:
        """The game that is named, or the default one."""
        bare = list(self._bare_words(words))
        named = next((word for word in bare if word in GAMES), taken.default)
        if named is not None:
            return get(named)
        if taken.required and bare:
            raise unknown_game(bare[0])
        if taken.required and not {"-h", "--help"} & set(words):
            self.error(f"which game? The games: {', '.join(GAMES)}.")
        return None

    def _bare_words(self, words: Sequence[str]) -> list[str]:
        """Words that are neither flags nor their values; those that a flag of some game may own come last."""
        sure: list[str] = []
        perhaps: list[str] = []
        before: str | None = None
        for index, word in enumerate(words):
            if word == "--":
                return [*sure, *words[index + 1 :], *perhaps]
            is_flag = word.startswith("-") and len(word) > 1
            if not is_flag and before is None:
                sure.append(word)
            elif not is_flag and before not in self._option_string_actions:
                perhaps.append(word)
            before = word if is_flag and self._may_own_the_next(word) else None
        return sure + perhaps

    def _may_own_the_next(self, flag: str) -> bool:
        action = self._option_string_actions.get(flag)
        return "=" not in flag and (action is None or action.nargs != 0)

    def _refuse(self, word: str) -> NoReturn:
        if not word.startswith("-"):
            self.error(f"there is nothing to be done with {word!r:.40}")
        flags = [flag for flag in self._option_string_actions if flag.startswith("--")]
        flag = word.partition("=")[0]
        hint = did_you_mean(flag, flags) or "."
        self.error(f"'{self.prog}' has no option {flag:.40}{hint} It has: {', '.join(flags)}")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    close = get_close_matches(word[:40], list(known), 1)
    return f"; did you mean {close[0]}?" if close else ""


def unknown_game(word: str) -> CommandError:
    hint = did_you_mean(word.lower(), GAMES)
    return CommandError(
        f"There is no game {word!r:.40}{hint or '.'} The games: {', '.join(GAMES)}.", code="unknown_game"
    )


def game_named(word: str) -> AnyGame:
    if word not in GAMES:
        raise unknown_game(word)
    return get(word)


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
    parser.add_argument("--players", type=whole_number(1, 100), metavar="N", help="how many sit at the table")


def players_from(args: argparse.Namespace, game: AnyGame) -> int:
    """What was asked for, or a table of four where the game allows that."""
    if args.players is not None:
        players: int = args.players
        return players
    return min(max(4, game.min_seats), game.max_seats)


# -- a game and its options -------------------------------------------------------------------------------------


def add_game_argument(
    parser: argparse.ArgumentParser, *, required: bool = True, default: str | None = None, options: bool = True
) -> None:
    """`args.game` will be the game itself (None where it may be left out and was).

    With `options` the game's own flags come with it: `options_from` reads them.
    """
    required = required and default is None
    meant = f" (default: {default})" if default else ""
    parser.add_argument(
        "game",
        metavar="GAME",
        type=game_named,
        default=default,
        nargs=None if required else "?",
        help=f"{', '.join(GAMES[:-1])} or {GAMES[-1]}{meant}",
    )
    cast(Parser, parser).game_argument = GameArgument(required, default, options)


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
    for field in option_fields(game.options_type):
        given = getattr(args, _dest(field))
        if given is not None:
            values[field.name] = _value(field, given)
    try:
        options: Options = read_options(game.options_type, values)
    except InvalidOptions as error:
        raise InvalidOptions(f"{game.id}: {error}") from None
    return options


def _value(field: OptionField, given: Any) -> Any:
    if field.kind == "flag":
        return given
    if field.kind == "choices":
        words = [word for part in given for word in part.split(",") if word]
        return [] if words == ["none"] else words
    if field.kind == "data" and given != "none":
        return read_json(given)
    return read_word(field, given)


def check_table(game: AnyGame, options: Options, seats: int) -> None:
    """Refuse a table that the game does not allow; say aloud what its rulebook advises against."""
    try:
        game.setup(options, seats)
    except InvalidOptions as error:
        raise InvalidOptions(f"{game.id}: {error}") from None
    for warning in game.warnings(options, seats):
        print(f"nimmt: {warning}", file=sys.stderr)


# -- reading ----------------------------------------------------------------------------------------------------


def read_bytes(name: str, most: int = MOST_BYTES) -> bytes:
    """A file's content, or that of standard input for `-`."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(most + 1)
    except ValueError:  # a null in the name
        raise CommandError(f"{name!r:.80} cannot be the name of a file.", code="unreadable") from None
    if len(data) > most:
        raise CommandError(f"{title(name)} is larger than {most // 2**20} MB.", code="too_large")
    return data


def read_text(name: str) -> str:
    try:
        return read_bytes(name).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"{title(name)} is not text in UTF-8.", code="not_text") from None


def read_json(name: str) -> Any:
    import json

    try:
        return json.loads(read_text(name))
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{title(name)} is not JSON: {error}.", code="not_json") from None


def title(name: str) -> str:
    """What to call a file in a sentence."""
    return "Standard input" if name == "-" else clean(name)


# -- writing ----------------------------------------------------------------------------------------------------


def clean(text: str) -> str:
    """Text from outside, without what would command a terminal."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in text)


def print_json(value: Any) -> None:
    """Any value of the library or plain data, as JSON on standard output."""
    import json

    import msgspec

    print(json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=2))


def can_print(text: str) -> bool:
    """Whether standard output knows these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def console(*, stderr: bool = False) -> Console:
    """A console of rich, which takes its time to import: ask for it only when something will be drawn."""
    from rich.console import Console

    class PipeConsole(Console):
        def on_broken_pipe(self) -> None:
            raise  # noqa: PLE0704  # main knows what to do

    return PipeConsole(stderr=stderr, highlight=False)


def paint(*parts: str | tuple[str, str], end: str = "\n") -> None:
    """Text on standard output, some of it in a style; plain, and without the cost of rich, if nobody looks."""
    if not sys.stdout.isatty():
        print(*(part if isinstance(part, str) else part[0] for part in parts), sep="", end=end)
        return
    from rich.text import Text

    console().print(Text.assemble(*parts), soft_wrap=True, end=end)


def draw(*renderables: RenderableType) -> None:
    """Anything of rich, one below the other. What is not shown on a terminal gets no colours and no trailing blanks."""
    out = console()
    with out.capture() as capture:
        for renderable in renderables:
            out.print(renderable)
    lines = capture.get().split("\n")
    print("\n".join(lines if out.is_terminal else map(str.rstrip, lines)), end="")


@contextmanager
def progress_bar(label: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar for people who watch; what it yields is called once for each thing done."""
    if total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn()
    # Standard output stays what it is: with a redirection it is not the terminal that the bar is on.
    with Progress(*columns, console=console(stderr=True), transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(label, total=total)
        yield lambda: progress.advance(task)

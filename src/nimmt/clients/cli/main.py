"""The table of commands, and what happens around every one of them."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nimmt.clients.cli.common import CommandError
    from nimmt.clients.cli.flags import Parser
    from nimmt.rules.game import AnyGame

COMMANDS = {
    "play": "play a match in the terminal, against bots or each other",
    "learn": "learn a game by playing it, step by step",
    "referee": "settle a question at a real table, step by step",
    "simulate": "let bots play matches and keep their records",
    "arena": "measure bots and engines against each other on the same deals",
    "engine": "be an engine for other programs, or let one play on a server",
    "verify": "check records: every step, the deals and the result",
    "show": "tell the story of a recorded match",
    "review": "what each decision of a finished match cost, and what was luck",
    "export": "turn records into tables: decisions, deals, results",
    "dataset": "let bots play a dataset of decisions, with a card that tells about it",
    "hint": "what each card would bring in a position, and why",
    "puzzles": "solve the puzzle of the day, or find new ones in matches",
    "position": "check a position, and turn it into text or JSON",
    "games": "list the games, their variants and their options",
    "rules": "print the rules of a game",
    "serve": "run the server: tables for friends, bots and spectators",
    "backup": "write everything that a server keeps to one file",
    "restore": "put a backup into a database",
    "admin": "look after a server: tables, people, bans, reports",
    "rotate-key": "sign the cookies of guests with a new key",
    "completion": "print a script that lets your shell complete all this",
}
"""Each is a module of this package with `configure(parser)` and `run(args)`; only the one asked for is imported."""

DESCRIPTION = "The 6 nimmt! family of card games: play, simulate, replay and verify."


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. Nothing that a user can do ends in a traceback."""
    if argv is None and "_ARGCOMPLETE" in os.environ:  # set by the script that `nimmt completion` prints
        from nimmt.clients.cli.completion import complete

        complete()
    words = sys.argv[1:] if argv is None else list(argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a poor terminal shows "?", it does not fail
    try:
        code = _dispatch(words)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return 130
    except SystemExit as request:  # argparse, after --help
        return request.code if isinstance(request.code, int) else 0
    except BrokenPipeError:
        return _close_pipe()
    except Exception as error:
        return _report(error, as_json="--json" in words)


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        print(usage())
        return 0 if words else 2
    if words[0] == "--version":
        print(f"nimmt {_version()}")
        return 0
    return _run(words[0], words[1:])


def _run(command: str, words: list[str]) -> int:
    from nimmt.clients.cli.common import CommandError, did_you_mean

    if command not in COMMANDS:
        hint = did_you_mean(command, COMMANDS) or "."
        raise CommandError(f"There is no command {command!r:.40}{hint} See 'nimmt --help'.")
    code: int = _module(command).run(parser_of(command, words).parse_args(words))
    return code


def _module(command: str) -> ModuleType:
    from nimmt.clients.cli.common import CommandError

    try:
        return import_module(f"nimmt.clients.cli.{command.replace('-', '_')}")
    except ModuleNotFoundError as error:
        raise CommandError(f"'nimmt {command}' is not part of this installation: {error}.") from None


def parser_of(command: str, words: Sequence[str] = ()) -> Parser:
    """With the flags of the game that the words name, wherever it stands: one whose own parser finds it named."""
    from nimmt.clients.cli.flags import games_in

    general = _parser(command)
    if not general.takes_game:
        return general
    found = [(parser, parser.names_its_game(words)) for parser in (_parser(command, game) for game in games_in(words))]
    perhaps = [parser for parser, named in found if named is None]
    return next((parser for parser, named in found if named), (*perhaps, general)[0])


def _parser(command: str, game: AnyGame | None = None) -> Parser:
    from nimmt.clients.cli.common import EXIT_CODES
    from nimmt.clients.cli.flags import Parser

    module = _module(command)
    parser = Parser(f"nimmt {command}", (module.__doc__ or "").strip(), game)
    module.configure(parser)
    if "exit codes:" not in (parser.epilog or ""):  # some have their own
        parser.epilog = f"{(parser.epilog or '').strip()}\n\n{EXIT_CODES}"
    return parser


def _version() -> str:
    try:
        from nimmt import __version__
    except ImportError:  # run from the sources, which know no version
        return "(not installed)"
    return str(__version__)


def usage() -> str:
    commands = [f"  {name:<10} {summary}" for name, summary in COMMANDS.items()]
    return "\n".join(
        [
            "usage: nimmt COMMAND …",
            "       nimmt COMMAND --help",
            "       nimmt --version",
            "",
            DESCRIPTION,
            "",
            "commands:",
            *commands,
            "",
            "exit codes: 0 success; 1 check failed; 2 wrong usage or input;",
            "            3 a choice is missing; 130 interrupted; 141 nobody reads on",
        ]
    )


# -- errors -----------------------------------------------------------------------------------------------------


def _report(error: Exception, *, as_json: bool) -> int:
    """One line for people, or an object for programs; raises what is nobody's input but a mistake of ours."""
    from nimmt.clients.cli.common import clean, print_json

    told = _as_command_error(error)
    if told is None:
        raise error
    if as_json:
        print_json({"error": {"code": told.code, "message": str(told)}})
    else:
        print(f"nimmt: {clean(' '.join(str(told).split()))}", file=sys.stderr)
    return told.exit_code


def _as_command_error(error: Exception) -> CommandError | None:
    from nimmt.clients.cli.common import FAILURE, CommandError
    from nimmt.match.record import RecordError
    from nimmt.rules.game import IllegalAction, RulesError

    match error:
        case CommandError():
            return error
        case IllegalAction():
            return CommandError(str(error), FAILURE, code=error.code)
        case RulesError():
            return CommandError(str(error), code=error.code)
        case RecordError():
            sentence = f"The record is refused at {error.place}: {error.reason.removesuffix('.')}."
            return CommandError(sentence, code="invalid_record")
        case OSError():
            where = f"{error.filename}: " if error.filename is not None else ""
            return CommandError(f"{where}{error.strerror or error}.", code="unreadable")
        case UnicodeDecodeError():
            return CommandError("This is not valid UTF-8.", code="not_text")
    return None


def _close_pipe() -> int:
    """Whoever read our output has enough (`nimmt show … | head`): say nothing, not even at the exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 141

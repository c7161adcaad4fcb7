"""What the commands share, in one place.

A command is a module with `configure(parser)` and `run(args) -> exit code`. Whatever is wrong it raises: `main` makes
one line of a `CommandError`, a `RulesError`, a `RecordError` or an `OSError`, and an object with `--json`.
"""

from nimmt.clients.cli.errors import (
    CHOICE_MISSING,
    EXIT_CODES,
    FINE,
    INTERRUPTED,
    NO,
    PIPE_CLOSED,
    WRONG_INPUT,
    CommandError,
    did_you_mean,
)
from nimmt.clients.cli.files import MOST_BYTES, read_bytes, read_json, read_text, title
from nimmt.clients.cli.flags import (
    SEAT_NAMES,
    add_game_argument,
    add_json_argument,
    add_players_argument,
    check_table,
    default_of,
    flag_of,
    options_from,
    players_from,
    whole_number,
)
from nimmt.clients.cli.output import can_print, clean, console, draw, paint, print_json, progress_bar, tell
from nimmt.clients.cli.parsing import Parser, game_named, unknown_game

__all__ = [
    "CHOICE_MISSING",
    "EXIT_CODES",
    "FINE",
    "INTERRUPTED",
    "MOST_BYTES",
    "NO",
    "PIPE_CLOSED",
    "SEAT_NAMES",
    "WRONG_INPUT",
    "CommandError",
    "Parser",
    "add_game_argument",
    "add_json_argument",
    "add_players_argument",
    "can_print",
    "check_table",
    "clean",
    "console",
    "default_of",
    "did_you_mean",
    "draw",
    "flag_of",
    "game_named",
    "options_from",
    "paint",
    "players_from",
    "print_json",
    "progress_bar",
    "read_bytes",
    "read_json",
    "read_text",
    "tell",
    "title",
    "unknown_game",
    "whole_number",
]

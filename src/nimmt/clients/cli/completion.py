"""Print a script that lets your shell complete commands, games, flags, variants, bots and files with the Tab key.

The script asks nimmt itself, so it need not be renewed with a new version.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Any

from argcomplete import autocomplete
from argcomplete.completers import BaseCompleter, DirectoriesCompleter, FilesCompleter
from argcomplete.shell_integration import shellcode

from nimmt.clients.cli.common import SUCCESS
from nimmt.clients.cli.flags import Parser, flag_of
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.options import option_fields
from nimmt.rules.registry import all_games

SHELLS = ("bash", "zsh", "fish")
EXAMPLES = """\
examples:
  source <(nimmt completion bash)     try it in this shell, bash or zsh
  nimmt completion fish | source

to keep it:
  nimmt completion bash > ~/.local/share/bash-completion/completions/nimmt
  nimmt completion zsh > ~/.zfunc/_nimmt
  nimmt completion fish > ~/.config/fish/completions/nimmt.fish

For zsh, ~/.zshrc must say: fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit
"""


def configure(parser: Parser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    print(shellcode(["nimmt"], shell=args.shell).strip())
    return SUCCESS


# -- answering the shell -----------------------------------------------------------------------------------------


def complete() -> None:
    """Say what the word at the cursor may become. The shell asks by the environment; this ends the process."""
    parser, game = _parser(os.environ["COMP_LINE"][: int(os.environ["COMP_POINT"])])
    for action in parser.arguments:
        if offer := _offer(action, game):
            action.completer = offer  # type: ignore[attr-defined]
    has_words = any(not action.option_strings for action in parser.arguments) or parser.has_actions
    # Where a word is due, flags are offered only behind a dash.
    autocomplete(parser, always_complete_options=not has_words, default_completer=_Words({}))


def _parser(line: str) -> tuple[Parser, AnyGame | None]:
    """That of the command which the line names, with the flags of its game; or one that knows the commands only."""
    from nimmt.clients.cli.main import COMMANDS, parser_of

    _, *words, _ = [*line.split(), ""] if line[-1:].isspace() else line.split()
    if not words or words[0] not in COMMANDS:
        return _commands({} if words else COMMANDS), None
    os.environ["_ARGCOMPLETE"] = "2"  # the program whose words are completed is the second one
    parser = parser_of(words[0], words[1:])
    return parser, parser.game


def _commands(summaries: Mapping[str, str]) -> Parser:
    parser = Parser("nimmt")
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers()
    for name, summary in summaries.items():
        commands.add_parser(name, help=summary)
    return parser


class _Words(BaseCompleter):
    """One of these words, or several with commas between them; with what each of them means."""

    def __init__(self, words: Mapping[str, str], *, several: bool = False) -> None:
        self.words, self.several = words, several

    def __call__(self, *, prefix: str, **_: Any) -> Mapping[str, str]:
        before = prefix[: prefix.rfind(",") + 1] if self.several else ""
        return {before + word: meaning for word, meaning in self.words.items()}


def _offer(action: argparse.Action, game: AnyGame | None) -> BaseCompleter | None:
    """What may stand there, where argparse does not know."""
    from nimmt.bots import BOTS

    if game is not None and action.dest == "variant":
        return _Words({variant.id: variant.name for variant in game.variants})
    for field in option_fields(game.options_type) if game is not None else ():
        if flag_of(field) in action.option_strings and field.choices:
            return _Words(dict.fromkeys(field.choices, ""), several=field.kind == "choices")
    match action.metavar:
        case "FILE" | "DB":
            return FilesCompleter()
        case "DIR":
            return DirectoriesCompleter()
        case "GAME" | "GAME,…":
            return _Words({game.id: game.name for game in all_games()}, several=action.metavar != "GAME")
        case "BOT" | "BOT,…":
            return _Words(BOTS, several=action.metavar != "BOT")
    return None

"""Print the rules of a game, as this program plays it."""

from __future__ import annotations

import argparse
import sys
from importlib.resources import files

from nimmt.clients.cli.common import SUCCESS, CommandError, draw
from nimmt.clients.cli.flags import Parser, add_game_argument

EXAMPLES = """\
examples:
  nimmt rules six
  nimmt rules baron | less
"""


def configure(parser: Parser) -> None:
    add_game_argument(parser, options=False)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    page = files(f"nimmt.games.{args.game.id}") / "RULES.md"
    if not page.is_file():
        raise CommandError(f"There is no rules page of {args.game.id} in this installation.", code="unreadable")
    text = page.read_text("utf-8")
    if sys.stdout.isatty():
        from rich.markdown import Markdown

        draw(Markdown(text))
    else:
        print(text.rstrip())
    return SUCCESS

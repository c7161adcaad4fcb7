"""Print the rules of a game, as this program plays it."""

from __future__ import annotations

import argparse
import sys

from nimmt.clients.cli.common import SUCCESS, draw
from nimmt.clients.cli.flags import Parser, add_game_argument, add_language_argument
from nimmt.clients.terminal.words import system_language
from nimmt.lessons.rulebook import rulebook

EXAMPLES = """\
examples:
  nimmt rules six
  nimmt rules six --language de
  nimmt rules baron | less
"""


def configure(parser: Parser) -> None:
    add_game_argument(parser, options=False)
    add_language_argument(parser)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    language = args.language or system_language()
    book = rulebook(args.game.id, language)
    if book.language != language:
        print(f"The rules of {args.game.id} are not translated yet.", file=sys.stderr)
    if sys.stdout.isatty():
        from rich.markdown import Markdown

        draw(Markdown(book.markdown()))
    else:
        print(book.markdown())
    return SUCCESS

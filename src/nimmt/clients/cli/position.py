"""Check a position, which may be written as text or as JSON, and print it in either form.

Without --to it is only checked, and whoever is waited for is named.
"""

from __future__ import annotations

import argparse

from nimmt.clients.cli.common import SUCCESS, print_json, read_text
from nimmt.clients.cli.flags import Parser, add_json_argument
from nimmt.library.position import Position
from nimmt.rules.position import read_position, to_json, to_text

EXAMPLES = """\
examples:
  nimmt position table.txt
  nimmt position table.txt --to json > table.json
  nimmt position - --to text < table.json
"""


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="a position, or - for standard input")
    parser.add_argument("--to", choices=("text", "json"), help="print the position in this form")
    add_json_argument(parser)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    game, state = read_position(read_text(args.file))
    if args.to == "json":
        print(to_json(game, state).decode())
    elif args.to == "text":
        print(to_text(game, state), end="")
    elif args.json:
        print_json({"ok": True, "game": game.id, "pending": game.pending(state), "result": game.outcome(state)})
    else:
        print(f"This is a position of {game.name} ({game.id}). {Position(game, state).situation}")
    return SUCCESS

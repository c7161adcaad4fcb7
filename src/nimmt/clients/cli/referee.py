"""Settle a question at a real table: say what lies there and what is played, and see what happens, step by step, with
the rule that applies.

A choice that somebody has to make is given with --choose (a row) or --keep (a card); where one is missing, the answer
says so. Any other moment of a game can be given as a whole position, with the actions to apply to it.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from nimmt.clients.cli.common import (
    CHOICE_MISSING,
    EXIT_CODES,
    SUCCESS,
    CommandError,
    paint,
    print_json,
    read_bytes,
    read_json,
    read_text,
)
from nimmt.clients.cli.flags import Add, Parser, add_game_argument, add_json_argument
from nimmt.clients.referee.questions import Flag, question_about
from nimmt.rules.game import AnyGame

if TYPE_CHECKING:
    from nimmt.clients.referee.positions import Result
    from nimmt.clients.referee.rulings import Ruling

EXAMPLES = """\
examples:
  nimmt referee six --rows "12 | 37 | 43 | 58" --play "14 15 44 61"
  nimmt referee six --rows "30 36 | 37 | 43 44 | 58 61" --play "A:3 B:9" --json
  nimmt referee x --rows "5 | 10 18 22 | 70" --play 59 --keep 18
  nimmt referee eleven --piles "31 36 46 | 87" --take A:1
  nimmt referee six --position table.txt \\
      --action 'P1:{"type": "PlayCard", "card": 3}'
  nimmt referee six --help     shows what can be said about a table of six
"""

_BY_POSITION = """\
examples:
  nimmt referee {game} --position table.txt
  nimmt referee {game} --position table.json --actions actions.json --json
"""


def configure(parser: Parser) -> None:
    add_game_argument(parser, options=False)
    add_json_argument(parser)
    _add_position_flags(parser)
    parser.epilog = EXAMPLES
    if parser.game is not None:
        _add_flags(parser, parser.game)


def _add_flags(parser: Parser, game: AnyGame) -> None:
    """What can be said about a table depends on the game."""
    question = question_about(game)
    if question is None:
        parser.epilog = f"{_BY_POSITION.format(game=game.id)}\n{EXIT_CODES}"
        return
    add = parser.group(f"the table of {game.name}")
    for flag in question.flags:
        _add_flag(add, flag)
    parser.epilog = f"{question.examples}\n{EXIT_CODES}"


def run(args: argparse.Namespace) -> int:
    if args.position is not None:
        return _apply_actions(args)
    if args.action or args.actions or args.deal:
        raise CommandError("Actions and deals need a whole position: give it with --position FILE.")
    question = question_about(args.game)
    if question is None:
        raise CommandError(f"A question about {args.game.name} needs a whole position: give it with --position FILE.")
    files = {flag.dest for flag in question.flags if flag.kind == "json"}
    ruling = question.ask(
        {name: read_json(said) if name in files and said is not None else said for name, said in vars(args).items()}
    )
    if args.json:
        print_json(ruling.to_data())
    else:
        _show(ruling)
    return CHOICE_MISSING if ruling.needs else SUCCESS


def _show(ruling: Ruling) -> None:
    from nimmt.clients.referee.rulings import lines

    for line in lines(ruling):
        paint(*line)
    _warn(ruling.warnings)


def _warn(warnings: list[str]) -> None:
    for warning in warnings:
        print(f"nimmt: warning: {warning}", file=sys.stderr)


# -- whole positions --------------------------------------------------------------------------------------------

_WITH_POSITIONS = {"game", "json", "position", "action", "actions", "deal"}


def _apply_actions(args: argparse.Namespace) -> int:
    from nimmt.clients.referee.positions import read_deals, read_move, read_moves, settle

    if any(value for name, value in vars(args).items() if name not in _WITH_POSITIONS):
        raise CommandError("Give either a whole position with actions, or what lies on the table and is played.")
    files = [args.position, *([args.actions] if args.actions else []), *args.deal]
    if files.count("-") > 1:
        raise CommandError("Standard input can be read only once.")
    game, position = args.game, read_text(args.position)
    moves = read_moves(game, read_bytes(args.actions)) if args.actions else []
    moves += [read_move(game, text) for text in args.action]
    result = settle(game, position, moves, [deal for file in args.deal for deal in read_deals(read_bytes(file))])
    if args.json:
        print_json(result.to_data())
    else:
        _tell(result)
    return CHOICE_MISSING if result.left else SUCCESS


def _tell(result: Result) -> None:
    for sentence in result.told():
        print(sentence)
    if result.events:
        print()
    print(result.to_text())
    for sentence in result.waiting():
        print(sentence)
    _warn(result.warnings)


# -- flags ------------------------------------------------------------------------------------------------------


def _add_position_flags(parser: Parser) -> None:
    add = parser.group("whole positions")
    add("--position", metavar="FILE", help="a position as text or JSON, - for standard input")
    add("--action", action="append", default=[], metavar="P1:JSON", help="an action to apply; P1 is seat 0; repeatable")
    add("--actions", metavar="FILE", help='a JSON list of {"seat": 0, "action": {…}}, as in records')
    add(
        "--deal",
        action="append",
        default=[],
        metavar="FILE",
        help="a deal for when one is due, as in records; repeatable",
    )


def _add_flag(add: Add, flag: Flag) -> None:
    spelled, meaning = f"--{flag.name}", flag.meaning
    match flag.kind:
        case "switch":
            add(spelled, dest=flag.dest, action="store_true", help=meaning)
        case "words":  # may be repeated, or take several words
            add(spelled, dest=flag.dest, nargs="+", action="extend", default=[], metavar=flag.metavar, help=meaning)
        case _:
            add(spelled, dest=flag.dest, metavar=flag.metavar, help=meaning)

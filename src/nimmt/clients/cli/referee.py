"""Settle a question at a real table: say what lies there and what is played, and see what happens, step by step, with
the rule that applies.

A choice that somebody has to make is given with --choose (a row) or --keep (a card); where one is missing, the answer
says so. Any other moment of a game can be given as a whole position, with the actions to apply to it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

from nimmt.clients.cli.common import (
    CHOICE_MISSING,
    EXIT_CODES,
    FINE,
    CommandError,
    paint,
    print_json,
    read_bytes,
    read_json,
    read_text,
)
from nimmt.clients.cli.flags import Parser, add_game_argument, add_json_argument
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

Flags = argparse._ArgumentGroup


class Asked(NamedTuple):
    """How one game is asked about."""

    add_flags: Callable[[Flags], None]
    settle: Callable[[argparse.Namespace], Ruling]
    examples: str


def configure(parser: argparse.ArgumentParser) -> None:
    add_game_argument(parser, options=False)
    of_command = cast(Parser, parser)
    if of_command.game_argument is not None:
        of_command.game_argument = of_command.game_argument._replace(add_flags=_add_flags)
    add_json_argument(parser)
    _add_position_flags(parser)
    parser.epilog = EXAMPLES


def _add_flags(parser: Parser, game: AnyGame) -> None:
    """What can be said about a table depends on the game."""
    asked = _GAMES[game.id]
    asked.add_flags(parser.add_argument_group(f"the table of {game.name}"))
    parser.epilog = f"{asked.examples}\n{EXIT_CODES}"


def run(args: argparse.Namespace) -> int:
    if args.position is not None:
        return _apply_actions(args)
    if args.action or args.actions or args.deal:
        raise CommandError("Actions and deals need a whole position: give it with --position FILE.")
    ruling = _GAMES[args.game.id].settle(args)
    if args.json:
        print_json(ruling.to_data())
    else:
        _show(ruling)
    return CHOICE_MISSING if ruling.needs else FINE


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
    return CHOICE_MISSING if result.left else FINE


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


def _add_words(parser: Flags, flag: str, metavar: str, meaning: str) -> None:
    """A flag that may be repeated, or take several words."""
    parser.add_argument(flag, nargs="+", action="extend", default=[], metavar=metavar, help=meaning)


def _add_position_flags(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("whole positions")
    group.add_argument("--position", metavar="FILE", help="a position as text or JSON, - for standard input")
    group.add_argument(
        "--action", action="append", default=[], metavar="P1:JSON", help="an action to apply; P1 is seat 0; repeatable"
    )
    group.add_argument("--actions", metavar="FILE", help='a JSON list of {"seat": 0, "action": {…}}, as in records')
    group.add_argument(
        "--deal",
        action="append",
        default=[],
        metavar="FILE",
        help="a deal for when one is due, as in records; repeatable",
    )


def _add_rows_and_plays(parser: Flags, rows: str, play: str) -> None:
    parser.add_argument("--rows", metavar="ROWS", help=f'the rows from the top, with | between them: "{rows}"')
    _add_words(parser, "--play", "PLAY", f'the cards played: "{play}"; without names the seats are P1, P2, …')
    _add_words(parser, "--choose", "SEAT:ROW", "the row that a seat chooses; repeatable, used in order")


def _six_flags(parser: Flags) -> None:
    _add_rows_and_plays(parser, "12 14 | 37 | 43 | 58", "A:3 B:24~")
    _add_words(parser, "--fan", "NAME", "fan cards in play: even-odd, mountain, cow, twist; CARD~ is played twisted")
    _add_words(
        parser,
        "--marker",
        "MARKER",
        "where a fan card lies: 4:odd, 3:up or 4 (the cow); several: even-odd=4:odd cow=4",
    )


def _x_flags(parser: Flags) -> None:
    _add_rows_and_plays(parser, "5 | 10 18 22 | 70", "A:3 B:59")
    _add_words(parser, "--keep", "SEAT:CARD", "the card that a seat puts into its X row; repeatable, used in order")
    _add_words(parser, "--x-row", "CARDS", 'what lies in X rows: "A: 4 12"; repeatable')
    _add_words(parser, "--x-pile", "CARDS", 'what lies in X piles: "A: 7 9"; repeatable')


def _baron_flags(parser: Flags) -> None:
    _add_rows_and_plays(parser, "1 | 2 | 13 | 40 | 52", "A:8 B:17")
    parser.add_argument("--colour-counts", action="store_true", help="variant 1: only six bulls of a colour take a row")
    parser.add_argument("--bulls-are-good", action="store_true", help="variant 2: a card that fits no row is returned")
    parser.add_argument(
        "--deck", metavar="FILE", help="the bulls on the cards, as JSON; by default those of nimmt's own deck"
    )


def _buffalo_flags(parser: Flags) -> None:
    _add_rows_and_plays(parser, "12 | 37 | 43 | 58 (an empty row is a dot)", "A:3 B:9")
    parser.add_argument("--buffalo", metavar="CARD", help="the card of the buffalo")
    _add_words(parser, "--take7", "ROW", "a row where Take 7! lies; repeatable")
    _add_words(parser, "--stop", "ROW", "a row where Stop! lies; repeatable")


def _eleven_flags(parser: Flags) -> None:
    parser.add_argument("--piles", metavar="PILES", help='the piles, each from the bottom to the top: "31 36 46 | 87"')
    _add_words(parser, "--play", "CARD@PILE", 'turns, one after the other: "A: 92@2 96@2 B: 47@1 C: take@2"')
    _add_words(parser, "--take", "SEAT:PILE", "a pile that a seat takes, after what is played")
    _add_words(parser, "--hand", "CARDS", 'hands that are known: "A: 92 96 5"; repeatable')
    _add_words(parser, "--bulls", "SEAT:NUMBER", "bull cards that a seat has; repeatable")
    parser.add_argument("--draw", metavar="CARDS", help='the next cards of the draw pile: "12 60", or none')
    _add_words(parser, "--giver", "SEAT:SEAT", "from whom a seat gets a bull card when none is left")


# -- games ------------------------------------------------------------------------------------------------------


def _six(args: argparse.Namespace) -> Ruling:
    from nimmt.games.six.referee import settle

    return settle(args.rows, args.play, fan=args.fan, marker=args.marker, choose=args.choose)


def _x(args: argparse.Namespace) -> Ruling:
    from nimmt.games.x.referee import settle

    return settle(args.rows, args.play, choose=args.choose, keep=args.keep, x_row=args.x_row, x_pile=args.x_pile)


def _baron(args: argparse.Namespace) -> Ruling:
    from nimmt.games.baron.referee import settle

    return settle(
        args.rows,
        args.play,
        choose=args.choose,
        colour_counts=args.colour_counts,
        bulls_are_good=args.bulls_are_good,
        deck=None if args.deck is None else read_json(args.deck),
    )


def _buffalo(args: argparse.Namespace) -> Ruling:
    from nimmt.games.buffalo.referee import settle

    return settle(args.rows, args.play, buffalo=args.buffalo, take7=args.take7, stop=args.stop, choose=args.choose)


def _eleven(args: argparse.Namespace) -> Ruling:
    from nimmt.games.eleven.referee import settle

    return settle(
        args.piles, args.play, args.take, hand=args.hand, bull_cards=args.bulls, draw=args.draw, giver=args.giver
    )


_SIX_EXAMPLES = """\
examples:
  nimmt referee six --rows "12 | 37 | 43 | 58" --play "14 15 44 61" --json
  nimmt referee six --rows "30 36 | 37 | 43 44 | 58 61" \\
      --play "A:3 B:9 C:68 D:83" --choose A:2
  nimmt referee six --fan even-odd --marker 4:odd \\
      --rows "31 | 10 20 30 40 52 | 92 | 85" --play 90
  nimmt referee six --fan mountain --marker 4:up \\
      --rows "5 | 12 | 70 | 30 29 28 27 26" --play 21
  nimmt referee six --fan cow --marker 1 \\
      --rows "1 5 9 13 | 78 | 104 | 53" --play 43
  nimmt referee six --fan twist \\
      --rows "10 | 19 20 21 22 23 | 30 | 41" --play 24~
"""
_X_EXAMPLES = """\
examples:
  nimmt referee x --rows "5 | 10 18 22 | 70" --play 59 \\
      --keep P1:18 --x-row "P1: 4 12"
  nimmt referee x --rows "5 | 59 | 70" --play "A:3 B:43" --choose A:1
"""
_BARON_EXAMPLES = """\
examples:
  nimmt referee baron --rows "1 | 2 | 13 | 40 | 52" --play "A:8 B:17" \\
      --choose A:3 B:2
  nimmt referee baron --bulls-are-good --deck my-deck.json \\
      --rows "1 | 2 | 13 | 40 | 52" --play A:8
"""
_BUFFALO_EXAMPLES = """\
examples:
  nimmt referee buffalo --rows "12 | 37 | 43 | 58" --play "A:3 B:9" \\
      --buffalo 25 --choose A:2
  nimmt referee buffalo --rows "2 4 6 8 10 | 20 | 50 | 60" --stop 2 --buffalo 25
  nimmt referee buffalo --rows "2 4 6 8 17 | 30 | 50 | 60" --take7 1 \\
      --play "A:20 B:21"
"""
_ELEVEN_EXAMPLES = """\
examples:
  nimmt referee eleven --piles "31 36 46 | 87" --hand "A: 92 96 5" \\
      --bulls A:1 --play "A: 92@2 96@2"
  nimmt referee eleven --piles "31 36 46 | 87" --take A:1 --draw "12 60"
  nimmt referee eleven --piles 31 --play "A: 36 B: 46 C: take@1"
"""

_GAMES = {
    "six": Asked(_six_flags, _six, _SIX_EXAMPLES),
    "buffalo": Asked(_buffalo_flags, _buffalo, _BUFFALO_EXAMPLES),
    "x": Asked(_x_flags, _x, _X_EXAMPLES),
    "eleven": Asked(_eleven_flags, _eleven, _ELEVEN_EXAMPLES),
    "baron": Asked(_baron_flags, _baron, _BARON_EXAMPLES),
}

"""A bot as an engine: it speaks JSON lines on standard input and output, so that other programs can play against it.

With --connect it plays on a server instead, and so does any program of yours with --cmd. docs/engine-protocol.md
describes the protocol.
"""

from __future__ import annotations

import argparse
import math
import shlex
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from nimmt.clients.cli.common import FAILURE, SUCCESS, CommandError, get_ready, tell
from nimmt.clients.cli.flags import Parser, check_bot, game_named, whole_number
from nimmt.clients.remote import where

if TYPE_CHECKING:
    from nimmt.clients.bridge import Mind
    from nimmt.clients.remote import Client

EXAMPLES = """\
examples:
  nimmt engine --level greedy
  nimmt engine --level greedy --games six,x
  nimmt engine --level master --join https://nimmt.example.org/t/tQ7…
  nimmt engine --connect http://localhost:8666 --token T --cmd "./mybot --fast"

Without --token the engine comes in as a new guest. It plays all matches that
its guest sits in, also those that begin later.
"""


def configure(parser: Parser) -> None:
    from nimmt.bots import BOTS

    parser.add_argument("--level", default="greedy", metavar="BOT", help=f"{', '.join(BOTS)} (default: greedy)")
    parser.add_argument(
        "--games", metavar="GAME,…", help="play these only, and get ready for them first (default: all)"
    )
    add = parser.group("playing on a server")
    add("--connect", metavar="URL", help="the server's address (default: where the links of --join lead)")
    add("--token", metavar="T", help="a token of the guest who plays (default: come in as a new guest)")
    add("--name", default="Engine", metavar="NAME", help="the new guest's name (default: Engine)")
    add("--cmd", metavar="COMMAND", help="let this program decide, not a bot of ours")
    add("--join", action="append", default=[], metavar="TABLE", help="sit down at this table: a link to it, or its id")
    add("--matches", type=whole_number(1, 1_000_000), metavar="N", help="stop after this many matches")
    add("--time", type=whole_number(1, 3600), default=10, metavar="S", help="seconds for a decision (default: 10)")
    add("--failures", type=whole_number(1, 1000), default=10, metavar="N", help="give up after this many (default: 10)")
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:

    check_bot(args.level)
    games = None if args.games is None else [game_named(word.strip()).id for word in args.games.split(",")]
    args.connect, args.join = where(args.connect, args.join)
    if args.connect:
        return _connect(args, games)
    if args.cmd or args.token or args.join or args.matches:
        raise CommandError("--cmd, --token, --join and --matches need --connect, or a link to a table in --join.")
    return _speak(args.level, games)


def _speak(level: str, games: list[str] | None) -> int:
    import msgspec

    from nimmt.arena.engine import speak

    try:
        speak(level, iter(sys.stdin.buffer.readline, b""), sys.stdout.buffer, games)
    except (msgspec.MsgspecError, ValueError) as error:
        raise CommandError(f"Invalid protocol message: {error}", code="nonsense") from None
    return SUCCESS


def _connect(args: argparse.Namespace, games: list[str] | None) -> int:
    from httpx import InvalidURL

    from nimmt.clients.bridge import Bridge
    from nimmt.clients.remote import Refused

    minds = _minds(args)
    try:
        client = _client(args)
        _get_ready(args, _expected(client, args.join, games))
        for table in args.join:
            client.join(table)
        bridge = Bridge(
            client,
            minds,
            time_ms=1000 * args.time,
            most_failures=args.failures,
            report=tell,
            games=games,
        )
        bridge.play(args.matches)
    except Refused as error:
        raise CommandError(f"{args.connect}: {error.sentence}", FAILURE, code=error.code) from None
    except InvalidURL:
        raise CommandError(f"{args.connect!r:.80} is not a server address.") from None
    return FAILURE if bridge.refused or bridge.failures >= args.failures else SUCCESS


def _client(args: argparse.Namespace) -> Client:
    from nimmt.clients.remote import Client

    token = args.token
    with Client(args.connect, token, tell) as person:
        if token:
            person.me()  # a wrong address or token is told now
        else:
            person.come_in(args.name)
            token = person.make_token("engine")
    # An engine may be at home on a server for months.
    return Client(args.connect, token, tell, patience=math.inf)


def _expected(client: Client, tables: Sequence[str], games: list[str] | None) -> list[str]:
    """What it will play first: the games it is for, or else those of the tables where it sits down."""
    found = {table: client.look(table)["table"]["game"] for table in tables}
    for table, game in found.items():
        if games is not None and game not in games:
            raise CommandError(f"Table {table} plays {game}, which is not among --games.")
    return games or list(dict.fromkeys(found.values()))


def _get_ready(args: argparse.Namespace, games: Sequence[str]) -> None:
    """Before anybody waits for its first move. Without games it may be any of them."""
    if args.cmd:
        _try_out(args.cmd, games)
        return
    from nimmt.bots import is_compiled
    from nimmt.rules import registry

    for game in games or registry.GAMES:
        if is_compiled(args.level, game):
            tell(f"Getting ready for {registry.get(game).name}…")
            get_ready(registry.get(game), [args.level])


def _try_out(command: str, games: Sequence[str]) -> None:
    from nimmt.arena import ArenaError
    from nimmt.arena.plan import COMMAND, Contestant
    from nimmt.arena.players import try_out
    from nimmt.rules import registry

    try:
        for game in map(registry.get, games) if games else (None,):
            try_out(Contestant(command, COMMAND + command), game)
    except ArenaError as error:
        raise CommandError(str(error), code="arena") from None


def _minds(args: argparse.Namespace) -> Callable[[], Mind]:
    from nimmt.clients.bridge import EngineMind, LevelMind

    if not args.cmd:
        return lambda: LevelMind(args.level)
    try:
        command = shlex.split(args.cmd)
    except ValueError as error:
        raise CommandError(f"--cmd: {error}.") from None
    return lambda: EngineMind(command)

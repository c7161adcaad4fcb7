"""Play in the terminal: against bots, with others at the same screen, or with --connect at the tables of a server.

Type the number of a card, or ? to see what can be typed. Deals can be proven: the program commits itself to its secret
before the first card is dealt.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nimmt.clients.cli import flags
from nimmt.clients.cli.common import INTERRUPTED, SUCCESS, CommandError, clean, get_ready
from nimmt.clients.terminal.words import speak, system_language, tr
from nimmt.match.record import SeatInfo
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.seats import SEAT_NAMES

if TYPE_CHECKING:
    from nimmt.clients.terminal.lobby import NewTable

EXAMPLES = """\
examples:
  nimmt play                        6 nimmt! against three bots
  nimmt play six --players 6 --fan cow --name Mia --speed fast
  nimmt play x --bots greedy,random --seed 7 --save match.json
  nimmt play baron --humans 2 --name Mia,Tom --players 5
  nimmt play eleven --humans 0      bots among themselves, to watch
  nimmt play six --practice         with a coach: type hint or takeback
  nimmt play six --help             shows the options of six
  nimmt play --connect https://nimmt.example.org    the lobby of a server
  nimmt play x --connect http://localhost:8666 --humans 2   a table for two
  nimmt play --join https://nimmt.example.org/t/tQ7…        a friend's table

People have the first seats. Bots are named for the other seats in turn, and
again from the first when there are more seats.
"""

SPEEDS = {"slow": 2.5, "normal": 1.3, "fast": 0.5, "instant": 0.0}
"""Seconds that an event of middling length stays."""

MAX_NAME_LENGTH = 20


def configure(parser: flags.Parser) -> None:
    from nimmt.bots import BOTS

    flags.add_game_argument(parser, default="six")
    flags.add_players_argument(parser)
    parser.add_argument(
        "--humans", type=flags.whole_number(0, 100), default=1, metavar="N", help="people here (default: 1)"
    )
    parser.add_argument("--name", action="append", metavar="NAME,…", help="the names of the people")
    parser.add_argument("--bots", default="greedy", metavar="BOT,…", help=f"{', '.join(BOTS)} (default: greedy)")
    parser.add_argument("--seed", metavar="S", help="a number or any text: the same deals again (default: new ones)")
    parser.add_argument("--speed", choices=SPEEDS, default="normal", help="how long each event stays (default: normal)")
    parser.add_argument("--no-hints", action="store_true", help="do not show where cards would go and what they cost")
    parser.add_argument("--practice", action="store_true", help="with a coach: hints, and decisions can be taken back")
    parser.add_argument("--plain", action="store_true", help="plain lines of text, even on a capable terminal")
    parser.add_argument("--save", metavar="FILE", help="write the record of the match at the end")
    flags.add_language_argument(parser)
    add = parser.group("playing on a server")
    add("--connect", metavar="URL", help="the server's address: its lobby, or a new table if a game is named")
    add("--join", metavar="LINK", help="sit down at this table: a link to it, or its id; come back to it; or watch it")
    add("--public", action="store_true", help="the new table is open to all")
    add("--tempo", metavar="T", help="time for each decision at the new table: 30s, 24h or none (default: none)")
    parser.set_defaults(is_named=parser.is_named)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    speak(args.language or system_language())
    if args.connect is not None or args.join is not None:
        return _visit(args)
    if args.public or args.tempo is not None:
        raise CommandError("--public and --tempo are for tables of a server: they need --connect.")
    game: AnyGame = args.game
    options, players = flags.options_from(args, game), flags.players_from(args, game)
    flags.check_table(game, options, players)
    seats = _seats(args, players)
    file = _free_file(args.save) if args.save is not None else None
    # rich and all that draws: only now that there is something to draw.
    from nimmt.clients.terminal.host import Evening
    from nimmt.clients.terminal.screen import open_screen

    evening = Evening(game, options, seats, seed=args.seed, hints=not args.no_hints, practice=args.practice)
    get_ready(game, [seat.player for seat in seats if seat.player != "person"])
    screen = open_screen(SPEEDS[args.speed], plain=args.plain)
    try:
        over = evening.play(screen)
    except KeyboardInterrupt:
        evening.break_off(screen, tr("Interrupted"), file)
        return INTERRUPTED
    finally:
        screen.close()
    if over:
        evening.say_goodbye(screen, file)
    else:
        evening.break_off(screen, tr("You have left the table"), file)
    return SUCCESS


def _visit(args: argparse.Namespace) -> int:
    """At a server's tables."""
    from httpx import InvalidURL, UnsupportedProtocol

    from nimmt.clients.remote import where
    from nimmt.clients.terminal.host import Left
    from nimmt.clients.terminal.lobby import Visit
    from nimmt.clients.terminal.online import Manner
    from nimmt.clients.terminal.screen import Gone

    if args.seed is not None:
        raise CommandError("--seed is not for tables of a server: there nobody can choose the cards.")
    server, tables = where(args.connect, [args.join] if args.join is not None else [])
    if server is None:
        raise CommandError("--join needs the whole link to a table, or --connect.")
    name = " ".join(clean(args.name[-1]).split()) if args.name else None
    file = _free_file(args.save) if args.save is not None else None
    pace = args.speed if args.speed in ("fast", "instant") else "normal"
    visit = Visit(server, Manner(SPEEDS[args.speed], pace, args.plain, not args.no_hints), file)
    try:
        wanted = _new_table(args) if args.is_named and not tables else None
        visit.come_in(name)
        visit.go(tables[0] if tables else visit.open(wanted) if wanted else None)
    except (InvalidURL, UnsupportedProtocol):
        raise CommandError(f"{server!r:.80} is not a server address.") from None
    except KeyboardInterrupt:
        visit.say_goodbye()
        return INTERRUPTED
    except (Left, Gone):
        visit.say_goodbye()
    return SUCCESS


def _new_table(args: argparse.Namespace) -> NewTable:
    """As the flags have it: the first seats are for people, the others for bots."""
    import msgspec

    from nimmt.clients.terminal.lobby import NewTable, read_tempo

    game: AnyGame = args.game
    options, players = flags.options_from(args, game), flags.players_from(args, game)
    flags.check_table(game, options, players)
    if not 1 <= args.humans <= players:
        raise CommandError(f"{args.humans} people do not fit {players} seats.")
    bots = flags.bots_from(args.bots, players - args.humans) if players > args.humans else []
    try:
        tempo = read_tempo(args.tempo or "none")
    except ValueError as error:
        raise CommandError(str(error)) from None
    return NewTable(game.id, msgspec.to_builtins(options), players, tuple(bots), args.public, tempo, args.practice)


# -- who plays -------------------------------------------------------------------------------------------------


def _seats(args: argparse.Namespace, players: int) -> list[SeatInfo]:
    if args.humans > players:
        raise CommandError(f"{args.humans} people do not fit {players} seats.")
    people = _names(args.name or [], args.humans)
    bots = flags.bots_from(args.bots, players - len(people))
    others = [name for name in SEAT_NAMES if name.casefold() not in {person.casefold() for person in people}]
    return [SeatInfo(name) for name in people] + [SeatInfo(name, bot) for name, bot in zip(others, bots, strict=False)]


def _names(given: Sequence[str], people: int) -> list[str]:
    names = [" ".join(clean(name).split()) for part in given for name in part.split(",")]
    if len(names) > people:
        raise CommandError(f"{len(names)} names are too many for {people} at the screen: see --humans.")
    for name in names:
        if not 1 <= len(name) <= MAX_NAME_LENGTH:
            raise CommandError(f"A name must have 1 to {MAX_NAME_LENGTH} letters; {name!r:.40} does not.")
    free = [name for name in SEAT_NAMES if name.casefold() not in {taken.casefold() for taken in names}]
    names += free[: people - len(names)]
    if len({name.casefold() for name in names}) < len(names):
        raise CommandError("Two people cannot have the same name.")
    return names


def _free_file(name: str) -> Path:
    """Where the record will go: better refused now than after the match."""
    path = Path(name)
    if "\0" in name:
        raise CommandError(f"{name!r:.80} is not a valid file name.", code="unreadable")
    if path.exists():
        raise CommandError(f"{clean(name)} already exists and is not overwritten.", code="exists")
    if not path.absolute().parent.is_dir():
        raise CommandError(f"There is no folder for {clean(name)}.", code="unreadable")
    return path

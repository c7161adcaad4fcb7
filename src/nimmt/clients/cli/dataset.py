"""Let bots play until there are so many decisions, and keep them as tables with a card that says how they were made.

The same seed makes the same dataset, however many processes share the work; a run that was stopped goes on.
--verify checks a dataset: its checksums, and every match of it by the rules.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import count, groupby, islice, zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from nimmt.clients.cli import flags
from nimmt.clients.cli.common import FAILURE, SUCCESS, CommandError, clean, get_ready, print_json, progress_bar
from nimmt.clients.cli.export import FORMATS, Writers, read_table
from nimmt.clients.cli.simulate import Simulation
from nimmt.insight.crew import Crew
from nimmt.library.tables import TABLES, VERSION, Row, as_text, record_of, rows
from nimmt.match.record import RecordError, read_record
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Options

EXAMPLES = """\
examples:
  nimmt dataset six data --decisions 1000000 --workers 4
  nimmt dataset six strong --decisions 20000 --bots club,expert,master
  nimmt dataset x data-x --decisions 20000 --to parquet --seed 7
  nimmt dataset six data --verify
"""
CARD, SUMS, PLAYED = "README.md", "checksums.json", ".played.jsonl"
LICENCE = "CC0 1.0: do with it what you like. No person's play is in it."


def configure(parser: flags.Parser) -> None:
    from nimmt.bots import BOTS

    flags.add_game_argument(parser)
    parser.add_argument("folder", metavar="DIR", help="where the dataset is, or will be")
    flags.add_players_argument(parser)
    parser.add_argument(
        "--decisions",
        type=flags.whole_number(1, 1_000_000_000),
        default=1_000_000,
        metavar="N",
        help="at least this many",
    )
    parser.add_argument(
        "--bots",
        default="newcomer,casual,club,expert",
        metavar="BOT,…",
        help=f"{', '.join(BOTS)}; they take turns, and may be more than there are seats",
    )
    parser.add_argument(
        "--workers", type=flags.whole_number(1, 256), default=1, metavar="N", help="processes (default: 1)"
    )
    parser.add_argument("--seed", default="1", metavar="S", help="a number or any text (default: 1)")
    parser.add_argument("--to", choices=FORMATS, default="csv", help="the format of the tables (default: csv)")
    parser.add_argument("--verify", action="store_true", help="check the dataset that is there")
    flags.add_json_argument(parser)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    return _verify(args) if args.verify else _build(args)


# -- building ---------------------------------------------------------------------------------------------------


def _build(args: argparse.Namespace) -> int:
    game: AnyGame = args.game
    options, players, folder = flags.options_from(args, game), flags.players_from(args, game), Path(args.folder)
    flags.check_table(game, options, players)
    bots = _pool(args.bots, players)
    _check_free(folder, args.to)
    get_ready(game, bots)
    folder.mkdir(parents=True, exist_ok=True)
    plan = Plan(game.id, options, players, bots, args.seed)
    with Played(folder / PLAYED, plan) as played:
        with progress_bar("decisions", args.decisions) as advance:
            matches = _play(plan, played, args.decisions, args.workers, advance)
        counts = _write_tables(args, folder, played, matches)
    files = [folder / f"{name}.{args.to}" for name in TABLES]
    (folder / CARD).write_text(_card(args, game, options, bots, counts), "utf-8")
    sums = {path.name: _digest(path) for path in [*files, folder / CARD]}
    about = {"format": f"nimmt-dataset-{VERSION}", "game": game.id, "to": args.to, "rows": counts, "sha256": sums}
    (folder / SUMS).write_text(json.dumps(about, indent=2) + "\n", "utf-8")
    (folder / PLAYED).unlink()
    if args.json:
        print_json(about)
    else:
        print(f"{counts['decisions']:,} decisions are in {clean(args.folder)}; {CARD} tells about them.")
    return SUCCESS


def _check_free(folder: Path, form: str) -> None:
    """Refuse to overwrite anything but what a run that was stopped has left."""
    if (folder / SUMS).exists():
        raise CommandError(f"{clean(str(folder))} already holds a dataset.", code="exists")
    if (folder / PLAYED).exists():
        return
    for name in (*(f"{table}.{form}" for table in TABLES), CARD):
        if (folder / name).exists():
            sentence = f"{clean(str(folder / name))} is there already; a dataset needs a folder of its own."
            raise CommandError(sentence, code="exists")


def _pool(text: str, players: int) -> list[str]:
    """Who takes turns: a bot for each seat, or more."""
    names = text.split(",")
    return flags.bots_from(text, max(players, len(names)))


def _write_tables(args: argparse.Namespace, folder: Path, played: Played, matches: int) -> dict[str, int]:
    counts = dict.fromkeys(TABLES, 0)
    with (
        Writers(folder, args.to, list(TABLES), force=True) as writers,
        progress_bar("matches written", matches) as advance,
    ):
        for line in played.lines(matches):
            for table, row in rows(read_record(line)):
                writers.put(table, row)
                counts[table] += 1
            advance()
    return counts


class Plan(NamedTuple):
    """What decides every match, beside its number."""

    game: str
    options: Options
    players: int
    bots: list[str]
    seed: str

    def play(self, number: int) -> tuple[bytes, int]:
        """The record of a match in one line, and how many decisions it has."""
        # Everybody sits everywhere: the first seat has an advantage in some games.
        turned = [self.bots[(seat + number) % len(self.bots)] for seat in range(self.players)]
        match, _ = Simulation(registry.get(self.game), self.options, turned, self.seed).play(number)
        return msgspec.json.encode(match.record()), len(match.moves)


class Played:
    """The matches played so far, a line each, in a file: a run that was stopped goes on after the last whole one."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.sizes, head = path, list[int](), msgspec.json.encode(plan) + b"\n"
        if path.exists():
            self._read(head)
        else:
            path.write_bytes(head)
        self._file = path.open("ab")

    def __enter__(self) -> Played:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _read(self, head: bytes) -> None:
        good = 0
        with self.path.open("rb") as file:
            for line in file:
                if good == 0 and line != head:
                    raise CommandError(
                        f"{clean(str(self.path))} was begun by another command; remove it to begin anew.", code="exists"
                    )
                if not line.endswith(b"\n"):
                    break  # it was being written when everything stopped
                if good:
                    self.sizes.append(len(read_record(line).actions))
                good += len(line)
        os.truncate(self.path, good)

    def add(self, line: bytes, decisions: int) -> None:
        self._file.write(line + b"\n")
        self._file.flush()
        self.sizes.append(decisions)

    def lines(self, matches: int) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            next(file)
            yield from islice(file, matches)


def _play(plan: Plan, played: Played, wanted: int, workers: int, advance: Callable[[], None]) -> int:
    """Play what is missing; how many matches have as many decisions as are wanted."""
    decisions, matches = 0, 0
    with Crew(workers) as crew:
        results = _results(crew, plan, len(played.sizes) + 1)
        while decisions < wanted:
            if matches == len(played.sizes):
                played.add(*next(results))
            for _ in range(played.sizes[matches]):
                advance()
            decisions += played.sizes[matches]
            matches += 1
    return matches


def _results(crew: Crew, plan: Plan, first: int) -> Iterator[tuple[bytes, int]]:
    """One match after the other from this number on, in order, whoever plays them."""
    asked = deque(crew.ask(plan.play, number) for number in range(first, first + crew.ahead))
    for number in count(first + crew.ahead):
        asked.append(crew.ask(plan.play, number))
        yield asked.popleft()()


def _digest(path: Path) -> str:
    digest = sha256()
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def _card(
    args: argparse.Namespace, game: AnyGame, options: Options, bots: Sequence[str], counts: dict[str, int]
) -> str:
    from nimmt import __version__

    settings = msgspec.json.encode(options).decode()
    players = flags.players_from(args, game)
    matches = counts["results"] // max(1, players)
    chosen = "".join(f" {word}" for word in flags.words_of(game, options))
    made = f"nimmt dataset {game.id} DIR{chosen} --players {players} --decisions {args.decisions}"
    made += f" --bots {','.join(bots)} --seed {shlex.quote(args.seed)} --to {args.to}"
    parts = [
        f"# {counts['decisions']:,} decisions of {game.name}",
        f"Bots of nimmt {__version__} (rules version {game.rules_version}) have played {matches:,} matches: "
        f"{', '.join(dict.fromkeys(bots))}, changing places from match to match. Options: `{settings}`.",
        f"Made by `{made}`; the same command and version make the same files.",
        f"**Licence.** {LICENCE}",
        f"**To check it:** `nimmt dataset {game.id} DIR --verify` compares the checksums in `{SUMS}`, plays every "
        "match again by the rules, and compares every line with what they say.",
        "**What it is not.** Bots make other mistakes than people. Weak and strong ones sit at the same tables: "
        "what wins here need not win among equals.",
    ]
    for name, columns in TABLES.items():
        lines = [f"| `{column.name}` | {column.type} | {column.meaning} |" for column in columns]
        heads = [f"## {name} ({counts[name]:,} lines)", "", "| column | type | meaning |", "|---|---|---|"]
        parts.append("\n".join([*heads, *lines]))
    return "\n\n".join(parts) + "\n"


# -- checking ---------------------------------------------------------------------------------------------------


class About(msgspec.Struct):
    """What `checksums.json` tells."""

    format: str
    game: str
    to: Literal["csv", "jsonl", "parquet"]
    rows: dict[str, int]
    sha256: dict[str, str]


def _verify(args: argparse.Namespace) -> int:
    folder = Path(args.folder)
    about = _about(folder / SUMS)
    if about.game != args.game.id:
        raise CommandError(f"{clean(args.folder)} is a dataset of {clean(about.game)}.", code="other_game")
    matches, reason = 0, "; ".join(_changed(folder, about))
    if not reason:
        with progress_bar("matches", about.rows.get("results", 0)) as advance:
            matches, reason = _play_again(folder, about, advance)
    if args.json:
        print_json({"ok": not reason, "matches": matches, "reason": reason or None})
    else:
        noun = "match" if matches == 1 else "matches"
        told = f"ok: {matches:,} {noun}, as their deals and decisions say"
        print(f"wrong: {clean(reason)}" if reason else told)
    return FAILURE if reason else SUCCESS


def _about(path: Path) -> About:
    form = f"nimmt-dataset-{VERSION}"
    try:
        about = msgspec.json.decode(path.read_bytes(), type=About)
    except msgspec.MsgspecError as error:
        raise CommandError(f"{clean(str(path))} does not tell of a dataset: {error}.", code="invalid_dataset") from None
    if about.format != form:
        sentence = f"{clean(str(path))} tells of a {about.format!r:.40}; this program reads {form}."
        raise CommandError(sentence, code="invalid_dataset")
    return about


def _changed(folder: Path, about: About) -> Iterator[str]:
    """What is not as the checksums say, or has none."""
    for name in (*(f"{table}.{about.to}" for table in TABLES), CARD):
        if name not in about.sha256:
            yield f"{name}: has no checksum"
        elif not (folder / name).exists():
            yield f"{name}: is missing"
        elif _digest(folder / name) != about.sha256[name]:
            yield f"{name}: not as the checksum says"


def _play_again(folder: Path, about: About, advance: Callable[[], None]) -> tuple[int, str]:
    """How many matches are as the rules say, and what is wrong with the next one."""
    tables = [groupby(_lines(folder, about.to, name), itemgetter("match")) for name in TABLES]
    matches, counts, where = 0, dict.fromkeys(TABLES, 0), "the tables"
    try:
        for parts in zip_longest(*tables, fillvalue=("", ())):
            where = f"match {next(match for match, _ in parts if match)}"
            if len({match for match, _ in parts}) > 1:
                return matches, f"{where}: the tables do not have the same matches in the same order"
            found = {name: list(lines) for name, (_, lines) in zip(TABLES, parts, strict=True)}
            if reason := _differs(found):
                return matches, f"{where}: {reason}"
            matches += 1
            for name, lines in found.items():
                counts[name] += len(lines)
            for _ in found["results"]:
                advance()
    except RecordError as error:
        return matches, f"{where}: {error.place.removeprefix('$.')}: {error.reason}"
    except (ValueError, TypeError, LookupError) as error:
        return matches, f"{where}: they cannot be read: {error}"
    return matches, "" if counts == about.rows else f"{SUMS}: tells of other numbers of lines"


def _lines(folder: Path, form: str, table: str) -> Iterator[Row]:
    names = [column.name for column in TABLES[table]]
    for row in read_table(folder / f"{table}.{form}"):
        if list(row) != names:
            raise ValueError(f"{table} has other columns than {', '.join(names)}")
        yield row


def _differs(found: dict[str, list[Row]]) -> str:
    """Play the match again and make its lines anew: all that stands there follows from deals and decisions."""
    left = {name: iter(lines) for name, lines in found.items()}
    for table, row in rows(record_of(found)):
        told = next(left[table], {})
        for column in TABLES[table]:
            one, other = as_text(told.get(column.name)), as_text(row.get(column.name))
            if one != other:
                return f"{table}: the rules say {column.name} {other!r:.60}, the table {one!r:.60}"
    return next((f"{table}: there are too many lines" for table, lines in left.items() if next(lines, None)), "")

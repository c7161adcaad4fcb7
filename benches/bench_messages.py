"""How much the server tells: bytes of the messages of whole matches, and the processor time of making them.

Random play with five people, or as many as there may be, and a spectator; each message as a socket gets it, once for
each of them. A turn is as many decisions as there are seats. Packed is each message by itself with gzip, as a proxy
might do it: the server sends sockets nothing packed.

    python benches/bench_messages.py
    python benches/bench_messages.py --compare OTHER/src     side by side with the sources of another checkout

Run by `python3 dev.py bench`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from random import Random

import msgspec

from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.projection import Updates
from nimmt.server.tables.table import Table

SEATS = 5


def begun(game: AnyGame, guests: list[str], seed: int) -> Table:
    opened = e.Opened(
        at=0,
        game=game.id,
        options={},
        seats=len(guests),
        public=True,
        tempo=e.Live(30),
        host=guests[0],
        server_seed=bytes([seed] * 32).hex(),
        rules_version=game.rules_version,
    )
    table = Table("0" * 22, opened)
    for seat, guest in enumerate(guests):
        table.add(e.Joined(at=0, seat=seat, guest=guest, name=f"Player {seat}", contribution=""))
    table.add(e.Started(at=0))
    return table


def chosen(legal: list[Action], rng: Random) -> Action:
    kinds: dict[type, list[Action]] = {}
    for action in legal:
        kinds.setdefault(type(action), []).append(action)
    return rng.choice(kinds[rng.choice(list(kinds))])


def play(game: AnyGame, matches: int) -> dict[str, float]:
    """Means over all that is told of these matches, to all readers alike."""
    guests = [f"guest {seat}" for seat in range(min(SEATS, game.max_seats))]
    rng, sizes, packed, decisions, seconds = Random(1), [], 0, 0, 0.0
    for seed in range(matches):
        table, updates = begun(game, guests, seed), Updates()
        while table.phase == "playing":
            seat = rng.choice(game.pending(table.match.state)).seat
            action = chosen(list(game.legal(table.match.state, seat)), rng)
            table.add(e.Acted(at=0, seat=seat, action=msgspec.Raw(msgspec.json.encode(action))), action)
            began = time.process_time()
            told = [updates.get(table, guest, table.version) for guest in [*guests, None]]
            seconds += time.process_time() - began
            decisions += 1
            sizes += [len(message) for message in told]
            packed += sum(len(gzip.compress(message, 6)) for message in told)
    return {
        "bytes a turn": sum(sizes) / len(sizes) * len(guests),
        "packed": packed / len(sizes) * len(guests),
        "largest message": max(sizes),
        "µs a decision": 1e6 * seconds / decisions,
    }


def measured(matches: int) -> dict[str, dict[str, float]]:
    return {game.id: play(game, matches) for game in registry.all_games()}


def measured_there(sources: str, matches: int) -> dict[str, dict[str, float]]:
    command = [sys.executable, __file__, "--json", "--matches", str(matches)]
    where = {**os.environ, "PYTHONPATH": sources}
    return json.loads(subprocess.run(command, env=where, stdout=subprocess.PIPE, check=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=3, help="of each game (default 3)")
    parser.add_argument("--compare", metavar="SRC", help="the folder src of another checkout")
    parser.add_argument("--json", action="store_true", help="one line for programs")
    args = parser.parse_args()
    there = measured_there(args.compare, args.matches) if args.compare else None
    here = measured(args.matches)
    if args.json:
        print(json.dumps(here))
        return
    columns = list(next(iter(here.values())))
    print("game    " + "".join(f"{column:>28}" for column in columns))
    for game, figures in here.items():
        print(f"{game:8}" + "".join(f"{_cell(figures[c], there and there[game][c]):>28}" for c in columns))


def _cell(value: float, other: float | None) -> str:
    return f"{value:,.0f}" if other is None else f"{other:,.0f} → {value:,.0f} ({value / other - 1:+.0%})"


if __name__ == "__main__":
    main()

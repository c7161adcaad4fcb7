"""Reviews as people get them: how long they wait, and what those notice who play beside it.

A real server; tables with sockets at which everybody acts every few seconds, first in peace and then while one review
after the other is asked for, as the page does it: records of matches of four bots to 66 are brought, the decisions of
one seat are judged, then those of all.

    python benches/bench_review_server.py --tables 100 --seconds 60 --matches 5

`first` is the time until the first round of a seat is there, `own` until all rounds of it are, `all` until those of all
four seats are. The first match finds a server that has just started and has no judge loaded: it is told apart.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import sys
import time

from bench_server import UNLIMITED, Bench, Http, cpu_seconds, database_of, percentile, serving

import nimmt
from nimmt.match.record import write_record

LIMITS = ["--reviews-per-address", "100000", "--uploads-per-address", "100000", "--uploads-per-guest", "100000"]
AT_ONCE, SOON = 0.25, 0.7
"""Seconds between two looks of the page: before anything is there, and then."""
BAR = 100.0
"""Milliseconds: what p99 of the tables must stay below."""


async def judged(http: Http, table: str, seat: int) -> tuple[float, float]:
    """Seconds until the first round of a seat is there, and until all are, for somebody who asks as the page does."""
    began, first, known = time.perf_counter(), 0.0, 0
    while True:
        path = f"/api/tables/{table}/review?seat={seat}&after={known}"
        status, _, answer = await http.call("POST", path)
        assert status == 200, answer
        found = json.loads(answer)
        known += len(found["decisions"])
        now = time.perf_counter() - began
        if found["done"]:
            first = first or now
        if found["done"] == found["rounds"]:
            return first, now
        await asyncio.sleep(SOON if found["done"] else AT_ONCE)


async def reviewed(http: Http, record: bytes) -> dict[str, float]:
    began = time.perf_counter()
    status, _, answer = await http.call("POST", "/api/records", json.loads(record))
    assert status == 201, answer
    brought, table = time.perf_counter() - began, json.loads(answer)["id"]
    first, own = await judged(http, table, 0)
    again = time.perf_counter()
    await asyncio.gather(*(judged(http, table, seat) for seat in range(1, 4)))
    return {"brought": brought, "first": first, "own": own, "all": own + time.perf_counter() - again}


def records(count: int) -> list[bytes]:
    matches = (nimmt.Match("six", ["club"] * 4, seed="served", number=number + 1).play() for number in range(count + 1))
    return [write_record(match.record) for match in matches]


async def measure(port: int, pid: int, args: argparse.Namespace, brought: list[bytes]) -> None:
    bench, http = Bench(port), Http(port)
    gc.disable()  # the players must not pause
    groups = [await bench.table(args.seats, number) for number in range(args.tables)]
    players = [player for group in groups for player in group]
    tasks = [asyncio.create_task(player.listen()) for player in players]
    while bench.connected < len(players):
        await asyncio.sleep(0.1)
    tasks += [asyncio.create_task(player.play(args.every)) for player in players]
    await asyncio.sleep(2 * args.every)

    def told(what: str, seconds: float, cpu: float) -> None:
        times, bench.latencies = [1000 * one for one in bench.latencies], []
        p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
        within = "" if not times or p99 < BAR else f"  ABOVE {BAR:.0f} ms"
        load = (
            f"{args.tables} tables, {len(times) / seconds:.0f} events/s, server {100 * cpu / seconds:.0f} % of a core"
        )
        print(f"{what:12} {load}: p50 {p50:.1f} ms, p99 {p99:.1f} ms{within}", flush=True)

    began, cpu = time.perf_counter(), cpu_seconds(pid)
    bench.measuring = True
    await asyncio.sleep(args.seconds)
    told("in peace", time.perf_counter() - began, cpu_seconds(pid) - cpu)
    cold = await reviewed(http, brought[0])
    bench.latencies = []
    began, cpu, found = time.perf_counter(), cpu_seconds(pid), []
    for number, record in enumerate(brought[1:]):
        print(f"\r  {number + 1} of {len(brought) - 1} matches", end="", file=sys.stderr, flush=True)
        found.append(await reviewed(http, record))
    print("\r", end="", file=sys.stderr)
    told("reviewing", time.perf_counter() - began, cpu_seconds(pid) - cpu)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print("just started", {name: f"{seconds:.2f} s" for name, seconds in cold.items()})
    for name, most in (("brought", None), ("first", 1.0), ("own", 10.0), ("all", 30.0)):
        times = [one[name] for one in found]
        aim = "" if most is None else f", aim {most:.0f} s{'' if max(times) <= most else '  MISSED'}"
        print(f"{name:12} median {statistics.median(times):.2f} s, longest {max(times):.2f} s{aim}")
    if bench.failures:
        print(f"{len(bench.failures)} actions failed, the first with {bench.failures[0]}")


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two actions of a player")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to measure in peace")
    parser.add_argument("--matches", type=int, default=5, help="matches that are reviewed, after a first one")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--server-cores", default="", help="cores of the server and its judge ('' for any)")
    args = parser.parse_args(words)
    brought = records(args.matches)
    with (
        database_of(args) as database,
        serving(database, args.workers, args.server_cores, [*UNLIMITED, *LIMITS]) as (port, pid),
    ):
        asyncio.run(measure(port, pid, args, brought))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

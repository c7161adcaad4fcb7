"""Measure the warm-up of strong bots: with an empty cache, and with everything on disk.

    python benches/bench_warm_up.py                  each game by itself, with and without judges, and a whole server
    python benches/bench_warm_up.py --only server    only the server

CPU seconds are summed over all processes, so that other work on the machine does not count; a server on two idle cores
needs about half of that in wall-clock time.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from nimmt.bots.levels import fast_games


class Took(NamedTuple):
    """Seconds of CPU and wall-clock time."""

    processor: float
    clock: float


def timed(work: Callable[[], object]) -> Took:
    began, before = time.perf_counter(), used()
    work()
    return Took(used() - before, time.perf_counter() - began)


def used() -> float:
    """CPU seconds of all child processes that have ended."""
    about = resource.getrusage(resource.RUSAGE_CHILDREN)
    return about.ru_utime + about.ru_stime


def get_ready(game: str, *flags: str) -> Callable[[dict[str, str]], None]:
    def work(env: dict[str, str]) -> None:
        words = [sys.executable, "-m", "nimmt.bots", *flags, game]
        subprocess.run(words, env=env, check=True, capture_output=True)

    return work


def serve(env: dict[str, str]) -> None:
    """Start a server and wait until it says that everything is ready."""
    words = [sys.executable, "-m", "nimmt", "serve", "--port", "0", "--database", "memory", "--log-json"]
    due = set(fast_games())
    with subprocess.Popen(words, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as server:
        assert server.stderr
        for line in server.stderr:
            said = json.loads(line)
            if said.get("message") == "strong bots are ready":
                due.discard(said["game"])
            if not due:
                break
        server.terminate()


def show(name: str, work: Callable[[dict[str, str]], None]) -> None:
    """Run twice: with an empty cache, then with a full one."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "NUMBA_CACHE_DIR": folder}
        times = [timed(lambda: work(env)) for _ in range(2)]
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()) / 2**20
    cells = "".join(f"{took.processor:10.1f}{took.clock:8.1f}" for took in times)
    print(f"{name:22}{cells}{size:8.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("games", "judges", "server"), nargs="+")
    wanted = parser.parse_args().only or ("games", "judges", "server")
    print(f"{'seconds':22}{'compiled':>10}{'clock':>8}{'loaded':>10}{'clock':>8}{'MB':>8}")
    if "games" in wanted:
        for game in fast_games():
            show(game, get_ready(game))
    if "judges" in wanted:
        for game in fast_games():
            show(f"{game} with judges", get_ready(game, "--judges"))
    if "server" in wanted:
        show("server, all games", serve)


if __name__ == "__main__":
    main()

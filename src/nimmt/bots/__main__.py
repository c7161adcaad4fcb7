"""`python -m nimmt.bots [--judges] [--jobs N] [GAME …]`: compile the kernels of the bots in advance.

`--judges` includes those of reviews, hints and puzzles, `--only-judges` compiles nothing else; `--jobs` compiles so
many games at a time; `--progress` prints a line for every per cent.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from nimmt.bots import judge, warm_up
from nimmt.bots.levels import fast_games, strength_of
from nimmt.fast.cache import HERE, alone, cache_folder
from nimmt.fast.jit import watch_compiling
from nimmt.rules import registry

FLAGS = {
    "--judges": "what reviews go by, too",
    "--only-judges": "only what reviews go by",
    "--progress": "a line for every per cent",
}
NOWHERE = "Compiled code cannot be kept: neither NUMBA_CACHE_DIR nor a cache or temporary folder can be written."


def main(words: list[str]) -> int:
    args = _parsed(words)
    if cache_folder(HERE) is None:  # every process would have to compile for itself anyway
        print(NOWHERE, file=sys.stderr)
        return 1
    games = args.games or fast_games()
    if min(args.jobs, len(games)) > 1:
        return _share_out(games, args)
    for game_id in games:
        began, game = time.perf_counter(), registry.get(game_id)
        tell = _teller(game_id) if args.progress else _silent
        with alone(game_id), watch_compiling(strength_of(game).pieces, tell):
            if not args.only_judges:
                warm_up(game_id)
            if args.judges or args.only_judges:
                judge.warm_up(game)
        print(f"{game_id:8} ready after {time.perf_counter() - began:.1f} s", flush=True)
    return 0


def _share_out(games: Sequence[str], args: argparse.Namespace) -> int:
    """Compile each game in a process of its own; returns the first exit code that is not 0, if any."""
    flags = [flag for flag in FLAGS if getattr(args, flag[2:].replace("-", "_"))]

    def compile_one(game_id: str) -> int:
        return subprocess.run([sys.executable, "-m", "nimmt.bots", *flags, game_id], check=False).returncode

    with ThreadPoolExecutor(args.jobs) as pool:
        return next((code for code in pool.map(compile_one, games) if code), 0)


def _parsed(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m nimmt.bots", description=__doc__.partition(": ")[2])
    parser.add_argument("games", nargs="*", metavar="GAME")
    for flag, meaning in FLAGS.items():
        parser.add_argument(flag, action="store_true", help=meaning)
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="games compiled at a time (1)")
    args = parser.parse_args(words)
    if args.jobs < 1:
        parser.error(f"--jobs must be at least 1, not {args.jobs}.")
    games = fast_games()
    if unknown := [word for word in args.games if word not in games]:
        parser.error(f"nothing to compile for {', '.join(unknown)}. The games are: {', '.join(games)}.")
    return args


def _silent(percent: int) -> None:
    del percent


def _teller(game_id: str) -> Callable[[int], None]:
    told = 0

    def tell(percent: int) -> None:
        nonlocal told
        if percent > told:
            told = percent
            print(f"{game_id:8} {percent} %", flush=True)

    return tell


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)

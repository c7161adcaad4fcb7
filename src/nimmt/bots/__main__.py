"""`python -m nimmt.bots [--judges] [GAME …]`: compile the kernels of the bots in advance.

`--judges` includes those of reviews, hints and puzzles, `--only-judges` compiles nothing else; `--progress` prints a
line for every per cent.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from nimmt.bots import judge, warm_up
from nimmt.bots.levels import fast_games, strength_of
from nimmt.fast.cache import HERE, alone, cache_folder
from nimmt.fast.jit import watch_compiling
from nimmt.rules import registry

NOWHERE = "Compiled code cannot be kept: neither NUMBA_CACHE_DIR nor a cache or temporary folder can be written."


def main(words: list[str]) -> int:
    args = _parsed(words)
    if cache_folder(HERE) is None:  # every process would have to compile for itself anyway
        print(NOWHERE, file=sys.stderr)
        return 1
    for game_id in args.games or fast_games():
        began, game = time.perf_counter(), registry.get(game_id)
        tell = _teller(game_id) if args.progress else _silent
        with alone(game_id), watch_compiling(strength_of(game).pieces, tell):
            if not args.only_judges:
                warm_up(game_id)
            if args.judges or args.only_judges:
                judge.warm_up(game)
        print(f"{game_id:8} ready after {time.perf_counter() - began:.1f} s", flush=True)
    return 0


def _parsed(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m nimmt.bots", description=__doc__.partition(": ")[2])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--judges", action="store_true", help="what reviews go by, too")
    parser.add_argument("--only-judges", action="store_true", help="only what reviews go by")
    parser.add_argument("--progress", action="store_true", help="a line for every per cent")
    args = parser.parse_args(words)
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
    sys.exit(main(sys.argv[1:]))

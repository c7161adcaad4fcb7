"""`python -m nimmt.bots [--judges] [GAME …]`: compile what the bots think with, so that nobody waits for it later.

With `--judges` also what reviews, hints and puzzles go by.
"""

from __future__ import annotations

import sys
import time

from nimmt.bots import judge, warm_up
from nimmt.bots.levels import fast_games
from nimmt.fast.cache import alone
from nimmt.rules import registry


def main(words: list[str]) -> int:
    games, with_judges = fast_games(), "--judges" in words
    words = [word for word in words if word != "--judges"]
    unknown = [word for word in words if word not in games]
    if unknown:
        print(f"Nothing to compile for {', '.join(unknown)}. The games are: {', '.join(games)}.", file=sys.stderr)
        return 2
    for game_id in words or games:
        began = time.perf_counter()
        with alone(game_id):
            warm_up(game_id)
            if with_judges:
                judge.warm_up(registry.get(game_id))
        print(f"{game_id:8} ready after {time.perf_counter() - began:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

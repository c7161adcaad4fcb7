"""How long the command line takes to start: the whole process, best and median of many runs."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

COMMANDS = (
    ["--help"],
    ["--version"],
    ["games"],
    ["referee", "six", "--rows", "12 | 37 | 43 | 58", "--play", "14 15 44 61", "--json"],
)
RUNS = 15


def seconds(words: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "nimmt", *words], capture_output=True, check=True)
    return time.perf_counter() - began


def main() -> None:
    print(f"{'command':60}{'best ms':>10}{'median ms':>11}")
    for words in COMMANDS:
        times = [seconds(words) for _ in range(RUNS)]
        told = "nimmt " + " ".join(words)
        print(f"{told[:58]:60}{1000 * min(times):10.0f}{1000 * statistics.median(times):11.0f}")


if __name__ == "__main__":
    main()

"""Simulated worlds from the command line.

python -m nimmt.testing.simulation --seeds 200            many worlds; a failure names its seed
python -m nimmt.testing.simulation --seed 1234 --trace    one of them again, with all that happens
python -m nimmt.testing.simulation --plant open-hand      does it find this fault?
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import count, islice

from rich.console import Console
from rich.progress import Progress

from nimmt.testing.simulation import PLANTED, WorldReport, run


def _worlds(seeds: Iterator[int], most: int, hours: float | None, plant: str | None) -> Iterator[WorldReport]:
    """So many worlds, or as many as it takes for so many simulated hours."""
    lived = 0.0
    for seed in seeds if hours is not None else islice(seeds, most):
        report = run(seed, plant)
        yield report
        lived += report.hours
        if hours is not None and lived >= hours:
            return


def _many(args: argparse.Namespace) -> int:
    console, began = Console(stderr=True), time.process_time()
    done: list[WorldReport] = []
    total = args.hours if args.hours is not None else args.seeds
    try:
        with Progress(console=console) as progress:
            task = progress.add_task("simulating", total=total)
            for report in _worlds(count(args.first), args.seeds, args.hours, args.plant):
                done.append(report)
                progress.update(task, advance=1 if args.hours is None else report.hours)
                for law in report.found[:1]:
                    progress.print(f"seed {report.seed}: {law}", highlight=False)
                if report.found and args.plant:
                    break
    except KeyboardInterrupt:
        pass
    return _sum_up(done, time.process_time() - began, args.plant)


def _sum_up(done: list[WorldReport], seconds: float, plant: str | None) -> int:
    failed = [report.seed for report in done if report.found]
    hours, decisions = sum(report.hours for report in done), sum(report.decisions for report in done)
    tables = sum(report.tables for report in done)
    print(
        f"{len(done)} worlds, {hours:,.0f} simulated hours, {tables} tables, {decisions:,} decisions, "
        f"{seconds:.0f} s of CPU; {len(failed)} failed"
    )
    if plant is not None:
        print(f"{plant}: {'found, by seed ' + str(failed[0]) if failed else 'not found'}")
        return 0 if failed else 1
    for seed in failed:
        print(f"again: python -m nimmt.testing.simulation --seed {seed} --trace")
    return 1 if failed else 0


def _one(args: argparse.Namespace) -> int:
    report = run(args.seed, args.plant, show=args.trace)
    for law in report.found:
        print(f"BROKEN: {law}")
    print(
        f"seed {report.seed}: {report.tempo}, {report.hours:.1f} simulated hours, {report.tables} tables, "
        f"{report.decisions} decisions, trace {report.trace[:16]}"
    )
    return 1 if report.found else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m nimmt.testing.simulation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seeds", type=int, default=100, metavar="N", help="how many worlds (default: 100)")
    parser.add_argument("--hours", type=float, metavar="H", help="enough worlds for this many simulated hours")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the seed of the first of them")
    parser.add_argument("--seed", type=int, help="only the world with this seed")
    parser.add_argument("--trace", action="store_true", help="with --seed: print all that happens")
    parser.add_argument("--plant", choices=sorted(PLANTED), metavar="NAME", help="put a fault into the server")
    parser.add_argument("--faults", action="store_true", help="list the faults that can be planted")
    args = parser.parse_args()
    if args.faults:
        for name, fault in PLANTED.items():
            print(f"{name:22}{fault.about}")
        return 0
    return _many(args) if args.seed is None else _one(args)


if __name__ == "__main__":
    sys.exit(main())

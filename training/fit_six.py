"""Fit the factor tables that imitate searching players: opponent models for the Master of 6 nimmt!

    python training/fit_six.py [--workers 2]                      into src/nimmt/games/six/search/six.npz
    python training/fit_six.py --quick --work try --out try.npz   smoke test, a minute

First mc64 plays against itself and is imitated. Then a search whose opponent models are random, greedy, careless and
the imitated mc64 plays against itself and is imitated in turn; in every further round the latest imitation joins the
opponent models and becomes the search's own rollout policy. The last round's tables ship. Everything is seeded.

Checkpoints go to `--work`: an interrupted run resumes there, and `report.md` has the figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from progress import tell
from reports import Section, write_report
from teaching import save_whole, write_whole
from watching import Watched

from nimmt.fast.jit import Flats, jit
from nimmt.games.six.search import players
from nimmt.games.six.search.players import MonteCarloPlayer, Player, Round
from nimmt.games.six.search.policy import see
from nimmt.games.six.search.situation import FACTORS, LOOK, LOOKS, MIND, Effort, Floats, Ints, Situation, Stakes
from nimmt.games.six.types import HAND, MAX_SEATS
from nimmt.insight.crew import Crew

TABLES = (4, 4, 4, 4, 3, 4, 4, 2, 4, 4, 5, 4, 6, 4, 8, 4, 10, 4, 3, 5)
"""Seats per deal, in turn: mostly four."""
SINGLE = Stakes(np.zeros(MAX_SEATS, np.int64), 66, 0, 0.1)
LEARNER = Effort(worlds=120, drafts=120, warm_up=12, thinning=8, herd=1.0)


def seen(now: Situation) -> Ints:
    """The features of every card of the hand."""
    minds = np.zeros(1, MIND)
    look(now.flat, now.seat, minds)
    return np.asarray(minds[0]["looks"][: HAND * LOOK].reshape(HAND, LOOK).copy())


@jit
def look(flat: Flats, seat: int, minds: Flats) -> None:
    see(flat[0], seat, minds[0])


def make_player(name: str, tables: dict[str, Floats]) -> Player:
    if name == "mc64":
        return MonteCarloPlayer()
    prior = {kind: share for kind, share in players.PRIOR.items() if kind not in players.SPECIALISTS or kind in tables}
    return players.SearchingPlayer(players.make_kinds(tables, prior, own=list(prior)[-1]), LEARNER)


def watch(job: tuple[str, dict[str, Floats], int, int, int]) -> tuple[Ints, Ints]:
    """Play some deals with the same player in every seat; returns features and plays."""
    name, tables, seed, first, last = job
    watched = Watched(make_player(name, tables), seen)
    for deal in range(first, last):
        rng, seats = np.random.default_rng([seed, deal]), TABLES[deal % len(TABLES)]
        played = Round(seats, rng)
        for _ in range(HAND):
            played.turn([watched] * seats, SINGLE, rng)
    looks, sizes, played = zip(*watched.noted, strict=True)
    return np.array(looks), np.array(played) + 100 * np.array(sizes)


@jit
def slope(looks: Ints, played: Ints, logs: Floats, gradient: Floats) -> float:
    """The mean log likelihood of the plays under these tables; its gradient goes to `gradient`."""
    gradient[:] = 0.0
    likely, weights = 0.0, np.zeros(10)
    for at in range(len(played)):
        size, choice = played[at] // 100, played[at] % 100
        total = 0.0
        for option in range(size):
            sum_of_logs = 0.0
            for look in range(7):
                sum_of_logs += logs[looks[at, option, look]]
            weights[option] = np.exp(sum_of_logs)
            total += weights[option]
        likely += np.log(weights[choice] / total)
        for option in range(size):
            off = (1.0 if option == choice else 0.0) - weights[option] / total
            for look in range(7):
                gradient[looks[at, option, look]] += off
    gradient /= len(played)
    return likely / len(played)


def fit(looks: Ints, played: Ints, steps: int = 1500, rate: float = 0.03, shrink: float = 3e-5) -> Floats:
    """Adam on the logarithms of the factors."""
    logs, gradient = np.zeros(FACTORS), np.zeros(FACTORS)
    speed, power = np.zeros(FACTORS), np.zeros(FACTORS)
    for step in range(1, steps + 1):
        slope(looks, played, logs, gradient)
        gradient -= shrink * logs
        speed += 0.1 * (gradient - speed)
        power += 0.001 * (gradient**2 - power)
        now = rate * min(1.0, 4 * (1 - step / (steps + 1)))
        logs += now * (speed / (1 - 0.9**step)) / (np.sqrt(power / (1 - 0.999**step)) + 1e-9)
    return logs


def agreement(looks: Ints, played: Ints, logs: Floats) -> tuple[float, float]:
    """How often the most probable card was the one played, and the mean log probability of the card played."""
    sums = logs[looks[:, :, :LOOKS]].sum(axis=2)
    sums[np.arange(HAND) >= (played // 100)[:, None]] = -np.inf
    gone = np.log(np.exp(sums).sum(axis=1))
    choice = played % 100
    return float((sums.argmax(axis=1) == choice).mean()), float((sums[np.arange(len(played)), choice] - gone).mean())


class Plan(NamedTuple):
    deals: int
    rounds: int
    """Rounds of imitating the search, after mc64."""
    seed: int = 1


WHOLE, QUICK = Plan(1500, 2), Plan(20, 1)


def plan_of(quick: bool) -> Plan:
    return QUICK if quick else WHOLE


STEP = 20
"""Deals per job, and per file."""


def watch_all(name: str, tables: dict[str, Floats], plan: Plan, number: int, work: Path, workers: int) -> list[Path]:
    """Record a player's decisions in files; existing files are kept."""
    starts = range(0, plan.deals, STEP)
    files = {first: work / f"round-{number}-{first}.npz" for first in starts}
    missing = [first for first in starts if not files[first].exists()]
    jobs = [(name, tables, plan.seed + number, first, min(first + STEP, plan.deals)) for first in missing]
    with Crew(workers) as crew:
        for first, answer in zip(missing, [crew.ask(watch, job) for job in jobs], strict=True):
            looks, played = answer()
            save_whole(files[first], looks=looks, played=played)
            tell(name, min(first + STEP, plan.deals), plan.deals, f"round {number}: watched to deal {first + STEP}")
    return list(files.values())


def learn(
    name: str, tables: dict[str, Floats], plan: Plan, number: int, work: Path, workers: int
) -> tuple[Floats, str]:
    """Fit a player's tables; returns their logarithms and a line on how well they imitate it."""
    done, line = work / f"round-{number}.npz", work / f"round-{number}.txt"
    if not done.exists():
        parts = [dict(np.load(file)) for file in watch_all(name, tables, plan, number, work, workers)]
        looks, played = (np.concatenate([part[name] for part in parts]) for name in ("looks", "played"))
        kept = len(played) * 9 // 10
        logs = fit(looks[:kept], played[:kept])
        agreed, likely = agreement(looks[kept:], played[kept:], logs)
        told = f"{len(played):,} plays of {name}, agreement {100 * agreed:.1f} %, log probability {likely:.3f}"
        write_whole(line, f"round {number}: {told}")
        save_whole(done, logs=logs)
        tell(name, plan.deals, plan.deals, line.read_text())
    with np.load(done) as file:
        return file["logs"], line.read_text()


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("fit-six"), help="checkpoints; a run resumes from them")
    parser.add_argument("--out", type=Path, default=players.TABLES, help="where the tables go")
    parser.add_argument("--workers", type=int, default=2, help="processes; the result does not depend on it")
    parser.add_argument("--quick", action="store_true", help="smoke test: all steps, learning next to nothing")
    args = parser.parse_args(argv)
    args.work.mkdir(parents=True, exist_ok=True)
    plan, logs, lines = plan_of(args.quick), dict[str, Floats](), list[str]()
    for number in range(plan.rounds + 1):
        name, tables = "master" if number else "mc64", {name: np.exp(table) for name, table in logs.items()}
        logs[name], line = learn(name, tables, plan, number, args.work, args.workers)
        lines.append(line)
        report = write_report(args.work, "How players choose a card", [Section("tables", plan, lines)])
    save_whole(args.out, **{name: table.astype(np.float32) for name, table in logs.items()})
    print(f"{args.out}; {report} has the figures.")


if __name__ == "__main__":
    main()

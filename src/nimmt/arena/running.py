"""Playing all that is asked for and not there yet, until it is there or the question is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

from nimmt.arena.backends import MOST_DEATHS, Backend, WorkerDied
from nimmt.arena.counting import lead
from nimmt.arena.ledger import Ledger
from nimmt.arena.plan import Kind, Plan
from nimmt.arena.playing import DealResult, Unit
from nimmt.arena.sprt import Sprt, Trial, Verdict

UNIT_SECONDS = 0.5
ENGINE_UNIT_SECONDS = 5.0
"""Engines are started for each unit: it has to be worth it."""
LARGEST_UNIT = 200
MOST_FAILURES = 10

Stopped: TypeAlias = Literal["sprt", "failures", "interrupted"]


class Course(msgspec.Struct, frozen=True):
    """How far a run went: the first so many deals count, and why they are not more."""

    kind: Kind
    asked: int
    counted: int
    stopped: Stopped | None = None
    given_up: str | None = None
    """The engine that failed too often."""
    verdict: Verdict | None = None
    llr: float | None = None


class Watch:
    """Follows the results in the order of the deals, however they come in: so every run stops at the same deal."""

    def __init__(
        self, plan: Plan, ledger: Ledger, kind: Kind, deals: int, sprt: Sprt | None, most_failures: int
    ) -> None:
        self._plan, self._ledger, self._kind, self._deals = plan, ledger, kind, deals
        self.test = Trial(sprt) if sprt else None
        self.most_failures = most_failures
        self._failures = [0] * len(plan.contestants)
        self.counted = 0
        self.stopped: Stopped | None = None
        self.given_up: str | None = None

    def look(self) -> None:
        """Count on as far as there are results without a gap."""
        while self.stopped is None and self.counted < self._deals:
            result = self._ledger.get(self._kind, self.counted)
            if result is None:
                return
            self.counted += 1
            self._count_failures(result)
            self._test(result)

    def _count_failures(self, result: DealResult) -> None:
        for who in sorted(result.failed()):
            self._failures[who] += 1
            if self._failures[who] == self.most_failures and self.stopped is None:
                self.stopped, self.given_up = "failures", self._plan.contestants[who].name

    def _test(self, result: DealResult) -> None:
        difference = lead(self._plan, result)
        if self.test is None or difference is None:
            return
        self.test.add(difference)
        if self.test.verdict is not None and self.stopped is None:
            self.stopped = "sprt"


class Pace:
    """How many deals make a unit: one at first, then as many as take a while, and fewer again towards the end."""

    def __init__(self, plan: Plan, workers: int, fixed: int | None = None) -> None:
        engines = any(contestant.command for contestant in plan.contestants)
        self._target = ENGINE_UNIT_SECONDS if engines else UNIT_SECONDS
        self._workers, self._fixed = workers, fixed
        self._deals, self._seconds = 0, 0.0

    def add(self, result: DealResult) -> None:
        self._deals += 1
        self._seconds += result.seconds

    def size(self, left: int) -> int:
        if self._fixed is not None:
            return self._fixed
        if not self._seconds:
            return 1
        fitting = int(self._target * self._deals / self._seconds)
        return max(1, min(fitting, LARGEST_UNIT, left // (2 * self._workers)))


def run(
    plan: Plan,
    kind: Kind,
    deals: int,
    backend: Backend,
    ledger: Ledger,
    *,
    sprt: Sprt | None = None,
    most_failures: int = MOST_FAILURES,
    unit_size: int | None = None,
    on_deal: Callable[[], None] = lambda: None,
) -> Course:
    """Play the first so many deals, as far as they are missing. Interrupted, it keeps what was played."""
    watch = Watch(plan, ledger, kind, deals, sprt, most_failures)
    watch.look()
    interrupted = False
    try:
        _play_missing(plan, kind, deals, backend, ledger, watch, Pace(plan, backend.workers, unit_size), on_deal)
    except KeyboardInterrupt:
        interrupted = True
    return Course(
        kind=kind,
        asked=deals,
        counted=watch.counted,
        stopped=watch.stopped or ("interrupted" if interrupted else None),
        given_up=watch.given_up,
        verdict=watch.test.verdict if watch.test else None,
        llr=watch.test.llr if watch.test else None,
    )


def _play_missing(
    plan: Plan,
    kind: Kind,
    deals: int,
    backend: Backend,
    ledger: Ledger,
    watch: Watch,
    pace: Pace,
    on_deal: Callable[[], None],
) -> None:
    deaths = 0
    while watch.stopped is None and (missing := ledger.missing(kind, deals)):
        try:
            for results in backend.play(plan, _units(kind, missing, watch, pace)):
                for result in results:
                    pace.add(result)
                    if ledger.add(result):
                        deaths = 0
                        on_deal()
                watch.look()
        except WorkerDied:
            # Whatever it was playing is still missing.
            deaths += 1
            if deaths > MOST_DEATHS:
                raise


def _units(kind: Kind, missing: Sequence[int], watch: Watch, pace: Pace) -> Iterator[Unit]:
    """In the order of the deals, until nothing more is needed."""
    start = 0
    while start < len(missing) and watch.stopped is None:
        end = start + pace.size(len(missing) - start)
        yield Unit(kind, tuple(missing[start:end]), watch.most_failures)
        start = end

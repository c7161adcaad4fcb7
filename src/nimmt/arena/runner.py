"""Playing all that is asked for and not there yet, until it is there or the question is answered."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import resource_tracker
from pathlib import Path
from typing import IO, Any, Literal, Protocol, TypeAlias

import msgspec

from nimmt.arena.plan import ArenaError, Kind, Plan, need
from nimmt.arena.players import DealResult, Unit, play_unit
from nimmt.arena.statistics import Sprt, Trial, Verdict, lead

# -- ledger ------------------------------------------------------------------------------------------------------------
# The results, by deal. A deal counts once, however often it was played, and every result is on the disk at once.

PLAN_FILE = "plan.json"
RESULTS_FILE = "results.jsonl"

_DECODER = msgspec.json.Decoder(DealResult)


class Ledger:
    """Results in memory and, with a folder, in `results.jsonl` there: one line a deal, in the order they came in."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self._file: IO[bytes] | None = None
        self._results: dict[tuple[Kind, int], DealResult] = {}

    @classmethod
    def open(cls, folder: Path, plan: Plan, *, resume: bool = False, force: bool = False) -> Ledger:
        """A folder's results. What is there already is gone on with, overwritten or left alone, as asked."""
        folder.mkdir(parents=True, exist_ok=True)
        ledger = cls()
        ledger.folder = folder
        plan_file, results = folder / PLAN_FILE, folder / RESULTS_FILE
        if plan_file.exists() and resume:
            _check_same(plan_file, plan)
            ledger._read(results)
        elif plan_file.exists() and not force:
            raise ArenaError(f"{folder} already holds results: --resume continues, --force overwrites.")
        else:
            results.unlink(missing_ok=True)
            draft = plan_file.with_suffix(".part")
            draft.write_bytes(msgspec.json.format(msgspec.json.encode(plan)) + b"\n")
            draft.replace(plan_file)
        ledger._file = results.open("ab")
        return ledger

    def add(self, result: DealResult) -> bool:
        """Whether it is new; a deal that is known already changes nothing."""
        key = result.kind, result.deal
        if key in self._results:
            return False
        self._results[key] = result
        if self._file is not None:
            self._file.write(msgspec.json.encode(result) + b"\n")
            self._file.flush()
        return True

    def get(self, kind: Kind, deal: int) -> DealResult | None:
        return self._results.get((kind, deal))

    def missing(self, kind: Kind, deals: int) -> list[int]:
        return [deal for deal in range(deals) if (kind, deal) not in self._results]

    def first(self, kind: Kind, deals: int) -> list[DealResult]:
        """The results of deals 0, 1, 2 … without a gap, at most so many."""
        found = []
        for deal in range(deals):
            result = self.get(kind, deal)
            if result is None:
                break
            found.append(result)
        return found

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _read(self, path: Path) -> None:
        if not path.exists():
            return
        good = 0
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    result = _DECODER.decode(line) if line.endswith(b"\n") else None
                except msgspec.MsgspecError as error:
                    raise ArenaError(f"{path}, line {number}: this is not a result ({error}).") from None
                if result is None:
                    break  # the last line was being written when everything stopped
                self._results.setdefault((result.kind, result.deal), result)
                good += len(line)
        os.truncate(path, good)


def _check_same(path: Path, plan: Plan) -> None:
    try:
        known = msgspec.json.decode(path.read_bytes(), type=Plan)
    except msgspec.MsgspecError as error:
        raise ArenaError(f"{path} is not an arena plan ({error}).") from None
    different = [name for name in Plan.__struct_fields__ if getattr(known, name) != getattr(plan, name)]
    if different:
        raise ArenaError(f"{path.parent} holds results of another arena: {', '.join(different)} differ.")


# -- backends ----------------------------------------------------------------------------------------------------------
# Where units are played: in this process, on all cores (joblib) or on a cluster (Dask).
#
# All take units and give back results in whatever order they come. A unit whose worker died is played again elsewhere:
# results are known by their deal, so that a repetition does no harm.

MAX_DEATHS = 3
"""So many workers may die at the same thing, before it is taken for our fault."""


CONNECT_SECONDS = 10


class Backend(Protocol):
    workers: int

    def play(self, plan: Plan, units: Iterable[Unit]) -> Iterator[list[DealResult]]:
        """Units are taken from the iterable as there is room for them: it may end early."""
        ...

    def close(self) -> None: ...


class Here:
    """One unit after the other, in this process."""

    workers = 1

    def play(self, plan: Plan, units: Iterable[Unit]) -> Iterator[list[DealResult]]:
        for unit in units:
            yield play_unit(plan, unit)

    def close(self) -> None:
        pass


class Cores:
    """Processes on this machine, through joblib."""

    def __init__(self, workers: int) -> None:
        self._joblib = need("joblib", "arena")
        self._loky = need("joblib.externals.loky", "arena")
        self.workers = workers

    def play(self, plan: Plan, units: Iterable[Unit]) -> Iterator[list[DealResult]]:
        # joblib brings back its own processes from run to run: the libraries are loaded once.
        parallel = self._joblib.Parallel(
            n_jobs=self.workers, return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs"
        )
        task = self._joblib.delayed(play_unit)
        with deaf_to_ctrl_c():
            results = parallel(task(plan, unit) for unit in units)
        try:
            for found in results:  # noqa: UP028 - `yield from` would end it aloud
                yield found
        except self._joblib.externals.loky.process_executor.TerminatedWorkerError:
            raise WorkerDied("A process died while it played.") from None
        finally:
            # Whoever has an answer, or has pressed Ctrl-C, need not hear that some deals were played in vain.
            with warnings.catch_warnings(action="ignore", category=UserWarning):
                results.close()

    def close(self) -> None:
        self._loky.get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Processes that begin meanwhile never hear Ctrl-C, not even in their first moments: it is for us, who end them."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # if it began later, it would make us hear again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class WorkerDied(ArenaError):
    """What it had not finished is still to be played."""


class Cluster:
    """Workers anywhere, through a Dask scheduler. They need the same nimmt."""

    def __init__(self, address: str) -> None:
        self._distributed = need("distributed", "cluster")
        try:
            self._client = self._distributed.Client(address, timeout=CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise ArenaError(f"There is no Dask scheduler at {address}: {error}") from None
        try:
            self._check_workers()
        except BaseException:
            self.close()
            raise
        self.workers = sum(self._client.nthreads().values())

    def _check_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            found = {*self._client.run(_version).values()}
        except TimeoutError:
            raise ArenaError("The cluster has no workers.") from None
        except ImportError as error:
            raise ArenaError(f"The workers need nimmt, too: {error}") from None
        if found != {_version()}:
            raise ArenaError(f"The workers have nimmt {', '.join(sorted(found))}, not {_version()}.")

    def play(self, plan: Plan, units: Iterable[Unit]) -> Iterator[list[DealResult]]:
        """Dask plays what a dead worker had, its finished results included, again on another one."""
        waiting = iter(units)
        doing = {self._submit(plan, unit): unit for unit in islice(waiting, 2 * self.workers)}
        deaths: Counter[Unit] = Counter()
        done: Any = self._distributed.as_completed(list(doing), raise_errors=False)
        try:
            for future in done:
                unit = doing.pop(future)
                try:
                    results = future.result()
                except self._distributed.KilledWorker:
                    # Dask has seen several workers die with it: once more, but not for ever.
                    deaths[unit] += 1
                    if deaths[unit] > MAX_DEATHS:
                        told = f"Workers of the cluster die again and again at {unit.kind} {unit.deals[0]}."
                        raise ArenaError(told) from None
                    self._add(done, doing, plan, unit)
                    continue
                except CancelledError:
                    told = "The cluster is gone. What was played is kept: with --out, --resume goes on."
                    raise ArenaError(told) from None
                yield results
                for unit in islice(waiting, 1):
                    self._add(done, doing, plan, unit)
        finally:
            with suppress(Exception):
                self._client.cancel(list(doing))

    def _add(self, done: Any, doing: dict[Any, Unit], plan: Plan, unit: Unit) -> None:
        future = self._submit(plan, unit)
        doing[future] = unit
        done.add(future)

    def _submit(self, plan: Plan, unit: Unit) -> Any:
        # Not pure: a unit that is submitted again is to be played again, not looked up.
        return self._client.submit(play_unit, plan, unit, pure=False)

    def close(self) -> None:
        self._client.close()


def _version() -> str:
    try:
        from nimmt import __version__
    except ImportError:  # run from the sources, which know no version
        return "(not installed)"
    return str(__version__)


def choose_backend(jobs: int, dask: str | None = None) -> Backend:
    if dask is not None:
        return Cluster(dask)
    return Here() if jobs == 1 else Cores(jobs)


# -- running -----------------------------------------------------------------------------------------------------------

UNIT_SECONDS = 0.5
ENGINE_UNIT_SECONDS = 5.0
"""Engines are started for each unit: it has to be worth it."""
MAX_UNIT = 200
MAX_FAILURES = 10

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
        return max(1, min(fitting, MAX_UNIT, left // (2 * self._workers)))


def run(
    plan: Plan,
    kind: Kind,
    deals: int,
    backend: Backend,
    ledger: Ledger,
    *,
    sprt: Sprt | None = None,
    most_failures: int = MAX_FAILURES,
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
            if deaths > MAX_DEATHS:
                raise


def _units(kind: Kind, missing: Sequence[int], watch: Watch, pace: Pace) -> Iterator[Unit]:
    """In the order of the deals, until nothing more is needed."""
    start = 0
    while start < len(missing) and watch.stopped is None:
        end = start + pace.size(len(missing) - start)
        yield Unit(kind, tuple(missing[start:end]), watch.most_failures)
        start = end

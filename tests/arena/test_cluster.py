"""On a real cluster of several processes, one of which is killed on the way."""

import gc
import os
import signal
from collections import Counter
from contextlib import contextmanager
from types import SimpleNamespace

import msgspec
import pytest

from nimmt.arena import ArenaError, Ledger, Sprt, run
from nimmt.arena.runner import Cluster, Here

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

# Workers that die, and connections that break with them, are the point here.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


def start(**how):
    return distributed.LocalCluster(threads_per_worker=1, dashboard_address=":0", silence_logs=50, **how)


@pytest.fixture(scope="module")
def small_cluster():
    """A scheduler and two workers, all in this process: for what has nothing to do with processes."""
    with start(n_workers=2, processes=False) as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def leave_nothing():
    """What a broken connection leaves behind is cleared away here, not while another test is running."""
    yield
    gc.collect()


@pytest.fixture
def impatient():
    """Who asks a dead worker for its results finds out soon that it is dead."""
    with dask.config.set({"distributed.comm.timeouts.connect": "4s"}):
        yield


@contextmanager
def connected(cluster):
    backend = Cluster(cluster.scheduler_address)
    try:
        yield backend
    finally:
        backend.close()


@pytest.fixture
def cluster(small_cluster):
    with connected(small_cluster) as backend:
        yield backend


def without_times(results):
    return [msgspec.structs.replace(result, clocks=(), seconds=0.0) for result in results]


class Counting(Ledger):
    """Counts how often a deal came in, and calls for trouble after some of them."""

    def __init__(self, trouble):
        super().__init__()
        self.came, self.trouble = Counter(), trouble

    def add(self, result):
        self.came[result.deal] += 1
        if len(self.came) == 15:
            self.trouble()
        return super().add(result)


@pytest.mark.soak
@pytest.mark.usefixtures("impatient")
def test_a_cluster_gives_the_same_results_though_a_worker_is_killed(plan):
    bots, told = plan("greedy,random", seats=3), []
    with start(n_workers=3, processes=True) as cluster, connected(cluster) as backend:
        victim, *others = set(backend._client.run(os.getpid).values())
        assert len(others) == 2
        ledger = Counting(lambda: os.kill(victim, signal.SIGKILL))
        course = run(bots, "deals", 60, backend, ledger, unit_size=3, on_deal=lambda: told.append(1))
        assert victim not in backend._client.run(os.getpid).values()
    # Every deal came in, perhaps more than once, and counts once.
    assert set(ledger.came) == set(range(60))
    assert (course.counted, len(told)) == (60, 60)
    alone = Ledger()
    run(bots, "deals", 60, Here(), alone)
    assert without_times(ledger.first("deals", 60)) == without_times(alone.first("deals", 60))


def test_a_cluster_stops_early(plan, cluster):
    two = plan("greedy,random", seats=2)
    course = run(two, "deals", 400, cluster, Ledger(), sprt=Sprt(gain=0.2))
    assert course == run(two, "deals", 400, Here(), Ledger(), sprt=Sprt(gain=0.2))


def give_up():
    """As if so many workers had died with it that the scheduler does not try again."""
    raise distributed.KilledWorker("a unit", SimpleNamespace(address="nowhere"), 3)


def test_a_unit_that_dask_gives_up_on_is_submitted_again(plan, cluster, monkeypatch):
    two, submit, seen = plan("greedy,random", seats=2), cluster._submit, Counter()

    def unlucky(plan, unit):
        seen[unit] += 1
        return submit(plan, unit) if seen[unit] > 2 else cluster._client.submit(give_up, pure=False)

    monkeypatch.setattr(cluster, "_submit", unlucky)
    course = run(two, "deals", 5, cluster, Ledger(), unit_size=1)
    assert (course.counted, set(seen.values())) == (5, {3})


def test_a_unit_that_kills_every_worker_is_an_error(plan, cluster, monkeypatch):
    monkeypatch.setattr(cluster, "_submit", lambda *_: cluster._client.submit(give_up, pure=False))
    with pytest.raises(ArenaError, match="die again and again at deals 0"):
        run(plan("greedy,random", seats=2), "deals", 5, cluster, Ledger(), unit_size=5)


def test_nobody_at_the_address(monkeypatch):
    monkeypatch.setattr("nimmt.arena.runner.CONNECT_SECONDS", 0.5)
    with pytest.raises(ArenaError, match="no Dask scheduler"):
        Cluster("tcp://127.0.0.1:1")


def test_workers_with_another_version_are_refused(small_cluster, monkeypatch):
    monkeypatch.setattr(distributed.Client, "run", lambda *_: {"one": "0.0.1", "other": "0.0.2"})
    with pytest.raises(ArenaError, match=r"The workers have nimmt 0\.0\.1, 0\.0\.2, not "):
        Cluster(small_cluster.scheduler_address)

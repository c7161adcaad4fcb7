"""On a real cluster of several processes, one of which is killed on the way."""

import os
import signal
from collections import Counter
from types import SimpleNamespace

import msgspec
import pytest

import nimmt
from nimmt.arena import ArenaError, Ledger, Sprt, run
from nimmt.arena.backends import Cluster, Here

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

# Workers that die, and connections that break with them, are the point here.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def local_cluster():
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture
def impatient():
    """Who asks a dead worker for its results finds out soon that it is dead."""
    with dask.config.set({"distributed.comm.timeouts.connect": "4s"}):
        yield


@pytest.fixture
def cluster(local_cluster):
    backend = Cluster(local_cluster.scheduler_address)
    yield backend
    backend.close()


def without_times(results):
    return [msgspec.structs.replace(result, clocks=(), seconds=0.0) for result in results]


@pytest.mark.usefixtures("impatient")
def test_a_cluster_gives_the_same_results_though_a_worker_is_killed(plan, cluster):
    bots = plan("greedy,random", seats=3)
    client = cluster._client
    pids = client.run(os.getpid)
    assert len(set(pids.values())) == 3

    class Counting(Ledger):
        came = Counter()

        def add(self, result):
            self.came[result.deal] += 1
            if len(self.came) == 15:
                os.kill(next(iter(pids.values())), signal.SIGKILL)
            return super().add(result)

    ledger, told = Counting(), []
    course = run(bots, "deals", 60, cluster, ledger, unit_size=3, on_deal=lambda: told.append(1))
    assert course.counted == 60
    # Every deal came at least once and counts once.
    assert set(ledger.came) == set(range(60))
    assert len(told) == 60
    assert next(iter(pids.values())) not in client.run(os.getpid).values()
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
    monkeypatch.setattr("nimmt.arena.backends.CONNECT_SECONDS", 0.5)
    with pytest.raises(ArenaError, match="no Dask scheduler"):
        Cluster("tcp://127.0.0.1:1")


def test_workers_with_another_version_are_refused(local_cluster, monkeypatch):
    monkeypatch.setattr(nimmt, "__version__", "0.0.1", raising=False)
    with pytest.raises(ArenaError, match=r"not 0\.0\.1"):
        Cluster(local_cluster.scheduler_address)

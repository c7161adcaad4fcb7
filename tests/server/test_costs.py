"""One request may cost a thousand times as much as another: what counts is work, bytes and memory."""

import asyncio
import time
from random import Random
from typing import Any

import msgspec
import pytest

from nimmt.server import limits
from nimmt.server.http import sockets
from nimmt.server.http.errors import Refused
from nimmt.server.hub import LocalHub
from nimmt.server.limits import CHARGE, Budget, Costs, Meter, Timed, charged, in_thread
from nimmt.server.settings import Settings
from nimmt.server.tables import commands, moments, projection
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.commands import Tables
from nimmt.server.tables.moments import Moments
from nimmt.server.tables.table import Draft, Table
from nimmt.store.memory import MemoryStore
from nimmt.testing.servers import ThreadServer

LONG = 1200
"""Entries: several times as many as are remembered."""


@pytest.fixture(scope="module")
def long_match() -> tuple[list[bytes], Table]:
    """A match that is over, whose log is long; and all of it."""
    opened = e.Opened(
        at=1, game="six", options={"rounds": LONG // 40}, seats=4, public=True, tempo=e.NoClock(), host="host",
        server_seed="00" * 32,
    )  # fmt: skip
    draft, rng = Draft(Table("long", opened)), Random(6)
    table = draft.after
    for seat in range(4):
        draft.add(table.seat_bot("host", seat, "greedy", 1))
    draft.add(table.start("host", 1))
    while table.phase == "playing":
        (seat, *_) = table.waiting
        legal = [*table.game.legal(table.moments[-1].state, seat)]
        draft.act(seat, rng.choice(legal), table.at, by_bot=True)
    log = [e.encode(opened), *map(e.encode, draft.entries)]
    assert len(log) >= LONG
    return log, table


async def put(store: Any, name: str, long_match: tuple[list[bytes], Table]) -> None:
    log, table = long_match
    await store.append(name, 0, log, table.listing())


# -- budgets ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    init = Budget.__init__

    def init_with_clock(self: Budget, *words: Any) -> None:
        init(self, *words)
        self._clock = lambda: now[0]

    monkeypatch.setattr(Budget, "__init__", init_with_clock)
    return now


def test_who_overdraws_a_budget_waits(clock: list[float]) -> None:
    budget = Budget("work", 100, 20)
    budget.check("Anna")
    budget.charge("Anna", 150)
    with pytest.raises(Refused) as caught:
        budget.check("Anna")
    assert (caught.value.code, caught.value.retry_after) == ("too_many", 10)
    budget.check("Ben")
    clock[0] += 11
    budget.check("Anna")


def test_nobody_is_in_debt_for_ever(clock: list[float]) -> None:
    budget = Budget("work", 100, 20)
    budget.charge("Anna", 1_000_000)
    assert budget.wait("Anna") == 20


def test_when_all_want_too_much_those_who_use_little_are_served(clock: list[float]) -> None:
    budgets = Costs(Settings(work_per_address=4000))
    hungry = [Meter(budgets, f"192.0.2.{number}") for number in range(20)]
    modest = Meter(budgets, "192.0.2.99")
    served, seconds = 0, 100
    for _ in range(seconds):
        clock[0] += 1
        for meter in hungry:
            if not meter.wait():
                meter.charge_work(0.5)
                served += 1
        assert not modest.wait()
        modest.charge_work(0.03)
    # Twenty of them could have four cores by their budgets, but for what they began with.
    assert served * 0.5 < 20 * 4 + 1.5 * seconds


@pytest.mark.anyio
async def test_work_is_measured_wherever_it_is_done() -> None:
    spent: list[float] = []

    def work() -> None:
        began = time.thread_time()
        while time.thread_time() - began < 0.02:
            pass

    async def job() -> str:
        work()
        await asyncio.sleep(0)
        work()
        await asyncio.create_task(charged(asyncio.sleep(0)))
        await in_thread(work)
        return "done"

    CHARGE.set(spent.append)
    assert await Timed(job(), spent.append) == "done"
    assert sum(spent) >= 0.06


@pytest.mark.anyio
async def test_measuring_leaves_errors_and_ends_as_they_are() -> None:
    async def fails() -> None:
        await asyncio.sleep(0)
        raise KeyError("x")

    with pytest.raises(KeyError):
        await Timed(fails(), lambda _: None)
    ended = []

    async def waits() -> None:
        try:
            await asyncio.sleep(100)
        finally:
            ended.append(True)

    task = asyncio.create_task(charged(waits()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended


@pytest.mark.anyio
@pytest.mark.parametrize("setting", ["kilobytes_per_guest", "kilobytes_per_address"])
async def test_bytes_are_limited(setting: str, come: Any, long_match: Any) -> None:
    with ThreadServer(**{setting: 500}) as server:
        server.run(put(server.platform.store, "long", long_match))
        (anna,) = await come("Anna", at=server.url)
        answers = [await anna.ask("GET", "/api/tables/long/updates?after=100") for _ in range(2)]
        refused = answers[-1]
        assert refused.status_code == 429, [len(answer.content) for answer in answers]
        assert refused.json()["error"]["code"] == "too_many"
        assert int(refused.headers["retry-after"]) >= 1
        async with anna.socket("long") as socket:
            assert (await socket.next())["error"]["code"] == "too_many"


@pytest.mark.anyio
@pytest.mark.parametrize("setting", ["work_per_guest", "work_per_address"])
async def test_work_is_limited(setting: str, come: Any, long_match: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_DELAY", 0.01)
    with ThreadServer(**{setting: 10}) as server:
        server.run(put(server.platform.store, "long", long_match))
        (anna,) = await come("Anna", at=server.url)
        answers = [await anna.ask("GET", "/api/tables/long/record") for _ in range(2)]
        assert 429 in [answer.status_code for answer in answers]
        # Where nothing is, nothing is to be had either.
        assert setting == "work_per_guest" or (await anna.ask("GET", "/api/nowhere")).status_code == 429


@pytest.mark.anyio
async def test_who_has_had_too_much_is_told_later(come: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And then how things are, not all that happened meanwhile."""
    monkeypatch.setattr(sockets, "FAR_BEHIND", 3)
    monkeypatch.setattr(sockets, "MAX_DELAY", 3600.0)
    with ThreadServer() as server:
        (anna,) = await come("Anna", at=server.url)
        here = await anna.open_table("six", 2)
        async with anna.socket(here) as socket:
            await socket.next()
            wait = [0.3]
            monkeypatch.setattr(Meter, "wait", lambda self: wait[0])
            monkeypatch.setattr(limits, "MAX_DELAY", 0.0)
            for number in range(5):
                await anna.do(here, "say", text=f"{number}")
            message = await socket.next()
            while message["type"] != "Snapshot":
                message = await socket.next()
            assert message["chat"][-1]["text"] == "4"


# -- what is told -----------------------------------------------------------------------------------------------------


def test_those_who_see_the_same_get_the_same_bytes(long_match: Any) -> None:
    _, table = long_match
    updates, n = projection.Updates(), table.version
    spectators = [updates.get(table, guest, n) for guest in (None, "anna", "ben")]
    assert spectators[0] is spectators[1] is spectators[2]
    assert updates.get(table, "host", n) is not spectators[0]
    (told,) = projection.updates(table, None, n - 1, 1)
    assert spectators[0] == msgspec.json.encode(told)
    for number in range(n - 150, n + 1):
        for guest in (None, "host"):
            updates.get(table, guest, number)
    assert len(updates._known) <= projection.REMEMBERED


# -- memory -----------------------------------------------------------------------------------------------------------


def test_moments_are_forgotten_but_counted() -> None:
    many = Moments[int]()
    for number in range(5 * moments.MIN_MOMENTS):
        many.append(number)
        assert len(many) == number + 1
        assert many.kept <= 2 * moments.MIN_MOMENTS
    assert (many[-1], many[len(many) - 1]) == (len(many) - 1, len(many) - 1)
    assert many[many.first :][0] == many.first
    assert many[len(many) : len(many) + 9] == []
    fork = many.fork()
    fork.append(0)
    assert len(fork) == len(many) + 1
    with pytest.raises(LookupError):
        many[many.first - 1]
    with pytest.raises(LookupError):
        many[0:5]


@pytest.mark.anyio
async def test_tables_are_kept_by_their_size_not_only_their_number(long_match: Any) -> None:
    store = MemoryStore()
    one = commands.weight(long_match[1])
    here = Tables(store, LocalHub(), kept=1000, megabytes=max(1, 3 * one // 1_000_000))
    for number in range(20):
        await put(store, f"long{number}", long_match)
        await here.load(f"long{number}")
    assert 1 <= here.in_memory <= 6
    assert here._weight == sum(map(commands.weight, here._cache.values())) <= here._heaviest
    here.forget("long19")
    assert here._weight == sum(map(commands.weight, here._cache.values()))


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many entries were folded in one go."""
    found: list[int] = []
    fold = commands._fold

    def fold_and_count(table_id: str, table: Table | None, data: list[bytes]) -> Table:
        found.append(len(data))
        return fold(table_id, table, data)

    monkeypatch.setattr(commands, "_fold", fold_and_count)
    return found


@pytest.mark.anyio
async def test_a_long_log_is_folded_once_and_in_portions(long_match: Any, folded: list[int]) -> None:
    store = MemoryStore()
    await put(store, "long", long_match)
    here = Tables(store, LocalHub())
    found = await asyncio.gather(*[here.load("long") for _ in range(100)])
    assert {table.version for table in found} == {len(long_match[0])}
    assert sum(folded) == len(long_match[0])
    assert max(folded) <= commands.CHUNK
    assert here._loading == {}
    with pytest.raises(Refused):
        await here.load("none")


@pytest.mark.anyio
async def test_what_is_forgotten_is_told_from_the_log(long_match: Any, folded: list[int]) -> None:
    """All of it, portion by portion, without folding it from the start each time."""
    log, table = long_match
    store = MemoryStore()
    await put(store, "long", long_match)
    here = Tables(store, LocalHub())
    told: list[Any] = []
    folded.clear()
    for after in range(0, table.version, 25):
        told += projection.updates(await here.remembering(table, after, 25), None, after, 25)
    assert [update.n for update in told] == [*range(1, table.version + 1)]
    assert sum(folded) <= len(log)
    # Several who look at different places, again and again.
    for after in [1000, 0, 500, 25, 1025, 525] * 5:
        (first, *_) = projection.updates(await here.remembering(table, after, 25), None, after, 25)
        assert first == told[after]
    assert len(here._past) <= commands.MAX_PAST_TABLES
    assert all(old.moments.kept <= 2 * moments.MIN_MOMENTS for old in here._past)


@pytest.mark.anyio
async def test_long_work_is_done_one_at_a_time(long_match: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask for it: between any two portions everybody else has a turn."""
    store, turns, table = MemoryStore(), 0, long_match[1]
    await put(store, "long", long_match)
    here, since, fold = Tables(store, LocalHub()), list[int](), commands._fold

    def fold_and_look(*words: Any) -> Table:
        since.append(turns)
        return fold(*words)

    monkeypatch.setattr(commands, "_fold", fold_and_look)

    async def be_somebody_else() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(be_somebody_else())
    await asyncio.gather(*[here.remembering(table, 25 * number, 25) for number in range(20)])
    other.cancel()
    assert len(since) > 20
    assert len(set(since)) == len(since)


@pytest.mark.anyio
async def test_who_has_had_too_much_does_not_lose_what_was_done(long_match: Any) -> None:
    store, table, left = MemoryStore(), long_match[1], [3]
    await put(store, "long", long_match)
    here = Tables(store, LocalHub())

    def check() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Refused("too_many", "Too much.")

    with pytest.raises(Refused):
        await here.remembering(table, 500, 25, check)
    assert [old.version for old in here._past] == [3 * commands.CHUNK]
    left[0] = 100
    assert (await here.remembering(table, 500, 25, check)).version >= 525


@pytest.mark.anyio
async def test_a_long_match_can_be_looked_at_from_its_start(come: Any, long_match: Any) -> None:
    with ThreadServer() as server:
        server.run(put(server.platform.store, "long", long_match))
        (anna,) = await come("Anna", at=server.url)
        length = len(long_match[0])
        assert [update["n"] for update in await anna.updates("long")] == [*range(1, length + 1)]
        for what in ("steps", "hands"):
            found, after = list[int](), 0
            while more := await anna.get(f"/api/tables/long/{what}?after={after}"):
                assert len(more) <= 500
                found += [item["n"] for item in more]
                after = found[-1]
            assert found == [*range(6, length + 1)]  # the first four seat bots, the fifth starts
        assert await anna.record("long")

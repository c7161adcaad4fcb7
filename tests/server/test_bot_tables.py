"""Bots alone: few at a time, after people, and not for ever when nobody watches."""

import asyncio
from typing import Any

import pytest

from nimmt.server import bot_runner
from nimmt.server.bot_runner import Thinkers
from nimmt.server.hub import LocalHub
from nimmt.server.tables import clock, lobby
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.clock import Clock
from nimmt.server.tables.commands import Tables, now_ms
from nimmt.server.tables.lobby import BotTables
from nimmt.server.tables.table import Draft, Table
from nimmt.server.worker_pool import Crowded, Mind, Minds
from nimmt.store.memory import MemoryStore
from nimmt.testing.servers import TIMEOUT, LiveServer, Person, ThreadServer

pytestmark = pytest.mark.anyio

ALONE: dict[str, Any] = {"bots": ["greedy", "greedy"], "join": False, "start": True, "options": {"rounds": 1000}}


async def refused(person: Person, path: str, body: Any) -> None:
    answer = await person.ask("POST", path, body)
    assert answer.status_code == 429, answer.text
    assert answer.json()["error"]["code"] == "too_many"
    assert int(answer.headers["retry-after"]) == 60


# -- how many ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", ["bot_tables_per_address", "max_bot_tables"])
async def test_matches_of_bots_alone_are_limited(setting: str, come: Any) -> None:
    with ThreadServer(**{setting: 2}) as server:
        anna, ben = await come("Anna", "Ben", at=server.url)
        first, _ = await anna.open_table("six", 2, **ALONE), await ben.open_table("six", 2, **ALONE)
        body = {"game": "six", "seats": 2, **ALONE}
        await refused(anna, "/api/tables", body)
        await refused(ben, "/api/tables", body)
        # Nor by way of a table that waits.
        waiting = await ben.open_table("six", 2, bots=["greedy"])
        await ben.do(waiting, "leave")
        await ben.do(waiting, "bot", seat=0, level="greedy")
        await refused(ben, f"/api/tables/{waiting}/start", {})
        assert (await ben.situation(waiting))["phase"] == "waiting"
        # People play as before, and may join: then it is no match of bots alone.
        assert await anna.open_table("six", 2, bots=["greedy"], start=True)
        # Its host may close one, and there is room for another.
        await anna.do(first, "close")
        await ben.do(waiting, "start")
        assert (await ben.situation(waiting))["phase"] == "playing"


async def test_the_same_key_twice_is_one_match(come: Any) -> None:
    with ThreadServer(max_bot_tables=1) as server:
        (anna,) = await come("Anna", at=server.url)
        table = await anna.open_table("six", 2, bots=["greedy", "greedy"], join=False)
        done = await anna.do(table, "start", "key")
        assert await anna.do(table, "start", "key") == done


@pytest.mark.soak
async def test_processes_and_restarts_count_together(tmp_path: Any) -> None:
    with LiveServer(str(tmp_path / "nimmt.db"), max_bot_tables=1) as server, LiveServer(
        str(tmp_path / "nimmt.db"), max_bot_tables=1
    ) as other:  # fmt: skip
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
            await anna.open_table("six", 2, **ALONE)
            async with anna.at(other.url) as there:
                await refused(there, "/api/tables", {"game": "six", "seats": 2, **ALONE})
        server.restart()
        async with anna.at(server.url) as again:
            await refused(again, "/api/tables", {"game": "six", "seats": 2, **ALONE})


# -- how long ---------------------------------------------------------------------------------------------------------


class Here:
    """As much of a server as bots alone need."""

    def __init__(self) -> None:
        self.store, self.hub = MemoryStore(), LocalHub()
        self.tables = Tables(self.store, self.hub)
        self.bots = BotTables(self.tables, self.hub, 5, 50)

    async def begin(self, name: str, tempo: e.Tempo = e.NoClock(), people: int = 0) -> Table:  # noqa: B008
        def furnish(table: Table) -> Draft:
            draft = Draft(table)
            for seat in range(2):
                if seat < people:
                    draft.add(draft.after.join("anna", "Anna", seat, "", now_ms()))
                else:
                    draft.add(draft.after.seat_bot("host", seat, "greedy", now_ms()))
            return draft.add(draft.after.start("host", now_ms()))

        await self.bots.enter(name, "192.0.2.1")
        terms = e.Terms(game="six", options={}, seats=2, public=True, tempo=tempo)
        return await self.tables.open_table("host", terms, furnish, table_id=name)


@pytest.fixture
async def here() -> Here:
    found = Here()
    await found.bots.open()
    return found


async def test_a_match_of_bots_that_nobody_watches_ends(here: Here, time: Any) -> None:
    await here.begin("watched")
    await here.begin("alone")
    await here.begin("people", people=1)
    with here.hub.subscribe("watched"):
        for _ in range(12):
            await here.bots.clear_up()
            time.passes(seconds=lobby.ABANDONED_AFTER / 10_000)
    phases = {name: (await here.tables.load(name)).phase for name in ("watched", "alone", "people")}
    assert phases == {"watched": "playing", "alone": "closed", "people": "playing"}
    (closed,) = [e.decode(line) for line in (await here.store.read("alone"))[-1:]]
    assert isinstance(closed, e.Closed)
    assert closed.reason == "abandoned"
    await here.bots.clear_up()
    assert set(await here.store.documents(lobby.KIND)) == {"watched"}
    # Nobody watches any more; how many processes look after it does not matter.
    time.passes(seconds=lobby.ABANDONED_AFTER / 1000)
    await asyncio.gather(*[BotTables(here.tables, LocalHub(), 5, 50).clear_up() for _ in range(3)])
    assert (await here.tables.load("watched")).phase == "closed"


async def test_what_never_began_is_not_counted_for_long(here: Here, time: Any) -> None:
    for number in range(5):
        await here.bots.enter(f"never{number}", "192.0.2.1")
    with pytest.raises(Exception, match="bots alone"):
        await here.begin("one")
    time.passes(seconds=lobby.SOON / 1000)
    await here.begin("one")
    assert set(await here.store.documents(lobby.KIND)) == {"one"}
    assert b"192.0.2.1" not in b"".join((await here.store.documents(lobby.KIND)).values())


async def test_the_clock_looks_after_them(time: Any, timed: ThreadServer, come: Any) -> None:
    (anna,) = await come("Anna", at=timed.url)
    table = await anna.open_table("six", 2, pace="normal", **ALONE)
    time.passes(seconds=lobby.ABANDONED_AFTER / 1000)
    timed.run(timed.platform.clock.clear_up())
    assert (await anna.situation(table))["phase"] == "closed"


# -- people first -----------------------------------------------------------------------------------------------------


async def test_those_whom_people_wait_for_think_first() -> None:
    minds, may_end, order = Minds(1), asyncio.Event(), list[str]()

    def work(name: str) -> Any:
        async def do(_: Mind) -> bytes:
            await may_end.wait()
            order.append(name)
            return name.encode()

        return do

    async def wait_until(waiting: int) -> None:
        while len(minds._waiting) < waiting:
            await asyncio.sleep(0)

    tasks = [asyncio.create_task(minds.let(work("busy")))]
    await asyncio.sleep(0)
    for number, (name, last) in enumerate([("alone1", True), ("alone2", True), ("people", False)]):
        tasks.append(asyncio.create_task(minds.let(work(name), last=last)))
        await wait_until(number + 1)
    with pytest.raises(Crowded):
        await minds.let(work("impatient"), 0.01)
    may_end.set()
    await asyncio.gather(*tasks)
    assert order == ["busy", "people", "alone1", "alone2"]
    assert len(minds._free) == 1


async def test_a_process_that_was_handed_to_somebody_who_left_is_not_lost() -> None:
    minds = Minds(1)
    mind = await minds._take(False)
    late = asyncio.create_task(minds._take(False))
    await asyncio.sleep(0)
    minds._give(mind)
    late.cancel()
    await asyncio.gather(late, return_exceptions=True)
    assert minds._free == [mind]


async def test_nobodys_clock_waits_for_bots(here: Here, time: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many bots that are overdue come first in the store, but not by the clock."""
    thinkers = Thinkers(here.tables)
    monkeypatch.setattr(thinkers, "is_at", lambda table_id: table_id.startswith("busy"))
    here.bots = BotTables(here.tables, here.hub, 1000, 1000)
    await here.bots.open()
    for number in range(clock.BATCH + 1):
        await here.begin(f"busy{number}")
        await here.begin(f"left{number}")
    await here.begin("anna", e.Live(seconds=5), people=1)
    time.passes(hours=1)
    looked: list[str] = []

    async def look_at(table_id: str) -> None:
        looked.append(table_id)

    ticking = Clock(here.tables, thinkers)
    monkeypatch.setattr(ticking, "_look_at", look_at)
    await ticking.look()
    assert looked[0] == "anna"
    assert len(looked) == 1 + clock.BATCH + 1
    assert not any(name.startswith("busy") for name in looked)


async def test_bots_alone_are_a_few_at_a_time(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tables they have; bots whom people wait for do not queue up behind them."""
    thinkers, at_once, most, thought = Thinkers(here.tables, 2), 0, 0, set[str]()

    async def think(table: Table, seat: int) -> Any:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.001)
        at_once -= 1
        thought.add(table.id)
        return table.game.legal(table.moments[-1].state, seat)[0]

    monkeypatch.setattr(thinkers, "_think", think)
    for number in range(5):
        thinkers.look_at(await here.begin(f"{number}"))
    async with asyncio.timeout(TIMEOUT):
        while len(thought) < 5:
            await asyncio.sleep(0.01)
        assert most <= 2
        await thinkers._left_over.acquire()
        await thinkers._left_over.acquire()
        here.bots._per_address = 100
        thinkers.look_at(await here.begin("people", people=1))
        while "people" not in thought:
            await asyncio.sleep(0.01)
    thinkers._left_over.release()
    await thinkers.close()


async def test_bots_alone_wait_for_a_process_however_long(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    """To think in the server's own process instead would make people wait."""
    asked: list[tuple[float | None, bool]] = []

    async def let(self: Minds, work: Any, patience: float | None = None, last: bool = False) -> bytes:
        asked.append((patience, last))
        raise Crowded

    monkeypatch.setattr(Minds, "let", let)
    thinkers = Thinkers(here.tables)
    for table in (await here.begin("alone"), await here.begin("people", people=1)):
        await thinkers._think(table, 1)
    assert asked == [(None, True), (bot_runner.THINKING_TIMEOUT, False)]


# -- the lobby --------------------------------------------------------------------------------------------------------


async def test_tables_with_free_seats_are_listed_first(come: Any) -> None:
    with ThreadServer() as server:
        anna, nobody = await come("Anna", "", at=server.url)
        free = [await anna.open_table("six", 3, public=True) for _ in range(2)]
        full = await anna.open_table("six", 2, public=True, bots=["greedy"])
        playing = await anna.open_table("six", 2, public=True, bots=["greedy"], start=True)
        alone = [await anna.open_table("six", 2, public=True, **ALONE) for _ in range(lobby.LISTED_TABLES)]
        listed = [card["id"] for card in await nobody.get("/api/tables")]
        assert len(listed) == lobby.LISTED_TABLES
        assert listed[:2] == free[::-1]
        assert set(listed[2:4]) == {full, playing}
        assert set(listed[4:]) < set(alone)

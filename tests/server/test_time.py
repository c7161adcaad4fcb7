"""Three tempos: when time runs out or somebody leaves a bot decides, everybody sees it, and it hands back. And what
nobody uses goes away."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nimmt.server.minds import Mind
from nimmt.testing.servers import PATIENCE, Json, Person, ServerRefused, TableSocket, ThreadServer, asks, play_on

pytestmark = pytest.mark.anyio


async def begun(anna: Person, ben: Person, **more: Any) -> str:
    table = await anna.open_table("six", 2, **more)
    await ben.do(table, "join")
    await anna.do(table, "start")
    return table


async def next_note(socket: TableSocket, kind: str) -> Json:
    note: Json = (await socket.until(lambda message: (message.get("note") or {}).get("type") == kind))[-1]["note"]
    return note


@pytest.mark.parametrize(
    ("tempo", "limit"), [({"kind": "live", "seconds": 5}, 5), ({"kind": "turns", "hours": 1}, 3600)]
)
async def test_a_bot_decides_when_time_runs_out(
    timed: ThreadServer, time: Any, come: Any, tempo: Json, limit: int
) -> None:
    anna, ben, cleo = await come("Anna", "Ben", "Cleo", at=timed.url)
    table = await begun(anna, ben, tempo=tempo)
    situation = await anna.situation(table)
    assert [waiting["deadline"] for waiting in situation["waiting"]] == [time.ms + 1000 * limit] * 2

    time.passes(seconds=limit - 1)
    await anna.act(table, situation["legal"][0])
    async with cleo.socket(table) as socket:
        await socket.next()
        time.passes(seconds=2)
        away = await socket.next()
        assert away["note"] == {"type": "PlayerAway", "seat": 1, "reason": "time"}
        assert away["situation"]["chairs"][1]["away"] == "time"
        assert await next_note(socket, "Decided") == {"type": "Decided", "seat": 1, "by_bot": True}
        # Only Ben was late. The next decision has its own time, and Ben takes over by deciding himself.
        while (situation := await anna.situation(table))["waiting"][0]["kind"] != "card":
            if asks(situation):
                await anna.act(table, {"type": "ChooseRow", "row": 1})
            else:
                await asyncio.sleep(0.01)  # the bot has to choose it
        assert situation["chairs"][0]["away"] is None
        await anna.do(table, "leave")
        assert await next_note(socket, "PlayerAway") == {"type": "PlayerAway", "seat": 0, "reason": "left"}


async def test_whoever_decides_is_back(timed: ThreadServer, time: Any, come: Any) -> None:
    anna, ben = await come("Anna", "Ben", at=timed.url)
    table = await begun(anna, ben, tempo={"kind": "live", "seconds": 5}, options={"rounds": 1})
    async with ben.socket(table) as socket:
        await socket.next()
        time.passes(seconds=6)
        for _ in range(2):
            await next_note(socket, "PlayerAway")
        # Bots play on for both, as long as they stay away: to the end of the match.
        end = (await socket.until(lambda message: message["situation"]["phase"] == "over"))[-1]
    assert [chair["away"] for chair in end["situation"]["chairs"]] == ["time", "time"]
    await anna.do(table, "back")
    assert [chair["away"] for chair in (await ben.situation(table))["chairs"]] == [None, "time"]


async def test_a_person_who_left_comes_back(timed: ThreadServer, come: Any) -> None:
    anna, ben = await come("Anna", "Ben", at=timed.url)
    table = await begun(anna, ben)
    async with anna.socket(table) as socket:
        await socket.next()
        await ben.do(table, "leave")
        assert await next_note(socket, "PlayerAway") == {"type": "PlayerAway", "seat": 1, "reason": "left"}
        assert await next_note(socket, "Decided") == {"type": "Decided", "seat": 1, "by_bot": True}
        # A bot's choice may be changed like one's own; whoever changes it is back.
        situation = await ben.situation(table)
        await ben.act(table, situation["legal"][3], situation["decision"])
        assert await next_note(socket, "PlayerBack") == {"type": "PlayerBack", "seat": 1}
        assert await next_note(socket, "Decided") == {"type": "Decided", "seat": 1, "by_bot": False}
        await ben.do(table, "leave")
        await ben.do(table, "leave")
        await ben.do(table, "back")
        n = (await ben.do(table, "back"))["n"]
        told = await socket.until_number(n)
        assert [message["note"]["type"] for message in told] == ["PlayerAway", "PlayerBack"]


async def test_without_a_clock_nobody_is_hurried(timed: ThreadServer, time: Any, come: Any) -> None:
    anna, ben = await come("Anna", "Ben", at=timed.url)
    table = await begun(anna, ben)
    before = await anna.look(table)
    time.passes(hours=24 * 50)
    timed.run(timed.platform.clock.look())
    timed.run(timed.platform.clock.clear_up())
    assert await anna.look(table) == before
    assert before["situation"]["waiting"][0]["deadline"] is None


async def test_time_runs_out_while_the_server_is_down(time: Any, come: Any, tmp_path: Path) -> None:
    database = str(tmp_path / "nimmt.db")
    with ThreadServer(database) as server:
        anna, ben = await come("Anna", "Ben", at=server.url)
        table = await begun(anna, ben, tempo={"kind": "turns", "hours": 24})
        n = await anna.act(table, (await anna.situation(table))["legal"][0])
        cookie = ben.cookie
    time.passes(hours=25)
    with ThreadServer(database) as server:
        (nobody,) = await come("", at=server.url)
        async with nobody.socket(table, after=n, cookie=cookie) as socket:
            away = await socket.next()
            assert away["situation"]["you"] == 1
            assert away["note"] == {"type": "PlayerAway", "seat": 1, "reason": "time"}
            assert await next_note(socket, "Decided") == {"type": "Decided", "seat": 1, "by_bot": True}


async def test_a_bots_turn_that_another_process_left_behind(time: Any, come: Any, tmp_path: Path) -> None:
    """Bots think where a table changed; if that process is gone the clock of another one finds them waiting."""
    database = str(tmp_path / "nimmt.db")
    with ThreadServer(database) as server:
        server.platform.tables.on_change = lambda _: None  # it dies before the bot is told
        (anna,) = await come("Anna", at=server.url)
        table = await anna.open_table("six", 2, bots=["greedy"], start=True)
        assert len((await anna.situation(table))["waiting"]) == 2
        cookie = anna.cookie
    time.passes(seconds=3)
    with ThreadServer(database) as server:
        (nobody,) = await come("", at=server.url)
        async with nobody.socket(table, after=4, cookie=cookie) as socket:
            assert (await socket.next())["note"] == {"type": "Decided", "seat": 1, "by_bot": True}


async def fails() -> bytes:
    raise ZeroDivisionError


async def cheats() -> bytes:
    return b'{"type": "PlayCard", "card": 999}'


@pytest.mark.parametrize("flaw", [fails, cheats])
async def test_a_flaw_in_a_bot_does_not_stop_a_match(
    flaw: Any, timed: ThreadServer, come: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mind, "do", lambda *_: flaw())
    (anna,) = await come("Anna", at=timed.url)
    table = await anna.open_table("six", 2, bots=["greedy"], options={"rounds": 1}, start=True)
    async with asyncio.timeout(PATIENCE):
        assert (await play_on([anna], table, Random(1)))["phase"] == "over"


async def test_a_log_that_makes_no_sense_does_not_stop_the_clock(timed: ThreadServer, time: Any, come: Any) -> None:
    anna, ben = await come("Anna", "Ben", at=timed.url)
    broken, table = [await begun(anna, ben, tempo={"kind": "live", "seconds": 5}) for _ in range(2)]
    store = timed.platform.store
    listing = timed.run(store.listing(broken))
    assert listing is not None
    timed.run(store.append(broken, 4, [b'{"type": "Nonsense"}'], listing))
    timed.platform.tables.forget(broken)
    async with anna.socket(table) as socket:
        await socket.next()
        time.passes(seconds=6)
        assert (await next_note(socket, "PlayerAway"))["reason"] == "time"
    with pytest.raises(ServerRefused) as caught:
        await anna.look(broken)
    assert caught.value.code == "server_error"


# -- what nobody uses -------------------------------------------------------------------------------------------------


async def test_tables_that_nobody_uses_go_away(timed: ThreadServer, time: Any, come: Any) -> None:
    anna, ben = await come("Anna", "Ben", at=timed.url)
    waiting = await anna.open_table("six", 2, public=True)
    playing = await begun(anna, ben)
    over = await anna.open_table("six", 2, bots=["random"], options={"rounds": 1}, start=True)
    await play_on([anna], over, Random(2))

    async def phases() -> list[str]:
        found = []
        for table in (waiting, playing, over):
            answer = await anna.ask("GET", f"/api/tables/{table}")
            found.append(answer.json()["situation"]["phase"] if answer.is_success else answer.json()["error"]["code"])
        return found

    async with anna.socket(waiting) as socket:
        await socket.next()
        time.passes(hours=1.9)
        timed.run(timed.platform.clock.clear_up())
        assert await phases() == ["waiting", "playing", "over"]
        time.passes(hours=0.2)
        timed.run(timed.platform.clock.clear_up())
        assert (await socket.next())["note"] == {"type": "TableClosed", "reason": "idle"}
    assert await phases() == ["closed", "playing", "over"]
    assert await ben.get("/api/tables") == []
    time.passes(hours=2)
    timed.run(timed.platform.clock.clear_up())
    assert await phases() == ["no_such_table", "playing", "over"]
    time.passes(hours=24 * 60)
    timed.run(timed.platform.clock.clear_up())
    assert await phases() == ["no_such_table", "closed", "over"]
    time.passes(hours=24 * 3650)
    timed.run(timed.platform.clock.clear_up())
    assert await phases() == ["no_such_table"] * 3


async def test_a_table_that_somebody_talks_at_is_in_use(timed: ThreadServer, time: Any, come: Any) -> None:
    (anna,) = await come("Anna", at=timed.url)
    table = await anna.open_table("six", 2)
    for _ in range(3):
        time.passes(hours=1.5)
        await anna.do(table, "say", text="Where are you all?")
        timed.run(timed.platform.clock.clear_up())
    assert (await anna.situation(table))["phase"] == "waiting"

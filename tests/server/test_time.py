"""Three tempos: when time runs out or somebody leaves a bot decides, everybody sees it, and it hands back. And what
nobody uses goes away."""

import asyncio
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import structs

from nimmt.server.tables import log_entries as e
from nimmt.server.tables.state import seconds_to_watch
from nimmt.server.tables.table import Table
from nimmt.server.worker_pool import Mind
from nimmt.testing.servers import (
    TIMEOUT,
    Json,
    Overtaken,
    Person,
    ServerRefused,
    TableSocket,
    ThreadServer,
    asks,
    play_on,
)

pytestmark = [pytest.mark.anyio, pytest.mark.in_turn("database")]


async def begun(anna: Person, ben: Person, **more: Any) -> str:
    table = await anna.open_table("six", 2, **more)
    await ben.do(table, "join")
    await anna.do(table, "start")
    return table


async def next_note(socket: TableSocket, kind: str) -> Json:
    note: Json = (await socket.until(lambda message: (message.get("note") or {}).get("type") == kind))[-1]["note"]
    return note


LIVE, BY_TURNS = {"kind": "live", "seconds": 30}, {"kind": "turns", "hours": 24}
LIMITS = {"live": 30, "turns": 24 * 3600}
GAMES = {"six": 3, "buffalo": 3, "x": 3, "eleven": 3, "baron": 3}


async def asked(person: Person, table: str) -> Json:
    """The situation once this person is waited for, or nobody is."""
    while not asks(situation := await person.situation(table)) and situation["phase"] == "playing":
        await asyncio.sleep(0.01)
    return situation


def waits_for_nobody_but(seat: int, situation: Json) -> bool:
    return [waiting["seat"] for waiting in situation["waiting"]] == [seat]


async def act(person: Person, table: str) -> None:
    """Decide anything; in a game in which others may come between, until nobody has."""
    while True:
        situation = await asked(person, table)
        with suppress(Overtaken):
            await person.act(table, situation["legal"][0], situation["decision"])
            return


async def notes(person: Person, table: str, *kinds: str) -> list[Json]:
    told = [update["note"] for update in await person.updates(table) if update["note"]]
    return [note for note in told if note["type"] in kinds]


async def decided_by_bot(person: Person, table: str, seat: int) -> int:
    return sum(note["seat"] == seat and note["by_bot"] for note in await notes(person, table, "Decided"))


async def bot_decides(person: Person, table: str, seat: int, times: int) -> None:
    """Wait until bots have decided so often for a seat."""
    while await decided_by_bot(person, table, seat) < times:
        await asyncio.sleep(0.01)


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        url: str = request.getfixturevalue("postgres_url")
        return url
    return "memory" if request.param == "memory" else str(tmp_path / "nimmt.db")


async def miss(person: Person, table: str, time: Any, tempo: Json) -> Json:
    """Let the time of this person's decision run out; what the table is told of it."""
    situation = await asked(person, table)
    (waiting,) = [waiting for waiting in situation["waiting"] if waiting["seat"] == situation["you"]]
    assert waiting["deadline"] == time.ms + 1000 * LIMITS[tempo["kind"]], "every decision has its clock again"
    missed = len(await notes(person, table, "TimeRanOut"))
    time.passes(seconds=LIMITS[tempo["kind"]] + 1)
    while len(told := await notes(person, table, "TimeRanOut")) == missed:
        await asyncio.sleep(0.01)
    return told[-1]


@pytest.mark.parametrize(("game", "tempo"), [*((game, LIVE) for game in GAMES), ("six", BY_TURNS)])
async def test_a_missed_decision_costs_one_decision(
    timed: ThreadServer, time: Any, come: Any, game: str, tempo: Json
) -> None:
    (anna,) = await come("Anna", at=timed.url)
    bots = ["random"] * (GAMES[game] - 1)
    table = await anna.open_table(game, GAMES[game], tempo=tempo, bots=bots, start=True)
    for missed in (1, 2):
        told = await miss(anna, table, time, tempo)
        assert told == {"type": "TimeRanOut", "seat": 0, "missed": missed, "away": False}
        await bot_decides(anna, table, 0, missed)
        await asked(anna, table)  # the next one is hers again
        assert await decided_by_bot(anna, table, 0) == missed
    await act(anna, table)
    assert (await anna.situation(table))["chairs"][0]["missed"] == 0


async def test_when_all_people_are_away_the_match_waits(time: Any, come: Any, database: str) -> None:
    """Against bots only: three decisions missed, and nothing else happens, whatever time passes, until she is back."""
    with ThreadServer(database) as server:
        (anna,) = await come("Anna", at=server.url)
        table = await anna.open_table("six", 3, tempo=LIVE, bots=["random", "random"], start=True)
        for missed in (1, 2):
            await miss(anna, table, time, LIVE)
            await bot_decides(anna, table, 0, missed)
        told = await miss(anna, table, time, LIVE)
        assert told == {"type": "TimeRanOut", "seat": 0, "missed": 3, "away": True}
        waits = await anna.look(table)
        assert (waits["situation"]["paused"], waits["situation"]["waiting"][0]["deadline"]) == (True, None)
        time.passes(hours=24 * 6)
        server.run(server.platform.clock.look())
        assert await anna.look(table) == waits
    if database == "memory":
        return
    with ThreadServer(database) as server:
        async with anna.at(server.url) as again:
            server.run(server.platform.clock.look())
            assert await again.look(table) == waits
            await again.do(table, "back")
            situation = await again.situation(table)
            assert (situation["paused"], situation["chairs"][0]["away"]) == (False, None)
            # It is the decision that she had not made, with all its time.
            assert situation["decision"] == waits["situation"]["decision"]
            assert situation["waiting"][0]["deadline"] == time.ms + 30_000
            assert await decided_by_bot(again, table, 0) == 2


async def test_letting_a_bot_play_against_bots_only_makes_the_match_wait(timed: ThreadServer, come: Any) -> None:
    (anna,) = await come("Anna", at=timed.url)
    table = await anna.open_table("six", 3, bots=["random", "random"], start=True)
    await anna.do(table, "leave")
    situation = await anna.situation(table)
    assert (situation["paused"], situation["chairs"][0]["away"]) == (True, "left")
    await anna.do(table, "back")
    assert not (await anna.situation(table))["paused"]
    assert await decided_by_bot(anna, table, 0) == 0


@pytest.mark.parametrize(("tempo", "short"), [(LIVE, 5), (BY_TURNS, 4 * 3600)])
async def test_others_do_not_wait_long_for_somebody_who_is_away(
    timed: ThreadServer, time: Any, come: Any, tempo: Json, short: int
) -> None:
    anna, ben = await come("Anna", "Ben", at=timed.url)
    table = await begun(anna, ben, tempo=tempo, options={"rounds": 1})

    async def anna_decides() -> None:
        """Whatever she is asked, until Ben is the only one who is waited for: either may have to choose a row."""
        while not waits_for_nobody_but(1, situation := await anna.situation(table)):
            if asks(situation):
                await anna.act(table, situation["legal"][0], situation["decision"])
            else:
                await asyncio.sleep(0.01)

    async def bens_deadline() -> int:
        deadline: int = next(w["deadline"] for w in (await asked(ben, table))["waiting"] if w["seat"] == 1)
        return deadline - time.ms

    for missed in (1, 2, 3):
        await anna_decides()
        await miss(ben, table, time, tempo)
        await bot_decides(anna, table, 1, missed)
    assert (await anna.situation(table))["chairs"][1]["away"] == "time"
    await anna_decides()
    assert await bens_deadline() == 1000 * short
    time.passes(seconds=short + 1)
    await bot_decides(anna, table, 1, 4)
    # The first sign of life, and he has all his time again.
    await ben.do(table, "back")
    await anna_decides()
    assert await bens_deadline() == 1000 * LIMITS[tempo["kind"]]


@pytest.mark.parametrize(("tempo", "days"), [({"kind": "none"}, 7), (LIVE, 7), (BY_TURNS, 30)])
async def test_a_match_that_all_have_left_is_given_up(
    timed: ThreadServer, time: Any, come: Any, tempo: Json, days: int
) -> None:
    anna, ben = await come("Anna", "Ben", at=timed.url)
    table = await begun(anna, ben, tempo=tempo)
    for person in (anna, ben):
        await person.do(table, "leave")
    time.passes(hours=24 * days - 1)
    timed.run(timed.platform.clock.look())
    assert (await anna.situation(table))["paused"]
    async with anna.socket(table) as socket:
        await socket.next()
        time.passes(hours=1, seconds=1)
        assert (await socket.next())["note"] == {"type": "TableClosed", "reason": "abandoned"}


async def test_bots_leave_people_the_time_to_watch(timed: ThreadServer, time: Any, come: Any) -> None:
    """In 11 nimmt! one bot after the other has a turn. The time here passes only when it is told to: a bot that had not
    waited would have decided at the moment at which Anna did."""
    (anna,) = await come("Anna", at=timed.url)
    table = await anna.open_table("eleven", 4, bots=["random"] * 3, start=True, pace="normal")
    situation = await asked(anna, table)
    take = next(action for action in situation["legal"] if action["type"] == "TakePile")
    async with anna.socket(table) as socket:
        await socket.next()
        began = time.ms
        await anna.act(table, take)
        await socket.next()
        for _ in range(3):
            thinking = timed.platform.thinkers
            while table not in thinking.waiting:
                await asyncio.sleep(0.01)
            wait = timed.platform.tables.cached(table).bots_wait_until() - time.ms
            assert wait >= 1000
            time.passes(seconds=wait / 1000)
            told = await socket.next()
            assert told["note"]["by_bot"]
            assert told["at"] == time.ms
        assert time.ms >= began + 3000


def test_bots_do_not_wait_for_those_who_have_gone_on() -> None:
    """Whoever plays the next card has seen the last turn; when all have, nobody needs to wait."""
    table = Table(
        "t",
        e.Opened(at=0, game="six", options={}, seats=3, public=False, tempo=e.Live(30), host="a", server_seed="5" * 64),
    )
    for seat, guest in enumerate("ab"):
        table.add(e.Joined(at=0, seat=seat, guest=guest, name=guest, contribution=""))
    table.add(e.BotSeated(at=0, seat=2, level="random"))
    table.add(e.Started(at=0))

    def play(seat: int, at: int) -> None:
        (entry,) = table.act_for(seat, table.game.legal(table.moments[-1].state, seat)[-1], at).entries
        table.add(structs.replace(entry, by_bot=seat == 2))

    assert table.bots_wait_until() == 0, "there is nothing to watch yet"
    for seat in (2, 0, 1):
        play(seat, at=1000)
    seconds = round(seconds_to_watch(table.moments[-1].events), 3)
    assert seconds > 2
    assert table.bots_wait_until() == 1000 + 1000 * seconds
    assert table.deadline(0) == table.bots_wait_until() + 30_000, "the clock starts when the turn has been watched"
    table.add(e.PaceSet(at=1500, seat=1, pace="instant"))
    assert table.bots_wait_until() == 1000 + 1000 * seconds, "the slowest counts"
    table.add(e.PaceSet(at=1500, seat=1, pace="slow"))
    assert table.bots_wait_until() == 1000 + 2000 * seconds, "who watches slowly loses no time either"
    table.add(e.PaceSet(at=1500, seat=1, pace="instant"))
    table.add(e.PaceSet(at=1500, seat=0, pace="fast"))
    assert table.bots_wait_until() == 1000 + 500 * seconds
    play(0, at=1600)
    assert table.bots_wait_until() == 1000 + 500 * seconds
    play(1, at=1700)
    assert table.bots_wait_until() == 0
    play(2, at=1700)
    again = round(seconds_to_watch(table.moments[-1].events), 3)
    assert table.bots_wait_until() == 1700 + 500 * again, "what is new begins at once: no turn waits for the last one"


def test_no_time_runs_out_where_all_are_away() -> None:
    """Ben is away, and Anna misses her third decision at the same moment as he his next one: from then on the match
    waits, and nothing is decided for him either."""
    table = Table(
        "t",
        e.Opened(at=0, game="six", options={}, seats=2, public=False, tempo=e.Live(30), host="a", server_seed="5" * 64),
    )
    for seat, guest in enumerate("ab"):
        table.add(e.Joined(at=0, seat=seat, guest=guest, name=guest, contribution=""))
    table.add(e.Started(at=0))
    table._change(0, missed=2)
    table._change(1, missed=5, away="time")
    late = table.run_out(100_000)
    assert late == [e.TimeRanOut(at=100_000, seat=0)]
    table.add(late[0])  # type: ignore[arg-type]
    assert table.is_paused
    assert table.run_out(200_000) == []


async def test_everybody_can_want_it_faster(timed: ThreadServer, come: Any) -> None:
    anna, ben = await come("Anna", "Ben", at=timed.url)
    table = await begun(anna, ben, pace="normal")
    for person, paces in ((ben, ["normal", "instant"]), (anna, ["fast", "instant"])):
        await person.do(table, "pace", pace=paces[1])
        await person.do(table, "pace", pace=paces[1])
    chairs = (await anna.situation(table))["chairs"]
    assert [chair["pace"] for chair in chairs] == ["instant", "instant"]
    assert [note["pace"] for note in await notes(anna, table, "PaceSet")] == ["instant"]
    with pytest.raises(ServerRefused, match="bad_request"):
        await anna.do(table, "pace", pace="slowly")


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
            late = await socket.next()
            assert late["situation"]["you"] == 1
            assert late["note"] == {"type": "TimeRanOut", "seat": 1, "missed": 1, "away": False}
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
    async with asyncio.timeout(TIMEOUT):
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
        assert (await next_note(socket, "TimeRanOut"))["missed"] == 1
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

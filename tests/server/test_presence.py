"""Who is there: everybody sees it, a bot plays for those who are gone until they are back, people take over from bots,
and a match that nobody wants ends."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nimmt.match.match import verify
from nimmt.match.record import read_record
from nimmt.server.tables.log_entries import MIN_CLOCK, short_clock
from nimmt.server.tables.table import ABSENT_AFTER
from nimmt.testing.servers import Json, Person, ServerRefused, TableSocket, ThreadServer, play_on

pytestmark = pytest.mark.anyio

A_WHILE = ABSENT_AFTER / 1000


async def refused(code: str, asking: Any) -> None:
    with pytest.raises(ServerRefused) as caught:
        await asking
    assert caught.value.code == code


async def begun(host: Person, *others: Person, seats: int | None = None, **more: Any) -> str:
    table = await host.open_table("six", seats or 1 + len(others), **more)
    for person in others:
        await person.do(table, "join")
    await host.do(table, "start")
    return table


async def chair(person: Person, table: str, seat: int) -> Json:
    found: Json = (await person.situation(table))["chairs"][seat]
    return found


async def sees(socket: TableSocket, gone: list[int]) -> None:
    """Wait until this socket was told that just these people are not connected."""
    while socket.gone != gone:
        await socket.hear()


async def knows(server: ThreadServer, table: str, is_so: Callable[[set[int]], bool]) -> None:
    """Wait until the server knows who is gone."""
    found = server.run(server.platform.tables.load(table))
    while not is_so({*server.platform.presence.gone(found)}):
        await asyncio.sleep(0.01)


# -- who is connected -------------------------------------------------------------------------------------------------


async def test_everybody_sees_who_is_connected(come: Any) -> None:
    anna, ben, cleo = await come("Anna", "Ben", "Cleo")
    table = await begun(anna, ben)
    async with anna.socket(table) as hers, cleo.socket(table) as watching:
        await sees(hers, [1])
        await sees(watching, [1])
        async with ben.socket(table):
            await sees(hers, [])
            await sees(watching, [])
            async with ben.socket(table) as second:
                await sees(second, [])
        await sees(hers, [1])
        await sees(watching, [1])


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_people_at_other_processes_are_seen(
    kind: str, come: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = str(tmp_path / "nimmt.db") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    with ThreadServer(database, workers=2) as one, ThreadServer(database, workers=2) as other:
        (anna,) = await come("Anna", at=one.url)
        (ben,) = await come("Ben", at=other.url)
        table = await begun(anna, ben)
        async with anna.socket(table) as hers:
            async with ben.socket(table) as his:
                await sees(hers, [])
                await sees(his, [])
            await sees(hers, [1])


async def test_who_dies_with_their_process_is_gone_soon(time: Any, come: Any, tmp_path: Path) -> None:
    database = str(tmp_path / "nimmt.db")
    with ThreadServer(database, workers=2) as one, ThreadServer(database, workers=2) as other:
        (anna,) = await come("Anna", at=one.url)
        (ben,) = await come("Ben", at=other.url)
        table = await begun(anna, ben)
        async with anna.socket(table) as hers, ben.socket(table):
            await sees(hers, [])
            other.platform.presence.exchange = asyncio.Event().wait  # type: ignore[assignment]  # it hangs for ever
            time.passes(seconds=26)
            await sees(hers, [1])


# -- a bot plays for somebody who is gone -----------------------------------------------------------------------------


async def test_the_host_lets_a_bot_play_for_somebody_who_is_gone(timed: ThreadServer, time: Any, come: Any) -> None:
    anna, ben = await come("Anna", "Ben", at=timed.url)
    table = await begun(anna, ben)
    async with anna.socket(table) as socket:
        async with ben.socket(table):
            await sees(socket, [])
            time.passes(seconds=2 * A_WHILE)
            await refused("not_absent", anna.do(table, "stand-in", seat=1))
        await sees(socket, [1])
        time.passes(seconds=A_WHILE - 1)
        await refused("not_absent", anna.do(table, "stand-in", seat=1))
        time.passes(seconds=2)
        await anna.do(table, "stand-in", seat=1)
        assert (await chair(anna, table, 1))["away"] == "absent"
        told = (await socket.until(lambda message: (message["note"] or {}).get("type") == "Decided"))[-1]["note"]
        assert told == {"type": "Decided", "seat": 1, "by_bot": True}
        n = (await anna.do(table, "stand-in", seat=1))["n"]
        assert n == (await anna.look(table))["n"], "asking twice changes nothing"
    # Back again, and nothing else is decided for him.
    await ben.do(table, "back")
    assert (await chair(ben, table, 1))["away"] is None


async def test_all_who_are_there_together_let_a_bot_play(timed: ThreadServer, time: Any, come: Any) -> None:
    anna, ben, cleo, dario = await come("Anna", "Ben", "Cleo", "Dario", at=timed.url)
    table = await begun(anna, ben, cleo, dario)
    async with AsyncExitStack() as here:
        for person in (ben, cleo):
            await here.enter_async_context(person.socket(table))
        await knows(timed, table, lambda gone: gone == {0, 3})
        time.passes(seconds=A_WHILE + 1)
        await ben.do(table, "stand-in", seat=3)
        await ben.do(table, "stand-in", seat=3)
        waiting = await chair(cleo, table, 3)
        assert (waiting["away"], waiting["wanting_stand_in"]) == (None, [1]), "Cleo is here, too; Anna is not"
        # He shows that he is there: everybody has to agree anew.
        situation = await dario.situation(table)
        await dario.act(table, situation["legal"][0])
        assert (await chair(cleo, table, 3))["wanting_stand_in"] == []
        await refused("not_absent", ben.do(table, "stand-in", seat=3))
        time.passes(seconds=A_WHILE + 1)
        for person in (ben, cleo):
            await person.do(table, "stand-in", seat=3)
        assert (await chair(ben, table, 3))["away"] == "absent"


async def test_who_says_something_is_there(timed: ThreadServer, time: Any, come: Any) -> None:
    anna, ben = await come("Anna", "Ben", at=timed.url)
    table = await begun(anna, ben)
    time.passes(seconds=A_WHILE + 1)
    await anna.do(table, "stand-in", seat=1)
    await ben.do(table, "say", text="Here I am")
    assert (await chair(anna, table, 1))["away"] is None
    # Who let a bot play may still talk to the others.
    await ben.do(table, "leave")
    await ben.do(table, "say", text="Only looking")
    assert (await chair(anna, table, 1))["away"] == "left"


async def test_where_there_is_a_clock_it_decides_how_long_to_wait(timed: ThreadServer, time: Any, come: Any) -> None:
    anna, ben, cleo = await come("Anna", "Ben", "Cleo", at=timed.url)
    table = await begun(anna, ben, tempo={"kind": "turns", "hours": 24})
    time.passes(seconds=A_WHILE + 1)
    await refused("not_absent", anna.do(table, "stand-in", seat=1))
    free = await begun(anna, ben)
    await refused("not_seated", cleo.do(free, "stand-in", seat=1))
    await refused("no_such_seat", anna.do(free, "stand-in", seat=7))
    await refused("bad_request", anna.do(free, "stand-in", seat="Ben"))


@pytest.mark.parametrize("limit", [1_000, 5_000, 30_000, 600_000, 86_400_000])
async def test_a_short_clock_is_shorter_and_long_enough_for_a_sign_of_life(limit: int) -> None:
    assert min(limit, MIN_CLOCK) <= short_clock(limit) <= limit


# -- taking over from a bot -------------------------------------------------------------------------------------------


async def test_a_person_takes_over_from_a_bot(timed: ThreadServer, time: Any, come: Any) -> None:
    anna, ben, cleo = await come("Anna", "Ben", "Cleo", at=timed.url)
    table = await begun(anna, seats=3, bots=["random", "random"], options={"rounds": 1})
    await refused("not_waiting", ben.do(table, "join", seat=1))
    await refused("not_host", ben.do(table, "takeover", allowed=True))
    await anna.do(table, "takeover", allowed=True)
    await refused("seat_taken", ben.do(table, "join", seat=0))
    await refused("already_seated", anna.do(table, "join"))
    hands = (await anna.situation(table))["view"]["hand"]
    await ben.do(table, "join", seat=2)
    await refused("seat_taken", cleo.do(table, "join", seat=2))
    situation = await ben.situation(table)
    assert (situation["you"], situation["chairs"][2]["kind"], situation["chairs"][2]["name"]) == (2, "person", "Ben")
    assert len(situation["view"]["hand"]) == 10
    assert not {*situation["view"]["hand"]} & {*hands}
    assert [card["id"] for card in await ben.get("/api/tables/mine")] == [table]
    await play_on([anna, ben], table, Random(3))
    data = await anna.record(table)
    verify(data)
    record = read_record(data)
    assert [(seat.name, seat.player) for seat in record.seats] == [
        ("Anna", "person"),
        ("Bruno", "random"),
        ("Ben", "random, then person"),
    ]


async def test_two_who_want_the_same_bots_seat(come: Any) -> None:
    anna, *others = await come("Anna", "Ben", "Cleo", "Dario")
    table = await begun(anna, seats=2, bots=["random"], takeover=True)
    answers = await asyncio.gather(*[person.do(table, "join") for person in others], return_exceptions=True)
    assert sorted(str(getattr(answer, "code", "done")) for answer in answers) == ["done", "table_full", "table_full"]


# -- matches that nobody wants ----------------------------------------------------------------------------------------


async def test_a_match_against_bots_can_be_given_up(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await begun(anna, seats=3, bots=["random", "random"])
    await refused("not_seated", ben.do(table, "close"))
    async with ben.socket(table) as socket:
        await socket.next()
        await anna.do(table, "close")
        closed = await socket.until(lambda message: message["situation"]["phase"] == "closed")
        assert closed[-1]["note"] == {"type": "TableClosed", "reason": "abandoned"}
    await refused("not_playing", anna.act(table, {"type": "PlayCard", "card": 1}))


async def test_a_finished_match_can_be_taken_off_the_own_list(come: Any) -> None:
    anna, ben, cleo = await come("Anna", "Ben", "Cleo")
    table = await begun(anna, ben, options={"rounds": 1})
    await refused("not_over", anna.do(table, "unlist"))
    await play_on([anna, ben], table, Random(5))
    for _ in range(2):
        await anna.do(table, "unlist")
    await refused("not_seated", cleo.do(table, "unlist"))
    assert await anna.get("/api/tables/mine") == []
    assert [card["id"] for card in await ben.get("/api/tables/mine")] == [table]
    told = (await ben.updates(table))[-1]["note"]
    assert told == {"type": "Unlisted"}, "nobody learns who it was"
    assert await anna.record(table) == await ben.record(table)

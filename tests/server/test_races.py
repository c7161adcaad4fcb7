"""Repeated, reordered, late and concurrent commands, on every store, with one process and with two."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import AsyncExitStack, ExitStack
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from nimmt.testing.postgres import PostgresServer
from nimmt.testing.servers import Json, LiveServer, Person, ServerRefused, any_action, asks, play_on

pytestmark = [pytest.mark.anyio, pytest.mark.in_turn("urls")]

Answer = int | str
"""The number that a command was told, or the code with which it was refused."""


FEW = ["sqlite 2", "postgresql 2"]
PLACES = [*FEW, *(pytest.param(one, marks=pytest.mark.soak) for one in ("memory", "sqlite", "postgresql"))]


@pytest.fixture(scope="module", params=PLACES)
def urls(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """One server, or two on the same database."""
    kind, _, count = request.param.partition(" ")
    with ExitStack() as stack:
        database = "memory"
        if kind == "sqlite":
            database = str(tmp_path_factory.mktemp("races") / "nimmt.db")
        if kind == "postgresql":
            postgres: PostgresServer = request.getfixturevalue("postgres_server")
            database = postgres.new_database()
            stack.callback(postgres.drop_database, database)
        yield [stack.enter_context(LiveServer(database)).url for _ in range(int(count or 1))]


class Place:
    def __init__(self, urls: list[str]) -> None:
        self.urls = urls
        self.rng = Random(str(len(urls)))
        self._people: list[Person] = []

    async def people(self, count: int) -> list[Person]:
        """They are spread over the processes."""
        people = [Person(self.urls[number % len(self.urls)]) for number in range(count)]
        self._people += people
        return [await person.come_in(f"P{number}") for number, person in enumerate(people)]

    def tabs(self, person: Person, count: int = 2) -> list[Person]:
        """The same person several times, at different processes if there are any."""
        tabs = [person.at(self.urls[number % len(self.urls)]) for number in range(count)]
        self._people += tabs
        return tabs

    async def begun(self, people: list[Person], game: str = "six", **options: Any) -> str:
        host, *others = people
        table = await host.open_table(game, len(people), options=options)
        for person in others:
            await person.do(table, "join")
        await host.do(table, "start")
        return table

    async def check(self, table: str, person: Person) -> list[Json]:
        """Everywhere the same is told, numbered without gaps; returns it. A bot may add to it meanwhile: whoever is
        asked later is told what those before were told, and perhaps more, and the first is asked again."""
        told = [await tab.updates(table) for tab in self.tabs(person, len(self.urls) + 1)]
        assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(told))
        assert [update["n"] for update in told[-1]] == list(range(1, len(told[-1]) + 1))
        return told[-1]

    async def close(self) -> None:
        for person in self._people:
            await person.close()


@pytest.fixture
async def place(urls: list[str]) -> AsyncIterator[Place]:
    place = Place(urls)
    yield place
    await place.close()


async def all_at_once(*commands: Awaitable[Any]) -> list[Answer]:
    async def answer(command: Awaitable[Any]) -> Answer:
        try:
            done = await command
        except ServerRefused as error:
            return error.code
        n: Answer = done["n"] if isinstance(done, dict) else done
        return n

    return list(await asyncio.gather(*map(answer, commands)))


def decided(updates: list[Json], seat: int) -> list[Json]:
    return [
        update
        for update in updates
        if (update["note"] or {}).get("type") == "Decided" and update["note"]["seat"] == seat
    ]


# -- repeats ----------------------------------------------------------------------------------------------------------


async def test_a_command_that_is_sent_again_is_done_once(place: Place) -> None:
    anna, ben = await place.people(2)
    table = await place.begun([anna, ben])
    situation = await anna.situation(table)
    action, tabs = situation["legal"][2], place.tabs(anna, 6)
    told = await all_at_once(*[tab.act(table, action, situation["decision"], key="once") for tab in tabs])
    assert len(set(told)) == 1
    await ben.act(table, (await ben.situation(table))["legal"][0])
    # Late as well: the decision is made, the card lies on the table.
    assert await tabs[1].act(table, action, situation["decision"], key="once") == told[0]
    assert len(decided(await place.check(table, anna), 0)) == 1
    # Another guest may use the same key for something else, and so may this one at another table.
    await ben.do(table, "say", key="once", text="Hm.")
    other = await anna.open_table("six", 2)
    await anna.do(other, "say", key="once", text="Ha!")


async def test_commands_without_effect_can_be_repeated(place: Place) -> None:
    anna, ben = await place.people(2)
    table = await place.begun([anna, ben])
    first = await ben.do(table, "leave", key="go")
    assert await ben.do(table, "leave", key="go") == first
    await ben.do(table, "back", key="come")
    assert await ben.do(table, "leave", key="go") == first
    assert (await anna.situation(table))["chairs"][1]["away"] is None


async def test_one_key_for_different_commands(place: Place) -> None:
    """Nobody should do this; one of them wins, the others are refused, and everybody is told the same."""
    anna, ben = await place.people(2)
    for number in range(5):
        table = await place.begun([anna, ben])
        legal, tabs = (await anna.situation(table))["legal"], place.tabs(anna, 4)
        acts = [tab.act(table, legal[index], key=f"key {number}") for index, tab in enumerate(tabs)]
        answers = await all_at_once(*acts)
        assert sorted(map(str, answers))[1:] == ["key_reused"] * 3
        assert len(decided(await place.check(table, anna), 0)) == 1


async def test_a_key_is_for_one_request(place: Place) -> None:
    """Whether the other request could be carried out, has no effect or is impossible; also if it is the same body for
    another command."""
    anna, ben = await place.people(2)
    (tab,) = place.tabs(anna, 2)[1:]
    table = await place.begun([anna, ben])
    situation = await anna.situation(table)
    first = await anna.act(table, situation["legal"][0], situation["decision"], key="k")
    before = await place.check(table, anna)
    for again in (
        tab.act(table, situation["legal"][1], situation["decision"], key="k"),
        tab.act(table, {"type": "PlayCard", "card": 1000}, key="k"),
        tab.do(table, "say", key="k", text="Hm."),
        tab.do(table, "leave", key="k"),
        tab.do(table, "back", key="k"),
        tab.do(table, "start", key="k"),
        tab.post(f"/api/tables/{table}/rematch", {}, key="k"),
    ):
        with pytest.raises(ServerRefused) as caught:
            await again
        assert (caught.value.status, caught.value.code) == (422, "key_reused")
    # The same request, written in another way.
    action = dict(reversed(situation["legal"][0].items()))
    body = json.dumps({"decision": situation["decision"], "action": action}, indent=2).encode()
    answer = await tab.ask("POST", f"/api/tables/{table}/act", body, key="k")
    assert answer.json() == {"n": first}
    assert await place.check(table, anna) == before


async def test_a_key_opens_one_table(place: Place) -> None:
    (anna,) = await place.people(1)
    body, (tab,) = {"game": "six", "seats": 2}, place.tabs(anna, 2)[1:]
    opened = await anna.post("/api/tables", body, key="a table")
    with pytest.raises(ServerRefused) as caught:
        await tab.post("/api/tables", body | {"seats": 3}, key="a table")
    assert (caught.value.status, caught.value.code) == (422, "key_reused")
    assert await tab.post("/api/tables", {"seats": 2, "game": "six"}, key="a table") == opened
    mixed = [tab.post("/api/tables", body | {"seats": 2 + n % 2}, key="another") for n in range(6)]
    answers = await asyncio.gather(*mixed, return_exceptions=True)
    assert len({answer["id"] for answer in answers if isinstance(answer, dict)}) == 1
    assert {answer.code for answer in answers if isinstance(answer, ServerRefused)} == {"key_reused"}


async def test_a_rematch_has_a_key_too(place: Place) -> None:
    anna, ben = await place.people(2)
    table = await place.begun([anna, ben], rounds=1)
    await play_on([anna, ben], table, place.rng)
    again = f"/api/tables/{table}/rematch"
    new = await anna.post(again, {}, key="k")
    tabs = place.tabs(anna)
    for tab in tabs:
        assert await tab.post(again, {}, key="k") == new
        with pytest.raises(ServerRefused) as caught:
            await tab.post(f"/api/tables/{table}/unlist", {}, key="k")
        assert caught.value.code == "key_reused"
    assert await ben.post(again, {}, key="k") == new


async def test_a_table_that_is_opened_again_is_the_same(place: Place) -> None:
    anna, ben = await place.people(2)
    body = {"game": "six", "seats": 2}
    opened = await asyncio.gather(*[tab.post("/api/tables", body, key="a table") for tab in place.tabs(anna, 6)])
    assert len({table["id"] for table in opened}) == 1
    assert (await ben.post("/api/tables", body, key="a table"))["id"] != opened[0]["id"]
    assert len(await anna.get("/api/tables/mine")) == 1


# -- order ------------------------------------------------------------------------------------------------------------


async def test_a_late_command_is_not_taken_for_another_decision(place: Place) -> None:
    anna, ben = await place.people(2)
    table = await place.begun([anna, ben], "x")
    late = []
    for _ in range(4):
        for person in (anna, ben):
            while not asks(situation := await person.situation(table)):
                other = ben if person is anna else anna
                seen = await other.situation(table)
                await other.act(table, any_action(seen["legal"], place.rng), seen["decision"])
            late.append((person, any_action(situation["legal"], place.rng), situation["decision"]))
            await person.act(table, any_action(situation["legal"], place.rng), situation["decision"])
    before = await anna.look(table)
    current = {person: (await person.situation(table))["decision"] for person in (anna, ben)}
    stale = [(person, action, decision) for person, action, decision in late if decision != current[person]]
    place.rng.shuffle(stale)
    assert len(stale) >= 5
    told = await all_at_once(*[person.act(table, action, decision) for person, action, decision in stale])
    assert set(told) == {"stale_decision"}
    assert await anna.look(table) == before


async def test_commands_that_come_in_the_wrong_order(place: Place) -> None:
    anna, ben = await place.people(2)
    table = await anna.open_table("six", 2)
    assert await all_at_once(ben.act(table, {"type": "PlayCard", "card": 1})) == ["not_seated"]
    assert await all_at_once(anna.do(table, "start")) == ["seats_empty"]
    await ben.do(table, "join")
    assert await all_at_once(ben.act(table, {"type": "PlayCard", "card": 1})) == ["not_playing"]
    assert await all_at_once(anna.do(table, "rematch")) == ["not_over"]
    await anna.do(table, "start")
    assert await all_at_once(ben.act(table, {"type": "ChooseRow", "row": 1})) == ["wrong_action"]


# -- at once ----------------------------------------------------------------------------------------------------------


async def test_everybody_chooses_at_the_same_instant(place: Place) -> None:
    people = await place.people(10)
    table = await place.begun(people, rounds=1)
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(person.socket(table)) for person in people]
        for socket in sockets:
            await socket.next()
        for _ in range(3):
            situations = await asyncio.gather(*[person.situation(table) for person in people])
            told = await all_at_once(
                *[
                    person.act(table, any_action(situation["legal"], place.rng), situation["decision"])
                    for person, situation in zip(people, situations, strict=True)
                ]
            )
            assert len({n for n in told if isinstance(n, int)}) == 10
            while (now := await people[0].situation(table))["waiting"][0]["kind"] == "row":
                await people[now["waiting"][0]["seat"]].act(table, {"type": "ChooseRow", "row": 1})
        updates = await place.check(table, people[0])
        last = updates[-1]["n"]
        heard = [await socket.until_number(last) for socket in sockets]
    assert heard[0] == updates[-len(heard[0]) :]
    assert all([message["n"] for message in messages] == [m["n"] for m in heard[0]] for messages in heard)
    revealed = [event for update in updates for event in update["events"] if event["type"] == "CardsRevealed"]
    assert [len(event["plays"]) for event in revealed] == [10, 10, 10]


async def test_two_tabs_of_one_player(place: Place) -> None:
    anna, ben = await place.people(2)
    table = await place.begun([anna, ben])
    one, other = place.tabs(anna)
    async with one.socket(table) as left, other.socket(table) as right:
        await left.next()
        await right.next()
        legal = (await anna.situation(table))["legal"]
        told = await all_at_once(one.act(table, legal[1]), other.act(table, legal[2]))
        assert len(set(told)) == 2
        (last,) = (n for n in told if n == max(told, key=int))
        chosen = legal[1:3][told.index(last)]
        await left.until_number(int(last))
        await right.until_number(int(last))
        assert left.frames == right.frames
    assert (await anna.situation(table))["view"]["choice"]["card"] == chosen["card"]
    await place.check(table, ben)


async def test_minds_are_changed_while_others_choose(place: Place) -> None:
    people = await place.people(4)
    table = await place.begun(people)
    restless = place.tabs(people[0], 4)
    legal = (await people[0].situation(table))["legal"]
    decision = (await people[0].situation(table))["decision"]
    others = [(person, (await person.situation(table))["legal"][0]) for person in people[1:]]
    told = await all_at_once(
        *[tab.act(table, action, decision) for action in legal[:5] for tab in restless],
        *[person.act(table, action) for person, action in others],
    )
    updates = await place.check(table, people[0])
    (reveal,) = (update for update in updates if any(event["type"] == "CardsRevealed" for event in update["events"]))
    changes = decided(updates, 0)
    accepted = [n for n in told[:20] if isinstance(n, int)]
    assert sorted(accepted) == [update["n"] for update in changes if update["n"] <= reveal["n"]]
    assert {code for code in told[:20] if isinstance(code, str)} <= {"stale_decision"}
    played = next(event for event in reveal["events"] if event["type"] == "CardsRevealed")["plays"]
    (mine,) = (play["card"] for play in played if play["seat"] == 0)
    last = told.index(max(accepted))
    assert mine == legal[last // 4]["card"]


async def test_many_want_one_seat(place: Place) -> None:
    host, *people = await place.people(7)
    table = await host.open_table("six", 4)
    told = await all_at_once(*[person.do(table, "join", seat=2) for person in people])
    assert sorted(map(type, told), key=str) == [int, *[str] * 5]
    assert {code for code in told if isinstance(code, str)} == {"seat_taken"}
    told = await all_at_once(*[person.do(table, "join") for person in people])
    assert sorted(code for code in told if isinstance(code, str)) == [
        "already_seated",
        "table_full",
        "table_full",
        "table_full",
    ]
    chairs = (await host.situation(table))["chairs"]
    assert len({chair["name"] for chair in chairs}) == 4
    await place.check(table, host)


async def test_one_person_sits_down_once(place: Place) -> None:
    host, ben = await place.people(2)
    table = await host.open_table("six", 8)
    told = await all_at_once(*[tab.do(table, "join") for tab in place.tabs(ben, 6)])
    assert sorted(map(str, told)) == ["3", *["already_seated"] * 5]


async def test_a_match_starts_once(place: Place) -> None:
    anna, ben = await place.people(2)
    for number in range(6):
        table = await anna.open_table("six", 2)
        await ben.do(table, "join")
        starts = [tab.do(table, "start") for tab in place.tabs(anna, 4)]
        told = await all_at_once(*starts, ben.do(table, "leave"))
        updates = await place.check(table, anna)
        notes = [update["note"]["type"] for update in updates if update["note"]]
        assert notes.count("MatchStarted") <= 1
        if "MatchStarted" in notes:
            assert sorted(map(str, told[:4]))[1:] == ["not_waiting"] * 3
            assert updates[-1]["situation"]["chairs"][1]["away"] == "left"
        else:
            assert set(told[:4]) == {"seats_empty"}, number


async def test_everybody_wants_a_rematch(place: Place) -> None:
    people = await place.people(4)
    table = await place.begun(people, "six", rounds=1)
    assert (await play_on(people, table, place.rng))["phase"] == "over"
    tabs = [tab for person in people for tab in place.tabs(person)]
    answers = await asyncio.gather(*[tab.do(table, "rematch") for tab in tabs])
    (again,) = {answer["id"] for answer in answers}
    chairs = (await people[0].situation(again))["chairs"]
    assert [chair["name"] for chair in chairs] == [f"P{seat}" for seat in range(4)]
    for person in people:
        mine = await person.get("/api/tables/mine")
        assert {card["id"] for card in mine if card["phase"] == "waiting"} == {again}
    (offered,) = (
        update for update in await place.check(table, people[0])
        if (update["note"] or {}).get("type") == "RematchOffered"
    )  # fmt: skip
    assert offered["note"]["table"] == again
    hosts = [(await person.situation(again))["is_host"] for person in people]
    await people[hosts.index(True)].do(again, "start")


async def test_news_come_from_every_process(place: Place) -> None:
    """Whoever acts where, everybody hears of it wherever they listen."""
    people = await place.people(4)
    table = await place.begun(people, "baron")
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(tab.socket(table, after=0)) for tab in place.tabs(people[0], 2)]
        streams = [
            await stack.enter_async_context(tab.lines(f"/api/stream/tables/{table}?after=0"))
            for tab in place.tabs(people[0], 2)
        ]
        await play_on(people, table, place.rng, steps=25)
        n = (await people[0].look(table))["n"]
        for socket in sockets:
            await socket.until_number(n)
        lines = [[await anext(stream) for _ in range(n)] for stream in streams]
    assert sockets[0].frames[:n] == sockets[1].frames[:n] == lines[0] == lines[1]

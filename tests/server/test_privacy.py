"""Shutting out, being forgotten, taking one's data along: on every store, with one process and with two, and after a
restart in between."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack
from random import Random
from typing import Any

import pytest

from nimmt.match.match import verify
from nimmt.server.hub import LocalHub
from nimmt.server.people import guests as g
from nimmt.server.people import keys, sessions
from nimmt.server.people.privacy import NOBODY, UNSAID
from nimmt.store.contract import DocumentRow, EntryRow, KeyRow, TableRow
from nimmt.testing.postgres import PostgresServer
from nimmt.testing.servers import House, Json, LiveServer, Person, ThreadServer, goodbye, play_on, refused

pytestmark = [pytest.mark.anyio, pytest.mark.in_turn("place")]

ONE_ROUND = {"rounds": 1}


PLACES = ["sqlite 2", "postgresql 2", *(pytest.param(one, marks=pytest.mark.soak) for one in ("memory", "sqlite"))]


@pytest.fixture(scope="module", params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[Any]]]:
    kind, _, count = request.param.partition(" ")
    with ExitStack() as stack:
        database = "memory"
        if kind == "sqlite":
            database = str(tmp_path_factory.mktemp("privacy") / "nimmt.db")
        if kind == "postgresql":
            postgres: PostgresServer = request.getfixturevalue("postgres_server")
            database = postgres.new_database()
            stack.callback(postgres.drop_database, database)
        yield database, [stack.enter_context(LiveServer(database)) for _ in range(int(count or 1))]


@pytest.fixture
async def house(place: tuple[str, list[LiveServer]]) -> AsyncIterator[House]:
    house = House(*place)
    yield house
    await house.close()


async def is_nobody(person: Person) -> None:
    await refused("not_signed_in", person.get("/api/me"))


async def rest(lines: AsyncIterator[bytes]) -> None:
    """Read a stream to its end; it must have one."""
    async with asyncio.timeout(60):
        async for _ in lines:
            pass


async def carried(house: House, person: Person) -> Person:
    """The same guest on another device, at the other server."""
    (other,) = await house.come("")
    code = (await person.post("/api/me/link"))["code"]
    other.id = (await other.post("/api/me/claim", {"code": code}))["id"]
    assert other.id == person.id
    return house.elsewhere(other)


# -- shutting out -----------------------------------------------------------------------------------------------------


async def test_a_token_that_is_taken_back_ends_its_streams(house: House) -> None:
    (anna,) = await house.come("Anna")
    table = await anna.open_table("six", 2)
    made = [await anna.post("/api/tokens", {"name": name}) for name in ("one", "two")]
    one, two = (house.program(each["token"]) for each in made)
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(program.lines(path))
            for program in (one, two)
            for path in (f"/api/stream/tables/{table}", "/api/stream/events")
        ]
        bearer = {"authorization": f"Bearer {made[0]['token']}"}
        socket = await stack.enter_async_context(one.socket(table, **bearer))
        await socket.next()
        own = await stack.enter_async_context(anna.socket(table))
        await own.next()
        await anext(streams[0])
        await anext(streams[2])
        await anna.ask("DELETE", f"/api/tokens/{made[0]['info']['id']}")
        assert await goodbye(socket) == "bad_token"
        await asyncio.gather(*map(rest, streams[:2]))
        await refused("bad_token", one.get("/api/me"))
        # Others go on.
        await anna.do(table, "say", text="Still here?")
        assert json.loads(await anext(streams[2]))["note"]["text"] == "Still here?"
        assert (await own.next())["note"]["text"] == "Still here?"


async def test_a_device_that_is_logged_out_loses_its_sockets(house: House) -> None:
    (anna,) = await house.come("Anna")
    table = await anna.open_table("six", 2)
    phone, tablet = await carried(house, anna), await carried(house, anna)
    first, second = await anna.get("/api/me/devices")
    assert first["since"] <= second["since"]
    async with anna.socket(table) as at_home, phone.socket(table) as mobile, tablet.socket(table) as other:
        for socket in (at_home, mobile, other):
            await socket.next()
        answer = await tablet.ask("DELETE", f"/api/me/devices/{first['id']}")
        assert answer.status_code == 204
        assert await goodbye(mobile) == "logged_out"
        await is_nobody(phone)
        await anna.do(table, "say", text="Hm.")
        assert (await at_home.next())["note"]["text"] == (await other.next())["note"]["text"] == "Hm."
    assert await anna.get("/api/me/devices") == [second]
    house.restart()
    await is_nobody(phone)
    assert (await tablet.get("/api/me"))["id"] == anna.id


async def test_logging_out_everywhere_else(house: House) -> None:
    (anna, ben) = await house.come("Anna", "Ben")
    table = await anna.open_table("six", 2)
    phone, twin = await carried(house, anna), house.elsewhere(anna)
    token = (await anna.post("/api/tokens", {"name": "bot"}))["token"]
    code = (await anna.post("/api/me/link"))["code"]
    async with twin.socket(table) as one, phone.socket(table) as other, ben.socket(table) as third:
        for socket in (one, other, third):
            await socket.next()
        assert (await anna.post("/api/me/log-out"))["id"] == anna.id
        assert [await goodbye(one), await goodbye(other)] == ["logged_out", "logged_out"]
        await anna.do(table, "say", text="Ben?")
        assert (await third.next())["note"]["text"] == "Ben?"
    house.restart()
    for person in (twin, phone):
        await is_nobody(person)
    await refused("bad_token", house.program(token).get("/api/me"))
    await refused("no_such_link", ben.post("/api/me/claim", {"code": code}))
    assert (await anna.get("/api/me"))["name"] == "Anna"
    assert await anna.get("/api/tokens") == await anna.get("/api/me/devices") == []
    assert (await house.elsewhere(anna).situation(table))["you"] == 0


async def test_an_answer_that_is_lost_locks_nobody_out(house: House) -> None:
    """The new cookie never came: the old one counts until one that is newer does."""
    (anna,) = await house.come("Anna")
    phone, lost = await carried(house, anna), house.elsewhere(anna)
    await lost.post("/api/me/log-out")
    await is_nobody(phone)
    assert (await house.elsewhere(anna).get("/api/me"))["id"] == anna.id
    copy = house.elsewhere(anna)
    await anna.post("/api/me/log-out")
    assert (await anna.get("/api/me"))["id"] == anna.id
    house.restart()
    for person in (lost, copy, phone):
        await is_nobody(person)


async def test_tokens_cannot_log_anybody_out(house: House) -> None:
    (anna,) = await house.come("Anna")
    made = await anna.post("/api/tokens", {"name": "bot", "scopes": ["read", "play", "tables"]})
    program = house.program(made["token"])
    for method, path in (("POST", "/log-out"), ("DELETE", ""), ("GET", "/data"), ("GET", "/devices")):
        answer = await program.ask(method, "/api/me" + path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")


async def test_word_that_is_lost_is_made_up_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Neither the hub nor anything else tells the process that serves the socket."""
    monkeypatch.setattr(sessions, "LOOK_SECONDS", 0.02)
    database = str(tmp_path / "nimmt.db")
    with ThreadServer(database) as one, ThreadServer(database) as two:
        async with Person(one.url) as anna:
            await anna.come_in("Anna")
            table = await anna.open_table("six", 2)
            monkeypatch.setattr(LocalHub, "hear_all", lambda self: None)
            async with anna.at(two.url) as twin, twin.socket(table) as socket:
                await socket.next()
                await anna.post("/api/me/log-out")
                assert await goodbye(socket) == "logged_out"


async def test_tokens_expire(timed: ThreadServer, time: Any) -> None:
    async with Person(timed.url) as anna:
        await anna.come_in("Anna")
        short = await anna.post("/api/tokens", {"name": "short", "expires_in_days": 2})
        usual = await anna.post("/api/tokens", {"name": "usual"})
        assert short["info"]["expires"] == time.ms + 2 * 86_400_000
        assert usual["info"]["expires"] == time.ms + g.TOKEN_DAYS * 86_400_000
        for days in (0, 3651):
            await refused("bad_request", anna.post("/api/tokens", {"name": "x", "expires_in_days": days}))
        async with Person(timed.url, short["token"]) as program, Person(timed.url, usual["token"]) as other:
            time.passes(hours=47)
            assert (await program.get("/api/me"))["id"] == anna.id
            time.passes(hours=1)
            answer = await program.ask("GET", "/api/me")
            assert answer.status_code == 401
            error = answer.json()["error"]
            assert error["code"] == "token_expired"
            assert "expired on 2027-01-17" in error["message"]
            await other.get("/api/me")
        assert len(await anna.get("/api/tokens")) == 2
        await anna.post("/api/tokens", {"name": "next"})
        assert [token["name"] for token in await anna.get("/api/tokens")] == ["usual", "next"]


async def test_a_stream_ends_when_its_token_expires(timed: ThreadServer, time: Any) -> None:
    async with Person(timed.url) as anna:
        await anna.come_in("Anna")
        table = await anna.open_table("six", 2)
        token = (await anna.post("/api/tokens", {"name": "short", "expires_in_days": 1}))["token"]
        async with Person(timed.url, token) as program, program.lines(f"/api/stream/tables/{table}") as lines:
            await anext(lines)
            time.passes(hours=24)
            await anna.do(table, "say", text="Too late.")
            await rest(lines)


# -- keys -------------------------------------------------------------------------------------------------------------


async def rotate(database: str, keep_days: int = keys.KEPT_DAYS) -> None:
    """By the command, beside the servers."""
    words = ["rotate-key", "--database", database, "--keep-days", str(keep_days)]
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "nimmt", *words)
    assert await process.wait() == 0


@pytest.mark.soak
async def test_keys_can_be_changed_while_servers_run(house: House) -> None:
    if house.database == "memory":
        pytest.skip("nobody else can reach it")
    (anna,) = await house.come("Anna")
    opened = await anna.post("/api/tables", {"game": "six", "seats": 2}, key="once")
    before = anna.cookie
    await rotate(house.database)
    (ben,) = await house.come("Ben")
    assert (await house.elsewhere(ben).get("/api/me"))["name"] == "Ben"
    assert (await house.elsewhere(anna).get("/api/me"))["name"] == "Anna"

    async def renewed() -> bool:
        await anna.get("/api/me")
        return anna.cookie != before

    async with asyncio.timeout(60):
        while not await renewed():  # as soon as this process has heard of the new key
            await asyncio.sleep(0.05)
    house.restart()
    assert await anna.post("/api/tables", {"game": "six", "seats": 2}, key="once") == opened
    await rotate(house.database, keep_days=0)
    house.restart()
    await is_nobody(anna)
    await is_nobody(ben)


async def test_cookies_of_an_old_key_are_good_for_a_while(timed: ThreadServer, time: Any) -> None:
    async with Person(timed.url) as anna, Person(timed.url) as lazy:
        await anna.come_in("Anna")
        lazy.http.cookies = dict(anna.http.cookies)  # type: ignore[assignment]
        timed.run(keys.rotate(timed.platform.store))
        timed.run(timed.platform.guests.reload())
        time.passes(hours=24 * keys.KEPT_DAYS - 1)
        await anna.get("/api/me")
        time.passes(hours=1)
        assert (await anna.get("/api/me"))["name"] == "Anna"
        await is_nobody(lazy)


async def test_cookies_of_older_versions_count() -> None:
    """They say only who somebody is, signed with the one key that there was."""
    import hmac
    from base64 import urlsafe_b64encode
    from hashlib import sha256

    with ThreadServer() as server:
        key, store = bytes(range(32)), server.platform.store

        async def make_old() -> None:
            for name in await store.documents("cookie-key"):
                await store.remove("cookie-key", name)
            await store.remove("secret", "id-key")
            await store.put("secret", "cookie-key", key)
            await store.put("guest", "anna", b'{"name":"Anna","created":1}')
            await server.platform.guests.reload()

        server.run(make_old())
        signature = urlsafe_b64encode(hmac.new(key, b"guest:anna", sha256).digest()).decode().rstrip("=")
        async with Person(server.url) as anna:
            answer = await anna.ask("GET", "/api/me", cookie=f"nimmt=anna.{signature}")
            assert answer.json() == {"id": "anna", "name": "Anna"}
            assert len(anna.cookie.split(".")) == 6, "it is signed anew"
            assert (await anna.get("/api/me"))["id"] == "anna"
            await anna.post("/api/me/log-out")
            assert (await anna.get("/api/me"))["id"] == "anna"
        async with Person(server.url) as thief:
            assert (await thief.ask("GET", "/api/me", cookie=f"nimmt=anna.{signature}")).status_code == 401


# -- taking along -----------------------------------------------------------------------------------------------------


async def test_all_that_is_known_of_a_guest_can_be_had(house: House) -> None:
    anna, ben = await house.come("Anna", "Ben")
    over = await anna.open_table("six", 2, options=ONE_ROUND)
    await ben.do(over, "join")
    await anna.do(over, "start")
    await play_on([anna, ben], over, Random(1))
    await anna.do(over, "say", text="Well played!")
    await ben.do(over, "say", text="Thanks.")
    await anna.do(over, "unlist")
    running = await ben.open_table("six", 2)
    await anna.do(running, "join")
    await ben.do(running, "start")
    watched = await ben.open_table("six", 2)
    await anna.do(watched, "say", text="May I?")
    other = await ben.open_table("six", 2)
    token = await anna.post("/api/tokens", {"name": "bot"})
    await carried(house, anna)
    house.restart()
    answer = await anna.ask("GET", "/api/me/data")
    assert "attachment" in answer.headers["content-disposition"]
    data = answer.json()
    assert (data["id"], data["name"]) == (anna.id, "Anna")
    assert data["tokens"] == [token["info"]]
    assert data["devices"] == await anna.get("/api/me/devices")
    assert data["created"] > data["last_seen"] > 0
    tables = {table["id"]: table for table in data["tables"]}
    assert tables.keys() == {over, running, watched}
    assert [message["text"] for message in tables[over]["messages"]] == ["Well played!"]
    assert tables[over]["record"] == json.loads(await ben.record(over))
    assert (tables[running]["phase"], tables[running]["seat"], tables[running]["host"]) == ("playing", 1, False)
    assert tables[running]["record"] is None
    assert tables[watched]["seat"] is None
    for secret in (ben.id, other, token["token"], "Thanks."):
        assert secret not in answer.text


# -- being forgotten --------------------------------------------------------------------------------------------------


async def test_a_guest_who_is_deleted_leaves_no_name_and_no_word(house: House) -> None:
    anna, ben, cem = await house.come("Zsuzsanna", "Ben", "Zsuzsanna")
    over = await anna.open_table("six", 3, options=ONE_ROUND)
    await ben.do(over, "join")
    await cem.do(over, "join")
    await anna.do(over, "start", key="first")
    await play_on([anna, ben, cem], over, Random(2))
    await anna.do(over, "say", text="My address is…")
    await anna.do(over, "unlist")
    record = json.loads(await ben.record(over))
    running = await anna.open_table("six", 2, options=ONE_ROUND)
    await ben.do(running, "join")
    await anna.do(running, "start")
    alone = await anna.open_table("six", 2, bots=["random"], start=True)
    waiting = await anna.open_table("six", 2, public=True)
    theirs = await ben.open_table("six", 2)
    await anna.do(theirs, "join")
    watched = await ben.open_table("six", 2)
    await anna.do(watched, "say", text="My number is…")
    token = (await anna.post("/api/tokens", {"name": "bot"}))["token"]
    phone = await carried(house, anna)
    async with phone.socket(running) as own, house.elsewhere(ben).socket(running) as other:
        await own.next()
        await other.next()
        answer = await anna.ask("DELETE", "/api/me")
        assert answer.status_code == 204
        assert "Max-Age=0" in answer.headers["set-cookie"]
        assert await goodbye(own) == "logged_out"
        (*_, last) = await other.until(lambda message: message["note"]["type"] == "Unlisted")
        assert last["situation"]["chairs"][0]["name"] == NOBODY
        assert last["situation"]["chairs"][0]["away"] == "left"
    for person in (anna, phone):
        await is_nobody(person)
    await refused("bad_token", house.program(token).get("/api/me"))

    await check_the_past(house, ben, over, watched, record)
    phases = [(await ben.situation(table))["phase"] for table in (alone, waiting, theirs, running)]
    assert phases == ["closed", "closed", "waiting", "playing"]
    assert (await ben.situation(theirs))["chairs"][1]["kind"] == "empty"
    assert (await play_on([ben], running, Random(3)))["phase"] == "over", "a bot plays for them"
    await check_the_database(house, anna)
    house.restart()
    await check_the_past(house, ben, over, watched, record)
    await is_nobody(anna)


async def check_the_past(house: House, ben: Person, over: str, watched: str, record: Json) -> None:
    for eyes in (ben, house.elsewhere(ben)):
        told = json.dumps([await eyes.look(over), await eyes.updates(over), await eyes.updates(watched)])
        assert "address" not in told
        assert "number is" not in told
        assert "Zsuzsanna (2)" in told, "whoever was told apart from them stays so"
        assert '"Zsuzsanna"' not in told
    after = json.loads(await ben.record(over))
    assert [seat["name"] for seat in after["seats"]] == [NOBODY, "Ben", "Zsuzsanna (2)"]
    named = {"seats": 0, "digest": 0}  # what depends on names
    assert {**after, **named} == {**record, **named}, "the match is as it was"
    verify(await ben.record(over))
    assert (await ben.look(over))["chat"][-1]["text"] == UNSAID


async def check_the_database(house: House, anna: Person) -> None:
    """All that is left for a while is that somebody with this id was forgotten."""
    if house.database == "memory":
        return
    everything = (await house.everything()).split("\n")
    tables = "".join(row for row in everything if not row.startswith("DocumentRow"))
    for word in ("address is", "number is", '"Zsuzsanna"'):
        assert word not in tables
    kept = [row for row in everything if anna.id in row]
    assert all(row.startswith("DocumentRow") for row in kept), kept
    assert all("'leaving'" in row or "'ended'" in row or "'presence'" in row for row in kept), kept


async def test_whoever_plays_on_with_nobody_can_give_up(house: House) -> None:
    anna, ben = await house.come("Anna", "Ben")
    table = await anna.open_table("six", 2)
    await ben.do(table, "join")
    await anna.do(table, "start")
    await anna.ask("DELETE", "/api/me")
    await ben.do(table, "close")
    assert (await ben.situation(table))["phase"] == "closed"


async def test_what_was_begun_is_finished(timed: ThreadServer, time: Any) -> None:
    """A process may die in the midst of it, and a request may have been on its way."""
    async with Person(timed.url) as anna, Person(timed.url) as ben:
        await anna.come_in("Anna")
        await ben.come_in("Ben")
        table = await ben.open_table("six", 2)
        store, privacy = timed.platform.store, timed.platform.privacy
        timed.run(store.put("leaving", anna.id, str(time.ms).encode()))
        await anna.do(table, "say", text="Secret!")
        timed.run(privacy.sweep())
        assert (await anna.get("/api/me"))["name"] == "Anna", "not yet"
        time.passes(seconds=600)
        timed.run(privacy.sweep())
        await is_nobody(anna)
        assert (await ben.look(table))["chat"][0] == {
            "type": "ChatSaid", "n": 3, "name": NOBODY, "seat": None, "text": UNSAID,
        }  # fmt: skip
        assert timed.run(store.documents("leaving")) == {}


async def test_guests_who_never_come_back_are_forgotten(time: Any) -> None:
    with ThreadServer(keep_guest_days=30) as server:
        store, sweep = server.platform.store, server.platform.privacy.sweep
        async with Person(server.url) as anna, Person(server.url) as ben:
            await anna.come_in("Anna")
            server.run(store.put("guest", "old", b'{"name":"Old","created":1}'))
            await ben.come_in("Ben")
            table = await ben.open_table("six", 2)
            await anna.do(table, "join")
            server.run(sweep())
            for _ in range(31):
                time.passes(hours=24)
                await ben.get("/api/me")
                server.run(sweep())
            assert server.run(store.documents("guest")).keys() == {ben.id}
            assert (await ben.situation(table))["chairs"][1]["kind"] == "empty"
            await is_nobody(anna)
            kept = [row for row in server.run(_rows(store)) if anna.id in repr(row) or "'old'" in repr(row)]
            assert all(isinstance(row, DocumentRow) and row.kind in ("leaving", "ended") for row in kept)


async def test_a_visit_is_written_down_once_a_day(timed: ThreadServer, time: Any) -> None:
    async with Person(timed.url) as anna:
        await anna.come_in("Anna")
        store = timed.platform.store
        written: list[str] = []
        put = store.put

        async def noting(kind: str, *words: Any) -> None:
            written.append(kind)
            await put(kind, *words)

        store.put = noting  # type: ignore[method-assign,assignment]
        for _ in range(5):
            await anna.get("/api/me")
        assert written == []
        time.passes(hours=24)
        for _ in range(5):
            await anna.get("/api/me")
        assert [kind.partition(":")[0] for kind in written] == ["seen", "seen"]


async def _rows(store: Any) -> list[TableRow | EntryRow | KeyRow | DocumentRow]:
    return [row async for row in store.export()]

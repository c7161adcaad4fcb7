"""Looking after servers with the command, beside them and on their database; reports, mutes and blocks."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from io import StringIO
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from nimmt.clients.cli.main import main
from nimmt.server.people.moderation import network_of, written
from nimmt.testing.postgres import PostgresServer
from nimmt.testing.servers import House, LiveServer, Person, ServerRefused, ThreadServer, goodbye, refused

pytestmark = [pytest.mark.anyio, pytest.mark.in_turn("place")]


@pytest.fixture(scope="module", params=["sqlite", "postgresql 2"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[Any]]]:
    kind, _, count = request.param.partition(" ")
    with ExitStack() as stack:
        database = str(tmp_path_factory.mktemp("admin") / "nimmt.db")
        if kind == "postgresql":
            postgres: PostgresServer = request.getfixturevalue("postgres_server")
            database = postgres.new_database()
            stack.callback(postgres.drop_database, database)
        # As behind a proxy on this machine, so that people can come from anywhere.
        make = lambda: LiveServer(database, trusted_proxies="127.0.0.1")  # noqa: E731
        yield database, [stack.enter_context(make()) for _ in range(int(count or 1))]


@pytest.fixture
async def house(place: tuple[str, list[LiveServer]]) -> AsyncIterator[House]:
    house = House(*place)
    yield house
    await house.close()


async def admin(house: House, *words: str, code: int = 0) -> Any:
    """`nimmt admin` as it is called, beside the servers; what it says to programs."""
    json_too = [] if words[0] == "export" else ["--json"]
    out, done = await asyncio.to_thread(_run, ["admin", *words, "--database", house.database, *json_too])
    assert done == code, out
    return json.loads(out) if words[0] != "watch" else [json.loads(line) for line in out.splitlines()]


def _run(words: list[str]) -> tuple[str, int]:
    """In this process: to start Python for every word would take most of the time."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(out):
        code = main(words)
    return out.getvalue(), code


async def heard(asking: Any) -> str:
    """Ask again until it is refused: the code."""
    async with asyncio.timeout(60):
        while True:
            try:
                await asking()
            except ServerRefused as error:
                return error.code
            await asyncio.sleep(0.02)


# -- tables -----------------------------------------------------------------------------------------------------------


async def test_tables_are_listed_watched_and_closed(house: House) -> None:
    anna, ben = await house.come("Anna", "Ben")
    table = await anna.open_table("six", 2)
    await ben.do(table, "join")
    await anna.do(table, "start")
    (listed,) = [row for row in await admin(house, "tables") if table.startswith(row["id"])]
    assert listed["id"] != table, "whoever knows it may come in"
    assert (listed["seats"], listed["phase"]) == (["Anna", "Ben"], "playing")
    full = await admin(house, "tables", "--full")
    assert table in [row["id"] for row in full]
    watched = await admin(house, "watch", listed["id"], "--once")
    (spectator,) = await house.come("")
    assert watched == await spectator.updates(table), "a spectator's eyes"
    assert (await admin(house, "close", listed["id"], code=1))["error"]["code"] == "not_confirmed"
    async with house.elsewhere(ben).socket(table) as socket:
        await socket.next()
        assert (await admin(house, "close", listed["id"], "--yes"))["closed"]
        assert (await socket.next())["note"] == {"type": "TableClosed", "reason": "admin"}
    assert not (await admin(house, "close", listed["id"], "--yes"))["closed"]
    assert (await admin(house, "close", "nowhere", "--yes", code=1))["error"]["code"] == "no_such"
    assert (await admin(house, "log"))[0].items() >= {"what": "close", "target": listed["id"]}.items()
    assert table not in json.dumps(await admin(house, "log"))


async def test_a_deleted_table_is_gone_everywhere(house: House) -> None:
    anna, ben = await house.come("Anna", "Ben")
    table = await anna.open_table("six", 2, public=True)
    twin = house.elsewhere(ben)
    await twin.look(table)
    async with twin.socket(table) as socket:
        await socket.next()
        await admin(house, "delete", table, "--yes")
        assert await goodbye(socket) == "no_such_table"
    for person in (anna, twin):
        assert await heard(lambda person=person: person.look(table)) == "no_such_table"
    assert table not in [card["id"] for card in await anna.get("/api/tables")]
    house.restart()
    await refused("no_such_table", anna.look(table))


async def test_a_message_is_taken_away(house: House) -> None:
    anna, ben = await house.come("Anna", "Ben")
    table = await anna.open_table("six", 2)
    kept = (await anna.do(table, "say", text="Hello!"))["n"]
    n = (await ben.do(table, "say", text="Something vile"))["n"]
    async with house.elsewhere(anna).socket(table) as socket:
        await socket.next()
        await admin(house, "remove-message", table, str(n), "--yes")
        assert (await socket.next())["note"] == {"type": "ChatRemoved", "n": n}
    for _ in range(2):
        for eyes in (anna, ben, house.elsewhere(ben)):
            assert await heard(lambda eyes=eyes: eyes.post(f"/api/tables/{table}/report", {"n": n})) in (
                "no_such_message", "yourself",
            )  # fmt: skip
            look, updates = await eyes.look(table), await eyes.updates(table)
            assert [said["n"] for said in look["chat"]] == [kept]
            assert "vile" not in json.dumps([look, updates])
            assert [update["n"] for update in updates] == [*range(1, look["n"] + 1)], "numbered without gaps"
        house.restart()
    for wrong in (n, 1, 10_000):
        error = (await admin(house, "remove-message", table, str(wrong), "--yes", code=1))["error"]
        assert error["code"] == "no_such_message"
    assert (await admin(house, "log"))[0]["detail"] == f"message {n}"


# -- bans -------------------------------------------------------------------------------------------------------------


async def test_a_banned_guest_is_out_at_once(house: House) -> None:
    anna, ben = await house.come("Anna", "Ben")
    table = await anna.open_table("six", 2)
    token = (await ben.post("/api/tokens", {"name": "mine"}))["token"]
    twin, program = house.elsewhere(ben), house.program(token)
    async with ben.socket(table) as one, twin.socket(table) as other, anna.socket(table) as third:
        for socket in (one, other, third):
            await socket.next()
        assert ben.id.startswith("g"), "a dash in front would be an option of the command"
        said = await admin(house, "ban", ben.id, "--for", "2h", "--reason", "insults")
        assert [await goodbye(one), await goodbye(other)] == ["banned", "banned"]
        await anna.do(table, "say", text="Peace.")
        assert (await third.next())["note"]["text"] == "Peace."
    for person in (ben, twin, program):
        for path in ("/api/me", f"/api/tables/{table}", "/api/tables"):
            answer = await person.ask("GET", path)
            assert answer.status_code == 403
            error = answer.json()["error"]
            assert error["code"] == "banned"
            assert "until 20" in error["message"]
            assert error["message"].endswith("UTC. Reason: insults")
    house.restart()
    await refused("banned", ben.do(table, "join"))
    (ban,) = [ban for ban in await admin(house, "bans", "--full") if ban["name"] == ben.id]
    assert (ban["kind"], ban["until"]) == ("guest", said["until"])
    await admin(house, "unban", ben.id)
    async with asyncio.timeout(60):
        while (await twin.ask("GET", "/api/me")).status_code != 200:
            await asyncio.sleep(0.02)
    assert (await admin(house, "unban", ben.id, code=1))["error"]["code"] == "no_such"
    assert [act["what"] for act in (await admin(house, "log"))[:2]] == ["unban", "ban"]


@pytest.mark.parametrize(
    ("banned", "inside", "outside"),
    [
        ("203.0.113.7", "203.0.113.7", "203.0.113.8"),
        ("198.51.100.0/24", "198.51.100.99", "198.51.101.1"),
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::1", "2001:db8:1:3::5"),
    ],
)
async def test_nobody_comes_from_a_banned_address(house: House, banned: str, inside: str, outside: str) -> None:
    (anna,) = await house.come("Anna")
    table = await anna.open_table("six", 2)
    (stranger,) = await house.come("")
    stranger = house.elsewhere(stranger)
    there = {"x_forwarded_for": inside}
    async with stranger.socket(table, **there) as socket:
        await socket.next()
        await admin(house, "ban", banned, "--for", "1d")
        assert await goodbye(socket) == "banned"
    for path in ("/", "/api/games", f"/api/tables/{table}"):
        answer = await stranger.ask("GET", path, **there)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "banned")
    assert (await stranger.ask("POST", "/api/guests", {"name": "New"}, **there)).status_code == 403
    async with stranger.socket(table, **there) as socket:
        assert await goodbye(socket) == "banned"
    assert (await stranger.ask("GET", "/api/games", x_forwarded_for=outside)).status_code == 200
    await admin(house, "unban", banned)
    async with asyncio.timeout(60):
        while (await stranger.ask("GET", "/api/games", **there)).status_code != 200:
            await asyncio.sleep(0.02)


async def test_bans_end_by_themselves(timed: ThreadServer, time: Any) -> None:
    async with Person(timed.url) as anna:
        await anna.come_in("Anna")
        bans, store = timed.platform.bans, timed.platform.store
        until = time.ms + 3_600_000
        timed.run(store.put("ban:guest", anna.id, b'{"since":0,"until":%d}' % until, until))
        timed.run(bans.look())
        await refused("banned", anna.get("/api/me"))
        time.passes(seconds=3599)
        await refused("banned", anna.get("/api/me"))
        time.passes(seconds=1)
        assert (await anna.get("/api/me"))["name"] == "Anna"


async def test_networks_are_read_as_people_write_them() -> None:
    for text, meant in (
        ("203.0.113.7", "203.0.113.7"),
        (" 203.0.113.9/24 ", "203.0.113.0/24"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("2001:db8::/48", "2001:db8::/48"),
    ):
        assert written(network_of(text)) == meant
        assert network_of(meant) == ip_network(meant)
    for text in ("", "Yw9f", "300.1.1.1", "10", "1.2.3.4/33"):
        with pytest.raises(ValueError, match="does not appear to be"):
            network_of(text)


# -- people's data, and load ------------------------------------------------------------------------------------------


async def test_a_persons_data_is_exported_and_deleted(house: House) -> None:
    anna, ben = await house.come("Roswitha", "Ben")
    table = await ben.open_table("six", 2)
    await anna.do(table, "say", text="My address is…")
    (found,) = await admin(house, "people", "--name", "roswi")
    assert anna.id.lstrip("-").startswith(found["id"])
    data = await admin(house, "export", found["id"])
    assert (data["id"], data["tables"][0]["messages"][0]["text"]) == (anna.id, "My address is…")
    assert data == (await anna.ask("GET", "/api/me/data")).json()
    await ben.post(f"/api/tables/{table}/report", {"n": 3})
    await ben.post(f"/api/tables/{table}/shun", {"n": 3})
    async with house.elsewhere(anna).socket(table) as socket:
        await socket.next()
        assert (await admin(house, "forget", found["id"], code=1))["error"]["code"] == "not_confirmed"
        await admin(house, "forget", found["id"], "--yes")
        assert await goodbye(socket) == "logged_out"
    assert await heard(lambda: anna.get("/api/me")) == "not_signed_in"
    assert "address" not in json.dumps(await ben.look(table))
    kept = [row for row in (await house.everything()).split("\n") if anna.id in row or "Roswitha" in row]
    assert all("'leaving'" in row or "'ended'" in row or "'presence'" in row for row in kept), kept


async def test_somebody_is_logged_out_everywhere(house: House) -> None:
    """Cookies and tokens alike; the guest and what they played stay."""
    anna, ben = await house.come("Roswitha", "Ben")
    table = await anna.open_table("six", 2)
    token = (await anna.post("/api/tokens", {"name": "bot"}))["token"]
    (found,) = await admin(house, "people", "--name", "roswi")
    async with house.elsewhere(anna).socket(table) as socket:
        await socket.next()
        await admin(house, "log-out", found["id"], "--yes")
        assert await goodbye(socket) == "logged_out"
    assert await heard(lambda: anna.get("/api/me")) == "not_signed_in"
    async with Person(anna.url, token) as program:
        assert await heard(lambda: program.get("/api/me")) == "bad_token"
    assert (await ben.look(table))["situation"]["chairs"][0]["name"] == "Roswitha"


async def test_load_tells_of_every_process(house: House) -> None:
    (anna,) = await house.come("Anna")
    await anna.open_table("six", 2)
    load = await admin(house, "load")
    assert len(load["processes"]) == len(house.servers)
    assert {process["pid"] for process in load["processes"]} == {server.pid for server in house.servers}
    assert load["tables"]["waiting"] >= 1
    assert load["guests"] >= 1


# -- reports ----------------------------------------------------------------------------------------------------------


async def test_what_players_report_ends_up_here(house: House) -> None:
    anna, ben, cem = await house.come("Anna", "Rude Ben", "Cem")
    table = await anna.open_table("six", 3, bots=["random"])
    await ben.do(table, "join")
    n = (await ben.do(table, "say", text="Something vile"))["n"]
    path = f"/api/tables/{table}/report"
    for _ in range(3):
        await anna.post(path, {"n": n, "comment": "He always\ndoes this."})
    await house.elsewhere(cem).post(path, {"n": n})
    await cem.post(path, {"seat": 1})
    for body, code in (
        ({"n": 1}, "no_such_message"),
        ({"n": n + 1}, "no_such_message"),
        ({"seat": 2}, "no_such_seat"),
        ({"seat": 9}, "no_such_seat"),
        ({"seat": -1}, "no_such_seat"),
        ({}, "bad_request"),
        ({"n": n, "seat": 1}, "bad_request"),
        ({"n": n, "comment": "x" * 301}, "bad_request"),
    ):
        await refused(code, cem.post(path, body))
    await refused("yourself", ben.post(path, {"n": n}))
    (nobody,) = await house.come("")
    await refused("not_signed_in", nobody.post(path, {"n": n}))
    house.restart()

    mine = [case for case in await admin(house, "reports") if table.startswith(case["table"])]
    (message,) = [case for case in mine if case["n"] == n]
    (name,) = [case for case in mine if case["n"] is None]
    assert (message["text"], message["reporters"], message["comments"]) == (
        "Something vile",
        2,
        ["He always does this."],
    )
    assert (name["name"], name["text"], name["reporters"]) == ("Rude Ben", None, 1)
    assert ben.id.lstrip("-").startswith(name["guest"])
    await admin(house, "resolve", message["id"])
    await admin(house, "dismiss", name["id"])
    assert not [case for case in await admin(house, "reports") if case["id"] in (message["id"], name["id"])]
    states = {case["id"]: case["state"] for case in await admin(house, "reports", "--all")}
    assert (states[message["id"]], states[name["id"]]) == ("resolved", "dismissed")
    await cem.post(path, {"seat": 1})
    assert {case["id"]: case["state"] for case in await admin(house, "reports", "--all")} == states, "said already"
    await anna.post(path, {"seat": 1})
    assert name["id"] in [case["id"] for case in await admin(house, "reports")], "somebody else says so, too"
    own = (await anna.ask("GET", "/api/me/data")).json()["reports"]
    assert [report["comment"] for report in own] == ["He always does this.", ""]


async def test_reports_are_limited() -> None:
    with ThreadServer(reports_per_address=2) as server:
        async with Person(server.url) as anna, Person(server.url) as ben:
            await anna.come_in("Anna")
            await ben.come_in("Ben")
            table = await anna.open_table("six", 2)
            for text in ("one", "two", "three"):
                n = (await ben.do(table, "say", text=text))["n"]
                reporting = anna.post(f"/api/tables/{table}/report", {"n": n})
                await (refused("too_many", reporting) if text == "three" else reporting)


# -- mute and block ---------------------------------------------------------------------------------------------------


async def test_muting_somebody(house: House) -> None:
    anna, ben, cem = await house.come("Anna", "Ben", "Cem")
    table, other = await anna.open_table("six", 2), await cem.open_table("six", 2)
    n = (await ben.do(table, "say", text="Blah one"))["n"]
    await refused("yourself", ben.post(f"/api/tables/{table}/shun", {"n": n}))
    await anna.post(f"/api/tables/{table}/shun", {"n": n})
    twin = house.elsewhere(anna)
    async with twin.socket(table) as socket:
        assert (await socket.next())["chat"] == []
        await ben.do(table, "say", text="Blah two")
        assert (await socket.next())["note"] == {"type": "Unlisted"}
        await cem.do(table, "say", text="Hm.")
        assert (await socket.next())["note"]["text"] == "Hm."
    await ben.do(other, "say", text="Blah three")
    house.restart()
    for eyes in (anna, twin):
        told = [await eyes.look(table), await eyes.updates(table), await eyes.look(other), await eyes.updates(other)]
        assert "Blah" not in json.dumps(told)
    assert "Blah" in json.dumps(await cem.updates(table)), "others hear it"
    (shunned,) = await twin.get("/api/me/shunned")
    assert (shunned["name"], shunned["blocked"]) == ("Ben", False)
    assert ben.id not in json.dumps(shunned)
    assert (await twin.ask("DELETE", f"/api/me/shunned/{shunned['id']}")).status_code == 204
    assert await twin.get("/api/me/shunned") == []
    assert [said["text"] for said in (await twin.look(table))["chat"]] == ["Blah one", "Blah two", "Hm."]


async def test_blocking_somebody(house: House) -> None:
    anna, ben = await house.come("Anna", "Ben")
    table, next_one, theirs = [await host.open_table("six", 2) for host in (anna, anna, ben)]
    await ben.do(table, "join")
    await anna.post(f"/api/tables/{table}/shun", {"seat": 1, "block": True})
    assert (await anna.situation(table))["chairs"][1]["kind"] == "empty"
    twin = house.elsewhere(ben)
    for command, body in (("join", {}), ("say", {"text": "Why?"})):
        await refused("blocked", ben.do(next_one, command, **body))
        assert await heard(lambda c=command, b=body: twin.do(next_one, c, **b)) == "blocked"
    assert (await ben.look(next_one))["situation"]["phase"] == "waiting", "they may watch"
    await anna.do(theirs, "join")
    (shunned,) = await anna.get("/api/me/shunned")
    assert shunned["blocked"]
    await anna.ask("DELETE", f"/api/me/shunned/{shunned['id']}")
    await ben.do(next_one, "join")


# -- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tables", "--database", "memory"], "belongs to its server"),
        (["tables", "--database", "none.db"], "There is no database none.db"),
        (["ban", "--database", "x.db"], "required: WHO"),
        (["ban", "x", "--for", "soon"], "must look like 30m, 12h, 7d or 2w"),
        (["ban", "x", "--for", "9999w"], "ten years at most"),
        (["remove-message", "x", "0"], "1"),
        (["tables", "--ful"], "did you mean --full?"),
    ],
)
def test_what_the_command_says(words: list[str], said: str, capsys: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["admin", *words]) in (1, 2)
    assert said in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == [], "nothing was made on the way"


def test_lists_for_people(tmp_path: Path, capsys: Any) -> None:
    database = str(tmp_path / "nimmt.db")
    with ThreadServer(database) as server:

        async def play() -> str:
            async with Person(server.url) as anna:
                await anna.come_in("Anna")
                table = await anna.open_table("six", 2, bots=["random"])
                await anna.do(table, "say", text="\u2068Hello")
                return table

        table = asyncio.run(play())
    for words, said in (
        (["tables"], [table[:8], "six", "Anna, Bruno"]),
        (["watch", table, "--once"], ["seat 0  Anna (guest", "BotJoined seat 1 level random", "Anna: Hello"]),
        (["people"], ["Anna"]),
        (["bans"], ["Nobody is banned."]),
        (["ban", "10.0.0.1", "--for", "ever"], ["10.0.0.1 is banned for good."]),
        (["bans"], ["address", "10.0.0.1", "for good"]),
        (["reports"], ["There is nothing to look at."]),
        (["load"], ["1 waiting", "guests: 1, bans: 1", "No server uses"]),
        (["log"], ["ban", "10.0.0.1", "for good"]),
    ):
        assert main(["admin", *words, "--database", database]) == 0
        out = capsys.readouterr().out
        for part in said:
            assert part in out, out
        assert table not in out

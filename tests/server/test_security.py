"""Break-ins that must fail. `docs/security.md` maps each threat to its test here."""

import inspect
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nimmt.server.http.security import HEADERS
from nimmt.server.people import guests
from nimmt.testing.servers import LiveServer, Person, ServerRefused, TableSocket, ThreadServer, play_on

pytestmark = pytest.mark.anyio

SCRIPT = "<img src=x onerror=alert(1)>"


async def refused(code: str, asking: Any) -> None:
    with pytest.raises(ServerRefused) as caught:
        await asking
    assert caught.value.code == code


async def goodbye(socket: TableSocket) -> str:
    """The code with which the server closes a socket that it does not want."""
    message = await socket.next()
    assert message["type"] == "Refused"
    code: str = message["error"]["code"]
    return code


# -- whose seat it is ----------------------------------------------------------------------------------------


async def test_nobody_acts_for_another_seat(come: Any) -> None:
    anna, ben, eve = await come("Anna", "Ben", "Eve")
    table = await anna.open_table("six", 2)
    await ben.do(table, "join")
    await anna.do(table, "start")
    hand = (await anna.situation(table))["view"]["hand"]
    await refused("not_seated", eve.act(table, {"type": "PlayCard", "card": hand[0]}))
    await refused("not_in_hand", ben.act(table, {"type": "PlayCard", "card": hand[0]}))
    assert (await anna.situation(table))["view"]["choice"] is None


async def test_only_the_host_rules_a_table(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("six", 3)
    await ben.do(table, "join")
    await refused("not_host", ben.do(table, "bot", seat=2, level="greedy"))
    await refused("not_host", ben.do(table, "clear", seat=0))
    await refused("not_host", ben.do(table, "swap", one=0, other=1))
    await refused("not_host", ben.do(table, "start"))
    await refused("not_host", ben.do(table, "close"))


async def test_tables_cannot_be_guessed_or_listed(come: Any) -> None:
    """An id has 128 bits, a table by link only is in no list, and every wrong id is answered alike."""
    anna, eve = await come("Anna", "Eve")
    table = await anna.open_table("six", 2, public=False)
    assert len(table) >= 22
    assert table not in {card["id"] for card in await eve.get("/api/tables")}
    assert table not in {card["id"] for card in await eve.get("/api/tables/mine")}
    answers = {(await eve.ask("GET", f"/api/tables/{guess}")).text for guess in (table[:-1], table[::-1], "0")}
    assert len(answers) == 1
    await refused("no_such_table", eve.look(table[:-1] + "A" if table[-1] != "A" else table[:-1] + "B"))


# -- who somebody is -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", ["", "x", "cut", "other", "unsigned"])
async def test_forged_cookies_are_nobody(come: Any, server: LiveServer, change: str) -> None:
    anna, ben = await come("Anna", "Ben")
    name, _, value = anna.cookie.partition("=")
    guest, _, signature = value.partition(".")
    forged = {
        "": "",
        "x": value[:-1] + ("A" if value[-1] != "A" else "B"),
        "cut": value[:-5],
        "other": f"{ben.id}.{signature}",
        "unsigned": guest,
    }[change]
    thief = Person(server.url)
    try:
        answer = await thief.ask("GET", "/api/me", cookie=f"{name}={forged}")
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "not_signed_in"
    finally:
        await thief.close()


async def test_a_cookie_of_another_server_is_nobody(come: Any, tmp_path: Path) -> None:
    (anna,) = await come("Anna")
    with LiveServer(str(tmp_path / "other.db")) as other:
        stranger = anna.at(other.url)
        try:
            await refused("not_signed_in", stranger.get("/api/me"))
        finally:
            await stranger.close()


async def test_the_cookie_is_kept_from_scripts_and_foreign_pages(come: Any) -> None:
    (anna,) = await come("")
    answer = await anna.ask("POST", "/api/guests", {"name": "Anna"})
    flags = answer.headers["set-cookie"].lower()
    assert "httponly" in flags
    assert "samesite=lax" in flags
    assert "path=/" in flags


async def test_behind_https_the_cookie_is_secure_and_bound_to_its_host() -> None:
    with ThreadServer(public_url="https://nimmt.example.org") as server:
        person = Person(server.url)
        try:
            answer = await person.ask("POST", "/api/guests", {"name": "Anna"})
            assert answer.headers["set-cookie"].startswith("__Host-nimmt=")
            assert "secure" in answer.headers["set-cookie"].lower()
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            value = answer.headers["set-cookie"].partition(";")[0]
            assert (await person.ask("GET", "/api/me", cookie=value)).status_code == 200
            # By that name only: one that another page of the same domain could set does not count.
            other = value.removeprefix("__Host-")
            assert (await person.ask("GET", "/api/me", cookie=other)).status_code == 401
        finally:
            await person.close()


async def test_a_token_does_what_its_scopes_say_and_no_more(come: Any, server: LiveServer) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    token = (await anna.post("/api/tokens", {"name": "watcher", "scopes": ["read"]}))["token"]
    program = Person(server.url, token)
    try:
        assert (await program.get("/api/me"))["name"] == "Anna"
        await refused("forbidden", program.open_table("six", 2))
        await refused("forbidden", program.do(table, "leave"))
        await refused("forbidden", program.post("/api/tokens", {"name": "more", "scopes": ["play"]}))
        await refused("forbidden", program.post("/api/me/link"))
        (info,) = await anna.get("/api/tokens")
        assert token not in str(info)
        assert (await anna.ask("DELETE", f"/api/tokens/{info['id']}")).status_code == 204
        await refused("bad_token", program.get("/api/me"))
    finally:
        await program.close()


# -- foreign pages -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost:1", "https://127.0.0.1.evil.example"]
)
async def test_foreign_pages_cannot_command(come: Any, origin: str) -> None:
    (anna,) = await come("Anna")
    body = {"game": "six", "seats": 2}
    answer = await anna.ask("POST", "/api/tables", body, origin=origin)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_origin")
    assert "access-control-allow-origin" not in answer.headers
    assert (await anna.get("/api/tables/mine")) == []


async def test_a_browser_that_hides_the_origin_is_not_trusted(come: Any) -> None:
    (anna,) = await come("Anna")
    for site in ("cross-site", "same-site"):
        answer = await anna.ask("POST", "/api/tables", {"game": "six", "seats": 2}, sec_fetch_site=site)
        assert answer.json()["error"]["code"] == "foreign_origin"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
async def test_forms_cannot_command(come: Any, kind: str) -> None:
    """What a page can send without asking first is not read."""
    (anna,) = await come("Anna")
    answer = await anna.ask("POST", "/api/tables", b'{"game": "six", "seats": 2}', content_type=kind)
    assert 400 <= answer.status_code < 500
    assert (await anna.get("/api/tables/mine")) == []


async def test_foreign_pages_cannot_open_sockets(come: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    async with anna.socket(table, origin="https://evil.example") as socket:
        assert await goodbye(socket) == "foreign_origin"
    async with anna.socket(table, origin=anna.url) as socket:
        assert (await socket.next())["type"] == "Snapshot"


async def test_reading_never_changes_anything(come: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    for command in ("join", "leave", "start", "act", "say", "close", "rematch", "bot", "clear", "swap", "back"):
        assert (await anna.ask("GET", f"/api/tables/{table}/{command}")).status_code in (404, 405)


# -- what is shown -------------------------------------------------------------------------------------------


async def test_script_stays_text(come: Any) -> None:
    """Names and chat are data: they go out as JSON only, as they came in, under a policy that runs no inline script."""
    (eve,) = await come(SCRIPT)
    table = await eve.open_table("six", 2, public=True)
    await eve.do(table, "say", text=SCRIPT)
    answer = await eve.ask("GET", f"/api/tables/{table}")
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.json()["chat"][0]["text"] == SCRIPT
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/", "/api/me", "/api/games", "/api/tables/none", "/nothing", "/healthz", "/metrics"])
async def test_every_answer_has_the_headers(come: Any, path: str) -> None:
    (anna,) = await come("")
    answer = await anna.ask("GET", path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "server" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/api/guests", b"{", 400),
        ("POST", "/api/guests", b" " * 70_000, 413),
        ("POST", "/api/guests", {"name": "Anna"}, 201),
        ("DELETE", "/api/games", None, 405),
        ("DELETE", "/api/tokens/none", None, 204),
        ("OPTIONS", "/api/games", None, 204),
        ("POST", "/nothing", {}, 404),
    ],
)
async def test_every_answer_to_a_command_has_the_headers(
    method: str, path: str, body: Any, status: int, come: Any
) -> None:
    (anna,) = await come("Anna")
    answer = await anna.ask(method, path, body)
    assert answer.status_code == status
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


async def test_errors_tell_nothing_about_the_inside(come: Any) -> None:
    (anna,) = await come("Anna")
    for path, body in (
        ("/api/tables", b"{"),
        ("/api/tables", b"[]"),
        ("/api/guests", b"\xff"),
        ("/api/tables/x/act", b"1"),
    ):
        answer = await anna.ask("POST", path, body)
        assert 400 <= answer.status_code < 500
        assert set(answer.json()) == {"error"}
        assert not any(word in answer.text for word in ("Traceback", ".py", "nimmt.server", "site-packages"))


async def test_secrets_are_in_no_log(tmp_path: Path) -> None:
    """A match with everything logged: no cookie, token, code, seed, card or chat in it."""
    with LiveServer(str(tmp_path / "nimmt.db"), log_level="debug", log_json=True) as server:
        anna = Person(server.url)
        try:
            await anna.come_in("Anna Secret")
            token = (await anna.post("/api/tokens", {"name": "bot", "scopes": ["read"]}))["token"]
            code = (await anna.post("/api/me/link"))["code"]
            table = await anna.open_table("six", 2, bots=["greedy"], options={"rounds": 1})
            await anna.do(table, "contribute", contribution="my own part")
            await anna.do(table, "start")
            await anna.do(table, "say", text="a word among friends")
            hand = (await anna.situation(table))["view"]["hand"]
            async with anna.socket(table) as socket, anna.lines(f"/api/stream/tables/{table}") as lines:
                await socket.next()
                await anext(lines)
                await socket.socket.send("whispered")
                for body in (b"not JSON but secret", {"action": {"type": "PlayCard", "card": 999}}):
                    await anna.ask("POST", f"/api/tables/{table}/act", body)
                await anna.ask("GET", "/api/me", authorization=f"Bearer {token}x")
                await play_on([anna], table, Random(1))
            seed = (await anna.situation(table))["fair"]["server_seed"]
        finally:
            await anna.close()
        server.stop()
        log = server.log
    cookie = anna.cookie.partition("=")[2]
    shown = (str(hand), str(hand).replace(" ", ""), "my own part", "a word among friends", "Anna Secret", "whispered")
    for secret in (cookie, cookie.partition(".")[2], token, code, seed, table, "but secret", *shown):
        assert secret not in log


def test_secrets_are_compared_in_constant_time() -> None:
    """Signatures are compared by a function made for it; tokens and codes are looked up by their hash."""
    source = inspect.getsource(guests)
    assert "compare_digest" in inspect.getsource(guests.Guests.from_cookie)
    for method in ("from_token", "use_link"):
        assert "_hash(" in inspect.getsource(getattr(guests.Guests, method))
    assert "signature ==" not in source


def test_the_page_names_tests_that_exist() -> None:
    page = (Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8")
    here = Path(__file__).parent
    tests = "".join(file.read_text("utf-8") for file in here.glob("test_*.py"))
    for name in re.findall(r"`(test_\w+)`", page):
        assert f"def {name}(" in tests, name
    for name in re.findall(r"`(test_\w+\.py)`", page):
        assert (here / name).exists(), name

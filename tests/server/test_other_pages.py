"""Pages from origins that the settings name may use the interface as ours do; pages from anywhere else may not."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from nimmt.server.settings import InvalidSettings, load
from nimmt.testing.servers import ThreadServer

pytestmark = pytest.mark.anyio

CLUB = "https://club.example.org"
TABLE = {"game": "six", "seats": 2}


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadServer]:
    with ThreadServer(origins=(CLUB, "http://localhost:5173")) as running:
        yield running


def permission(answer: httpx.Response) -> set[str]:
    return {name for name in answer.headers if name.startswith("access-control-")}


async def test_a_named_page_may_command_and_read(come: Any) -> None:
    (anna,) = await come("Anna")
    answer = await anna.ask("POST", "/api/tables", TABLE, origin=CLUB)
    assert answer.status_code == 201
    assert answer.headers["access-control-allow-origin"] == CLUB
    assert answer.headers["access-control-allow-credentials"] == "true"
    assert "origin" in answer.headers["vary"]


async def test_what_is_refused_can_be_read_too(come: Any) -> None:
    (nobody,) = await come("")
    for answer in (
        await nobody.ask("GET", "/api/me", origin=CLUB),
        await nobody.ask("GET", "/api/nothing", origin=CLUB),
        await nobody.ask("POST", "/api/guests", {"name": ""}, origin=CLUB),
    ):
        assert answer.is_client_error
        assert answer.headers["access-control-allow-origin"] == CLUB


@pytest.mark.parametrize("path", ["/api/tables", "/api/tables/x/act", "/api/tokens/x", "/api/stream/events", "/api/me"])
async def test_browsers_that_ask_first_hear_yes(come: Any, path: str) -> None:
    (nobody,) = await come("")
    wanted = {"access_control_request_method": "POST", "access_control_request_headers": "content-type,authorization"}
    answer = await nobody.ask("OPTIONS", path, origin=CLUB, **wanted)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == CLUB
    assert answer.headers["access-control-allow-credentials"] == "true"
    assert {"POST", "DELETE"} < set(answer.headers["access-control-allow-methods"].split(", "))
    allowed = set(answer.headers["access-control-allow-headers"].split(", "))
    assert {"content-type", "authorization", "idempotency-key"} == allowed
    assert answer.headers["access-control-max-age"].isdecimal()


@pytest.mark.parametrize("origin", ["https://evil.example", f"{CLUB}.evil.example", "http://club.example.org", "null"])
async def test_others_hear_no(come: Any, origin: str) -> None:
    (anna,) = await come("Anna")
    asked = await anna.ask("OPTIONS", "/api/tables", origin=origin, access_control_request_method="POST")
    read = await anna.ask("GET", "/api/me", origin=origin)
    commanded = await anna.ask("POST", "/api/tables", TABLE, origin=origin)
    assert [permission(answer) for answer in (asked, read, commanded)] == [set(), set(), set()]
    assert commanded.json()["error"]["code"] == "foreign_origin"
    assert "origin" in read.headers["vary"]  # or a cache would hand the club's answer to them


async def test_the_page_itself_is_for_nobody_else(come: Any) -> None:
    (nobody,) = await come("")
    assert permission(await nobody.ask("GET", "/", origin=CLUB)) == set()


async def test_without_the_setting_nothing_is_said(come: Any) -> None:
    with ThreadServer() as closed:
        (anna,) = await come("Anna", at=closed.url)
        asked = await anna.ask("OPTIONS", "/api/tables", origin=CLUB, access_control_request_method="POST")
        read = await anna.ask("GET", "/api/me", origin=CLUB)
        assert permission(asked) == permission(read) == set()


async def test_a_named_page_may_listen(come: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    async with anna.socket(table, origin=CLUB) as socket:
        assert (await socket.next())["type"] == "Snapshot"
    async with anna.http.stream("GET", f"/api/stream/tables/{table}", headers={"origin": CLUB}) as answer:
        assert answer.headers["access-control-allow-origin"] == CLUB


@pytest.mark.parametrize("origin", ["*", "club.example.org", f"{CLUB}/", f"{CLUB}/page", "null", ""])
def test_what_is_no_origin_is_refused(origin: str) -> None:
    with pytest.raises(InvalidSettings, match="origins must be a list of origins"):
        load({"origins": [origin]}, {})


@pytest.mark.parametrize(
    ("text", "origins"), [("", ()), (CLUB, (CLUB,)), (f"{CLUB}, http://x:1,", (CLUB, "http://x:1"))]
)
def test_origins_from_the_environment(text: str, origins: tuple[str, ...]) -> None:
    assert load({}, {"NIMMT_ORIGINS": text}).origins == origins


async def test_streams_are_passed_on_line_by_line(come: Any) -> None:
    """A proxy that collects or packs what it passes on would hold back the news."""
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    for path in (f"/api/stream/tables/{table}", "/api/stream/events"):
        async with anna.http.stream("GET", path) as answer:
            assert answer.headers["x-accel-buffering"] == "no"
            assert answer.headers["cache-control"] == "no-store, no-transform"

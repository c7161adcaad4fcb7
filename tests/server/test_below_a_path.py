"""A server that shares its host with others: all is below a path, whether a proxy takes it off or passes it on."""

import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from nimmt.clients.remote import Client
from nimmt.server import settings as our_settings
from nimmt.server.app import create_app
from nimmt.server.http.web import STATIC
from nimmt.server.settings import InvalidSettings, Settings, load
from nimmt.testing.servers import Person, ThreadServer, play_on

pytestmark = pytest.mark.anyio

PUBLIC = "https://example.org/games/nimmt"
PATH = "/games/nimmt"
ORIGIN = "https://example.org"

Visit = Callable[..., Awaitable[list["Visitor"]]]


@pytest.fixture(scope="module")
def below() -> Iterator[ThreadServer]:
    with ThreadServer(public_url=f"{PUBLIC}/") as server:
        yield server


@pytest.fixture(params=["passed on", "taken off"])
def front(request: pytest.FixtureRequest, below: ThreadServer) -> str:
    """What a proxy asks the server for the path that people see."""
    return below.url + (PATH if request.param == "passed on" else "")


class Visitor(Person):
    """Sends the cookie whatever the path is that the proxy asks for: the browser saw another one."""

    kept = ""

    async def ask(self, *words: Any, **headers: Any) -> httpx.Response:
        answer = await super().ask(*words, **({"cookie": self.kept} if self.kept else {}), **headers)
        self.kept = answer.headers.get("set-cookie", self.kept).partition(";")[0]
        return answer

    @property
    def cookie(self) -> str:
        return self.kept


@pytest.fixture
async def visit(front: str) -> AsyncIterator[Visit]:
    async with AsyncExitStack() as stack:

        async def come(*names: str) -> list[Visitor]:
            people = [await stack.enter_async_context(Visitor(front)) for _ in names]
            for person, name in zip(people, names, strict=True):
                if name:
                    await person.come_in(name)
            return people

        yield come


# -- the page ------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the page has not been built: python3 dev.py build")
@pytest.mark.parametrize(
    "place", ["/", "/new", "/carry", "/learn/six/basic", "/t/abc", "/t/abc/replay", "/nowhere/at/all"]
)
async def test_the_page_says_where_it_lives(visit: Visit, place: str) -> None:
    (nobody,) = await visit("")
    answer = await nobody.ask("GET", place, accept="text/html")
    assert answer.status_code == (404 if "nowhere" in place else 200)
    assert f'<meta name="nimmt-home" content="{PATH}/" />' in answer.text
    addresses = re.findall(r'(?:href|src)="([^"]*)"', answer.text)
    assert len(addresses) > 4
    for address in addresses:
        assert address.startswith(f"{PATH}/")
        assert (await nobody.ask("GET", address.removeprefix(PATH))).status_code == 200


@pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the page has not been built: python3 dev.py build")
async def test_files_of_the_page_name_no_place_at_the_top(visit: Visit) -> None:
    """They are the same everywhere, so they may only say where things are from them."""
    (nobody,) = await visit("")
    manifest = (await nobody.ask("GET", "/manifest.webmanifest")).json()
    named = [manifest["start_url"], manifest["scope"], *(icon["src"] for icon in manifest["icons"])]
    named += (await nobody.ask("GET", "/assets.json")).json()
    assert [name for name in named if name.startswith("/")] == []
    assert "id" not in manifest  # is taken from where it starts; two servers on a host are two programs


async def test_the_path_alone_leads_to_the_page(come: Any, below: ThreadServer) -> None:
    (nobody,) = await come("", at=below.url)
    answer = await nobody.ask("GET", f"{PATH}?x=1")
    assert (answer.status_code, answer.headers["location"]) == (307, f"{PATH}/?x=1")
    assert (await nobody.ask("GET", f"{PATH}ten/api/games")).status_code == 404


# -- the interface -------------------------------------------------------------------------------------------


async def test_a_match_with_sockets_and_a_rematch(visit: Visit) -> None:
    anna, ben = await visit("Anna", "Ben")
    table = await anna.open_table("six", 2)
    await ben.do(table, "join")
    async with ben.socket(table, origin=ORIGIN) as socket:
        assert (await socket.next())["type"] == "Snapshot"
        await anna.do(table, "start")
        await socket.until(lambda message: message["situation"]["phase"] == "playing")
    async with anna.lines(f"/api/stream/tables/{table}") as lines:
        assert msgspec.json.decode(await anext(lines))["type"] == "Snapshot"
    await play_on([anna, ben], table, Random(1))
    again = await anna.post(f"/api/tables/{table}/rematch", {})
    assert (await ben.situation(again["id"]))["phase"] == "waiting"


async def test_links_carry_the_path(visit: Visit) -> None:
    (anna,) = await visit("Anna")
    assert await anna.get("/api/address") == {"url": PUBLIC}
    code = (await anna.post("/api/me/link"))["code"]
    (phone,) = await visit("")
    assert (await phone.post("/api/me/claim", {"code": code}))["id"] == anna.id
    assert (await phone.get("/api/me"))["id"] == anna.id


async def test_programs_are_told_where_it_is(visit: Visit) -> None:
    (nobody,) = await visit("")
    described = await nobody.get("/api/schema/openapi.json")
    assert described["servers"] == [{"url": PATH}]
    assert "/api/tables" in described["paths"]


async def test_pages_of_the_public_host_are_ours(visit: Visit) -> None:
    """A browser names the host its page is from without any path."""
    anna, table = (await visit("Anna"))[0], {"game": "six", "seats": 2}
    assert (await anna.ask("POST", "/api/tables", table, origin=ORIGIN)).status_code == 201
    for other in (PUBLIC, "https://example.org.evil.test", "http://example.org"):
        assert (await anna.ask("POST", "/api/tables", table, origin=other)).status_code == 403


# -- the cookie ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("public_url", "name", "path"),
    [
        ("https://example.org", "__Host-nimmt", "/"),
        (PUBLIC, "__Secure-nimmt", PATH),
        ("http://example.org/nimmt", "nimmt", "/nimmt"),
    ],
)
async def test_the_cookie_goes_only_where_we_are(come: Any, public_url: str, name: str, path: str) -> None:
    """Browsers refuse __Host- with a path; others on this host need not see the cookie, nor have one of the same name
    get in the way of theirs."""
    with ThreadServer(public_url=public_url) as server:
        (nobody,) = await come("", at=server.url)
        answer = await nobody.ask("POST", "/api/guests", {"name": "Anna"})
        cookie, *attributes = answer.headers["set-cookie"].split("; ")
        assert cookie.partition("=")[0] == name
        assert f"Path={path}" in attributes
        assert ("Secure" in attributes) == public_url.startswith("https")
        assert (await nobody.ask("GET", "/api/me", cookie=cookie)).status_code == 200


# -- programs ------------------------------------------------------------------------------------------------


@pytest.fixture
def plain() -> Iterator[ThreadServer]:
    with ThreadServer(public_url="http://localhost/nimmt") as server:
        yield server


def test_the_python_client_plays_below_a_path(plain: ThreadServer) -> None:
    with Client(f"{plain.url}/nimmt") as client:
        client.come_in("Anna")
        table = client.open_table("six", 2, bots=["random"], start=True, pace="instant")
        with Client(f"{plain.url}/nimmt/", token=client.make_token("bot")) as program:
            program.play_table(table, lambda situation: situation["legal"][0])
        assert client.look(table)["situation"]["phase"] == "over"


def test_an_engine_joins_by_a_link_with_a_path(plain: ThreadServer) -> None:
    with Client(f"{plain.url}/nimmt") as client:
        client.come_in("Anna")
        table = client.open_table("six", 2, bots=["random"], join=False, pace="instant")
        link, token = f"{plain.url}/nimmt/t/{table}", client.make_token("engine")
        words = [
            sys.executable,
            "-m",
            "nimmt",
            "engine",
            "--level",
            "random",
            "--matches",
            "1",
            "--token",
            token,
            "--join",
            link,
        ]
        engine = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        for message in client.follow(table):
            free = [chair for chair in message["situation"]["chairs"] if chair["kind"] == "empty"]
            if message["situation"]["phase"] == "waiting" and not free:
                client.start(table)
        assert engine.wait(60) == 0
        assert client.look(table)["situation"]["phase"] == "over"


# -- the setting ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url", ["", "http://x", "https://x.org:8443/", PUBLIC, "https://x/tables", "https://[::1]/a.b"]
)
def test_public_addresses(url: str) -> None:
    assert load({"public_url": url}, {}).public_url == url


@pytest.mark.parametrize(
    "url",
    [
        "example.org",
        "ftp://x",
        "https://",
        "https://x?y",
        "https://x/#y",
        "https://x/a b",
        "https://x//y",
        "https://x/../y",
        "https://user@x",
        "https://x/api",
        "https://x/t",
        "https://x/assets/nimmt",
        "https://x/ü",
    ],
)
def test_addresses_that_cannot_work_are_refused(url: str) -> None:
    with pytest.raises(InvalidSettings, match="--public-url: public_url must be an address such as https://example"):
        load({"public_url": url}, {})


def test_no_public_path_can_be_taken_for_one_of_ours() -> None:
    paths = {route.path for route in create_app(Settings(database="memory")).routes}
    beginnings = {path.split("/")[1] for path in paths if path.count("/") > 1 or "." not in path}
    assert beginnings - {""} == set(our_settings.OUR_PLACES)

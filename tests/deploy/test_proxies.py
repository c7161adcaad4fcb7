"""The recipes for proxies, run as they stand but for names, ports and files: pages, cookies, sockets and streams."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from random import Random

import msgspec
import pytest

from nimmt.server.http.web import STATIC
from nimmt.testing import deployment
from nimmt.testing.deployment import Front
from nimmt.testing.servers import TIMEOUT, Person, play_on

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(
    scope="module",
    params=[f"{name}, {how}" for name in ("nginx", "caddy") for how in ("own host", "passed on", "taken off")],
)
def front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    name, how = request.param.split(", ")
    with deployment.in_front(name, how, tmp_path_factory.mktemp("proxy")) as running:
        yield running


@pytest.fixture
async def people(front: Front) -> AsyncIterator[tuple[Person, Person]]:
    tls = deployment.trusting(front.certificate)
    async with Person(front.url, tls=tls) as anna, Person(front.url, tls=tls) as ben:
        await anna.come_in("Anna")
        await ben.come_in("Ben")
        yield anna, ben


async def test_a_match(front: Front, people: tuple[Person, Person]) -> None:
    anna, ben = people
    below = front.url.endswith("/nimmt")
    assert anna.cookie.startswith("__Secure-nimmt=" if below else "__Host-nimmt=")
    assert await anna.get("/api/address") == {"url": front.url}
    table = await anna.open_table("six", 2, options={"rounds": 1})
    origin = front.url.removesuffix("/nimmt")
    async with ben.socket(table, origin=origin) as socket:
        assert (await socket.next())["type"] == "Snapshot"
        await ben.do(table, "join")
        assert (await socket.next())["situation"]["chairs"][1]["name"] == "Ben"
        await anna.do(table, "start")
        await play_on(people, table, Random(1))
        await socket.until(lambda message: message["situation"]["phase"] == "over")
    answer = await anna.ask("POST", "/api/tables", {"game": "six", "seats": 2}, origin="https://elsewhere.test")
    assert answer.status_code == 403


async def test_lines_of_a_stream_come_when_they_are_said(people: tuple[Person, Person]) -> None:
    """A proxy that waits until it has a few kilobytes together would never come to an end here."""
    anna, ben = people
    table = await anna.open_table("six", 2)
    async with anna.lines(f"/api/stream/tables/{table}") as lines:
        assert msgspec.json.decode(await asyncio.wait_for(anext(lines), TIMEOUT))["type"] == "Snapshot"
        for command in ("join", "leave", "join"):
            await ben.do(table, command)
            line = msgspec.json.decode(await asyncio.wait_for(anext(lines), TIMEOUT))
            assert line["situation"]["chairs"][1]["kind"] == ("empty" if command == "leave" else "person")


async def test_figures_stay_with_the_operator(front: Front, people: tuple[Person, Person]) -> None:
    assert (await people[0].ask("GET", "/metrics")).status_code == 404
    assert (await people[0].ask("GET", "/healthz")).status_code == 200


@pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the page has not been built: python3 dev.py build")
async def test_the_page_and_its_parts(front: Front, people: tuple[Person, Person]) -> None:
    path = "/nimmt" if front.url.endswith("/nimmt") else ""
    for place in ("/", "/t/abc/replay"):
        answer = await people[0].ask("GET", place)
        assert f'content="{path}/"' in answer.text
        assert answer.headers["strict-transport-security"]
    parts = (await people[0].ask("GET", "/assets.json")).json()
    assert (await people[0].ask("GET", f"/{parts[0]}")).headers["cache-control"].endswith("immutable")
    if path:
        answer = await people[0].http.get(front.url)
        assert answer.is_redirect
        assert answer.headers["location"].endswith("/nimmt/")

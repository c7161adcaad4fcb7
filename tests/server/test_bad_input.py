"""Whatever comes in is answered clearly: Schemathesis on the description, fuzzed frames, too much and too large, and
every code that the server knows."""

import asyncio
import base64
import json
import os
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, assume, settings

from nimmt.server.app import create_app
from nimmt.server.http import connections
from nimmt.server.http.bodies import Body, Subscribe
from nimmt.server.http.errors import STATUS, Code
from nimmt.server.http.openapi import RECORDS, exact
from nimmt.server.settings import Settings
from nimmt.store import Conflict, Unavailable
from nimmt.testing.servers import TIMEOUT, Json, LiveServer, Person, ServerRefused, ThreadServer, play_on

ERRORS_PAGE = Path(__file__).parents[2] / "docs" / "errors.md"


def describe() -> Json:
    described = exact(create_app(Settings(database="memory")).openapi_schema.to_schema())
    as_sent: Json = msgspec.json.decode(msgspec.json.encode(described))
    return as_sent


DESCRIPTION = describe()
OPERATIONS = [
    (method, path, operation) for path, methods in DESCRIPTION["paths"].items() for method, operation in methods.items()
]


# -- the description --------------------------------------------------------------------------------------------------


def named(operation: tuple[str, str, Json]) -> str:
    return f"{operation[0].upper()} {operation[1]}"


@pytest.mark.anyio
async def test_the_description_is_the_one_that_is_served(come: Any) -> None:
    (nobody,) = await come("")
    served = await nobody.ask("GET", "/api/schema/openapi.json")
    assert served.headers["content-type"].startswith("application/vnd.oai.openapi+json")
    assert in_order(served.json()) == in_order(describe())


def in_order(thing: Any) -> Any:
    """Where the order says nothing, it may differ from process to process."""
    if isinstance(thing, dict):
        return {name: in_order(part) for name, part in thing.items()}
    return sorted(map(in_order, thing), key=repr) if isinstance(thing, list) else thing


def references(thing: Any) -> Iterator[str]:
    if isinstance(thing, dict):
        if isinstance(thing.get("$ref"), str):
            yield thing["$ref"]
        for part in thing.values():
            yield from references(part)
    elif isinstance(thing, list):
        for part in thing:
            yield from references(part)


def test_everything_that_is_referred_to_is_described() -> None:
    known = {f"#/components/schemas/{name}" for name in DESCRIPTION["components"]["schemas"]}
    assert set(references(DESCRIPTION)) <= known


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_every_operation_is_described(operation: tuple[str, str, Json]) -> None:
    described = operation[2]
    assert described["description"]
    assert described["security"]
    for status, answer in described["responses"].items():
        if int(status) >= 400:
            (content,) = answer["content"].values()
            assert content["schema"] == {"$ref": "#/components/schemas/ErrorAnswer"}
    assert {"401", "403", "429", "503"} <= set(described["responses"])
    if operation[1] == RECORDS:  # a document with a format of its own
        assert "$ref" in described["requestBody"]["content"]["application/json"]["schema"]
    elif "requestBody" in described:
        content = described["requestBody"]["content"]["application/json"]
        name = content["schema"]["$ref"].rpartition("/")[2]
        (body,) = (kind for kind in _all_below(Body) if kind.__name__ == name)
        assert msgspec.json.decode(msgspec.json.encode(content["example"]), type=body)
        assert DESCRIPTION["components"]["schemas"][name]["additionalProperties"] is False


def _all_below(kind: type) -> Iterator[type]:
    for each in kind.__subclasses__():
        yield each
        yield from _all_below(each)


@pytest.mark.anyio
@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
async def test_who_must_say_who_they_are_is_described(operation: tuple[str, str, Json], come: Any) -> None:
    (nobody,) = await come("")
    method, path, described = operation
    if path.startswith("/api/stream/tables"):
        return  # would never end
    body = described.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    answer = await nobody.ask(method.upper(), path.replace("{table_id}", "x").replace("{token_id}", "x"), body)
    assert (answer.status_code == 401) == ({} not in described["security"])


# -- Schemathesis -----------------------------------------------------------------------------------------------------

CONFIGURATION = schemathesis.Config.from_dict(
    {
        "request-timeout": TIMEOUT,
        "generation": {"with-security-parameters": False},
        "checks": {
            # What is well formed may still make no sense: no such game, no such seat, a table that is closed.
            "positive_data_acceptance": {"expected-statuses": ["2xx", "401", "403", "404", "409", "410", "422"]},
            # The framework answers OPTIONS for each handler by itself. Nobody needs it: no other origin may come.
            "allow_header_conformance": {"enabled": False},
        },
    }
)
# In order, so that the same cases are tried in every process.
SCHEMA = schemathesis.openapi.from_dict(in_order(DESCRIPTION), config=CONFIGURATION)


@pytest.fixture(scope="module")
def fuzzed(server: LiveServer) -> tuple[str, str, list[str]]:
    """Where the server is, somebody's cookie, and tables of theirs: waiting, playing, over."""

    async def furnish() -> tuple[str, str, list[str]]:
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
            tables = [await anna.open_table("six", 3)]
            tables += [await anna.open_table("buffalo", 3, bots=["greedy"] * 2, start=True) for _ in range(2)]
            await play_on([anna], tables[2], Random(1))
            return server.url, anna.cookie, tables

    return asyncio.run(furnish())


def has_floats(thing: Any) -> bool:
    """JSON Schema takes 3.0 for an integer, the server does not."""
    if isinstance(thing, dict):
        return any(map(has_floats, thing.values()))
    return any(map(has_floats, thing)) if isinstance(thing, list) else isinstance(thing, float)


def keeping(method: str, path: str) -> Callable[..., None]:
    """A test of one operation. Schemathesis would make them all at once, with one id: then one of them is run."""

    @SCHEMA.include(method=method.upper(), path=path).parametrize()
    @settings(max_examples=settings().max_examples // 6, suppress_health_check=list(HealthCheck))
    def test(case: schemathesis.Case, fuzzed: tuple[str, str, list[str]]) -> None:
        url, cookie, tables = fuzzed
        assume(not has_floats(case.body))
        chance = zlib.crc32(repr((case.body, case.query)).encode())
        if "table_id" in (case.path_parameters or {}) and chance % 4 < 3:
            case.path_parameters["table_id"] = tables[chance % 4]
        headers = {"cookie": cookie} if chance % 5 else {}
        case.call_and_validate(base_url=url, headers=headers, timeout=600)

    return test


for method, path, described in OPERATIONS:
    if not path.startswith("/api/stream"):
        globals()[f"test_the_server_keeps_to_its_description_of_{described['operationId']}"] = keeping(method, path)


# -- bodies -----------------------------------------------------------------------------------------------------------

NONSENSE = {
    "empty": b"",
    "not JSON": b"{",
    "not UTF-8": b'{"name": "\xff"}',
    "half a character": b'{"name": "\\ud800"}',
    "deep": b'{"name": ' * 5000,
    "deep and well formed": b'{"action": ' + b'{"a": ' * 3000 + b"1" + b"}" * 3001,
    "a list": b"[]",
    "null": b"null",
    "another type": b'{"name": 1, "action": 1, "text": 1, "game": 1}',
    "unknown fields": b'{"nonsense": 1}',
    "a huge number": b'{"action": {"type": "PlayCard", "card": ' + b"9" * 5000 + b"}}",
    "a huge fraction": b'{"action": {"type": "PlayCard", "card": 1e400}}',
}


@pytest.mark.anyio
@pytest.mark.parametrize("body", NONSENSE.values(), ids=NONSENSE)
async def test_bodies_that_make_no_sense(body: bytes, come: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2, bots=["greedy"], start=True)
    for path in ("/api/guests", "/api/tables", f"/api/tables/{table}/act", f"/api/tables/{table}/say", "/api/tokens"):
        answer = await anna.ask("POST", path, body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
        assert answer.json()["error"]["message"].endswith(".")


ODD_ACTIONS = [
    {},
    {"type": "Nonsense"},
    {"type": "PlayCard"},
    {"type": "PlayCard", "card": "5"},
    {"type": "PlayCard", "card": 5, "more": 1},
    {"type": "PlayCard", "card": 5.5},
    {"type": "PlayCard", "card": None},
    {"type": ["PlayCard"], "card": 5},
    {"card": 5},
]


@pytest.mark.anyio
async def test_actions_that_make_no_sense(come: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2, bots=["greedy"], start=True)
    before = (await anna.situation(table))["view"]["hand"]
    for action in ODD_ACTIONS:
        answer = await anna.ask("POST", f"/api/tables/{table}/act", {"action": action})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_action"), action
    for card in (0, -1, 10**30, -(10**18)):
        answer = await anna.ask("POST", f"/api/tables/{table}/act", {"action": {"type": "PlayCard", "card": card}})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_in_hand")
    assert (await anna.situation(table))["view"]["hand"] == before


@pytest.mark.anyio
async def test_bodies_have_a_largest_size(come: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)

    async def in_pieces() -> AsyncIterator[bytes]:
        for _ in range(70):
            yield b" " * 1024

    for content in (b" " * (64 * 1024 + 1), in_pieces()):
        answer = await anna.http.post(
            f"/api/tables/{table}/say", content=content, headers={"content-type": "application/json"}
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    assert (await anna.ask("POST", f"/api/tables/{table}/say", b" " * 60_000 + b'{"text": "Hi"}')).status_code == 200


# -- below HTTP -------------------------------------------------------------------------------------------------------

Raw = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def raw(url: str) -> AsyncIterator[Raw]:
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def send_all(writer: asyncio.StreamWriter, pieces: Iterator[bytes]) -> bool:
    """False if the server hung up on the way."""
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
    except ConnectionError:
        return False
    return True


HEADS = {
    "many headers": b"x-junk: 0123456789\r\n" * 500,
    "one long header": b"x" * 10_000,
    "a long address": None,
}


@pytest.mark.anyio
@pytest.mark.parametrize("piece", HEADS.values(), ids=HEADS)
async def test_heads_of_requests_have_a_largest_size(piece: bytes | None, server: LiveServer, come: Any) -> None:
    (anna,) = await come("Anna")
    before = server.memory_mb()
    async with raw(server.url) as (_, writer):
        writer.write(b"GET /" if piece is None else b"GET / HTTP/1.1\r\nhost: x\r\n")
        assert not await send_all(writer, (piece or b"x" * 10_000 for _ in range(2000)))
    assert server.memory_mb() < before + 10
    assert await anna.get("/api/me")


@pytest.mark.anyio
async def test_a_request_must_be_there_within_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    wait, seconds = connections.LimitedHttp._wait, 0.3
    waiting: list[connections.LimitedHttp] = []

    def wait_for_less(http: connections.LimitedHttp, _: float = connections.REQUEST_SECONDS) -> None:
        waiting.append(http)
        wait(http, seconds)

    monkeypatch.setattr(connections.LimitedHttp, "_wait", wait_for_less)
    with ThreadServer() as server:
        beginnings = [
            b"",
            b"GET / HT",
            b"GET / HTTP/1.1\r\nhost: x\r\n",
            b"POST /api/guests HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{",
        ]
        for beginning in beginnings:
            async with raw(server.url) as (reader, writer):
                writer.write(beginning)
                await asyncio.wait_for(reader.read(), TIMEOUT)
        seconds = TIMEOUT
        # Whoever is quick may take the time they like between two requests and for listening.
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
            table = await anna.open_table("six", 2)
            async with anna.socket(table) as socket, anna.lines(f"/api/stream/tables/{table}") as lines:
                await socket.next()
                await anext(lines)
                assert [http for http in waiting if http._patience is not None] == []
                await anna.do(table, "say", text="Still here")
                assert (await socket.next())["note"]["text"] == "Still here"
                assert json.loads(await anext(lines))["note"]["text"] == "Still here"


# -- sockets ----------------------------------------------------------------------------------------------------------


def frame(opcode: int, payload: bytes, *, fin: bool = True, masked: bool = True) -> bytes:
    head = bytes([opcode | (0x80 if fin else 0)])
    size, mask = len(payload), 0x80 if masked else 0
    if size < 126:
        head += bytes([mask | size])
    else:
        head += bytes([mask | 126]) + size.to_bytes(2)
    return head + (bytes(4) if masked else b"") + payload


@asynccontextmanager
async def raw_socket(person: Person, table: str) -> AsyncIterator[Raw]:
    """A socket after its handshake and the snapshot, with nothing between us and the frames."""
    async with raw(person.url) as (reader, writer):
        key = base64.b64encode(os.urandom(16)).decode()
        head = [
            f"GET /api/tables/{table}/socket HTTP/1.1", "host: x", "connection: upgrade", "upgrade: websocket",
            "sec-websocket-version: 13", f"sec-websocket-key: {key}", f"cookie: {person.cookie}", "", "",
        ]  # fmt: skip
        writer.write("\r\n".join(head).encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
        assert b'"Snapshot"' in await reader.read(200)
        yield reader, writer


@pytest.mark.anyio
async def test_fuzzed_frames(server: LiveServer, come: Any) -> None:
    """Bytes that are no frames, frames that may not be, and a server that goes on whatever comes."""
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    rng = Random(4)
    for number in range(60):
        junk = [rng.randbytes(rng.randrange(1, 200)) for _ in range(rng.randrange(1, 6))]
        frames = [frame(rng.randrange(16), rng.randbytes(rng.randrange(200)), fin=rng.random() < 0.8) for _ in range(3)]
        async with raw_socket(anna, table) as (_, writer):
            await send_all(writer, iter(junk if number % 2 else frames))
    assert (await anna.look(table))["n"] == 2
    async with anna.socket(table) as socket:
        await socket.next()
    assert "error" not in server.log


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("sent", "closed_with"),
    [
        (frame(1, b"x" * 5000), 1009),
        (frame(2, b"x" * 4097), 1009),
        (frame(1, b"\xff"), 1007),
        (frame(1, b"hello", masked=False), 1002),
        (frame(3, b""), 1002),
        (frame(9, b"x" * 126), 1002),
    ],
)
async def test_frames_that_may_not_be(sent: bytes, closed_with: int, come: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    async with raw_socket(anna, table) as (reader, writer):
        writer.write(sent)
        answer = await asyncio.wait_for(reader.read(), TIMEOUT)
    assert closed_with.to_bytes(2) in answer


@pytest.mark.anyio
async def test_what_is_said_into_a_socket_is_not_listened_to(come: Any) -> None:
    """A few frames are forgiven, whatever is in them; then the socket is closed with a reason."""
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    async with anna.socket(table) as socket:
        await socket.next()
        for _ in range(25):
            await socket.socket.send('{"type": "Start"}')
            await socket.socket.send(b"\x00")
        await anna.do(table, "say", text="Hm")
        assert (await socket.next())["note"]["text"] == "Hm"
        await socket.socket.send("one too many")
        assert (await socket.next())["error"] == {"code": "too_many", "message": "Too many frames."}
        await socket.socket.wait_closed()
        assert (socket.socket.close_code, socket.socket.close_reason) == (4000, "too_many")


@pytest.mark.anyio
@pytest.mark.parametrize("flood", ["pings", "pieces"])
async def test_floods_below_the_messages_end_the_connection(flood: str, server: LiveServer, come: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    before = server.memory_mb()
    async with raw_socket(anna, table) as (_, writer):
        if flood == "pings":
            assert not await send_all(writer, (frame(9, b"p" * 125) * 100 for _ in range(2000)))
        else:
            writer.write(frame(1, b"", fin=False))
            assert not await send_all(writer, (frame(0, b"", fin=False) * 1000 for _ in range(2000)))
    assert server.memory_mb() < before + 10


@pytest.mark.anyio
@pytest.mark.parametrize("query", ["after=x", "after=-1", "after=99999999999999"])
async def test_sockets_with_a_number_that_makes_no_sense(query: str, server: LiveServer, come: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus, WebSocketException

    url = f"ws{server.url.removeprefix('http')}/api/tables/{table}/socket?{query}"
    with pytest.raises(WebSocketException) as caught:
        async with connect(url, proxy=None) as socket:
            await asyncio.wait_for(socket.recv(), TIMEOUT)
    if isinstance(caught.value, InvalidStatus):
        assert caught.value.response.status_code < 500
    assert await anna.look(table)
    assert "error" not in server.log


# -- every code -------------------------------------------------------------------------------------------------------


class Hall:
    """Two people, and tables at every stage."""

    def __init__(self, anna: Person, ben: Person, nobody: Person) -> None:
        self.anna, self.ben, self.nobody = anna, ben, nobody

    async def waiting(self, **more: Any) -> str:
        return await self.anna.open_table("six", 2, **more)

    async def playing(self, game: str = "six") -> str:
        table = await self.anna.open_table(game, 2)
        await self.ben.do(table, "join")
        await self.anna.do(table, "start")
        return table

    async def closed(self) -> str:
        table = await self.waiting()
        await self.anna.do(table, "close")
        return table

    async def removed(self) -> str:
        table = await self.waiting()
        await self.ben.do(table, "join")
        await self.anna.do(table, "clear", seat=1)
        return table


Recipe = Callable[[Hall], Awaitable[Any]]
PLAY = {"type": "PlayCard", "card": 1}


async def _stale(hall: Hall) -> Any:
    return await hall.anna.act(await hall.playing(), PLAY, decision=1)


async def _foreign(hall: Hall) -> Any:
    answer = await hall.anna.ask("POST", "/api/tables", {"game": "six", "seats": 2}, origin="https://elsewhere.test")
    raise ServerRefused(answer.status_code, answer.json()["error"]["code"], "")


async def _form(hall: Hall) -> Any:
    answer = await hall.anna.ask("POST", "/api/guests", b"name=Anna", content_type="application/x-www-form-urlencoded")
    raise ServerRefused(answer.status_code, answer.json()["error"]["code"], "")


async def _token(hall: Hall) -> Any:
    async with Person(hall.anna.url, "nimmt_nonsense") as program:
        return await program.get("/api/me")


async def _scopes(hall: Hall) -> Any:
    fresh = await hall.anna.post("/api/tokens", {"name": "reader", "scopes": ["read"]})
    async with Person(hall.anna.url, fresh["token"]) as program:
        return await program.open_table("six", 2)


async def _delete(hall: Hall) -> Any:
    answer = await hall.anna.ask("DELETE", "/api/games")
    assert set(answer.headers["allow"].split(", ")) == {"GET", "OPTIONS"}
    raise ServerRefused(answer.status_code, answer.json()["error"]["code"], "")


def on(table: str, who: str, command: str, **body: Any) -> Recipe:
    async def ask(hall: Hall) -> Any:
        made = await getattr(hall, table)()
        return await getattr(hall, who).do(made, command, **body)

    return ask


async def _key_twice(hall: Hall) -> Any:
    table = await hall.waiting()
    for text in ("one", "two"):
        await hall.anna.post(f"/api/tables/{table}/say", {"text": text}, key="k")


async def _blocked(hall: Hall) -> Any:
    table = await hall.waiting()
    n = (await hall.ben.do(table, "say", text="Hello"))["n"]
    await hall.anna.post(f"/api/tables/{table}/shun", {"n": n, "block": True})
    return await hall.ben.do(table, "join")


RECIPES: dict[Code, Recipe] = {
    Code.BAD_REQUEST: lambda hall: hall.anna.post("/api/tables", {}),
    Code.NOT_JSON: _form,
    Code.NOT_FOUND: lambda hall: hall.anna.get("/api/nothing"),
    Code.METHOD_NOT_ALLOWED: _delete,
    Code.NOT_SIGNED_IN: lambda hall: hall.nobody.get("/api/me"),
    Code.BAD_TOKEN: _token,
    Code.FORBIDDEN: _scopes,
    Code.FOREIGN_ORIGIN: _foreign,
    Code.NO_SUCH_TABLE: lambda hall: hall.anna.look("nothing"),
    Code.NO_SUCH_MESSAGE: on("waiting", "ben", "report", n=1),
    Code.NO_SUCH_LINK: lambda hall: hall.anna.post("/api/me/claim", {"code": "nothing"}),
    Code.TABLE_CLOSED: on("closed", "ben", "join"),
    Code.NOT_WAITING: on("playing", "ben", "join"),
    Code.NOT_PLAYING: on("waiting", "anna", "act", action=PLAY),
    Code.NOT_OVER: on("playing", "anna", "rematch"),
    Code.NOT_HOST: on("playing", "ben", "start"),
    Code.NOT_SEATED: on("waiting", "ben", "act", action=PLAY),
    Code.NOT_ABSENT: on("playing", "anna", "stand-in", seat=1),
    Code.NOT_ALONE: on("playing", "anna", "close"),
    Code.ALREADY_SEATED: on("waiting", "anna", "join"),
    Code.SEAT_TAKEN: on("waiting", "ben", "join", seat=0),
    Code.NO_SUCH_SEAT: on("waiting", "ben", "join", seat=2),
    Code.TABLE_FULL: lambda hall: hall.anna.open_table("six", 2, bots=["greedy", "greedy"]),
    Code.SEATS_EMPTY: on("waiting", "anna", "start"),
    Code.REMOVED: on("removed", "ben", "join"),
    Code.BLOCKED: _blocked,
    Code.YOURSELF: on("waiting", "anna", "shun", seat=0),
    Code.UNKNOWN_LEVEL: on("waiting", "anna", "bot", seat=1, level="nobody"),
    Code.BAD_NAME: lambda hall: hall.nobody.post("/api/guests", {"name": "\n"}),
    Code.BAD_OPTIONS: lambda hall: hall.anna.open_table("six", 2, options={"target": 0}),
    Code.BAD_SUBSCRIPTION: lambda hall: hall.anna.post("/api/me/calls", {**Subscribe.EXAMPLE, "endpoint": "push"}),
    Code.BAD_ACTION: on("playing", "anna", "act", action={"type": "Nonsense"}),
    Code.STALE_DECISION: _stale,
    Code.STALE_VERSION: on("waiting", "anna", "start", expected=1),
    Code.KEY_REUSED: _key_twice,
    Code.NOT_PRACTICE: on("playing", "anna", "take-back"),
    Code.CHAT_CLOSED: lambda hall: _say_in(hall, "buffalo"),
    Code.NOTHING_TO_SAY: on("waiting", "anna", "say", text=" "),
    Code.TOO_LARGE: lambda hall: hall.anna.post("/api/guests", b" " * 70_000),
}
ELSEWHERE = {
    Code.TOO_MANY,
    Code.BUSY,
    Code.UNAVAILABLE,
    Code.SERVER_ERROR,
    Code.LOGGED_OUT,
    Code.TOKEN_EXPIRED,
    Code.BANNED,
    Code.NO_CALLS,
    Code.NO_HINT,
    Code.NOTHING_TO_TAKE_BACK,
    Code.NOT_A_RECORD,
    Code.BAD_RECORD,
    Code.UNKNOWN_RULES,
    Code.NOT_PROVEN,
}


async def _say_in(hall: Hall, game: str) -> Any:
    return await hall.anna.do(await hall.playing(game), "say", text="I have 104.")


@pytest.mark.anyio
@pytest.mark.parametrize("code", RECIPES)
async def test_every_code(code: Code, come: Any) -> None:
    hall = Hall(*await come("Anna", "Ben", ""))
    with pytest.raises(ServerRefused) as caught:
        await RECIPES[code](hall)
    assert (caught.value.code, caught.value.status) == (code, STATUS.get(code, 409))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("failure", "code", "status"),
    [(Conflict("x"), "busy", 503), (Unavailable("x"), "unavailable", 503), (ZeroDivisionError(), "server_error", 500)],
)
async def test_codes_for_trouble_inside(
    failure: Exception, code: str, status: int, come: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadServer() as server:
        (anna,) = await come("Anna", at=server.url)
        table = await anna.open_table("six", 2)

        async def fails(*_: Any) -> int:
            raise failure

        monkeypatch.setattr(server.platform.store, "append", fails)
        answer = await anna.ask("POST", f"/api/tables/{table}/say", {"text": "Hello"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        assert ("retry-after" in answer.headers) == (status == 503)
        assert "x" not in answer.json()["error"]["message"].split()


def test_no_code_is_forgotten() -> None:
    assert {*RECIPES, *ELSEWHERE} == {*Code}
    page = ERRORS_PAGE.read_text("utf-8").partition("## What the server answers")[2].partition("\n## ")[0]
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert {row.rpartition("|")[0].rpartition("|")[0] for row in rows} == {
        f"| `{code}` | {STATUS.get(code, 409)} " for code in Code
    }

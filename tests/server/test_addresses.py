"""What people at other machines are told to open, and to whom the address in the local network is told."""

import asyncio
import socket
from typing import Any

import pytest

from nimmt.clients.cli import main
from nimmt.server import serve
from nimmt.server.http import security
from nimmt.server.settings import Settings
from nimmt.testing.servers import ThreadServer

pytestmark = pytest.mark.anyio

PUBLIC = "https://nimmt.example.org"


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "_in_network", lambda: "192.168.1.5")


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        ({}, None),
        ({"host": "0.0.0.0"}, "http://192.168.1.5:8666"),
        ({"host": "::"}, "http://192.168.1.5:8666"),
        ({"host": "192.168.1.5"}, None),
        ({"public_url": f"{PUBLIC}/"}, PUBLIC),
        ({"public_url": PUBLIC, "host": "0.0.0.0"}, PUBLIC),
    ],
)
def test_the_address_for_friends(settings: Any, address: str | None) -> None:
    assert security.for_friends(Settings(**settings), 8666) == address


def test_without_a_network_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "_in_network", lambda: None)
    assert security.for_friends(Settings(host="0.0.0.0"), 8666) is None


@pytest.mark.parametrize(
    ("host", "is_here"),
    [("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True), ("192.168.1.5", False), ("localhost.evil", False)],
)
def test_who_is_at_this_machine(host: str, is_here: bool) -> None:
    assert security.is_here(host) == is_here


async def test_the_local_network_is_told_only_at_the_machine_itself(come: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadServer(host="0.0.0.0") as server:
        (anna,) = await come("", at=server.url)
        port = server.url.rpartition(":")[2]
        assert await anna.get("/api/address") == {"url": f"http://192.168.1.5:{port}"}
        through_a_proxy = await anna.ask("GET", "/api/address", x_forwarded_for="203.0.113.9")
        assert through_a_proxy.json() == {"url": None}
        monkeypatch.setattr("nimmt.server.http.api.is_here", lambda host: False)
        assert await anna.get("/api/address") == {"url": None}


async def test_the_public_address_is_told_to_anybody(come: Any) -> None:
    with ThreadServer(public_url=PUBLIC) as server:
        (anna,) = await come("", at=server.url)
        answer = await anna.ask("GET", "/api/address", x_forwarded_for="203.0.113.9")
        assert answer.json() == {"url": PUBLIC}


async def test_a_server_for_this_machine_has_no_other_address(come: Any) -> None:
    (anna,) = await come("")
    assert await anna.get("/api/address") == {"url": None}


@pytest.mark.parametrize(
    ("flags", "lines"),
    [
        ([], ["nimmt is at http://localhost:8666  (Ctrl-C stops it)"]),
        (
            ["--host", "0.0.0.0"],
            [
                "nimmt is at http://localhost:8666  (Ctrl-C stops it)",
                "Friends in your network come in at http://192.168.1.5:8666",
            ],
        ),
        (["--host", "0.0.0.0", "--public-url", PUBLIC], [f"nimmt is at {PUBLIC}  (Ctrl-C stops it)"]),
    ],
)
def test_the_terminal_says_where_friends_come_in(
    flags: list[str], lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("nimmt.server.logs.set_up_logging", lambda settings: None)
    monkeypatch.setattr(serve, "run", lambda settings, on_listening: on_listening(8666))
    main(["serve", *flags])
    assert capsys.readouterr().out.splitlines() == lines


async def test_answers_are_sent_at_once() -> None:
    """Else the second half of an answer may wait for tens of milliseconds until the first has been confirmed."""
    sent_at_once = asyncio.get_running_loop().create_future()

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        option = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        sent_at_once.set_result(bool(option))
        writer.close()

    with serve.listen(Settings(port=0)) as listening:
        async with await asyncio.start_server(answer, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
            assert await asyncio.wait_for(sent_at_once, 10)
            writer.close()

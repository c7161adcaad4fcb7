"""What whoever runs a server sees of it: figures that are right however many processes there are, causes in the log,
and a red light when the database is gone."""

import asyncio
import contextlib
import logging
import re
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
import uvloop

from nimmt.server.logs import SAME_LINES, WINDOW, PlainFormatter, Repetition, is_our_fault
from nimmt.store import sqlite_file
from nimmt.testing.servers import NO_TLS, TIMEOUT, LiveServer, ThreadServer


def http(url: str, method: str, path: str, **more: object) -> httpx.Response:
    with httpx.Client(base_url=url, verify=NO_TLS, timeout=TIMEOUT) as client:  # a connection of its own
        return client.request(method, path, **more)  # type: ignore[arg-type]


def figure(url: str, name: str, path: str = "/metrics") -> float:
    """All samples of a name, added up."""
    text = http(url, "GET", path).raise_for_status().text
    return sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.MULTILINE))


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.soak), 3])
def test_metrics_count_what_all_workers_did(workers: int, tmp_path: Path) -> None:
    with LiveServer(str(tmp_path / "nimmt.db"), workers=workers) as server:
        for _ in range(20):
            http(server.url, "GET", "/api/games").raise_for_status()
        answers = 'nimmt_http_answers_total{method="GET",route="/api/games",status="200"}'
        text = http(server.url, "GET", "/metrics").text
        assert f"{answers} 20.0" in text, "whichever is asked answers for all"
        assert 'nimmt_http_latency_seconds_count{route="/api/games"} 20.0' in text
        for name in ("nimmt_tables", "nimmt_bot_queue", "nimmt_warm_up_percent", "nimmt_database_errors_total"):
            assert f"\n{name}" in text


def test_metrics_know_of_matches_and_fall_backs() -> None:
    with ThreadServer() as server, httpx.Client(base_url=server.url, verify=NO_TLS) as anna:
        anna.post("/api/guests", json={"name": "Anna"}).raise_for_status()
        table = {"game": "six", "options": {}, "seats": 2, "bots": ["random"], "start": True}
        anna.post("/api/tables", json=table).raise_for_status()
        text = anna.get("/metrics").text
        assert 'nimmt_tables{phase="playing"} 1.0' in text
        assert 'nimmt_tables{phase="waiting"} 0.0' in text


@pytest.mark.soak
@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.soak), 2])
def test_metrics_can_have_a_port_of_their_own(workers: int, tmp_path: Path) -> None:
    port = free_port()
    with LiveServer(str(tmp_path / "nimmt.db"), workers=workers, metrics_listen=f"127.0.0.1:{port}") as server:
        http(server.url, "GET", "/api/games").raise_for_status()
        assert http(server.url, "GET", "/metrics").status_code == 404
        own = f"http://127.0.0.1:{port}"
        wait_for(lambda: figure(own, "nimmt_http_answers_total") >= 2)


def test_head_is_get_without_the_content(tmp_path: Path) -> None:
    with ThreadServer() as server:
        for path in ("/", "/healthz", "/readyz", "/api/games", "/metrics"):
            head, whole = http(server.url, "HEAD", path), http(server.url, "GET", path)
            assert (head.status_code, head.content) == (200, b""), path
            assert head.headers["content-type"] == whole.headers["content-type"]
        assert http(server.url, "HEAD", "/api/nowhere").status_code == 404
        # There is no end of a stream that one could ask for.
        assert http(server.url, "HEAD", "/api/stream/events").status_code == 405


def test_the_light_is_red_when_the_file_of_the_database_is_gone(tmp_path: Path) -> None:
    """SQLite goes on with a file that was deleted; everything acknowledged from then on would be lost."""
    path = tmp_path / "nimmt.db"
    with LiveServer(str(path)) as server:
        assert http(server.url, "GET", "/readyz").status_code == 200
        path.rename(tmp_path / "elsewhere.db")
        red = http(server.url, "GET", "/readyz")
        assert (red.status_code, red.json()["error"]["code"]) == (503, "unavailable")
        assert http(server.url, "POST", "/api/guests", json={"name": "Anna"}).status_code == 503
        assert http(server.url, "GET", "/healthz").status_code == 200
        assert not path.exists(), "nobody makes an empty one in its place"
        (tmp_path / "elsewhere.db").rename(path)
        assert http(server.url, "GET", "/readyz").status_code == 200
        assert "is gone, or is another file" in server.log


def test_the_log_says_that_the_disk_is_full_once_and_when_it_is_not_any_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_full, open_file, opened = True, sqlite_file.connect, list[sqlite3.Connection]()

    def connect(path: str) -> sqlite3.Connection:
        opened.append(connection := open_file(path))
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        # A new file gets its tables. 1: no more pages than there are.
        connection.execute(f"PRAGMA max_page_count = {1 if is_full and tables else 1_000_000}")
        return connection

    monkeypatch.setattr(sqlite_file, "connect", connect)
    with ThreadServer(str(tmp_path / "nimmt.db")) as server, caplog.at_level(logging.INFO, "nimmt.server"):
        with httpx.Client(base_url=server.url, verify=NO_TLS, timeout=TIMEOUT) as people:
            while people.post("/api/guests", json={"name": "A" * 30}).status_code != 503:
                pass  # there may be room left in the last page
        said = [record for record in caplog.records if record.message == "the database cannot be used"]
        assert ["database or disk is full" in record.cause for record in said] == [True]  # type: ignore[attr-defined]
        is_full = False
        for connection in opened:  # the server may have opened it again while the disk was still full
            with contextlib.suppress(sqlite3.ProgrammingError):  # closed
                connection.execute("PRAGMA max_page_count = 1000000")
        server.run(server.platform.health.look())
        assert http(server.url, "POST", "/api/guests", json={"name": "Anna"}).status_code == 201
        assert caplog.messages.count("the database can be used again") == 1


def test_the_log_says_what_to_set_for_a_page_of_another_origin(caplog: pytest.LogCaptureFixture) -> None:
    with ThreadServer() as server, caplog.at_level(logging.WARNING, "nimmt.server"):
        origin = {"origin": "https://cards.example"}
        assert http(server.url, "POST", "/api/guests", json={"name": "A"}, headers=origin).status_code == 403
    (record,) = [record for record in caplog.records if record.message == "refused a page of another origin"]
    assert record.origin == "'https://cards.example'"  # type: ignore[attr-defined]
    assert "--public-url" in record.set  # type: ignore[attr-defined]


def test_requests_are_logged_at_debug_without_what_gives_access(tmp_path: Path) -> None:
    with LiveServer(str(tmp_path / "nimmt.db"), log_level="debug") as server:
        http(server.url, "GET", "/api/tables/tSecretIdOfATable")
        http(server.url, "GET", "/api/games")
        wait_for(lambda: "GET /api/games 200 in " in server.log)
        assert "GET /api/tables/{table_id} 404 in " in server.log
        assert "tSecretIdOfATable" not in server.log


def test_repeated_lines_are_counted() -> None:
    now = [0.0]
    repetition = Repetition(lambda: now[0])

    def passes(text: str, level: int = logging.WARNING) -> logging.LogRecord | None:
        record = logging.LogRecord("nimmt", level, "", 0, text, None, None)
        return record if repetition.filter(record) else None

    assert sum(passes("a bot failed") is not None for _ in range(1000)) == SAME_LINES
    assert passes("something else") is not None
    assert all(passes("GET /", logging.DEBUG) for _ in range(100))
    assert repetition.overdue() == []
    now[0] += WINDOW
    assert repetition.overdue() == [("nimmt", "a bot failed", 1000 - SAME_LINES)]
    assert repetition.overdue() == []
    assert passes("a bot failed") is not None


def raised(error: Callable[[], object]) -> logging.LogRecord:
    """The line that uvicorn would log about it."""
    try:
        error()
    except Exception:
        return logging.LogRecord(
            "uvicorn.error", logging.ERROR, "", 0, "Exception in ASGI application", None, sys.exc_info()
        )
    raise AssertionError("nothing was raised")


def test_a_wrapped_error_is_told_by_its_cause() -> None:
    def wrapped() -> None:
        try:
            raise KeyError("something that somebody sent")
        except KeyError as error:
            raise ValueError("Exception caught after response started") from error

    record = raised(wrapped)
    line = PlainFormatter().format(record)
    assert "KeyError at test_watching.py:" in line
    assert "sent" not in line
    assert is_our_fault(record)


def test_hanging_up_in_the_middle_of_an_answer_is_nobodys_error() -> None:
    async def hang_up() -> asyncio.Transport:
        loop = asyncio.get_running_loop()
        lost = asyncio.Event()

        class Answer(asyncio.Protocol):
            def connection_lost(self, _error: Exception | None) -> None:
                lost.set()

        async with await loop.create_server(asyncio.Protocol, "127.0.0.1", 0) as server:
            transport, _ = await loop.create_connection(Answer, *server.sockets[0].getsockname())
            transport.abort()
            await lost.wait()
        return transport

    transport = uvloop.run(hang_up())
    assert not is_our_fault(raised(lambda: transport.write(b"HTTP/1.1 200 OK")))

"""`nimmt verify --server`: the list of commitments is checked, remembered, and compared with records."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nimmt.match.shuffle import public_name
from nimmt.server.tables.commitments import LIST, Commitments
from nimmt.testing.servers import Person, ThreadServer, play_on


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadServer]:
    with ThreadServer() as running:
        yield running


@pytest.fixture(scope="module")
def played(server: ThreadServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a match at the server, where another table waits and a third was given up."""

    async def play() -> bytes:
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
            await anna.open_table("six", 2)
            await anna.do(await anna.open_table("six", 2), "close")
            table = await anna.open_table("six", 2, bots=["random"], options={"rounds": 1})
            await anna.do(table, "contribute", contribution="mine")
            await anna.do(table, "start")
            await play_on([anna], table, Random(1))
            return await anna.record(table)

    path = tmp_path_factory.mktemp("records") / "played.json"
    path.write_bytes(asyncio.run(play()))
    return path


@pytest.fixture
def tampered(server: ThreadServer) -> Iterator[list[bytes]]:
    """The log of the list, for tests that change it behind the server's back."""
    log: list[bytes] = server.platform.store._all_tables[LIST].log  # type: ignore[attr-defined]
    before = [*log]
    yield log
    log[:] = before


def test_a_list_and_a_record_in_it(run: Any, server: ThreadServer, played: Path) -> None:
    ran = run("verify", played, "--server", server.url)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == f"✓ {server.url}  3 commitments: 1 opened, 1 sealed, 1 never opened"
    assert ran.out.splitlines()[1].endswith("1 deal proven")


def test_json(run: Any, server: ThreadServer, played: Path) -> None:
    data = run("verify", played, "--server", server.url + "/", "--json").data
    told = data["server"]
    assert data["ok"] is told["ok"] is True
    assert (told["length"], told["opened"], told["sealed"], told["never"]) == (3, 1, 1, 1)


def test_a_record_from_elsewhere_is_not_in_the_list(
    run: Any, server: ThreadServer, played: Path, record_path: Path
) -> None:
    ran = run("verify", played, record_path, "--server", server.url)
    assert ran.code == 1
    assert "$.fairness.commitment: it is not in the list of the server" in ran.out


def test_the_list_must_go_on_from_where_it_was(run: Any, tmp_path: Path) -> None:
    head = tmp_path / "seen.json"
    with ThreadServer() as server:
        words = ("verify", "--server", server.url, "--head", head)
        store = server.platform.store

        def add(*names: str) -> None:
            for name in names:
                server.run(Commitments(store).add(name, public_name(name), 0))

        assert run(*words).code == 0
        assert json.loads(head.read_bytes())["length"] == 0
        add("a", "b")
        assert run(*words).code == 0
        add("c", "d")
        assert run(*words).code == 0
        kept = head.read_bytes()
        assert json.loads(kept)["length"] == 4
        # As from an old backup: the last two entries are gone, and new ones come.
        server.run(store.delete(LIST))
        add("a", "b")
        ran = run(*words)
        assert (ran.code, head.read_bytes()) == (1, kept)
        assert "fewer than the 4 it had before" in ran.out
        add("e", "f", "g")
        ran = run(*words)
        assert (ran.code, head.read_bytes()) == (1, kept)
        assert "Entry 4 is not the one that was there before" in ran.out
        head.write_bytes(kept.replace(server.url.encode(), b"http://elsewhere"))
        assert run(*words).code == 2
        head.write_bytes(b"[]")
        assert run(*words).code == 2


def test_a_list_that_was_changed_is_refused(
    run: Any, server: ThreadServer, played: Path, tampered: list[bytes]
) -> None:  # fmt: skip
    entry = json.loads(tampered[1])
    entry["commitment"] = "d" * 64
    tampered[1] = json.dumps(entry).encode()
    ran = run("verify", played, "--server", server.url)
    assert ran.code == 1
    assert "The hash of entry 2 is wrong." in ran.out
    assert run("verify", "--server", server.url, "--json").data["server"]["ok"] is False


def test_wrong_usage(run: Any, server: ThreadServer, record_path: Path, tmp_path: Path) -> None:
    assert run("verify").code == 2
    assert run("verify", record_path, "--head", tmp_path / "x").code == 2
    assert run("verify", "--server", "elsewhere").code == 2
    assert "not a list of commitments" in run("verify", "--server", server.url + "/api/schema/openapi.json?").err


def test_a_server_that_is_away(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimmt.clients.remote.TIMEOUT", 0)
    ran = run("verify", "--server", "http://127.0.0.1:9")
    assert ran.code == 2
    assert "cannot be reached" in ran.err

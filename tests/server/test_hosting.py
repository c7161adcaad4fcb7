"""For those who host a server: it starts or says in a sentence why not, keeps its file to itself, and leaves nothing
behind when it is killed."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from nimmt.testing.processes import HAS_PROC, is_running
from nimmt.testing.servers import NO_TLS, TIMEOUT, LiveServer


def nimmt(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nimmt", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=2 * TIMEOUT, check=False)


def serve(*words: str) -> subprocess.CompletedProcess[str]:
    return nimmt("serve", "--port", "0", "--no-warm-up", *words)


def children_of(pid: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(fields[1]) == pid:
            found += [int(status.parent.name), *children_of(int(status.parent.name))]
    return found


def words_of(pid: int) -> bytes:
    """Those that a process was started with."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""  # it has just ended


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz", verify=NO_TLS).is_success
    except httpx.TransportError:
        return False


@pytest.mark.each_once
@pytest.mark.parametrize("workers", ["1", "3"])
@pytest.mark.parametrize("database", ["/dev/null/nimmt.db", "postgresql://127.0.0.1:1/nimmt"])
def test_a_database_that_cannot_be_opened_ends_in_one_sentence(database: str, workers: str) -> None:
    done = serve("--database", database, "--workers", workers)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("nimmt: Cannot use the database: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.soak), "3"])
def test_a_port_that_is_taken_ends_in_one_sentence(workers: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = serve("--port", port, "--workers", workers, "--database", str(tmp_path / "nimmt.db"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"nimmt: Cannot listen on 127.0.0.1 port {port}: Address already in use.\n"


def test_several_workers_cannot_share_memory() -> None:
    done = serve("--database", "memory", "--workers", "2")
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot share an in-memory database" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="there are no such permissions")
def test_the_files_of_the_database_are_for_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "nimmt.db"
    with LiveServer(str(path)) as server:
        assert httpx.post(f"{server.url}/api/guests", json={"name": "Anna"}, verify=NO_TLS).is_success
        files = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
        assert files == {"nimmt.db": 0o600, "nimmt.db-wal": 0o600, "nimmt.db-shm": 0o600}
        assert "chmod" not in server.log
    path.chmod(0o644)
    with LiveServer(str(path)) as server:
        assert answers(server.url)
        assert "others on this machine may read the database: chmod 600" in server.log


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.soak), 2])
def test_a_server_that_is_killed_leaves_no_orphans(workers: int, tmp_path: Path) -> None:
    with LiveServer(str(tmp_path / "nimmt.db"), workers=workers) as server:
        while not answers(server.url):
            time.sleep(0.05)
        left = children_of(server.pid)
        assert len(left) >= workers - 1
        server.stop(signal.SIGKILL)
        end = time.monotonic() + TIMEOUT
        while any(map(is_running, left)) and time.monotonic() < end:
            time.sleep(0.05)
        assert not [pid for pid in left if is_running(pid)]
        server.settings["port"] = int(server.url.rpartition(":")[2])
        server.start()
        while not answers(server.url):
            time.sleep(0.05)


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_server_that_is_killed_while_it_compiles_can_be_started_at_once(workers: int, tmp_path: Path) -> None:
    """Its compilers may outlive it, but not on its port."""
    with LiveServer(str(tmp_path / "nimmt.db"), workers=workers, warm_up=True) as server:
        while not (compilers := [pid for pid in children_of(server.pid) if b"nimmt.bots" in words_of(pid)]):
            time.sleep(0.01)
        try:
            for pid in [*compilers, server.pid]:  # which would start other workers
                os.kill(pid, signal.SIGSTOP)
            others = [pid for pid in children_of(server.pid) if pid not in compilers]
            for pid in others:
                os.kill(pid, signal.SIGKILL)
            server.stop(signal.SIGKILL)
            end = time.monotonic() + TIMEOUT
            while any(map(is_running, others)) and time.monotonic() < end:
                time.sleep(0.01)
            server.settings |= {"port": int(server.url.rpartition(":")[2]), "warm_up": False}
            server.start()
            assert any(map(is_running, compilers))
        finally:
            for pid in compilers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)])
def test_nothing_is_restored_under_a_running_server(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    database = str(tmp_path / "nimmt.db") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    file = str(tmp_path / "monday.nimmt")
    with LiveServer(database) as server:
        assert httpx.post(f"{server.url}/api/guests", json={"name": "Anna"}, verify=NO_TLS).is_success
        assert nimmt("backup", file, "--database", database).returncode == 0
        done = nimmt("restore", file, "--database", database, "--force")
        assert (done.returncode, done.stdout) == (1, "")
        assert "A server is using this database" in done.stderr
        assert httpx.get(f"{server.url}/readyz", verify=NO_TLS).is_success
    assert nimmt("restore", file, "--database", database, "--force").returncode == 0


def test_a_failed_restore_leaves_nothing_behind(tmp_path: Path) -> None:
    club, file, cut = str(tmp_path / "club.db"), tmp_path / "monday.nimmt", tmp_path / "cut.nimmt"
    with LiveServer(club) as server:
        assert httpx.post(f"{server.url}/api/guests", json={"name": "Anna"}, verify=NO_TLS).is_success
    assert nimmt("backup", str(file), "--database", club).returncode == 0
    cut.write_bytes(file.read_bytes()[:-9])
    before = sorted(tmp_path.iterdir())
    assert nimmt("restore", str(cut), "--database", str(tmp_path / "new.db")).returncode == 1
    assert sorted(tmp_path.iterdir()) == before
    assert nimmt("restore", str(file), "--database", str(tmp_path / "new.db")).returncode == 0
    assert (tmp_path / "new.db").stat().st_mode & 0o777 == 0o600

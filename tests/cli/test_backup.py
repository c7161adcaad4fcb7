"""`nimmt backup` and `nimmt restore`."""

import asyncio
import contextlib
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nimmt
from nimmt.store.contract import make_store
from nimmt.testing.stores import fill, opened, stock

Run = Callable[..., Any]


def stock_of(database: object) -> list[object]:
    async def look() -> list[object]:
        async with opened(lambda: make_store(str(database))) as store:
            return list(await stock(store))

    return asyncio.run(look())


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "club.db"

    async def make() -> None:
        async with opened(lambda: make_store(str(path))) as store:
            await fill(store)

    asyncio.run(make())
    return path


def test_there_and_back(run: Run, database: Path, tmp_path: Path) -> None:
    file, copy = tmp_path / "monday.nimmt", tmp_path / "copy.db"
    done = run("backup", file, "--database", database)
    assert (done.code, done.err) == (0, "")
    assert "monday.nimmt holds 3 tables with 5 entries, and 3 documents" in done.out
    done = run("restore", file, "--database", copy)
    assert (done.code, done.out) == (0, "Restored 3 tables with 5 entries, and 3 documents.\n")
    assert stock_of(copy) == stock_of(database)


def test_to_postgres(run: Run, database: Path, tmp_path: Path, postgres_url: str) -> None:
    file, back = tmp_path / "monday.nimmt", tmp_path / "back.nimmt"
    assert run("backup", file, "--database", database).code == 0
    assert run("restore", file, "--database", postgres_url).code == 0
    assert run("backup", back, "--database", postgres_url).code == 0
    assert back.read_bytes() == file.read_bytes()


def test_for_programs(run: Run, database: Path, tmp_path: Path) -> None:
    file, count = tmp_path / "monday.nimmt", {"tables": 3, "entries": 5, "keys": 3, "documents": 3}
    done = run("backup", file, "--database", database, "--json")
    assert done.data == {"file": str(file), "bytes": file.stat().st_size, "count": count}
    done = run("restore", file, "--database", tmp_path / "copy.db", "--json")
    assert done.data == {"file": str(file), "count": count}
    done = run("restore", file, "--database", tmp_path / "copy.db", "--json")
    assert (done.code, done.data["error"]["code"]) == (1, "not_empty")


def test_the_database_of_the_settings(
    run: Run, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIMMT_DATABASE", str(database))
    assert run("backup", tmp_path / "a.nimmt").code == 0
    monkeypatch.delenv("NIMMT_DATABASE")
    (tmp_path / "club.toml").write_text(f'database = "{database.as_posix()}"\n')
    assert run("backup", tmp_path / "b.nimmt", "--settings", tmp_path / "club.toml").code == 0
    monkeypatch.chdir(tmp_path)
    done = run("backup", tmp_path / "c.nimmt")
    assert (done.code, done.err) == (2, "nimmt: There is no database nimmt.db.\n")
    assert not (tmp_path / "nimmt.db").exists()


def test_nothing_is_overwritten_unless_forced(run: Run, database: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "monday.nimmt", tmp_path / "other.db"
    assert run("backup", file, "--database", database).code == 0
    done = run("backup", file, "--database", database)
    assert done.code == 2
    assert done.err.endswith("monday.nimmt already exists; --force overwrites it.\n")
    assert run("backup", file, "--database", database, "--force").code == 0
    assert run("restore", file, "--database", other).code == 0
    done = run("restore", file, "--database", other)
    assert done.code == 1
    assert "--force replaces all of it" in done.err
    assert run("restore", file, "--database", other, "--force").code == 0


def test_clear_errors(run: Run, database: Path, tmp_path: Path) -> None:
    file = tmp_path / "monday.nimmt"
    assert run("backup", file, "--database", database).code == 0
    cut = tmp_path / "cut.nimmt"
    cut.write_bytes(file.read_bytes()[:-9])
    cases: list[tuple[list[object], int, str]] = [
        (["restore", cut, "--database", tmp_path / "a.db"], 1, "is not as it was written"),
        (["restore", database, "--database", tmp_path / "b.db"], 1, "is not a nimmt backup"),
        (["restore", tmp_path / "none", "--database", tmp_path / "c.db"], 2, "No such file"),
        (["restore", file, "--database", cut], 2, "not an SQLite database"),
        (["restore", file, "--database", "memory"], 2, "memory"),
        (["backup", tmp_path / "none" / "x", "--database", database], 2, "No such file"),
        (["backup", tmp_path / "x", "--database", f"postgresql://x:secret@/y?host={tmp_path}"], 1, "PostgreSQL"),
        (["backup", tmp_path / "x", "--settings", tmp_path / "none.toml"], 2, "none.toml: No such file"),
        (["backup"], 2, "FILE"),
    ]
    for words, code, text in cases:
        done = run(*words)
        assert (done.code, done.out) == (code, ""), words
        assert text in done.err
        assert done.err.count("\n") == 1
        assert "secret" not in done.err


def test_a_bar_for_those_who_watch(database: Path, tmp_path: Path) -> None:
    """On a terminal a bar comes and goes; what is printed stays."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "nimmt", "backup", str(tmp_path / "x.nimmt"), "--database", str(database)]
    environment = {**os.environ, "PYTHONPATH": str(Path(nimmt.__file__).parents[1]), "TERM": "xterm"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    drawn = b""
    with contextlib.suppress(OSError):  # how Linux says that nobody is there any more
        while part := os.read(ours, 2**16):
            drawn += part
    os.close(ours)
    said, _ = process.communicate(timeout=180)
    assert process.returncode == 0
    assert b"x.nimmt holds 3 tables" in said
    assert b"14/14" in drawn

"""A table obeys the rules that it was opened under, whatever the server learns later."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from nimmt.match.match import verify
from nimmt.match.record import Record, read_record, write_record
from nimmt.rules.game import IllegalAction
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.state import TableState
from nimmt.testing.servers import LiveServer, play_on

pytestmark = pytest.mark.anyio

ARCHIVE = Path(__file__).parent.parent / "archive"
OLD_RECORDS = sorted(ARCHIVE.glob("buffalo-*-v1.json"))


def old_log(record: Record) -> Iterator[bytes]:
    """The log as it was written before there was a second version: it says nothing of versions."""
    fairness = record.fairness
    assert fairness is not None
    opened = e.Opened(
        at=0,
        game=record.game,
        options=json.loads(bytes(record.options)),
        seats=len(record.seats),
        public=False,
        tempo=e.NoClock(),
        host="0",
        server_seed=fairness.server_seed or "",
    )
    document = json.loads(e.encode(opened))
    del document["rules_version"]
    yield json.dumps(document).encode()
    for seat, (info, words) in enumerate(zip(record.seats, fairness.contributions, strict=True)):
        yield e.encode(e.Joined(at=0, seat=seat, guest=str(seat), name=info.name, contribution=words))
    yield e.encode(e.Started(at=0))
    for move in record.actions:
        yield e.encode(e.Acted(at=0, seat=move.seat, action=move.action))


@pytest.mark.parametrize("path", OLD_RECORDS, ids=lambda path: path.stem)
def test_a_log_from_before_the_second_version_tells_the_same_match(path: Path) -> None:
    record = read_record(path.read_bytes())
    opened, *entries = map(e.decode, old_log(record))
    assert isinstance(opened, e.Opened)
    table = TableState("t", opened)
    for entry in entries:
        table.add(entry)
    assert table.phase == "over"
    assert table.match is not None
    told, recorded = json.loads(write_record(table.match.record())), json.loads(path.read_bytes())
    for part in ("rules_version", "options", "fairness", "deals", "actions", "result"):
        assert told[part] == recorded[part], part


def test_only_some_of_the_old_logs_would_mean_the_same_under_the_new_rules() -> None:
    """Else the test above would prove nothing."""
    different = 0
    for path in OLD_RECORDS:
        opened, *entries = map(e.decode, old_log(read_record(path.read_bytes())))
        assert isinstance(opened, e.Opened)
        table = TableState("t", msgspec.structs.replace(opened, rules_version=2))
        try:
            for entry in entries:
                table.add(entry)
        except IllegalAction:
            different += 1
    assert different >= 2


def forget_versions(database: Path) -> int:
    """Make the logs those of an older server; how many there were."""
    changed = 0
    with sqlite3.connect(database) as connection:
        for table, number, data in connection.execute("SELECT table_id, number, data FROM entries").fetchall():
            document: dict[str, Any] = json.loads(data)
            if document.pop("rules_version", None) is not None:
                old = json.dumps(document).encode()
                where = "WHERE table_id = ? AND number = ?"
                connection.execute(f"UPDATE entries SET data = ? {where}", (old, table, number))
                changed += 1
    return changed


async def test_a_table_that_was_begun_before_an_upgrade_goes_on_under_its_own_rules(tmp_path: Path, come: Any) -> None:
    with LiveServer(str(tmp_path / "nimmt.db")) as server:
        anna, ben = await come("Anna", "Ben", at=server.url)
        table = await anna.open_table("buffalo", 4, bots=["greedy"] * 2, options={"decide": "anyone"})
        await ben.do(table, "join")
        await anna.do(table, "start")
        server.stop()
        assert forget_versions(tmp_path / "nimmt.db") == 1
        server.settings["port"] = int(server.url.rpartition(":")[2])
        server.start()
        assert (await anna.situation(table))["view"]["table"]["rules_version"] == 1
        await play_on([anna, ben], table, Random(5))
        record = await anna.record(table)
        assert json.loads(record)["rules_version"] == 1
        assert verify(record).outcome is not None
        # What is opened from now on is played under the new rules, a rematch too.
        again = (await anna.do(table, "rematch"))["id"]
        await ben.do(again, "join")
        await anna.do(again, "start")
        assert (await anna.situation(again))["view"]["table"]["rules_version"] == 2

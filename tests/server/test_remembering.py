"""What a process remembers of a table never goes back, whatever others write meanwhile."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from nimmt.server.hub import LocalHub
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.commands import Tables
from nimmt.server.tables.table import Table
from nimmt.store import Appended
from nimmt.store.memory import MemoryStore

pytestmark = pytest.mark.anyio


class SlowStore(MemoryStore):
    """Something happens between an append and the moment its writer hears of it."""

    meanwhile: Callable[[], Awaitable[Any]] | None = None

    async def append(self, *words: Any, **named: Any) -> Appended:
        appended = await super().append(*words, **named)
        if (happens := self.meanwhile) is not None:
            self.meanwhile = None
            await happens()
        return appended


def say(text: str) -> Callable[[Table], list[e.Entry]]:
    return lambda table: table.say("anna", "Anna", text, 1)


async def test_a_writer_who_hears_late_does_not_take_back_what_others_wrote() -> None:
    store = SlowStore()
    ours, theirs = Tables(store, LocalHub()), Tables(store, LocalHub())
    opened = await ours.open_table(
        "anna", "six", {}, 2, True, e.NoClock(), lambda table: table.join("anna", "Anna", 0, "", 1)
    )

    async def others_write_and_we_read() -> None:
        await theirs.do(opened.id, say("second"))
        await ours.load(opened.id)

    store.meanwhile = others_write_and_we_read
    await ours.do(opened.id, say("first"))
    remembered = ours.cached(opened.id)
    assert remembered is not None
    assert remembered.version == len(await store.read(opened.id)) == opened.version + 2
    assert (await ours.follow(opened.id)).version == remembered.version

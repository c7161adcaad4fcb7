"""What a process remembers of a table never goes back, whatever others write meanwhile."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from nimmt.server.http.errors import Refused
from nimmt.server.hub import LocalHub
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.commands import CHUNK, Tables
from nimmt.server.tables.table import Table
from nimmt.store import Appended
from nimmt.store.memory import MemoryStore

TERMS = e.Terms(game="six", options={}, seats=2, public=True, tempo=e.NoClock())

pytestmark = pytest.mark.anyio


class SlowStore(MemoryStore):
    """Something happens between an append or a reading and the moment one hears of it."""

    meanwhile: Callable[[], Awaitable[Any]] | None = None
    readings = 1
    """With which of them it happens."""

    async def append(self, *words: Any, **named: Any) -> Appended:
        appended = await super().append(*words, **named)
        await self._happen()
        return appended

    async def read(self, *words: Any, **named: Any) -> list[bytes]:
        data = await super().read(*words, **named)
        self.readings -= 1
        if self.readings <= 0:
            await self._happen()
        return data

    async def _happen(self) -> None:
        if (happens := self.meanwhile) is not None:
            self.meanwhile = None
            await happens()


def say(text: str) -> Callable[[Table], list[e.Entry]]:
    return lambda table: table.say("anna", "Anna", text, 1)


async def test_a_writer_who_hears_late_does_not_take_back_what_others_wrote() -> None:
    store = SlowStore()
    ours, theirs = Tables(store, LocalHub()), Tables(store, LocalHub())
    opened = await ours.open_table("anna", TERMS, lambda table: table.join("anna", "Anna", 0, "", 1))

    async def others_write_and_we_read() -> None:
        await theirs.do(opened.id, say("second"))
        await ours.load(opened.id)

    store.meanwhile = others_write_and_we_read
    await ours.do(opened.id, say("first"))
    remembered = ours.cached(opened.id)
    assert remembered is not None
    assert remembered.version == len(await store.read(opened.id)) == opened.version + 2
    assert (await ours.follow(opened.id)).version == remembered.version


@pytest.mark.parametrize(("entries", "readings"), [(2, 1), (CHUNK + 2, 3)])
async def test_a_table_that_is_deleted_while_it_is_read_is_gone(entries: int, readings: int) -> None:
    """Whoever was reading it must not bring back what had to be forgotten: nobody would forget it again."""
    store = SlowStore()
    tables, others = Tables(store, LocalHub()), Tables(store, LocalHub())
    table = await tables.open_table("anna", TERMS, lambda table: table.join("anna", "Anna", 0, "", 1))
    for number in range(table.version, entries):
        await others.do(table.id, say(str(number)))

    async def delete() -> None:
        await store.delete(table.id)
        tables.forget(table.id)

    store.meanwhile, store.readings = delete, readings
    with pytest.raises(Refused, match="no longer does"):
        await tables.load(table.id)
    assert tables.cached(table.id) is None

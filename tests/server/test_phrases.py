"""What is said with one tap: sent as a code, limited, closed, muted and forgotten like any other message."""

from typing import Any, get_args

import msgspec
import pytest

from nimmt.server.people import privacy
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.log_entries import WORDS, Phrase
from nimmt.testing.servers import ThreadServer, refused

pytestmark = pytest.mark.anyio


async def test_everybody_is_told_the_code_and_words(come: Any) -> None:
    anna, ben, cleo = await come("Anna", "Ben", "Cleo")
    table = await anna.open_table("six", 2)
    await ben.do(table, "join")
    async with ben.socket(table) as socket:
        await socket.next()
        await anna.do(table, "phrase", phrase="well_played")
        await cleo.do(table, "phrase", phrase="laugh")
        told = [(await socket.next())["note"] for _ in range(2)]
    assert told == [
        {"type": "ChatSaid", "n": 4, "name": "Anna", "seat": 0, "text": "Well played!", "phrase": "well_played"},
        {"type": "ChatSaid", "n": 5, "name": "Cleo", "seat": None, "text": "(laughs)", "phrase": "laugh"},
    ]
    assert (await cleo.look(table))["chat"] == told


async def test_nothing_else_can_be_said_so(come: Any) -> None:
    """Else anybody could put words of their own past everything that cleans them."""
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    before = await anna.look(table)
    for phrase in ("", "hello ", "Hello!", "<b>", None, 3, ["hello"]):
        await refused("bad_request", anna.do(table, "phrase", phrase=phrase))
    await refused("bad_request", anna.do(table, "phrase", phrase="hello", text="And this."))
    await refused("bad_request", anna.do(table, "say", text="Hello", phrase="hello"))
    assert await anna.look(table) == before


async def test_closed_where_talking_is(come: Any) -> None:
    """A face may tell partners as much as words."""
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("buffalo", 2)
    await ben.do(table, "join")
    await anna.do(table, "start")
    await refused("chat_closed", ben.do(table, "phrase", phrase="cry"))
    for person in (anna, ben):
        await person.act(table, (await person.situation(table))["legal"][0])
    await ben.do(table, "phrase", phrase="clap")


async def test_muted_people_are_not_heard(come: Any) -> None:
    anna, ben, cleo = await come("Anna", "Ben", "Cleo")
    table = await anna.open_table("six", 2)
    await ben.do(table, "join")
    await anna.post(f"/api/tables/{table}/shun", {"seat": 1})
    await ben.do(table, "phrase", phrase="angry")
    assert (await anna.look(table))["chat"] == []
    assert [said["phrase"] for said in (await cleo.look(table))["chat"]] == ["angry"]


async def test_phrases_and_messages_share_a_limit(come: Any) -> None:
    with ThreadServer(limited=True, messages_per_guest=4) as server:
        (anna,) = await come("Anna", at=server.url)
        table = await anna.open_table("six", 2)
        for _ in range(2):
            await anna.do(table, "phrase", phrase="hello")
            await anna.do(table, "say", text="Hello!")
        await refused("too_many", anna.do(table, "phrase", phrase="hello"))


def test_logs_without_phrases_read_as_ever() -> None:
    old = b'{"type":"Said","at":7,"guest":"g","name":"Anna","seat":0,"text":"Hi"}'
    entry = e.decode(old)
    assert isinstance(entry, e.Said)
    assert entry.phrase is None
    later = e.decode(msgspec.json.encode({**msgspec.json.decode(old), "phrase": "no longer offered"}))
    assert isinstance(later, e.Said)
    assert (later.text, later.phrase) == ("Hi", "no longer offered")


def test_whoever_is_forgotten_has_said_nothing() -> None:
    said = e.Said(at=7, guest="g", name="Anna", seat=None, text="Hello!", phrase="hello")
    line = privacy._unnamed(e.encode(said), said, (), "g", "alias")
    assert b"ello" not in line
    assert b"Anna" not in line


def test_every_phrase_has_words() -> None:
    assert set(get_args(Phrase)) == set(WORDS)

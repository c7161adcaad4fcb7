"""A move takes the straight way: decoded once, applied once, appended once, told. What is told is what the log says."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from nimmt.rules.game import AnyGame
from nimmt.server.hub import LocalHub
from nimmt.server.tables import log_entries as e
from nimmt.server.tables import projection
from nimmt.server.tables import state as table_state
from nimmt.server.tables import table as table_module
from nimmt.server.tables.commands import Once, Tables, _fold
from nimmt.server.tables.table import Draft, Table
from nimmt.store import Appended
from nimmt.store.memory import MemoryStore
from nimmt.testing.conformance import Case, all_cases

TERMS = e.Terms(game="six", options={}, seats=2, public=True, tempo=e.NoClock())

COMMANDS = 60
"""So many are carried out in each game, which is more than a round of most."""


def facts(table: Table) -> dict[str, Any]:
    """Everything that a table is made of."""
    match = table.match
    assert match is not None
    # What was foreseen for a seat is kept to save work, and says nothing that the rest does not.
    found = {name: value for name, value in vars(table).items() if name not in ("match", "moments", "foreseen")}
    of_match = {name: value for name, value in vars(match).items() if name != "dealer"}
    return {
        **found,
        **of_match,
        "moments": table.moments[table.moments.first :],
        "listing": table.listing(),
        "told": [msgspec.json.encode(projection.snapshot(table, guest)) for guest in (None, "0", "1")],
    }


def begun(game: str, options: dict[str, Any], seats: int) -> tuple[e.Opened, Draft]:
    """People on all seats but the last, where there is more than one; the match has begun."""
    opened = e.Opened(
        at=0, game=game, options=options, seats=seats, public=True, tempo=e.Live(30), host="0", server_seed="6" * 64
    )
    draft = Draft(Table("t", opened))
    for seat in range(max(1, seats - 1)):
        draft.add(draft.after.join(str(seat), f"P{seat}", seat, "", 0))
    if seats > 1:
        draft.add(draft.after.seat_bot("0", seats - 1, "random", 0))
    return opened, draft.add(draft.after.start("0", 0))


def something(table: Table, rng: Random, now: int) -> Draft | list[e.Entry]:
    """Mostly a decision, as it comes from a browser or from a bot; now and then something else."""
    if rng.random() < 0.1:
        return table.run_out(now + rng.choice((0, 40_000, 40_000)))
    seat = rng.choice([*table.asked])
    guest = table.chairs[seat].guest
    if guest is not None and rng.random() < 0.15:
        others = (
            lambda: table.leave(guest, now),
            lambda: table.come_back(guest, now),
            lambda: table.set_pace(guest, rng.choice(("fast", "instant")), now),
        )
        return rng.choice(others)()
    action = rng.choice([*table.game.legal(table.moments[-1].state, seat)])
    if guest is None:
        return table.act_for(seat, action, now)
    return table.act(guest, json.loads(msgspec.json.encode(action)), None, now, rng.random() < 0.1)


def options_of(case: Case) -> dict[str, Any]:
    options: dict[str, Any] = json.loads(msgspec.json.encode(case.options()))
    return options


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_what_was_carried_out_is_what_its_entries_say(case: Case) -> None:
    """Other processes have nothing but the entries."""
    rng, now = Random(case.id), 1000
    opened, draft = begun(case.game.id, options_of(case), case.seats)
    log, table = [e.encode(opened), *map(e.encode, draft.entries)], draft.after
    for _ in range(COMMANDS):
        if table.phase != "playing":
            break
        before, now = facts(table), now + rng.randrange(3000)
        found = something(table, rng, now)
        draft = found if isinstance(found, Draft) else Draft(table).add(found)
        data = [*map(e.encode, draft.entries)]
        assert facts(table) == before, "who decides leaves the table as it is"
        assert facts(_fold("t", table, data)) == facts(draft.after)
        table, log = draft.after, log + data
    assert facts(_fold("t", None, log)) == facts(table)


# -- once -------------------------------------------------------------------------------------------------------------


class CountingStore(MemoryStore):
    def __init__(self) -> None:
        super().__init__()
        self.calls: Counter[str] = Counter()

    async def append(self, *words: Any, **named: Any) -> Appended:
        self.calls["append"] += 1
        return await super().append(*words, **named)

    async def read(self, *words: Any, **named: Any) -> list[bytes]:
        self.calls["read"] += 1
        return await super().read(*words, **named)


async def opened_in(tables: Tables) -> Table:
    def furnish(table: Table) -> Draft:
        draft = Draft(table)
        for seat, guest in enumerate("ab"):
            draft.add(draft.after.join(guest, guest, seat, "", 0))
        return draft.add(draft.after.start("a", 0))

    return await tables.open_table("a", TERMS, furnish)


def first_action(table: Table, seat: int) -> Any:
    return json.loads(msgspec.json.encode(table.game.legal(table.moments[-1].state, seat)[0]))


@pytest.mark.anyio
async def test_a_move_is_decoded_applied_and_appended_once(monkeypatch: pytest.MonkeyPatch) -> None:
    store, calls = CountingStore(), Counter[str]()
    tables = Tables(store, LocalHub())
    table = await opened_in(tables)
    game: type[AnyGame] = type(table.game)

    def counted(name: str, honest: Any) -> Any:
        def call(*words: Any) -> Any:
            calls[name] += 1
            return honest(*words)

        return call

    monkeypatch.setattr(game, "apply", counted("apply", game.apply))
    for module in (table_module, table_state):
        monkeypatch.setattr(module, "decode_action", counted("decode", table_module.decode_action))
    store.calls.clear()
    action = first_action(table, 0)
    after, n = await tables.do(table.id, lambda t: t.act("a", action, None, 1), Once("a:key", "request"))
    assert n == after.version == table.version + 1
    assert calls == {"decode": 1, "apply": 1}
    assert store.calls == {"append": 1}
    again, same = await tables.do(table.id, lambda t: t.act("a", action, None, 2), Once("a:key", "request"))
    assert (again.version, same) == (after.version, n)


class ForgetfulStore(MemoryStore):
    """Loses the answer to the next append and tries again: with a key all that it can say then is that it was used."""

    loses = False

    async def append(self, *words: Any, **named: Any) -> Appended:
        if self.loses:
            self.loses = False
            await super().append(*words, **named)
        return await super().append(*words, **named)


@pytest.mark.anyio
async def test_what_was_written_is_told_even_if_its_key_seems_used() -> None:
    store, hub = ForgetfulStore(), LocalHub()
    tables = Tables(store, hub)
    table = await opened_in(tables)
    changed: list[int] = []
    tables.on_change = lambda changed_table: changed.append(changed_table.version)
    with hub.subscribe(table.id) as subscription:
        store.loses, action = True, first_action(table, 0)
        after, n = await tables.do(table.id, lambda t: t.act("a", action, None, 1), Once("a:key", "request"))
        assert await subscription.wait(0)
    assert n == after.version == len(await store.read(table.id)) == table.version + 1
    assert changed == [n]
    assert facts(after) == facts(_fold(table.id, None, await store.read(table.id)))

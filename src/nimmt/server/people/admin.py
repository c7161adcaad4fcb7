"""What whoever runs a server can do on its database, beside the processes that serve: see `docs/admin.md`.

Whatever is decided here is written to the store, and the hub tells the processes. Those that do not hear it find it
within seconds.
"""

from __future__ import annotations

import getpass
import os
import platform
import secrets
from collections.abc import AsyncIterator, Iterable
from typing import TypeAlias

import msgspec

from nimmt.server.calls.subscriptions import Subscriptions
from nimmt.server.hub import make_hub
from nimmt.server.monitoring import Load
from nimmt.server.people import moderation
from nimmt.server.people.guests import Guest, GuestDocument, Guests
from nimmt.server.people.keys import DAY
from nimmt.server.people.moderation import Case, Reports, Shunning, State
from nimmt.server.people.privacy import Privacy
from nimmt.server.people.sessions import Sessions
from nimmt.server.reviews import forget as forget_reviews
from nimmt.server.tables import messages as m
from nimmt.server.tables.commands import Tables, now_ms
from nimmt.server.tables.table import Table, clean_text
from nimmt.store import Store, contract
from nimmt.store.contract import Phase

# -- audit -------------------------------------------------------------------------------------------------------------
# Who did what in the name of the server, and when. Written before it is done: nothing is done that is not written.
#
# Ids are shortened: a log must let nobody in at a table, and what was forgotten must stay forgotten.

KIND = "audit"
KEPT_DAYS = 400
SHOWN = 8
"""Signs of an id that are shown: enough to tell apart, not enough to come in."""


class Act(msgspec.Struct, frozen=True):
    at: int
    who: str
    what: str
    target: str
    detail: str = ""


def short(some_id: str) -> str:
    """A dash in front would look like an option of a command."""
    return some_id.lstrip("-")[:SHOWN]


def somebody() -> str:
    """The account that a command runs under, and the one behind it."""
    try:
        account = getpass.getuser()
    except (KeyError, OSError):  # in a container, say, there need not be one
        account = str(os.getuid())
    behind = os.environ.get("SUDO_USER", "")
    return f"{behind or account}@{platform.node()}"


async def write(store: Store, what: str, target: str, detail: str = "") -> None:
    act = Act(now_ms(), somebody(), what, target, detail)
    name = f"{act.at:015d}-{secrets.token_hex(4)}"
    await store.put(KIND, name, msgspec.json.encode(act), act.at + KEPT_DAYS * DAY)


async def read(store: Store, most: int) -> list[Act]:
    """The latest first."""
    found = await store.documents(KIND, now_ms())
    return [msgspec.json.decode(found[name], type=Act) for name in sorted(found, reverse=True)[:most]]


# -- office ------------------------------------------------------------------------------------------------------------

PHASES: tuple[Phase, ...] = ("waiting", "playing", "over", "closed")
EVERYTHING = 10_000_000
NEVER = 2**53
MAX_REASON_LENGTH = 300


class NoSuch(Exception):
    """Nothing, or more than one thing, is called that."""


class KnownGuest(msgspec.Struct, frozen=True):
    id: str
    name: str
    created: int
    last_seen: int | None
    """The day, in milliseconds of the epoch."""


class ShownTable(msgspec.Struct, frozen=True):
    id: str
    game: str
    phase: Phase
    public: bool
    seats: tuple[str, ...]
    updated: int


class ShownBan(msgspec.Struct, frozen=True):
    kind: str
    name: str
    since: int
    until: int | None
    reason: str


class Overview(msgspec.Struct, frozen=True):
    tables: dict[str, int]
    guests: int
    bans: int
    open_reports: int
    processes: tuple[Load, ...]


Banned: TypeAlias = "str | moderation.Network"
"""The id of a guest, or a network."""


class Office:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.hub = make_hub(store, 1)
        self.guests = Guests(store)
        self.tables = Tables(store, self.hub)
        self.reports = Reports(store)
        self._bans = moderation.Bans(store, self.hub, self.tables)
        self._sessions = Sessions(store, self.hub, self.guests, self._bans)
        known = (Shunning(store, self.hub), self.reports, Subscriptions(store))
        self._privacy = Privacy(store, self.guests, self._sessions, self.tables, 0, *known)

    async def __aenter__(self) -> Office:
        await self.store.open()
        await self.hub.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.hub.close()  # what is not told yet is told now
        await self.store.close()

    # -- finding ------------------------------------------------------------------------------------------------------

    async def find_table(self, begins: str) -> str:
        return _only("table", begins, await self._table_ids(PHASES))

    async def find_guest(self, begins: str) -> str:
        return _only("guest", begins, await self.store.documents("guest"))

    async def find_case(self, begins: str) -> Case:
        cases = {case.id: case for case in await self.reports.cases()}
        return cases[_only("report", begins, cases)]

    async def _table_ids(self, phases: Iterable[Phase]) -> list[str]:
        """The latest last."""
        return await self.store.idle_tables([*phases], NEVER, EVERYTHING)

    # -- tables -------------------------------------------------------------------------------------------------------

    async def list_tables(self, phases: Iterable[Phase], most: int) -> list[ShownTable]:
        """The latest first."""
        shown = []
        for table_id in reversed((await self._table_ids(phases))[-most:]):
            listing = await self.store.listing(table_id)
            if listing is not None:
                card = m.card_of(table_id, listing)
                seats = tuple(chair.name or chair.level or "" for chair in card.chairs)
                shown.append(
                    ShownTable(table_id, card.game, listing.phase, listing.public, seats, listing.updated)
                )  # fmt: skip
        return shown

    async def close_table(self, table_id: str) -> bool:
        """False if there was nothing to close."""
        table = await self.tables.load(table_id)
        if not table.shut(now_ms()):
            return False
        await write(self.store, "close", short(table_id))
        await self.tables.do(table_id, lambda table: table.shut(now_ms()))
        return True

    async def delete_table(self, table_id: str) -> None:
        """Whoever is there is told that it is closed, and then it is gone everywhere."""
        await write(self.store, "delete", short(table_id))
        await self.tables.do(table_id, lambda table: table.shut(now_ms()))
        await self.store.delete(table_id)
        await forget_reviews(self.store, table_id)
        await self.store.put(moderation.DELETED, table_id, b"", now_ms() + DAY)
        await self._tell()

    async def hush(self, table_id: str, n: int) -> m.ChatSaid:
        """Take a message away; returns what it was. Raises `Refused`."""
        said = (await self.tables.load(table_id)).message(n)
        await write(self.store, "remove-message", short(table_id), f"message {n}")
        await self.tables.do(table_id, lambda table: table.hush(n, now_ms()))
        return said

    # -- people -------------------------------------------------------------------------------------------------------

    async def list_guests(self, named: str, most: int) -> list[KnownGuest]:
        """Those whose name has this in it, who came last first."""
        found = []
        for guest_id, data in (await self.store.documents("guest")).items():
            document = msgspec.json.decode(data, type=GuestDocument)
            if named.casefold() in document.name.casefold():
                found.append((guest_id, document))
        found.sort(key=lambda one: -one[1].created)
        people = [await self._known(guest_id, document) for guest_id, document in found[:most]]
        return sorted(people, key=lambda one: (-(one.last_seen or 0), one.name, one.id))

    async def _known(self, guest_id: str, document: GuestDocument) -> KnownGuest:
        seen = await self.guests.last_seen(guest_id)
        return KnownGuest(guest_id, document.name, document.created, None if seen is None else seen * DAY)

    async def name_of(self, guest_id: str) -> str:
        document = await self.guests.document(guest_id)
        return document.name if document else ""

    async def export(self, guest_id: str) -> AsyncIterator[bytes]:
        """All that the server knows of somebody, as they could have it themselves."""
        await write(self.store, "export", short(guest_id))
        async for piece in self._privacy.export(Guest(guest_id, await self.name_of(guest_id))):
            yield piece

    async def log_out(self, guest_id: str) -> None:
        """Everywhere: all cookies, links and tokens count no more, and what they have open ends."""
        await write(self.store, "log-out", short(guest_id))
        await self.guests.end_all(guest_id)
        await self._sessions.end(guest_id)

    async def forget(self, guest_id: str) -> None:
        await write(self.store, "forget", short(guest_id))
        await self._privacy.forget(guest_id)
        await self._tell()

    # -- bans ---------------------------------------------------------------------------------------------------------

    async def find_banned(self, text: str) -> Banned:
        """An address, a network, or the guest whose id begins like this."""
        try:
            return moderation.network_of(text)
        except ValueError:
            return await self.find_guest(text)

    async def ban(self, who: Banned, until: int | None, reason: str) -> moderation.Ban:
        kind, name = _document(who)
        ban = moderation.Ban(now_ms(), until, clean_text(reason)[:MAX_REASON_LENGTH])
        # What is said in the log must not outlive a person's data: the reason is for the banned.
        await write(self.store, "ban", _shown(who), moderation.end_of(ban))
        await self.store.put(kind, name, msgspec.json.encode(ban), until)
        await self._tell()
        return ban

    async def unban(self, text: str) -> str:
        """Also of somebody who is not known any more. Raises `NoSuch` if they are not banned."""
        try:
            kind, name = _document(moderation.network_of(text))
        except ValueError:
            kind, name = (
                moderation.GUESTS,
                _only("banned guest", text, await self.store.documents(moderation.GUESTS, now_ms())),
            )
        if await self.store.get(kind, name, now_ms()) is None:
            raise NoSuch(f"{text} is not banned. 'nimmt admin bans' lists who is.")
        shown = name if kind == moderation.ADDRESSES else short(name)
        await write(self.store, "unban", shown)
        await self.store.remove(kind, name)
        await self._tell()
        return shown

    async def list_bans(self) -> list[ShownBan]:
        found = []
        for kind in (moderation.GUESTS, moderation.ADDRESSES):
            for name, data in (await self.store.documents(kind, now_ms())).items():
                ban = msgspec.json.decode(data, type=moderation.Ban)
                found.append(ShownBan(kind.removeprefix("ban:"), name, ban.since, ban.until, ban.reason))
        return sorted(found, key=lambda ban: (-ban.since, ban.name))

    async def _tell(self) -> None:
        await self.hub.publish(moderation.TOPIC)

    # -- reports, and how things are ----------------------------------------------------------------------------------

    async def settle(self, case: Case, state: State) -> None:
        await write(self.store, "resolve" if state == "resolved" else "dismiss", case.id, short(case.first.table))
        await self.reports.settle(case, state)

    async def overview(self) -> Overview:
        loads = [msgspec.json.decode(data, type=Load) for data in await contract.running(self.store, now_ms()) if data]
        return Overview(
            {phase: await self.store.count(phase) for phase in PHASES},
            len(await self.store.documents("guest")),
            len(await self.list_bans()),
            sum(case.state == "open" for case in await self.reports.cases()),
            tuple(sorted(loads, key=lambda load: (load.host, load.pid))),
        )

    async def follow(self, table_id: str, after: int) -> AsyncIterator[Table]:
        """The table whenever it has changed, until nothing can happen there any more."""
        with self.hub.subscribe(table_id) as subscription:
            table = await self.tables.load(table_id)
            while True:
                if table.version > after:
                    after = table.version
                    yield table
                if table.phase == "closed" or (table.phase == "over" and table.rematch):
                    return
                await subscription.wait(2.0)
                table = await self.tables.load(table_id)


def _document(who: Banned) -> tuple[str, str]:
    return (moderation.GUESTS, who) if isinstance(who, str) else (moderation.ADDRESSES, moderation.written(who))


def _shown(who: Banned) -> str:
    return short(who) if isinstance(who, str) else moderation.written(who)


def _only(kind: str, begins: str, found: Iterable[str]) -> str:
    """The one whose id begins like this; a dash in front does not count, as it would look like an option."""
    wanted = begins.strip().lstrip("-")
    fitting = [name for name in found if wanted and name.lstrip("-").startswith(wanted)]
    if not fitting:
        raise NoSuch(f"There is no {kind} whose id begins with {begins[:40]!r}.")
    exact = [name for name in fitting if name.lstrip("-") == wanted]
    if len(fitting) > 1 and not exact:
        raise NoSuch(f"{len(fitting)} ids begin with {begins[:40]!r}. Please give more of the {kind}'s.")
    return (exact or fitting)[0]

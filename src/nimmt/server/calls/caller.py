"""Calls people who are not there when it becomes their turn in a match over days.

A call is a document until it is settled, so that no restart loses it and any process may send it. Who sends holds a
lease on the browser meanwhile, so exactly one does; only a process that dies between sending and making a note of it
leaves a call to be sent again, and then it takes the place of the first one on the screen.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from nimmt.rules.game import Seat
from nimmt.server.calls.subscriptions import CALLS as KIND
from nimmt.server.calls.subscriptions import Call, Subscription, Subscriptions, quiet_until
from nimmt.server.calls.webpush import BadEndpoint, Receiver, Vapid, b64encode, encrypt, resolve
from nimmt.server.http.errors import Refused
from nimmt.server.hub import Lookout
from nimmt.server.logs import cause
from nimmt.server.monitoring import CALLS
from nimmt.server.settings import Settings
from nimmt.server.tables.commands import Tables, now_ms, shortened
from nimmt.server.tables.log_entries import ByTurns
from nimmt.server.tables.messages import card_of
from nimmt.server.tables.presence import Presence
from nimmt.server.tables.table import Table
from nimmt.store import Store, StoreError

if TYPE_CHECKING:
    import httpx

log = logging.getLogger("nimmt.server")

SETTLED = "called"
"""Documents named after calls that are."""
LEASES = "call-lease"
TIMES = "call-times"
"""When a browser was called within the last hour."""
RETENTION = 15 * 24 * 3_600_000
"""Longer than any clock: a decision is not called for a second time."""
LEASE = 120_000
MAX_CONCURRENT = 20
"""Browsers called at once, by each process."""
LOOK_SECONDS, IDLE_SECONDS = 5.0, 60.0
"""How often a process looks for calls that are due: at most, and at least."""
TIMEOUT = 10.0
GRACE = 60_000
"""Who is connected when their turn comes sees it. But the connection of a phone in a pocket may be dead already: after
so many milliseconds it is looked again."""
BACK_OFF = (30_000, 120_000, 480_000, 1_800_000, 7_200_000, 21_600_000)
"""Milliseconds before the next attempt, when a push service is busy or cannot be reached. Then nobody is called."""
MAX_WAIT = 24 * 3_600_000
HOUR = 3_600_000
RECENT = 600_000
"""Tables that have changed within so many milliseconds are looked through again and again: a process may have died
before it made a note of a call."""
MAX_TABLES = 100
MIN_TTL, MAX_TTL = 60, 28 * 24 * 3600
"""Seconds for which a push service may keep a call."""


class Message(msgspec.Struct, frozen=True):
    """All that a call says; the browser makes a sentence of it."""

    kind: str
    game: str
    table: str


class WaitingTable(msgspec.Struct, frozen=True):
    """A match that waits for a decision of the reader's."""

    table: str
    game: str


class Later(NamedTuple):
    """A call has to wait until then."""

    due: int
    failed: bool = False


def waited_for(table: Table) -> Iterator[tuple[Seat, str, int]]:
    """The people whose decision the table waits for: seat, guest, and since which message."""
    if table.phase != "playing" or table.is_paused:
        return
    for seat in table.waiting:
        guest = table.chairs[seat].guest
        if guest is not None and not table.bot_decides(seat):
            yield seat, guest, table.asked[seat].since


class Caller:
    def __init__(
        self, store: Store, tables: Tables, presence: Presence, subscriptions: Subscriptions, settings: Settings
    ) -> None:
        self._store, self._tables, self._presence = store, tables, presence
        self.subscriptions, self._settings = subscriptions, settings
        self._lookout = Lookout(self.look, self._seconds_to_next, "calls could not be read")
        self._vapid: Vapid | None = None
        self._topic_key = b""
        self._client: httpx.AsyncClient | None = None
        self._places = asyncio.Semaphore(MAX_CONCURRENT)
        self._tasks: dict[object, asyncio.Task[None]] = {}
        self._me = secrets.token_bytes(8)
        self._looked = 0
        self._next_due: int | None = None

    @property
    def key(self) -> str | None:
        """What browsers subscribe with; None if this server calls nobody."""
        return self._vapid.public if self._vapid else None

    async def open(self) -> None:
        if not self._settings.push:
            return
        secret = await self._store.put_if_absent("secret", "push-key", Vapid.new_secret())
        self._topic_key = secret
        self._vapid = Vapid(secret, _contact(self._settings))
        self._lookout.open()

    async def close(self) -> None:
        await self._lookout.close()
        tasks = [*self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._client:
            await self._client.aclose()

    # -- whom to call ---------------------------------------------------------------------------------------------

    def look_at(self, table: Table) -> None:
        """A table has changed: perhaps it is the turn of somebody who is not there."""
        if self._vapid and isinstance(table.opened.tempo, ByTurns) and any(waited_for(table)):
            self._start(("note", table.id, table.version), self._note(table))

    def _start(self, what: object, work: object) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)  # type: ignore[arg-type]
        self._tasks[what] = task
        task.add_done_callback(lambda _: self._tasks.pop(what, None))

    async def _note(self, table: Table) -> None:
        try:
            if await self._note_calls(table):
                self._lookout.look_soon()
        except StoreError as error:  # `catch_up` finds it
            log.warning("a call could not be noted", extra={"cause": cause(error)})

    async def _note_calls(self, table: Table) -> bool:
        """Make a note of the calls that are due here, unless there is one; whether there is a new one."""
        noted = False
        for seat, guest, since in waited_for(table):
            is_here = self._presence.is_connected(table.id, guest)
            due = max(now_ms(), table.asked[seat].at) + (GRACE if is_here else 0)
            for one in await self.subscriptions.of(guest):
                call = Call(guest, one.id, table.id, seat, since, due)
                if await self._store.get(SETTLED, call.name) is None:
                    await self._store.put_if_absent(KIND, call.name, msgspec.json.encode(call), due + RETENTION)
                    noted = True
        return noted

    async def catch_up(self) -> None:
        """Find what a process that died has not made a note of."""
        if self._vapid is None:
            return
        since, self._looked = self._looked - RECENT, now_ms()
        for guest in await self.subscriptions.owners():
            for table_id, listing in await self._store.tables_of(guest, MAX_TABLES):
                if listing.phase == "playing" and listing.updated >= since:
                    by_turns = isinstance(card_of(table_id, listing).tempo, ByTurns)
                    if by_turns and (table := await self._load(table_id)) is not None:
                        await self._note_calls(table)
        self._lookout.look_soon()

    async def waiting(self, guest: str) -> list[WaitingTable]:
        """The matches that wait for somebody, over days or not."""
        found = []
        for table_id, listing in await self._store.tables_of(guest, MAX_TABLES):
            table = await self._load(table_id) if listing.phase == "playing" else None
            if table is not None and any(who == guest for _, who, _ in waited_for(table)):
                found.append(WaitingTable(table_id, table.game.id))
        return found

    async def _load(self, table_id: str) -> Table | None:
        try:
            return await self._tables.load(table_id)
        except Refused:  # gone in the meantime
            return None

    # -- calling ----------------------------------------------------------------------------------------------------

    async def look(self) -> None:
        """Send what is due. Each browser has a task of its own: a slow push service holds up nobody else."""
        due: defaultdict[str, list[Call]] = defaultdict(list)
        noted = [msgspec.json.decode(data, type=Call) for data in (await self._store.documents(KIND)).values()]
        self._next_due = min((call.due for call in noted), default=None)
        for call in noted:
            if call.due <= now_ms():
                due[call.subscription].append(call)
        for name, calls in due.items():
            if ("send", name) not in self._tasks:
                self._start(("send", name), self._send_all(name, calls))

    def _seconds_to_next(self) -> float:
        """Where nobody is to be called the store is left in peace; what other processes note is their own business,
        unless they die."""
        if self._next_due is None:
            return IDLE_SECONDS
        return min(max((self._next_due - now_ms()) / 1000, LOOK_SECONDS), IDLE_SECONDS)

    async def idle(self) -> None:
        """Wait until all that was begun is done."""
        while self._tasks:
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)
            await asyncio.sleep(0)

    async def _send_all(self, name: str, calls: list[Call]) -> None:
        async with self._places:
            try:
                if await self._store.put_if_absent(LEASES, name, self._me, now_ms() + LEASE) != self._me:
                    return
                try:
                    for call in sorted(calls, key=lambda call: call.due):
                        await self._settle(call)
                finally:
                    await self._store.remove(LEASES, name)
            except StoreError as error:
                log.warning("a call has to wait", extra={"cause": cause(error)})
            except Exception as error:  # whatever it was, others are called
                log.error("a call could not be sent", extra={"table": shortened(calls[0].table)}, exc_info=error)

    async def _settle(self, call: Call) -> None:
        """Under the lease: nobody else does anything about this call."""
        if await self._store.get(KIND, call.name) is None:
            return
        if await self._store.get(SETTLED, call.name) is None:
            later = await self._call(call)
            if later is not None:
                await self._postpone(call, later)
                return
        await self._store.put(SETTLED, call.name, b"", now_ms() + RETENTION)
        await self._store.remove(KIND, call.name)

    async def _postpone(self, call: Call, later: Later) -> None:
        put_off = msgspec.structs.replace(call, due=later.due, attempts=call.attempts + later.failed)
        await self._store.put(KIND, call.name, msgspec.json.encode(put_off), later.due + RETENTION)
        self._lookout.look_soon()

    async def _call(self, call: Call) -> Later | None:
        """None when there is nothing left to do about it: it was sent, or nobody needs it any more."""
        one = await self.subscriptions.get(call.guest, call.subscription)
        table = await self._still_waiting(call)
        if one is None or table is None or self._presence.is_connected(call.table, call.guest):
            CALLS.labels("not needed").inc()
            return None
        if wait := quiet_until(one.quiet, one.zone, now_ms()) or await self._too_often(one):
            return Later(wait)
        return await self._send(call, one, table)

    async def _still_waiting(self, call: Call) -> Table | None:
        table = await self._load(call.table)
        return table if table and (call.seat, call.guest, call.since) in waited_for(table) else None

    async def _too_often(self, one: Subscription) -> int | None:
        """When this browser may be called again, if it was called too often within an hour."""
        times = await self._times(one)
        most = self._settings.calls_per_hour
        return times[-most] + HOUR if len(times) >= most else None

    async def _times(self, one: Subscription) -> list[int]:
        data = await self._store.get(TIMES, one.id, now_ms())
        times = msgspec.json.decode(data, type=list[int]) if data else []
        return [time for time in times if time > now_ms() - HOUR]

    # -- sending ----------------------------------------------------------------------------------------------------

    async def _send(self, call: Call, one: Subscription, table: Table) -> Later | None:
        import httpx

        times = [*await self._times(one), now_ms()]
        await self._store.put(TIMES, one.id, msgspec.json.encode(times), now_ms() + HOUR)
        try:
            status, retry_after = await self._post(one, table, call.seat)
        except BadEndpoint:
            status, retry_after = 410, None
        except (OSError, httpx.HTTPError):
            status, retry_after = 0, None
        if 200 <= status < 300:
            CALLS.labels("sent").inc()
            return None
        if status in (404, 410):  # the browser has unsubscribed, or is gone
            CALLS.labels("gone").inc()
            await self.subscriptions.remove(call.guest, one.id)
            return None
        if status == 429 or status >= 500 or status == 0:
            return self._try_again(call, retry_after)
        CALLS.labels("refused").inc()
        log.warning("a push service refuses calls", extra={"service": one.info().service, "status": status})
        return None

    def _try_again(self, call: Call, retry_after: int | None) -> Later | None:
        if call.attempts >= len(BACK_OFF):
            CALLS.labels("given up").inc()
            return None
        CALLS.labels("later").inc()
        wait = min(max(BACK_OFF[call.attempts], 1000 * (retry_after or 0)), MAX_WAIT)
        return Later(now_ms() + wait, failed=True)

    async def _post(self, one: Subscription, table: Table, seat: Seat) -> tuple[int, int | None]:
        assert self._vapid is not None
        said = msgspec.json.encode(Message("turn", table.game.id, table.id))
        deadline = table.deadline(seat) or 0
        headers = {
            "authorization": self._vapid.authorization(one.endpoint, now_ms() // 1000),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(min(max((deadline - now_ms()) // 1000, MIN_TTL), MAX_TTL)),
            "topic": self._topic(table.id),
            "urgency": "normal",
        }
        body = encrypt(said, Receiver.read(one.p256dh, one.auth))
        async with asyncio.timeout(TIMEOUT):
            target = await resolve(one.endpoint, self._settings.push_private)
            post = self._http().stream(
                "POST", target.url, content=body, headers=headers | target.headers, extensions=target.extensions
            )
            async with post as answer:  # what it says besides is not read
                wait = answer.headers.get("retry-after", "")
                return answer.status_code, int(wait) if wait.isdecimal() and len(wait) < 9 else None

    def _topic(self, table_id: str) -> str:
        """A newer call of the same table takes the place of one that was not delivered; says nothing about it."""
        return b64encode(hmac.new(self._topic_key, b"topic:" + table_id.encode(), sha256).digest()[:24])

    def _http(self) -> httpx.AsyncClient:
        """Made when it is needed. No connection is used twice: addresses stand for names that may differ."""
        import httpx

        if self._client is None:
            limits = httpx.Limits(max_keepalive_connections=0)
            self._client = httpx.AsyncClient(trust_env=False, timeout=TIMEOUT, limits=limits)
        return self._client


def _contact(settings: Settings) -> str:
    """Whom push services can write to when something is wrong."""
    public = settings.public_url if settings.public_url.startswith("https://") else ""
    return settings.push_contact or public

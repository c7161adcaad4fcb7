"""People of a world: they play, hesitate, miss their time, leave, come back, lose their connection and send again.

Whatever they are told is compared at once with what the log has and the rules say.
"""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from nimmt.rules.game import Seat
from nimmt.server.tables import projection
from nimmt.testing.servers import any_action, asks
from nimmt.testing.simulation import wire
from nimmt.testing.simulation.wire import Headers, Json, NoAnswer

if TYPE_CHECKING:
    from nimmt.testing.simulation.laws import Ledger
    from nimmt.testing.simulation.world import World

FAR_BEHIND = 50
FINAL = {"stale_decision", "not_playing"}
"""Refusals that no later moment can take back."""


class Message(msgspec.Struct):
    type: str
    n: int = 0
    situation: msgspec.Raw = msgspec.Raw(b"null")
    events: msgspec.Raw = msgspec.Raw(b"[]")
    gone: list[dict[str, int]] = []


class Sent(msgspec.Struct, frozen=True):
    decision: int
    action: Json


class Watcher:
    """Follows a table with the eyes of a guest, or of nobody."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name, self.rng = world, name, world.chance(name)
        self.guest: str | None = None
        self.table = ""
        self.headers: Headers = []
        self.stream = self.rng.random() < 0.3
        self.n: int | None = None
        self.situation: Json | None = None
        self.gone: list[Seat] | None = None
        self.line: wire.Wire | None = None
        self.changed = 0.0
        """When the connection was made or lost."""
        self._online, self._news = asyncio.Event(), asyncio.Event()
        self._online.set()

    @property
    def is_online(self) -> bool:
        return self._online.is_set()

    @property
    def ledger(self) -> Ledger:
        return self.world.ledgers[self.table]

    def pause(self, tries: int = 1) -> float:
        """Seconds until somebody tries again, after so many tries."""
        return self.rng.uniform(0.1, 2.0) + self.rng.random() * self.world.climate.tick / 4 * min(tries, 8)

    async def follow(self) -> None:
        tries = 0
        while not self.world.is_over:
            await self._online.wait()
            known = self.n
            await self._follow_once()
            tries = tries + 1 if self.n == known else 1
            await asyncio.sleep(self.pause(tries))

    async def _follow_once(self) -> None:
        after = self.n if self.rng.random() < 0.9 else None
        self.line = await wire.connect(self.world, self.table, after, self.headers, self.stream)
        if self.line is None:
            return
        self.changed = self.world.now
        expects_snapshot = after is None
        while (raw := await self.line.next()) is not None:
            expects_snapshot = self._hear(raw, expects_snapshot)
        self.line, self.changed, self.gone = None, self.world.now, None
        self.on_lost()

    def on_lost(self) -> None:
        """The connection is gone."""

    def go_offline(self) -> None:
        self._online.clear()
        if self.line is not None:
            self.line.cut(0.0 if self.rng.random() < 0.7 else 20.0)

    def come_online(self) -> None:
        self._online.set()

    # -- what they are told -----------------------------------------------------------------------------------------

    def _hear(self, raw: bytes, expects_snapshot: bool) -> bool:
        message = msgspec.json.decode(raw, type=Message)
        if message.type == "Presence":
            self.gone = [gone["seat"] for gone in message.gone]
        if message.type not in ("Snapshot", "Update"):
            return expects_snapshot
        self._check_number(message, expects_snapshot)
        self.n = message.n
        if message.n > len(self.ledger.entries):
            self.world.broken(f"{self.name} is told of message {message.n}, which the log does not have")
        else:
            self._check_content(message)
        self.situation = msgspec.json.decode(message.situation)
        self._news.set()
        return False

    def _check_number(self, message: Message, expects_snapshot: bool) -> None:
        known = self.n or 0
        if message.type == "Snapshot":
            if message.n < known:
                self.world.broken(f"{self.name} knows message {known} and gets a snapshot of {message.n}")
            elif not expects_snapshot and message.n - known <= FAR_BEHIND:
                self.world.broken(f"{self.name} knows message {known} and gets a snapshot")
        elif message.n != known + 1:
            self.world.broken(f"{self.name} gets message {message.n} after {known}")

    def _check_content(self, message: Message) -> None:
        """The same bytes that the log gives, and nothing that this seat may not know."""
        ledger, n = self.ledger, message.n
        moment, seat = ledger.moments[n - 1], ledger.seat_of(self.guest, n)
        told = msgspec.json.decode(message.situation)
        view = None if moment.state is None else ledger.game.view(moment.state, seat)
        if msgspec.to_builtins(view) != told["view"] and msgspec.json.decode(msgspec.json.encode(view)) != told["view"]:
            self.world.broken(f"{self.name} sees in message {n} what is not this seat's view")
        if message.type == "Update":
            late = self.world.now - moment.at
            if moment.at > self.changed and late > self.world.climate.news:
                self.world.broken(f"{self.name} is connected and hears of message {n} after {late:.0f} s")
            events = [seen for event in moment.events if (seen := event.seen_by(seat)) is not None]
            if msgspec.json.encode(events) != bytes(message.events):
                self.world.broken(f"{self.name} hears in message {n} of other events than this seat may")
        if told["fair"]["server_seed"] is not None and not moment.over:
            self.world.broken(f"{self.name} is told the seed before the match is over")
        is_host = self.guest is not None and self.guest == ledger.opened.host
        table = ledger.table
        if msgspec.json.encode(projection.situation(table, ledger.folded[n - 1], seat, is_host=is_host)) != bytes(
            message.situation
        ):
            self.world.broken(f"{self.name} is told something else in message {n} than the log says")


class Person(Watcher):
    """Somebody at a seat."""

    def __init__(self, world: World, name: str) -> None:
        super().__init__(world, name)
        self.sent: dict[str, Sent] = {}
        self.acknowledged: dict[str, int] = {}
        self.has_left = False
        self._decided: set[int] = set()
        self._keys = 0

    async def come_in(self) -> None:
        answer = await self._persist("POST", "/api/guests", {"name": self.name}, None)
        self.headers = [(b"cookie", answer.cookie.encode())]
        self.guest = answer.json()["id"]

    def on_lost(self) -> None:
        if not self._patient and self.rng.random() < 0.2:  # some have something else to do then
            self.go_offline()

    def key(self) -> str:
        self._keys += 1
        return f"{self.name}-{self._keys}"

    async def _persist(self, method: str, target: str, body: Any, key: str | None) -> wire.Answer:
        """Ask until there is an answer that says something."""
        headers = [*self.headers, *([(b"idempotency-key", key.encode())] if key else [])]
        for tries in count(1):
            try:
                answer = await wire.request(self.world, method, target, body, headers)
                if answer.status < 500:
                    return answer
            except NoAnswer:
                pass
            await asyncio.sleep(self.pause(tries))
        raise AssertionError("There is no end to this.")

    async def do(self, command: str, body: Any = None, key: str | None = None) -> wire.Answer:
        key = key or self.key()
        asking = self._persist("POST", f"/api/tables/{self.table}/{command}", body, key)
        if self.rng.random() < 0.1:  # an impatient finger, at another process perhaps
            second = self._persist("POST", f"/api/tables/{self.table}/{command}", body, key)
            one, other = await asyncio.gather(asking, second)
            # Who is there already changes nothing by saying so, and is told the latest message: that may differ.
            if one.status == other.status == 200 and one.content != other.content and command != "back":
                self.world.broken(f"{self.name} gets two different answers for one key")
            return one if one.status == 200 else other
        return await asking

    # -- playing ------------------------------------------------------------------------------------------------------

    @property
    def is_done(self) -> bool:
        return self.situation is not None and self.situation["phase"] in ("over", "closed")

    async def play(self) -> None:
        while not self.is_done:
            if not self.is_online:
                await asyncio.sleep(self.rng.random() * self.world.climate.limit * (0.1 if self._patient else 2))
                self.come_online()
            elif self.has_left and (self._patient or self.rng.random() < 0.3):
                self.has_left = (await self.do("back")).status != 200
            elif not self._is_asked():
                await self._wait()
            else:
                await self._decide()

    @property
    def _patient(self) -> bool:
        return self.world.is_patient

    def _is_asked(self) -> bool:
        now = self.situation
        return now is not None and asks(now) and bool(now["legal"]) and now["decision"] not in self._decided

    async def _wait(self) -> None:
        self._news.clear()
        try:
            async with asyncio.timeout(self.world.climate.limit * (0.2 if self._patient else 1)):
                await self._news.wait()
        except TimeoutError:
            await self._show_life()

    async def _show_life(self) -> None:
        """Somebody who is away and sees that the match waits."""
        seat, now = self._seat, self.situation
        if seat is not None and now is not None and now["chairs"][seat]["away"] and not self.has_left:
            await self.do("back")

    @property
    def _seat(self) -> Seat | None:
        return None if self.situation is None else self.situation["you"]

    async def _decide(self) -> None:
        limit = self.world.climate.limit
        if self._patient:
            await asyncio.sleep(limit * self.rng.uniform(0.01, 0.1))
        else:
            await asyncio.sleep(limit * (self.rng.uniform(1, 3) if self.rng.random() < 0.15 else self.rng.random() / 2))
            await self._be_human()
        now = self.situation
        if now is None or not self._is_asked():
            return
        action, decision, key = any_action(now["legal"], self.rng), now["decision"], self.key()
        self._decided.add(decision)
        self.sent[key] = Sent(decision, action)
        self.world.note(self.name, "acts", decision, key)
        answer = await self.do("act", {"action": action, "decision": decision}, key)
        self._check_answer(key, answer)
        if answer.status != 200:
            self._decided.discard(decision)
            await asyncio.sleep(self.pause())

    async def _be_human(self) -> None:
        mood = self.rng.random()
        if mood < 0.1:
            await self.do("say", {"text": f"{self.name} says {self.key()}"})
        elif mood < 0.14:
            self.has_left = (await self.do("leave")).status == 200
        elif mood < 0.2:
            self.go_offline()
        elif mood < 0.23:
            await self.do("pace", {"pace": self.rng.choice(("normal", "fast", "instant"))})

    def _check_answer(self, key: str, answer: wire.Answer) -> None:
        sent, ledger, content = self.sent[key], self.ledger, answer.json()
        self.world.note(self.name, "hears", key, answer.status, content.get("n") or content["error"]["code"])
        seat = ledger.seat_of(self.guest, len(ledger.moments))
        if answer.status == 200:
            n = content["n"]
            self.acknowledged[key] = n
            self.world.laws.check_acknowledged(self, n, sent.action)
        elif content["error"]["code"] in FINAL and seat is not None:
            made = [one for one in ledger.answered.get((seat, sent.decision), []) if not one.by_bot]
            if any({**one.action, **sent.action} == one.action for one in made):
                self.world.broken(f"{self.name} is refused what the log has")

"""The HTTP interface: commands and questions as JSON. What happens at a table comes through its socket or stream."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from litestar import Controller, Response, delete, get, post
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_204_NO_CONTENT

from nimmt.bots import BOTS
from nimmt.match.record import Record, write_record
from nimmt.rules.game import Seat
from nimmt.server.http import bodies as b
from nimmt.server.http.auth import Asking, as_asked, known_guest, person, platform, spectator
from nimmt.server.http.errors import Code, Refused
from nimmt.server.http.openapi import ANYBODY, PERSON, SIGNED_IN, SPECTATOR
from nimmt.server.http.people_api import forgotten, signed_in
from nimmt.server.http.security import address_of, for_friends, is_here
from nimmt.server.limits import in_thread, meter_of
from nimmt.server.people.guests import Guest, TokenInfo
from nimmt.server.tables import messages as m
from nimmt.server.tables import projection
from nimmt.server.tables.commands import Command, Once, now_ms
from nimmt.server.tables.lobby import LISTED_TABLES, public_tables
from nimmt.server.tables.log_entries import Entry, Pace, Terms
from nimmt.server.tables.table import Draft, Table

MAX_KEY_LENGTH = 100
UPDATES_AT_ONCE = 500
PORTION = 25

Numbered = TypeVar("Numbered", m.Update, m.OpenHands)

After = Annotated[int, QueryParameter(ge=0, le=2**31, description="The number of the last message you know.")]
Key = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        max_length=MAX_KEY_LENGTH,
        required=False,
        description="The same key twice does the thing once: safe to send again when no answer came. A key that was "
        "used for another request is refused.",
    ),
]


class GuestController(Controller):
    """Who you are."""

    path = "/api"
    tags = ("guests",)

    @post("/guests", status_code=HTTP_201_CREATED, security=ANYBODY)
    async def welcome(self, request: Asking, data: JSONBody[b.NewGuest]) -> Response[b.Me]:
        """Come in with a nickname; the answer sets a cookie."""
        platform(request).limits.guests.spend(address_of(request))
        return signed_in(request, await platform(request).guests.welcome(data.name), HTTP_201_CREATED)

    @get("/me", security=SIGNED_IN)
    async def me(self, request: Asking) -> Response[b.Me]:
        """Who you are. A cookie that was signed with an older key, or long ago, is renewed."""
        guest = await known_guest(request, "read")
        return signed_in(request, guest, HTTP_200_OK) if guest.is_stale else Response(b.Me(guest.id, guest.name))

    @post("/me", status_code=HTTP_200_OK, security=PERSON)
    async def rename(self, request: Asking, data: JSONBody[b.NewGuest]) -> b.Me:
        """Another nickname, for tables joined from now on."""
        guest = await platform(request).guests.rename(await person(request), data.name)
        return b.Me(guest.id, guest.name)

    @delete("/me", status_code=HTTP_204_NO_CONTENT, security=PERSON)
    async def be_forgotten(self, request: Asking) -> Response[None]:
        """Be forgotten: you are logged out everywhere, your tables close, a bot takes your seat where others play on,
        and where you played or said something stands no name and no word of yours. Nobody can undo this."""
        return await forgotten(request)

    @post("/me/link", status_code=HTTP_201_CREATED, security=PERSON)
    async def make_link(self, request: Asking) -> b.LinkCode:
        """A code that carries your seats to another device. Good for a quarter of an hour, once."""
        return b.LinkCode(code=await platform(request).guests.make_link(await person(request)))

    @post("/me/claim", status_code=HTTP_200_OK, security=ANYBODY)
    async def claim(self, request: Asking, data: JSONBody[b.LinkCode]) -> Response[b.Me]:
        """Be on this device who you are on another; the answer sets a cookie."""
        platform(request).limits.guests.spend(address_of(request))
        return signed_in(request, await platform(request).guests.use_link(data.code), HTTP_200_OK)

    @get("/tokens", security=PERSON)
    async def tokens(self, request: Asking) -> list[TokenInfo]:
        """Your tokens, without their secrets."""
        return await platform(request).guests.tokens(await person(request))

    @post("/tokens", status_code=HTTP_201_CREATED, security=PERSON)
    async def make_token(self, request: Asking, data: JSONBody[b.NewToken]) -> b.FreshToken:
        """A token with which a program plays as you."""
        guest = await person(request)
        days = data.expires_in_days
        token, info = await platform(request).guests.make_token(guest, data.name, data.scopes, days)
        return b.FreshToken(token, info)

    @delete("/tokens/{token_id:str}", status_code=HTTP_204_NO_CONTENT, security=PERSON)
    async def delete_token(self, request: Asking, token_id: FromPath[str]) -> None:
        """Take a token back. What uses it is shut out at once, and what it has open ends."""
        guest, here = await person(request), platform(request)
        await here.guests.delete_token(guest, token_id)
        await here.sessions.end(guest.id)


class AddressController(Controller):
    """Where the server is."""

    path = "/api"
    tags = ("address",)

    @get("/address", security=ANYBODY, sync_to_thread=False)
    def address(self, request: Asking) -> b.Address:
        """Where people at other machines reach this server: for links that are sent to them. The address in the local
        network is told only at the machine itself."""
        settings = platform(request).settings
        if not (settings.public_url or _asks_from_here(request)):
            return b.Address(None)
        _, port = request.scope["server"] or ("", None)
        return b.Address(for_friends(settings, port or settings.port))


def _asks_from_here(request: Asking) -> bool:
    """At the server's own machine, and not through a proxy there."""
    return bool(request.client and is_here(request.client.host)) and "x-forwarded-for" not in request.headers


class TableController(Controller):
    """Tables: find, open, join, play."""

    path = "/api/tables"
    tags = ("tables",)

    # -- looking ----------------------------------------------------------------------------------------------------

    @get("/", security=SPECTATOR)
    async def public(self, request: Asking) -> list[m.TableCard]:
        """Public tables: first those with a free seat, last those where bots play alone; of each the latest first."""
        await spectator(request)
        return await public_tables(platform(request).store)

    @get("/mine", security=SIGNED_IN)
    async def mine(self, request: Asking) -> list[m.TableCard]:
        """Tables you sit at, the latest first."""
        guest = await known_guest(request, "read")
        found = await platform(request).store.tables_of(guest.id, LISTED_TABLES)
        return [m.card_of(table_id, listing, guest.id) for table_id, listing in found]

    @get("/{table_id:str}", security=SPECTATOR)
    async def look(self, request: Asking, table_id: FromPath[str]) -> m.Snapshot:
        """The table as it is now, for your eyes. Whoever knows the id of a table may watch it."""
        guest = await spectator(request)
        table = await platform(request).tables.load(table_id)
        who = guest.id if guest else None
        return projection.snapshot(table, who, await platform(request).shunning.muted(who))

    @get("/{table_id:str}/updates", security=SPECTATOR)
    async def updates(self, request: Asking, table_id: FromPath[str], after: After = 0) -> list[m.Update]:
        """What has happened behind message `after`, for your eyes; at most 500 messages, so ask again until all is
        told."""
        guest = await spectator(request)
        table = await platform(request).tables.load(table_id)
        who = guest.id if guest else None
        muted = await platform(request).shunning.muted(who)
        return await _in_portions(
            request, table, lambda t, after: projection.updates(t, who, after, PORTION, muted), after
        )

    @get("/{table_id:str}/record", media_type="application/json", security=SPECTATOR)
    async def record(self, request: Asking, table_id: FromPath[str]) -> Response[Record]:
        """The record of a finished match, as `nimmt verify` checks it."""
        await spectator(request)
        table = await platform(request).tables.load(table_id)
        if table.phase != "over" or table.match is None:
            raise Refused(Code.NOT_OVER, "The record is available only once the match is over.")
        headers = {"content-disposition": f'attachment; filename="nimmt-{table.game.id}-{table_id}.json"'}
        match = table.match
        content: Any = await in_thread(lambda: write_record(match.record()))
        return Response(content, media_type="application/json", headers=headers)

    @get("/{table_id:str}/steps", security=SPECTATOR)
    async def steps(
        self, request: Asking, table_id: FromPath[str], seat: FromQuery[Seat | None] = None, after: After = 0
    ) -> list[m.Update]:
        """A finished match step by step, as a seat saw it (by default with a spectator's eyes); at most 500 messages
        behind message `after`, so ask again until all is told."""
        guest = await spectator(request)
        muted = await platform(request).shunning.muted(guest.id if guest else None)
        table = await platform(request).tables.load(table_id)
        if table.phase != "over":
            raise Refused(Code.NOT_OVER, "The views of other seats are available only once the match is over.")
        if seat is not None and seat not in range(len(table.chairs)):
            raise Refused(Code.NO_SUCH_SEAT, f"There is no seat {seat}.")
        return await _in_portions(
            request, table, lambda t, after: projection.steps(t, seat, after, PORTION, muted, table.coaching), after
        )

    @get("/{table_id:str}/hands", security=SPECTATOR)
    async def hands(self, request: Asking, table_id: FromPath[str], after: After = 0) -> list[m.OpenHands]:
        """The hands of all seats after each step of a finished match; at most 500 steps behind message `after`, so ask
        again until all is told."""
        await spectator(request)
        table = await platform(request).tables.load(table_id)
        if table.phase != "over":
            raise Refused(Code.NOT_OVER, "Hands are shown only once the match is over.")
        return await _in_portions(
            request, table, lambda t, after: projection.hands(t, after, PORTION, table.coaching), after
        )

    # -- before the match -------------------------------------------------------------------------------------------

    @post("/", status_code=HTTP_201_CREATED, security=SIGNED_IN)
    async def open(self, request: Asking, data: JSONBody[b.NewTable], key: Key = None) -> b.OpenedTable:
        """Open a table. You are its host, and sit down unless you say otherwise."""
        guest, here = await known_guest(request, "tables"), platform(request)
        here.limits.tables.spend(address_of(request))
        for level in data.bots:
            if level is not None:
                _check_level(level)
        once = here.guests.opening(guest, key, await as_asked(request)) if key else None
        table_id = once.key if once else here.tables.new_id()
        if data.start and not data.join:
            await here.bot_tables.enter(table_id, address_of(request))
        terms = Terms(
            game=data.game,
            options=data.options,
            seats=data.seats,
            public=data.public,
            tempo=data.tempo,
            pace=_pace(guest, data.pace),
            takeover=data.takeover,
            practice=data.practice,
        )
        table = await here.tables.open_table(
            guest.id, terms, lambda table: _furnish(table, guest, data), once, table_id
        )
        if data.practice:
            here.coach.get_ready(data.game)
        return _opened(table, table.game.warnings(table.options, data.seats))

    @post("/{table_id:str}/join", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def join(self, request: Asking, table_id: FromPath[str], data: JSONBody[b.Join], key: Key = None) -> b.Done:
        """Sit down, on a certain seat or the first free one. In a running match a person may take a bot's seat, if the
        host allows it."""
        guest = await known_guest(request, "play")
        await _require_welcome(request, guest, table_id)

        def join(table: Table) -> list[Entry]:
            pace = _pace(guest, data.pace)
            return table.join(guest.id, guest.name, data.seat, data.contribution, now_ms(), pace, guest.by_token)

        return await carry_out(request, guest, table_id, key, join)

    @post("/{table_id:str}/contribute", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def contribute(
        self, request: Asking, table_id: FromPath[str], data: JSONBody[b.Contribute], key: Key = None
    ) -> b.Done:
        """Add to the shuffle, before the start, once you know the table's commitment. The last contribution counts;
        who sends none leaves the shuffle to the others and the server."""
        guest = await known_guest(request, "play")
        platform(request).limits.chat.spend(guest.id)
        contribute: Command = lambda t: t.contribute(guest.id, data.contribution, now_ms())  # noqa: E731
        return await carry_out(request, guest, table_id, key, contribute)

    @post("/{table_id:str}/bot", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def seat_bot(
        self, request: Asking, table_id: FromPath[str], data: JSONBody[b.SeatBot], key: Key = None
    ) -> b.Done:
        """Let a bot sit down, or another one in its place (host only, before the start)."""
        guest = await known_guest(request, "tables")
        _check_level(data.level)
        seat_bot: Command = lambda t: t.seat_bot(guest.id, data.seat, data.level, now_ms())  # noqa: E731
        return await carry_out(request, guest, table_id, key, seat_bot, data.expected)

    @post("/{table_id:str}/clear", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def clear_seat(
        self, request: Asking, table_id: FromPath[str], data: JSONBody[b.ClearSeat], key: Key = None
    ) -> b.Done:
        """Send a bot or a person away (host only, before the start)."""
        guest = await known_guest(request, "tables")
        clear: Command = lambda t: t.clear_seat(guest.id, data.seat, now_ms())  # noqa: E731
        return await carry_out(request, guest, table_id, key, clear, data.expected)

    @post("/{table_id:str}/swap", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def swap(
        self, request: Asking, table_id: FromPath[str], data: JSONBody[b.SwapSeats], key: Key = None
    ) -> b.Done:
        """Let two seats change places (host only, before the start)."""
        guest = await known_guest(request, "tables")
        swap: Command = lambda t: t.swap(guest.id, data.one, data.other, now_ms())  # noqa: E731
        return await carry_out(request, guest, table_id, key, swap, data.expected)

    @post("/{table_id:str}/start", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def start(
        self, request: Asking, table_id: FromPath[str], data: JSONBody[b.Expecting], key: Key = None
    ) -> b.Done:
        """Begin the match (host only, when no seat is empty). There may be few matches of bots alone at once."""
        guest, here = await known_guest(request, "tables"), platform(request)
        bots_may = await here.bot_tables.let_start(table_id, guest.id, address_of(request))

        def start(table: Table) -> list[Entry]:
            entries = table.start(guest.id, now_ms())
            if table.is_bots_alone and not bots_may:
                raise Refused(Code.STALE_VERSION, "Somebody has just left this table. Please look again.")
            return entries

        return await carry_out(request, guest, table_id, key, start, data.expected)

    @post("/{table_id:str}/close", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def close(self, request: Asking, table_id: FromPath[str], key: Key = None) -> b.Done:
        """Give up a table that has not begun (host only), or a match in which nobody plays but you and bots."""
        guest = await known_guest(request, "tables")
        return await carry_out(request, guest, table_id, key, lambda t: t.close(guest.id, now_ms()))

    # -- in the match -----------------------------------------------------------------------------------------------

    @post("/{table_id:str}/act", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def act(self, request: Asking, table_id: FromPath[str], data: JSONBody[b.Act], key: Key = None) -> b.Done:
        """Decide. A secret choice may be changed until all have chosen."""
        guest = await known_guest(request, "play")
        act: Command = lambda t: t.act(guest.id, data.action, data.decision, now_ms(), guest.by_token)  # noqa: E731
        return await carry_out(request, guest, table_id, key, act)

    @post("/{table_id:str}/say", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def say(self, request: Asking, table_id: FromPath[str], data: JSONBody[b.Say], key: Key = None) -> b.Done:
        """Say something to everybody at the table."""
        guest = await known_guest(request, "play")
        platform(request).limits.chat.spend(guest.id)
        await _require_welcome(request, guest, table_id)
        say: Command = lambda t: t.say(guest.id, guest.name, data.text, now_ms())  # noqa: E731
        return await carry_out(request, guest, table_id, key, say)

    @post("/{table_id:str}/phrase", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def say_phrase(
        self, request: Asking, table_id: FromPath[str], data: JSONBody[b.SayPhrase], key: Key = None
    ) -> b.Done:
        """Say one of a few things with its code, which everybody reads in their own language."""
        guest = await known_guest(request, "play")
        platform(request).limits.chat.spend(guest.id)
        await _require_welcome(request, guest, table_id)
        say: Command = lambda t: t.say_phrase(guest.id, guest.name, data.phrase, now_ms())  # noqa: E731
        return await carry_out(request, guest, table_id, key, say)

    @post("/{table_id:str}/leave", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def leave(self, request: Asking, table_id: FromPath[str], key: Key = None) -> b.Done:
        """Stand up. In a running match a bot decides for you until you come back."""
        guest = await known_guest(request, "play")
        return await carry_out(request, guest, table_id, key, lambda t: t.leave(guest.id, now_ms()))

    @post("/{table_id:str}/back", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def back(self, request: Asking, table_id: FromPath[str], key: Key = None) -> b.Done:
        """Take over again from the bot that decided for you."""
        guest = await known_guest(request, "play")
        return await carry_out(request, guest, table_id, key, lambda t: t.come_back(guest.id, now_ms()))

    @post("/{table_id:str}/pace", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def set_pace(
        self, request: Asking, table_id: FromPath[str], data: JSONBody[b.SetPace], key: Key = None
    ) -> b.Done:
        """How much time bots leave you to watch what happens. The slowest at the table counts."""
        guest = await known_guest(request, "play")
        platform(request).limits.chat.spend(guest.id)
        return await carry_out(request, guest, table_id, key, lambda t: t.set_pace(guest.id, data.pace, now_ms()))

    @post("/{table_id:str}/takeover", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def allow_takeover(
        self, request: Asking, table_id: FromPath[str], data: JSONBody[b.AllowTakeover], key: Key = None
    ) -> b.Done:
        """Let people take the seats of bots while the match is on, or no longer (host only)."""
        guest = await known_guest(request, "tables")
        platform(request).limits.chat.spend(guest.id)
        return await carry_out(
            request, guest, table_id, key, lambda t: t.allow_takeover(guest.id, data.allowed, now_ms())
        )

    @post("/{table_id:str}/stand-in", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def let_stand_in(
        self, request: Asking, table_id: FromPath[str], data: JSONBody[b.StandIn], key: Key = None
    ) -> b.Done:
        """Where there is no clock: let a bot play for a person who has been gone for a minute, until they are back. It
        takes the host, or all who are there."""
        guest, here = await known_guest(request, "play"), platform(request)
        platform(request).limits.chat.spend(guest.id)
        stand_in: Command = lambda t: t.let_stand_in(guest.id, data.seat, here.presence.gone(t), now_ms())  # noqa: E731
        return await carry_out(request, guest, table_id, key, stand_in)

    @post("/{table_id:str}/unlist", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def unlist(self, request: Asking, table_id: FromPath[str], key: Key = None) -> b.Done:
        """Take a match that is over off your list. Whoever knows its address can still look at it."""
        guest = await known_guest(request, "play")
        return await carry_out(request, guest, table_id, key, lambda t: t.unlist(guest.id, now_ms()))

    @post("/{table_id:str}/rematch", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def rematch(
        self, request: Asking, table_id: FromPath[str], data: JSONBody[b.Again], key: Key = None
    ) -> b.OpenedTable:
        """Another match with the same people and bots. Whoever asks first opens the table and is its host; everybody
        who asks has a seat there. Asking again changes nothing. The new table has a commitment of its own, to which
        everybody contributes anew."""
        del data
        guest, here = await known_guest(request, "tables"), platform(request)
        if (rematch := (await here.tables.load(table_id)).rematch) is None:
            here.limits.tables.spend(address_of(request))
        else:
            await _require_welcome(request, guest, rematch)
        once = await _once(request, guest, key)
        return _opened(await here.tables.rematch(table_id, guest.id, guest.name, once))


def _opened(table: Table, warnings: tuple[str, ...] = ()) -> b.OpenedTable:
    commitment = projection.commitment_of(table)
    return b.OpenedTable(id=table.id, commitment=commitment, listed=table.opened.listed, warnings=warnings)


async def _require_welcome(request: Asking, guest: Guest, table_id: str) -> None:
    here = platform(request)
    await here.shunning.require_welcome((await here.tables.load(table_id)).opened.host, guest.id)


def _pace(guest: Guest, wanted: Pace | None) -> Pace:
    """Programs need no time to watch."""
    return wanted or ("instant" if guest.by_token else "normal")


def _check_level(level: str) -> None:
    if level not in BOTS:
        raise Refused(Code.UNKNOWN_LEVEL, f"There is no bot {level!r}. The levels are: {', '.join(BOTS)}.")


def _furnish(table: Table, guest: Guest, data: JSONBody[b.NewTable]) -> Draft:
    """What a new table starts with: its host, some bots, perhaps the match."""
    draft = Draft(table)
    if len(data.bots) + data.join > data.seats:
        raise Refused(Code.TABLE_FULL, "There are more bots than seats.")
    if data.join:
        pace = _pace(guest, data.pace)
        # Without a contribution: so far nobody has seen what the server commits itself to.
        draft.add(draft.after.join(guest.id, guest.name, None, "", now_ms(), pace, guest.by_token))
    for seat, level in enumerate(data.bots, data.seats - len(data.bots)):
        if level is not None:
            draft.add(draft.after.seat_bot(guest.id, seat, level, now_ms()))
    if data.start:
        draft.add(draft.after.start(guest.id, now_ms()))
    return draft


async def _in_portions(
    request: Asking, table: Table, tell: Callable[[Table, int], list[Numbered]], after: int
) -> list[Numbered]:
    """A long answer, told in portions between which others have their turn. Each portion counts as a request."""
    here, address, told = platform(request), address_of(request), list[Numbered]()
    while len(told) < UPDATES_AT_ONCE and after < table.version:
        here.limits.address.spend(address)
        remembering = await here.tables.remembering(table, after, PORTION, meter_of(request).check)
        async with here.tables.long_work:
            told += tell(remembering, after)
            await asyncio.sleep(0)
        after += PORTION
    return told[:UPDATES_AT_ONCE]


async def carry_out(
    request: Asking, guest: Guest, table_id: str, key: str | None, command: Command, expected: int | None = None
) -> b.Done:
    def checked(table: Table) -> Draft | list[Entry]:
        if expected is not None and _has_changed(table, expected):
            raise Refused(Code.STALE_VERSION, "Something else has happened at this table in the meantime.")
        return command(table)

    _, n = await platform(request).tables.do(table_id, checked, await _once(request, guest, key))
    return b.Done(n)


def _has_changed(table: Table, expected: int) -> bool:
    """Is it another table than somebody saw? What people say, or add to the shuffle, makes no difference."""
    if not table.moments.first <= expected <= table.version:
        return True
    since = table.moments[expected : table.version]
    return any(not isinstance(moment.note, m.Contributed | m.ChatSaid) for moment in since)


async def _once(request: Asking, guest: Guest, key: str | None) -> Once | None:
    return platform(request).guests.once(guest, key, await as_asked(request)) if key else None

"""The HTTP interface: commands and questions as JSON. What happens at a table comes through its socket or stream."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, delete, get, post
from litestar.datastructures import Cookie, State
from litestar.params import Parameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_204_NO_CONTENT
from msgspec import Meta

from nimmt.bots import BOTS
from nimmt.match.record import write_record
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Seat, Variant
from nimmt.rules.kit.options import option_fields
from nimmt.server import messages as m
from nimmt.server import telling
from nimmt.server.entries import Entry, NoClock, Tempo
from nimmt.server.guests import LONGEST_NAME, SCOPES, Guest, Scope, TokenInfo
from nimmt.server.platform import Platform
from nimmt.server.refusals import Code, Refused
from nimmt.server.table import LONGEST_TEXT, Table
from nimmt.server.tables import now_ms

COOKIE = "nimmt"
COOKIE_DAYS = 400
LONGEST_KEY = 100
LISTED_TABLES = 50

Asking = Request[Any, Any, State]
Key = Annotated[
    str | None,
    Parameter(
        header="Idempotency-Key",
        max_length=LONGEST_KEY,
        required=False,
        description="The same key twice does the thing once: safe to send again when no answer came.",
    ),
]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of what clients send."""


class NewGuest(Body, frozen=True, kw_only=True):
    name: Annotated[str, Meta(min_length=1, max_length=4 * LONGEST_NAME, examples=["Anna"])]


class Me(msgspec.Struct, frozen=True):
    id: str
    name: str


class LinkCode(msgspec.Struct, frozen=True):
    """Append it to `/carry#` for a link that carries a guest's seats to another device, once."""

    code: Annotated[str, Meta(max_length=200)]


class NewToken(Body, frozen=True, kw_only=True):
    name: Annotated[str, Meta(min_length=1, max_length=4 * LONGEST_NAME, examples=["my bot"])]
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=len(SCOPES))] = ("read", "play")


class FreshToken(msgspec.Struct, frozen=True):
    """The token itself is shown only now."""

    token: str
    info: TokenInfo


class NewTable(Body, frozen=True, kw_only=True):
    game: Annotated[str, Meta(max_length=40, examples=["six"])]
    options: Annotated[dict[str, Any], Meta(examples=[{"target": 66}])] = {}
    seats: Annotated[int, Meta(ge=1, le=20, examples=[4])]
    public: bool = False
    tempo: Tempo = NoClock()
    join: Annotated[bool, Meta(description="Take the first seat at once.")] = True
    contribution: Annotated[str, Meta(max_length=200, description="Your part in shuffling the cards.")] = ""
    bots: Annotated[tuple[str, ...], Meta(max_length=20, description="Levels of bots for the last seats.")] = ()
    start: Annotated[bool, Meta(description="Start at once if no seat is left empty.")] = False


class Join(Body, frozen=True, kw_only=True):
    seat: Seat | None = None
    contribution: Annotated[str, Meta(max_length=200)] = ""


class Expecting(Body, frozen=True, kw_only=True):
    """A command for the table as it was at message `expected`; refused if something has happened since."""

    expected: int | None = None


class SeatBot(Expecting, frozen=True, kw_only=True):
    seat: Seat
    level: Annotated[str, Meta(max_length=40, examples=["greedy"])]


class ClearSeat(Expecting, frozen=True, kw_only=True):
    seat: Seat


class SwapSeats(Expecting, frozen=True, kw_only=True):
    one: Seat
    other: Seat


class Act(Body, frozen=True, kw_only=True):
    action: Annotated[dict[str, Any], Meta(examples=[{"type": "PlayCard", "card": 55}])]
    decision: Annotated[int | None, Meta(description="The `decision` of the situation this answers.")] = None


class Say(Body, frozen=True, kw_only=True):
    text: Annotated[str, Meta(min_length=1, max_length=4 * LONGEST_TEXT, examples=["Well played!"])]


class Done(msgspec.Struct, frozen=True):
    """`n` is the number of the last message that the command brought about."""

    n: int


class OpenedTable(msgspec.Struct, frozen=True):
    id: str
    warnings: tuple[str, ...] = ()


class OptionInfo(msgspec.Struct, frozen=True):
    name: str
    kind: str
    description: str
    default: Any
    choices: tuple[str, ...]
    least: int | None
    most: int | None
    optional: bool


class VariantInfo(msgspec.Struct, frozen=True):
    id: str
    name: str
    summary: str
    options: dict[str, Any]
    max_seats: int


class GameInfo(msgspec.Struct, frozen=True):
    id: str
    name: str
    summary: str
    min_seats: int
    max_seats: int
    variants: tuple[VariantInfo, ...]
    options: tuple[OptionInfo, ...]
    rules: dict[str, str]
    decisions: dict[str, str]


class BotInfo(msgspec.Struct, frozen=True):
    level: str
    description: str


def platform(request: Asking) -> Platform:
    found: Platform = request.app.state.platform
    return found


def address(request: Asking) -> str:
    return request.client.host if request.client else "unknown"


async def maybe_guest(request: Asking) -> Guest | None:
    """Who asks, if they said so. Every request is counted, for the guest and for the address it comes from."""
    limits = platform(request).limits
    limits.address.spend(address(request))
    guests, authorization = platform(request).guests, request.headers.get("authorization")
    if authorization is None:
        guest = await guests.from_cookie(request.cookies.get(COOKIE))
    else:
        kind, _, token = authorization.partition(" ")
        if kind.lower() != "bearer":
            raise Refused(Code.BAD_TOKEN, "Authorization must be 'Bearer' and a token.")
        guest = await guests.from_token(token.strip())
    if guest is not None:
        limits.guest.spend(guest.id)
    return guest


async def known_guest(request: Asking) -> Guest:
    guest = await maybe_guest(request)
    if guest is None:
        raise Refused(Code.NOT_SIGNED_IN, "Please choose a nickname first.")
    return guest


def require(guest: Guest, scope: Scope) -> None:
    if scope not in guest.scopes:
        raise Refused(Code.FORBIDDEN, f"This token lacks the scope {scope!r}.")


def require_person(guest: Guest) -> None:
    if guest.by_token:
        raise Refused(Code.FORBIDDEN, "A token cannot do this; it takes the person's own browser.")


def _signed_in(request: Asking, guest: Guest, status: int) -> Response[Me]:
    cookie = Cookie(
        key=COOKIE,
        value=platform(request).guests.sign(guest.id),
        max_age=COOKIE_DAYS * 86_400,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return Response(Me(guest.id, guest.name), status_code=status, cookies=[cookie])


class GuestController(Controller):
    """Who you are."""

    path = "/api"
    tags = ("guests",)

    @post("/guests", status_code=HTTP_201_CREATED)
    async def welcome(self, request: Asking, data: NewGuest) -> Response[Me]:
        """Come in with a nickname; the answer sets a cookie."""
        platform(request).limits.address.spend(address(request))
        platform(request).limits.guests.spend(address(request))
        return _signed_in(request, await platform(request).guests.welcome(data.name), HTTP_201_CREATED)

    @get("/me")
    async def me(self, request: Asking) -> Me:
        guest = await known_guest(request)
        return Me(guest.id, guest.name)

    @post("/me", status_code=HTTP_200_OK)
    async def rename(self, request: Asking, data: NewGuest) -> Me:
        """Another nickname, for tables joined from now on."""
        guest = await known_guest(request)
        require_person(guest)
        renamed = await platform(request).guests.rename(guest, data.name)
        return Me(renamed.id, renamed.name)

    @post("/me/link", status_code=HTTP_201_CREATED)
    async def make_link(self, request: Asking) -> LinkCode:
        """A code that carries your seats to another device. Good for a quarter of an hour, once."""
        guest = await known_guest(request)
        require_person(guest)
        return LinkCode(await platform(request).guests.make_link(guest))

    @post("/me/claim", status_code=HTTP_200_OK)
    async def claim(self, request: Asking, data: LinkCode) -> Response[Me]:
        """Be on this device who you are on another; the answer sets a cookie."""
        limits = platform(request).limits
        limits.address.spend(address(request))
        limits.guests.spend(address(request))
        return _signed_in(request, await platform(request).guests.use_link(data.code), HTTP_200_OK)

    @get("/tokens")
    async def tokens(self, request: Asking) -> list[TokenInfo]:
        guest = await known_guest(request)
        require_person(guest)
        return list((await platform(request).guests.tokens(guest)).values())

    @post("/tokens", status_code=HTTP_201_CREATED)
    async def make_token(self, request: Asking, data: NewToken) -> FreshToken:
        """A token with which a program plays as you."""
        guest = await known_guest(request)
        require_person(guest)
        token, info = await platform(request).guests.make_token(guest, data.name, data.scopes)
        return FreshToken(token, info)

    @delete("/tokens/{token_id:str}", status_code=HTTP_204_NO_CONTENT)
    async def delete_token(self, request: Asking, token_id: str) -> None:
        guest = await known_guest(request)
        require_person(guest)
        await platform(request).guests.delete_token(guest, token_id)


class GamesController(Controller):
    """What can be played."""

    path = "/api"
    tags = ("games",)

    @get("/games")
    async def games(self, request: Asking) -> list[GameInfo]:
        platform(request).limits.address.spend(address(request))
        return _games()

    @get("/bots")
    async def bots(self, request: Asking) -> list[BotInfo]:
        platform(request).limits.address.spend(address(request))
        return [BotInfo(level, description) for level, description in BOTS.items()]


def _variant(game: AnyGame, variant: Variant) -> VariantInfo:
    most = variant.max_seats or game.max_seats
    return VariantInfo(variant.id, variant.name, variant.summary, variant.options, most)


def _games() -> list[GameInfo]:
    return [
        GameInfo(
            game.id,
            game.name,
            game.summary,
            game.min_seats,
            game.max_seats,
            tuple(_variant(game, variant) for variant in game.variants),
            tuple(msgspec.convert(msgspec.to_builtins(f), OptionInfo) for f in option_fields(game.options_type)),
            dict(game.rules),
            dict(game.decisions),
        )
        for game in registry.all_games()
    ]


class TableController(Controller):
    """Tables: find, open, join, play."""

    path = "/api/tables"
    tags = ("tables",)

    @get("/")
    async def public(self, request: Asking) -> list[m.TableCard]:
        """Public tables that wait or play, the latest first."""
        await maybe_guest(request)
        found = await platform(request).store.public_tables(["waiting", "playing"], LISTED_TABLES)
        return [m.card_of(table_id, listing) for table_id, listing in found]

    @get("/mine")
    async def mine(self, request: Asking) -> list[m.TableCard]:
        """Tables you sit at, the latest first."""
        guest = await known_guest(request)
        found = await platform(request).store.tables_of(guest.id, LISTED_TABLES)
        return [m.card_of(table_id, listing) for table_id, listing in found]

    @post("/", status_code=HTTP_201_CREATED)
    async def open(self, request: Asking, data: NewTable) -> OpenedTable:
        """Open a table. You are its host, and sit down unless you say otherwise."""
        guest = await known_guest(request)
        require(guest, "tables")
        platform(request).limits.tables.spend(address(request))
        tables = platform(request).tables
        for level in data.bots:
            _check_level(level)
        table = await tables.open_table(guest.id, data.game, data.options, data.seats, data.public, data.tempo)
        await tables.do(table.id, lambda table: _furnish(table, guest, data))
        return OpenedTable(table.id, table.game.warnings(table.options, data.seats))

    @get("/{table_id:str}")
    async def look(self, request: Asking, table_id: str) -> m.Snapshot:
        """The table as it is now, for your eyes. Whoever knows the id of a table may watch it."""
        guest = await maybe_guest(request)
        table = await platform(request).tables.load(table_id)
        return telling.snapshot(table, guest.id if guest else None)

    @get("/{table_id:str}/updates")
    async def updates(
        self, request: Asking, table_id: str, after: Annotated[int, Parameter(ge=0, le=2**31)] = 0
    ) -> list[m.Update]:
        """All that has happened behind message `after`, for your eyes."""
        guest = await maybe_guest(request)
        table = await platform(request).tables.load(table_id)
        return telling.updates(table, guest.id if guest else None, after)

    @get("/{table_id:str}/record", media_type="application/json")
    async def record(self, request: Asking, table_id: str) -> Response[bytes]:
        """The record of a finished match, as `nimmt verify` checks it."""
        await maybe_guest(request)
        table = await platform(request).tables.load(table_id)
        if table.phase != "over" or table.match is None:
            raise Refused(Code.NOT_OVER, "There is a record only when the match is over.")
        headers = {"content-disposition": f'attachment; filename="nimmt-{table.game.id}-{table_id}.json"'}
        return Response(write_record(table.match.record()), media_type="application/json", headers=headers)

    @get("/{table_id:str}/steps")
    async def steps(self, request: Asking, table_id: str, seat: Seat | None = None) -> list[m.Update]:
        """A finished match step by step, as a seat saw it (by default with a spectator's eyes)."""
        await maybe_guest(request)
        table = await platform(request).tables.load(table_id)
        if table.phase != "over":
            raise Refused(Code.NOT_OVER, "Other eyes can be borrowed only when the match is over.")
        if seat is not None and seat not in range(len(table.chairs)):
            raise Refused(Code.NO_SUCH_SEAT, f"There is no seat {seat}.")
        return telling.steps(table, seat)

    @post("/{table_id:str}/join", status_code=HTTP_200_OK)
    async def join(self, request: Asking, table_id: str, data: Join, key: Key = None) -> Done:
        """Sit down, on a certain seat or the first free one."""
        guest = await known_guest(request)
        require(guest, "play")
        return await _do(
            request,
            guest,
            table_id,
            key,
            lambda t: t.join(guest.id, guest.name, data.seat, data.contribution, now_ms()),
        )

    @post("/{table_id:str}/leave", status_code=HTTP_200_OK)
    async def leave(self, request: Asking, table_id: str, key: Key = None) -> Done:
        """Stand up. In a running match a bot decides for you until you come back."""
        guest = await known_guest(request)
        require(guest, "play")
        return await _do(request, guest, table_id, key, lambda t: t.leave(guest.id, now_ms()))

    @post("/{table_id:str}/back", status_code=HTTP_200_OK)
    async def back(self, request: Asking, table_id: str, key: Key = None) -> Done:
        """Take over again from the bot that decided for you."""
        guest = await known_guest(request)
        require(guest, "play")
        return await _do(request, guest, table_id, key, lambda t: t.come_back(guest.id, now_ms()))

    @post("/{table_id:str}/bot", status_code=HTTP_200_OK)
    async def seat_bot(self, request: Asking, table_id: str, data: SeatBot, key: Key = None) -> Done:
        """Let a bot sit down, or another one in its place (host only, before the start)."""
        guest = await known_guest(request)
        require(guest, "tables")
        _check_level(data.level)
        return await _do(
            request,
            guest,
            table_id,
            key,
            lambda t: t.seat_bot(guest.id, data.seat, data.level, now_ms()),
            data.expected,
        )

    @post("/{table_id:str}/clear", status_code=HTTP_200_OK)
    async def clear_seat(self, request: Asking, table_id: str, data: ClearSeat, key: Key = None) -> Done:
        """Send a bot or a person away (host only, before the start)."""
        guest = await known_guest(request)
        require(guest, "tables")
        return await _do(
            request, guest, table_id, key, lambda t: t.clear_seat(guest.id, data.seat, now_ms()), data.expected
        )

    @post("/{table_id:str}/swap", status_code=HTTP_200_OK)
    async def swap(self, request: Asking, table_id: str, data: SwapSeats, key: Key = None) -> Done:
        """Let two seats change places (host only, before the start)."""
        guest = await known_guest(request)
        require(guest, "tables")
        return await _do(
            request, guest, table_id, key, lambda t: t.swap(guest.id, data.one, data.other, now_ms()), data.expected
        )

    @post("/{table_id:str}/start", status_code=HTTP_200_OK)
    async def start(self, request: Asking, table_id: str, data: Expecting, key: Key = None) -> Done:
        """Begin the match (host only, when no seat is empty)."""
        guest = await known_guest(request)
        require(guest, "tables")
        return await _do(request, guest, table_id, key, lambda t: t.start(guest.id, now_ms()), data.expected)

    @post("/{table_id:str}/close", status_code=HTTP_200_OK)
    async def close(self, request: Asking, table_id: str, key: Key = None) -> Done:
        """Give up a table that has not begun (host only)."""
        guest = await known_guest(request)
        require(guest, "tables")
        return await _do(request, guest, table_id, key, lambda t: t.close(guest.id, now_ms()))

    @post("/{table_id:str}/act", status_code=HTTP_200_OK)
    async def act(self, request: Asking, table_id: str, data: Act, key: Key = None) -> Done:
        """Decide. A secret choice may be changed until all have chosen."""
        guest = await known_guest(request)
        require(guest, "play")
        return await _do(request, guest, table_id, key, lambda t: t.act(guest.id, data.action, data.decision, now_ms()))

    @post("/{table_id:str}/say", status_code=HTTP_200_OK)
    async def say(self, request: Asking, table_id: str, data: Say, key: Key = None) -> Done:
        """Say something to everybody at the table."""
        guest = await known_guest(request)
        require(guest, "play")
        platform(request).limits.chat.spend(guest.id)
        return await _do(request, guest, table_id, key, lambda t: t.say(guest.id, guest.name, data.text, now_ms()))

    @post("/{table_id:str}/rematch", status_code=HTTP_200_OK)
    async def rematch(self, request: Asking, table_id: str, key: Key = None) -> OpenedTable:
        """Another match with the same people and bots. Whoever asks first opens the table, the others come along."""
        guest = await known_guest(request)
        require(guest, "tables")
        return OpenedTable(await platform(request).tables.rematch(table_id, guest.id, guest.name, key))


def _check_level(level: str) -> None:
    if level not in BOTS:
        raise Refused(Code.UNKNOWN_LEVEL, f"There is no bot {level!r}. The levels are: {', '.join(BOTS)}.")


def _furnish(table: Table, guest: Guest, data: NewTable) -> list[Entry]:
    """What a new table starts with: its host, some bots, perhaps the match."""
    after, entries = table.fork(), list[Entry]()

    def add(more: list[Entry]) -> None:
        for entry in more:
            after.add(entry)  # type: ignore[arg-type]
        entries.extend(more)

    if len(data.bots) + data.join > data.seats:
        raise Refused(Code.TABLE_FULL, "There are more bots than seats.")
    if data.join:
        add(after.join(guest.id, guest.name, None, data.contribution, now_ms()))
    for number, level in enumerate(reversed(data.bots), 1):
        add(after.seat_bot(guest.id, data.seats - number, level, now_ms()))
    if data.start:
        add(after.start(guest.id, now_ms()))
    return entries


async def _do(
    request: Asking, guest: Guest, table_id: str, key: str | None, command: Any, expected: int | None = None
) -> Done:
    def checked(table: Table) -> list[Entry]:
        if expected is not None and expected != table.version:
            raise Refused(Code.STALE_VERSION, "Something else has happened at this table in the meantime.")
        entries: list[Entry] = command(table)
        return entries

    _, n = await platform(request).tables.do(table_id, checked, f"{guest.id}:{key}" if key else None)
    return Done(n)

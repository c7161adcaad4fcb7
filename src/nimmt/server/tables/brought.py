"""A match that was played elsewhere: its record, checked as `nimmt verify` does, becomes the log of a finished table.

From then on it is a match like any other: it has a replay, reviews and a link. Nobody sits there, so nobody can do
anything else at it, and it is in no list.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode

import msgspec

from nimmt.bots import BOTS
from nimmt.match.match import game_of, verify
from nimmt.match.record import Practice, Record, RecordError, SeatInfo, read_record
from nimmt.rules.game import Seat
from nimmt.server.http.errors import Code, Refused
from nimmt.server.people.names import clean_label, distinct, herd_name
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.table import Table
from nimmt.store import Listing


class BroughtLog(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be stored; `id` follows from the content of the record, however it is written."""

    id: str
    entries: tuple[bytes, ...]
    listing: Listing


def log_of(data: bytes, now: int) -> BroughtLog:
    """The log of a table at which this match was played; raises `Refused`."""
    record = checked(data)
    table_id, opened = _id_of(record), _opened(record, now)
    table = Table(table_id, opened)
    acted = [
        e.Acted(at=now, seat=move.seat, action=move.action, by_bot=opened.brought[move.seat].is_bot)
        for move in record.actions
    ]
    entries: list[e.AnyEntry] = [e.Started(at=now), *acted]
    for entry in entries:
        table.add(entry)
    return BroughtLog(
        id=table_id, entries=(e.encode(opened), *map(e.encode, entries)), listing=table.listing()
    )  # fmt: skip


def checked(data: bytes) -> Record:
    """A whole match whose deals are proven. The proof is what makes up for not knowing where it comes from: nobody can
    bring a running match of this server with an end of their own, as nobody has a seed from which its deals follow."""
    record = _read(data)
    try:
        verdict = verify(data)
    except RecordError as error:
        raise Refused(Code.BAD_RECORD, f"The record is wrong at {error}.") from None
    if verdict.outcome is None:
        raise Refused(Code.NOT_OVER, "There is a review only once the match is over.")
    if verdict.deals_proven is False:
        raise Refused(Code.NOT_PROVEN, "The record has no seed from which its deals follow.")
    return record


def _read(data: bytes) -> Record:
    try:
        record = read_record(data)
    except RecordError as error:
        raise Refused(Code.NOT_A_RECORD, f"It cannot be read: {error}.") from None
    try:
        game_of(record)
    except RecordError as error:
        raise Refused(Code.UNKNOWN_RULES, f"{error.reason}") from None
    return record


def _id_of(record: Record) -> str:
    """Like that of a table, but for its first letter; nobody can guess it who has not got the record."""
    return "r" + urlsafe_b64encode(bytes.fromhex(record.digest)[:16]).decode().rstrip("=")


def _opened(record: Record, now: int) -> e.Opened:
    fairness = record.fairness
    # Where nothing was dealt there is nothing to prove, and no seed.
    seed = (fairness.server_seed if fairness else None) or "00" * 32
    return e.Opened(
        at=now,
        game=record.game,
        options=msgspec.json.decode(record.options),
        seats=len(record.seats),
        public=False,
        tempo=e.NoClock(),
        host="",
        server_seed=seed,
        rules_version=record.rules_version,
        practice=isinstance(record.practice, Practice),
        brought=_seats(record),
    )


def _seats(record: Record) -> tuple[e.BroughtSeat, ...]:
    names: list[str] = []
    for seat, info in enumerate(record.seats):
        names.append(_name(info, seat, names))
    contributions = record.fairness.contributions if record.fairness else ("",) * len(names)
    practice = record.practice if isinstance(record.practice, Practice) else None
    return tuple(
        e.BroughtSeat(
            name=name,
            player=info.player,
            is_bot=info.player in BOTS,
            contribution=contributions[seat],
            hints=practice.hints[seat] if practice else 0,
            take_backs=practice.take_backs[seat] if practice else 0,
        )
        for seat, (name, info) in enumerate(zip(names, record.seats, strict=True))
    )


def _name(info: SeatInfo, seat: Seat, others: list[str]) -> str:
    """One that can be shown anywhere, and that nobody takes for another one at the table."""
    try:
        return distinct(clean_label(info.name), others)
    except Refused:
        return herd_name(seat, others)

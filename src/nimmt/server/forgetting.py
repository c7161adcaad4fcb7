"""A log without one person: what they were called and what they said is taken out, what they played stays.

The cards, the deals and the result belong to all who played, and the proof of the deals needs every contribution. So
the match is left as it was, played by somebody without a name.
"""

from __future__ import annotations

import secrets

import msgspec

from nimmt.server import entries as e
from nimmt.server.refusals import Refused
from nimmt.server.table import Table
from nimmt.server.table_state import GONE, Chair

NOBODY = "N. N."
"""Said in many languages of somebody whose name is not known."""
UNSAID = "…"


def without(table: Table, log: list[bytes], guest: str, now: int) -> list[bytes] | None:
    """The log of this table as if the guest had never had a name; None if it does not mention them. At its end they
    have left, and an entry says that it was written anew."""
    if not any(guest.encode() in line for line in log):
        return None
    alias, lines = GONE + secrets.token_urlsafe(12), list[bytes]()
    folded: Table | None = None
    for line in log:
        entry = e.decode(line)
        if folded is None:
            assert isinstance(entry, e.Opened)
            folded = Table(table.id, entry)
        else:
            folded.add(entry)
        lines.append(_unnamed(line, entry, folded.chairs, guest, alias))
    return [*lines, *map(e.encode, [*_parting(table, guest, now), e.Forgotten(at=now)])]


def _unnamed(line: bytes, entry: e.AnyEntry, chairs: tuple[Chair, ...], guest: str, alias: str) -> bytes:
    """The line of an entry, after which these sit at the table."""
    changed: e.AnyEntry = entry
    match entry:
        case e.Opened(host=host) if host == guest:
            changed = msgspec.structs.replace(entry, host=alias)
        case e.Joined() | e.TookOver() if entry.guest == guest:
            changed = msgspec.structs.replace(entry, guest=alias, name=NOBODY)
        case e.Joined() | e.TookOver():
            # Whoever was called "Anna (2)" because of this person stays so.
            changed = msgspec.structs.replace(entry, name=chairs[entry.seat].name)
        case e.Said() if entry.guest == guest:
            changed = msgspec.structs.replace(entry, guest=alias, name=NOBODY, text=UNSAID)
    return line if changed == entry else e.encode(changed)


def _parting(table: Table, guest: str, now: int) -> list[e.Entry]:
    """Nobody waits for somebody who cannot come back: a table of theirs that waits is closed, and so is a match against
    nobody but bots; in a match with others a bot plays for them."""
    if table.phase not in ("waiting", "playing"):
        return []
    for way in (table.close, table.leave):
        try:
            return way(guest, now)
        except Refused:
            continue
    return []

"""A server's list of commitments, fetched and checked: `nimmt verify --server URL`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec

from nimmt.clients.cli.errors import CommandError
from nimmt.clients.cli.files import read_bytes, title
from nimmt.clients.remote import Client, Refused
from nimmt.match.commitments import CommitmentList, Head, ListError, State, check_opening, followed
from nimmt.match.record import RecordError, read_record

LOST_PATIENCE = 5
"""So often a server may announce more entries than it then tells."""


class KeptHead(Head, frozen=True, kw_only=True):
    """How far the list of a server went when it was last looked at."""

    server: str


class CheckedList:
    """A list without a flaw: what it says of each commitment."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.head = Head()
        self.states: dict[str, State] = {}

    @property
    def counts(self) -> dict[State, int]:
        counted = Counter(self.states.values())
        return {"opened": counted["opened"], "sealed": counted["sealed"], "never": counted["never"]}

    def check_record(self, data: bytes) -> None:
        """Raises `RecordError` unless the commitment of this record is in the list as it should be."""
        fairness, place = read_record(data).fairness, "$.fairness.commitment"
        if fairness is None:
            raise RecordError("$.fairness", "the record has no commitment that could be in the server's list")
        state = self.states.get(fairness.commitment)
        if state is None:
            raise RecordError(place, "it is not in the list of the server, or from before there was one")
        if fairness.server_seed is not None and state != "opened":
            raise RecordError(place, f"the seed is known, but the server's list has it as {state!r}")


def fetch(server: str, kept: KeptHead | None) -> CheckedList:
    """The whole list of a server; raises `ListError` if it is not as it should be, or not as it was."""
    with Client(server) as client:
        try:
            return _follow(client, CheckedList(server), kept)
        except Refused as error:
            raise CommandError(f"{server}: {error.sentence}", code=error.code) from None
        except msgspec.MsgspecError:
            raise CommandError(f"{server}: This is no list of commitments.", code="nonsense") from None


def _follow(client: Client, found: CheckedList, kept: KeptHead | None) -> CheckedList:
    patience = LOST_PATIENCE
    while True:
        page = msgspec.json.decode(client.commitments(found.head.length), type=CommitmentList)
        for entry in page.entries:
            found.head = followed(found.head, [entry])
            check_opening(entry)
            found.states[entry.commitment] = entry.state
            _check_kept(found.head, kept)
        if not page.entries and page.length <= found.head.length:
            break
        patience -= not page.entries
        if not patience:
            raise ListError(f"The list should have {page.length:,} entries but has {found.head.length:,}.")
    if (page.length, page.head) != (found.head.length, found.head.hash):
        raise ListError(f"The list does not end as the server says: with entry {page.length:,}.")
    if kept is not None and kept.length > found.head.length:
        raise ListError(f"The list has {found.head.length:,} entries, fewer than the {kept.length:,} it had before.")
    return found


def _check_kept(head: Head, kept: KeptHead | None) -> None:
    if kept is not None and head.length == kept.length and head.hash != kept.hash:
        raise ListError(f"Entry {kept.length:,} is not the one that was there before: the list was written anew.")


# -- what was seen before ---------------------------------------------------------------------------------------------


def read_head(file: str, server: str) -> KeptHead | None:
    """How far the list went the last time; None if this is the first time."""
    if not Path(file).exists():
        return None
    try:
        kept = msgspec.json.decode(read_bytes(file), type=KeptHead)
    except msgspec.MsgspecError as error:
        raise CommandError(f"{title(file)} does not say how far a list went: {error}.", code="no_head") from None
    if kept.server != server:
        raise CommandError(f"{title(file)} belongs to another server: {kept.server}.", code="other_server")
    return kept


def write_head(file: str, found: CheckedList) -> None:
    """In one step: what was kept before is not lost if this is interrupted."""
    kept = KeptHead(length=found.head.length, hash=found.head.hash, server=found.server)
    new = Path(f"{file}.new")
    new.write_bytes(msgspec.json.encode(kept) + b"\n")
    new.replace(file)


def server_url(word: str) -> str:
    if not word.startswith(("http://", "https://")):
        raise CommandError(f"{word!r:.80} is no address of a server, such as http://localhost:8666.")
    return word.rstrip("/")

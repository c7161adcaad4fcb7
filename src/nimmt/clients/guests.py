"""Who we are at which server: kept in a file that nobody else can read, so that one comes back as the same guest."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

VARIABLE = "NIMMT_GUESTS"
"""Where the file is, if not in its usual place."""


class Kept(msgspec.Struct, frozen=True):
    name: str
    cookie: str


def guests_file() -> Path:
    if named := os.environ.get(VARIABLE):
        return Path(named)
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "nimmt" / "guests.json"


def guest_at(server: str, file: Path | None = None) -> Kept | None:
    """Who we were there; nobody if that was not kept, or cannot be read."""
    return _read(file or guests_file()).get(server)


def keep_guest(server: str, kept: Kept, file: Path | None = None) -> None:
    """For the next time; raises `OSError`."""
    file = file or guests_file()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    known = {**_read(file), server: kept}
    new = file.with_name(f".{file.name}.{os.getpid()}")
    # Made for the owner alone from the first byte on: whoever has the cookie sits on the owner's seats.
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as writing:
        writing.write(msgspec.json.format(msgspec.json.encode(known), indent=2))
    new.replace(file)


def _read(file: Path) -> dict[str, Kept]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Kept])
    except (OSError, msgspec.MsgspecError):
        return {}

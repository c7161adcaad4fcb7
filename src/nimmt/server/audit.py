"""Who did what in the name of the server, and when. Written before it is done: nothing is done that is not written.

Ids are shortened: a log must let nobody in at a table, and what was forgotten must stay forgotten.
"""

from __future__ import annotations

import getpass
import os
import platform
import secrets

import msgspec

from nimmt.server.keys import DAY
from nimmt.server.tables import now_ms
from nimmt.store import Store

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

"""Reading what users point at."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from nimmt.clients.cli.errors import CommandError
from nimmt.clients.cli.output import clean

MOST_BYTES = 64 * 2**20
"""The largest file that is read."""


def read_bytes(name: str, most: int = MOST_BYTES) -> bytes:
    """A file's content, or that of standard input for `-`."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(most + 1)
    except ValueError:  # a null in the name
        raise CommandError(f"{name!r:.80} cannot be the name of a file.", code="unreadable") from None
    if len(data) > most:
        raise CommandError(f"{title(name)} is larger than {most // 2**20} MB.", code="too_large")
    return data


def read_text(name: str) -> str:
    try:
        return read_bytes(name).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"{title(name)} is not text in UTF-8.", code="not_text") from None


def read_json(name: str) -> Any:
    import json

    try:
        return json.loads(read_text(name))
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{title(name)} is not JSON: {error}.", code="not_json") from None


def title(name: str) -> str:
    """What to call a file in a sentence."""
    return "Standard input" if name == "-" else clean(name)

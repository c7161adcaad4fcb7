"""Links to tables, as the page writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nimmt.clients.cli.common import CommandError

_TABLE = re.compile(r"[\w-]+", re.ASCII)
_LINK = re.compile(r"(?P<server>https?://[^?#\s]+)/t/(?P<table>[\w-]+)(/replay)?/?([?#].*)?", re.ASCII)
"""As the page's own links look, to a table or its replay."""


def read_link(word: str) -> tuple[str | None, str]:
    """The server and the id of a table from its link, `https://SERVER/t/TABLE`, or from the id alone."""
    if _TABLE.fullmatch(word):
        return None, word
    link = _LINK.fullmatch(word.strip())
    if link is None:
        raise CommandError(
            f"--join takes the link to a table, such as http://localhost:8666/t/…, or its id; not {word!r:.80}."
        )
    return link["server"], link["table"]


def where(connect: str | None, tables: Sequence[str]) -> tuple[str | None, list[str]]:
    """The server, and the ids of the tables there: they may be given as links, which name their server."""
    if connect is not None and not connect.startswith(("http://", "https://")):
        raise CommandError(f"{connect!r:.80} is not a server address, such as http://localhost:8666.")
    server, found = connect and connect.rstrip("/"), list[str]()
    for word in tables:
        there, table = read_link(word)
        if there and server and there != server:
            raise CommandError(
                f"{word} leads to {there}, not to {server}. Leave out --connect, or name the table by its id, {table}."
                if connect
                else f"{word} leads to {there}, and another one to {server}: an engine plays on one server."
            )
        server = server or there
        found.append(table)
    return server, found

"""Who takes part: `master,greedy:2,cmd:"./mybot --fast"` as a list of contestants, and who sits where."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import PurePath
from typing import NamedTuple, TypeAlias

import msgspec

from nimmt.arena.errors import ArenaError

Arrangement: TypeAlias = tuple[int, ...]
"""By seat: the index of the contestant who sits there."""

COMMAND = "cmd:"
MOST_ARRANGEMENTS = 1000
LONGEST_NAME = 40

_ENTRY = re.compile(r"""(?:"[^"]*"|'[^']*'|[^,"'])+""")
_NAMED = re.compile(r"([\w.+-]+)=(.+)", re.DOTALL)
_COUNTED = re.compile(r"(.+):(\d{1,2})", re.DOTALL)


class Contestant(msgspec.Struct, frozen=True):
    """A bot by its name, or an engine by its command; `name` is what reports call it."""

    name: str
    spec: str

    @property
    def command(self) -> list[str] | None:
        """How to start it, if it is an engine."""
        return shlex.split(self.spec.removeprefix(COMMAND)) if self.spec.startswith(COMMAND) else None


class Field(NamedTuple):
    """The contestants, each once, and the list that was given, as indices into them."""

    contestants: tuple[Contestant, ...]
    entries: tuple[int, ...]
    counted: bool
    """Whether numbers of seats were given: then the list is one table, also in a game of teams."""


def read_field(text: str) -> Field:
    """A list with commas. `greedy:3` takes three seats, `old=cmd:./bot` has a name, quotes hold a command together."""
    contestants: dict[str, Contestant] = {}
    entries: list[int] = []
    counted = False
    for entry in filter(None, map(str.strip, _ENTRY.findall(text))):
        name, spec, count = _read_entry(entry)
        known = contestants.setdefault(f"{name}={spec}", Contestant(name, spec))
        entries += [list(contestants.values()).index(known)] * (count or 1)
        counted |= count is not None
    names = [contestant.name for contestant in contestants.values()]
    if not names:
        raise ArenaError("No bots are named.")
    for name in names:
        if names.count(name) > 1:
            raise ArenaError(f"Two bots are called {name!r}: give them names, as in old=cmd:./bot.")
    return Field(tuple(contestants.values()), tuple(entries), counted)


def _read_entry(entry: str) -> tuple[str, str, int | None]:
    """Its name, what it is, and for how many seats it was named."""
    count = None
    if counted := _COUNTED.fullmatch(entry):
        entry, count = counted[1], int(counted[2])
        if not count:
            raise ArenaError(f"{entry}:0 takes no seat.")
    name = None
    if named := _NAMED.fullmatch(entry):
        name, entry = named[1], named[2]
    if not entry.startswith(COMMAND):
        return name or entry, entry, count
    command = _unquoted(entry.removeprefix(COMMAND).strip())
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise ArenaError(f'{entry!r:.60} is no command: write cmd:"./mybot --fast".')
    return name or _short(words), COMMAND + command, count


def _short(words: Sequence[str]) -> str:
    """The command as a name: without the folders, and nothing that would command a terminal."""
    text = " ".join(PurePath(word).name or word for word in words)
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:LONGEST_NAME]


def _unquoted(text: str) -> str:
    """A command in quotes is the command; quotes inside it are its own affair."""
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text[0] not in text[1:-1]
    return text[1:-1] if quoted else text


# -- who sits where ---------------------------------------------------------------------------------------------


def arrangements(entries: Sequence[int], seats: int) -> tuple[Arrangement, ...]:
    """Every table that a deal is played at, so that everybody has every seat.

    Fewer entries than seats begin again from the first; of more entries every choice plays. Each choice sits in all its
    rotations, and tables that look alike are one.
    """
    if len(entries) < seats:
        choices: Iterable[Arrangement] = [tuple(entries[seat % len(entries)] for seat in range(seats))]
    else:
        choices = combinations(entries, seats)
    found: dict[Arrangement, None] = {}
    for choice in choices:
        found.update(dict.fromkeys((*choice[turn:], *choice[:turn]) for turn in range(seats)))
        if len(found) > MOST_ARRANGEMENTS:
            raise ArenaError(f"That makes more than {MOST_ARRANGEMENTS} tables a deal: name fewer bots.")
    return tuple(found)


def teams(contestants: Sequence[Contestant], seats: int) -> tuple[Arrangement, ...]:
    """A table for each contestant, all seats its own."""
    return tuple((index,) * seats for index in range(len(contestants)))

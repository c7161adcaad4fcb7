"""What is to be played. Every deal follows from the plan and its own number alone, wherever it is played."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib import import_module
from itertools import combinations
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from nimmt.bots import BOTS
from nimmt.match.match import single_deal
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Options
from nimmt.rules.kit.options import read_options

# -- errors ------------------------------------------------------------------------------------------------------------
# What can go wrong before or besides a game, and libraries that only some installations have.


class ArenaError(Exception):
    """`str(error)` is a sentence for people."""


class MissingExtra(ArenaError):
    """A library is needed that the plain installation does not bring."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"This needs {library}, which is not installed: pip install 'nimmt[{extra}]'")
        self.extra = extra


def need(library: str, extra: str) -> Any:
    """The library, or an error that says how to get it."""
    try:
        return import_module(library)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != library.split(".", maxsplit=1)[0]:
            raise
        raise MissingExtra(library.split(".", maxsplit=1)[0], extra) from None


# -- field -------------------------------------------------------------------------------------------------------------
# Who takes part: `master,greedy:2,cmd:"./mybot --fast"` as a list of contestants, and who sits where.

Arrangement: TypeAlias = tuple[int, ...]
"""By seat: the index of the contestant who sits there."""

COMMAND = "cmd:"
MAX_ARRANGEMENTS = 1000
MAX_NAME_LENGTH = 40

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
        raise ArenaError(f'{entry!r:.60} is not a command: write cmd:"./mybot --fast".')
    return name or _short(words), COMMAND + command, count


def _short(words: Sequence[str]) -> str:
    """The command as a name: without the folders, and nothing that would command a terminal."""
    text = " ".join(PurePath(word).name or word for word in words)
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:MAX_NAME_LENGTH]


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
        if len(found) > MAX_ARRANGEMENTS:
            raise ArenaError(f"That makes more than {MAX_ARRANGEMENTS} tables a deal: name fewer bots.")
    return tuple(found)


def teams(contestants: Sequence[Contestant], seats: int) -> tuple[Arrangement, ...]:
    """A table for each contestant, all seats its own."""
    return tuple((index,) * seats for index in range(len(contestants)))


# -- plan --------------------------------------------------------------------------------------------------------------

Kind: TypeAlias = Literal["deals", "matches"]
"""Single deals, or whole matches."""

TIME_MS = 5_000


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Plain data: it travels to other processes and machines, and lies beside the results."""

    game: str
    rules_version: int
    options: dict[str, Any]
    seats: int
    contestants: tuple[Contestant, ...]
    arrangements: tuple[Arrangement, ...]
    duplicate: bool
    teams: bool
    seed: str
    time_ms: int = TIME_MS
    """How long an engine may think about a decision."""
    luck: int = 0
    """Rounds that are played on from a position to see what was luck in it; 0: luck is not looked at."""

    @property
    def cooperative(self) -> bool:
        """Whether all seats win together: then a win is not shared out among them."""
        return registry.get(self.game).cooperative

    def tables(self, deal: int) -> tuple[Arrangement, ...]:
        """The tables at which this deal is played: all of them, or one after the other from deal to deal."""
        if self.duplicate:
            return self.arrangements
        return (self.arrangements[deal % len(self.arrangements)],)

    def options_for(self, kind: Kind) -> Options:
        game = registry.get(self.game)
        options: Options = read_options(game.options_type, self.options)
        return single_deal(game, options) if kind == "deals" else options

    def chance(self, kind: Kind, deal: int, purpose: str) -> bytes:
        """Thirty-two bytes for one purpose. The table is not part of it: the same seat has the same luck at each."""
        text = f"nimmt arena/{self.seed}/{kind}/{deal}/{purpose}"
        return sha256(text.encode("utf-8", "surrogatepass")).digest()


def make_plan(
    game: AnyGame,
    options: Options,
    seats: int,
    field: Field,
    *,
    seed: str,
    duplicate: bool = True,
    time_ms: int = TIME_MS,
    luck: int = 0,
) -> Plan:
    """Raises `ArenaError` or `InvalidOptions`."""
    game.setup(options, seats)
    for contestant in field.contestants:
        if contestant.command is None and contestant.spec not in BOTS:
            raise ArenaError(f"There is no bot {contestant.spec!r:.40}. The bots are: {', '.join(BOTS)}.")
    # A team is compared with others on the same deals, each alone.
    as_teams = game.cooperative and not field.counted
    if field.counted and len(field.entries) != seats:
        raise ArenaError(f"The bots take {len(field.entries)} seats, but {seats} sit at the table.")
    return Plan(
        game=game.id,
        rules_version=game.rules_version,
        options=msgspec.json.decode(msgspec.json.encode(options)),
        seats=seats,
        contestants=field.contestants,
        arrangements=teams(field.contestants, seats) if as_teams else arrangements(field.entries, seats),
        duplicate=duplicate,
        teams=as_teams,
        seed=seed,
        time_ms=time_ms,
        luck=luck,
    )

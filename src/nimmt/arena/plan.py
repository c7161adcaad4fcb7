"""What is to be played. Every deal follows from the plan and its own number alone, wherever it is played."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Literal, TypeAlias

import msgspec

from nimmt.arena.errors import ArenaError
from nimmt.arena.field import Arrangement, Contestant, Field, arrangements, teams
from nimmt.bots import BOTS
from nimmt.match.match import single_deal
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Options
from nimmt.rules.kit.options import read_options

Kind: TypeAlias = Literal["deals", "matches"]
"""Single deals, or whole matches."""

TEAM_GAMES = frozenset({"buffalo"})
"""Games in which all seats win or lose together: bots are compared as teams, each alone on the same deals."""

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

    @property
    def cooperative(self) -> bool:
        """Whether all seats win together: then a win is not shared out among them."""
        return self.game in TEAM_GAMES

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
) -> Plan:
    """Raises `ArenaError` or `InvalidOptions`."""
    game.setup(options, seats)
    for contestant in field.contestants:
        if contestant.command is None and contestant.spec not in BOTS:
            raise ArenaError(f"There is no bot {contestant.spec!r:.40}. The bots are: {', '.join(BOTS)}.")
    as_teams = game.id in TEAM_GAMES and not field.counted
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
    )

"""Golden playthroughs: whole matches as text that people read and tools compare.

`python3 dev.py generate golden` writes a file for every game and variant.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from textwrap import indent, wrap
from typing import Any, NamedTuple

from nimmt.match.match import Match, Step, replay
from nimmt.match.record import Record, SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Deal, Event, Variant
from nimmt.rules.kit.options import variant_options
from nimmt.rules.position import to_text
from nimmt.testing.laws.play import NAMES, encoded
from nimmt.testing.random_play import pick, random_action

SEATS = 3
SHORTER: dict[str, Any] = {"rounds": 1, "games": 1, "proposals": 1}
"""How a long match becomes a short one, where the game has such an option."""
POSITION_EVERY = 50
"""After so many actions the position is written down, and after every deal."""


class Playthrough(NamedTuple):
    """What is played: the name of its file says it all."""

    game: AnyGame
    variant: Variant
    seats: int
    changes: dict[str, Any]

    @property
    def name(self) -> str:
        name = f"{self.game.id}-{self.variant.id}"
        return name if self.seats == SEATS else f"{name}-{self.seats}"


def playthroughs() -> Iterator[Playthrough]:
    """A short match of each variant with three seats; a whole match of the first variant with the fewest seats, and a
    short one of the last with the most."""
    for game in registry.all_games():
        fields = game.options_type.__struct_fields__
        shorter = {name: value for name, value in SHORTER.items() if name in fields}
        for variant in game.variants:
            yield Playthrough(game, variant, SEATS, shorter)
        first, last = game.variants[0], game.variants[-1]
        yield Playthrough(game, first, game.min_seats, {})
        yield Playthrough(game, last, last.max_seats or game.max_seats, shorter)


def play(playthrough: Playthrough) -> Record:
    """The match that this playthrough always is."""
    game, name = playthrough.game, playthrough.name
    names = NAMES[: playthrough.seats]
    options = variant_options(game, playthrough.variant.id, **playthrough.changes)
    dealer = Dealer(sha256(f"playthrough {name}".encode()).digest(), [f"luck of {name}" for name in names])
    match, rng = Match(game, options, [SeatInfo(name) for name in names], dealer), Random(name)
    while match.outcome is None:
        seat = pick(rng, game.pending(match.state)).seat
        match.act(seat, random_action(game, match.state, seat, rng))
    return match.record()


def write(playthrough: Playthrough) -> str:
    record = play(playthrough)
    lines = [*_header(playthrough, record), *_steps(playthrough.game, record), "", f"digest: {record.digest}", ""]
    return "\n".join(lines)


def _header(playthrough: Playthrough, record: Record) -> Iterator[str]:
    game, fairness = playthrough.game, record.fairness
    yield f"{game.name}: {playthrough.variant.name}, {playthrough.seats} seats"
    yield ""
    yield f"format: {record.format}"
    yield f"game: {record.game}, version {record.rules_version} of its rules"
    yield f"options: {bytes(record.options).decode()}"
    yield f"seats: {', '.join(seat.name for seat in record.seats)}"
    if fairness is not None:
        yield f"commitment: {fairness.commitment}"
        yield f"server seed: {fairness.server_seed}"
        yield f"contributions: {', '.join(fairness.contributions)}"


def _steps(game: AnyGame, record: Record) -> Iterator[str]:
    names, dealt, acted = tuple(seat.name for seat in record.seats), 0, 0
    for step in replay(record):
        if isinstance(step.cause, Deal):
            dealt += 1
            yield ""
            yield f"deal {dealt}"
            yield from _deal(step.cause)
        else:
            acted += 1
            yield f"{acted}. {names[step.seat or 0]} {encoded(step.cause).decode()}"
        for event in step.events:
            yield indent(_told(event, names), "  ")
        if _is_worth_showing(game, step, acted):
            yield indent(to_text(game, step.state), "    | ").rstrip()


def _deal(deal: Deal) -> Iterator[str]:
    for deck, cards in deal.decks.items():
        yield from wrap(f"{deck}: {' '.join(map(str, cards))}", 118, initial_indent="  ", subsequent_indent="    ")


def _told(event: Event, names: tuple[str, ...]) -> str:
    """The whole truth, and what a spectator hears where that is less."""
    told, seen = event.tell(names), event.seen_by(None)
    if seen == event:
        return told
    space = "\n" if "\n" in told else " "
    return f"{told}{space}[spectators: {'nothing' if seen is None else seen.tell(names)}]"


def _is_worth_showing(game: AnyGame, step: Step, acted: int) -> bool:
    return isinstance(step.cause, Deal) or acted % POSITION_EVERY == 0 or game.outcome(step.state) is not None

"""The interface of a bot, the bots by name, and matches of bots: what a seed decides, one decision after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib import import_module
from random import Random
from typing import Any, Protocol

from nimmt.bots.levels import LEVELS, engine_of, is_fast, strength_of
from nimmt.match import match as core
from nimmt.match.by_hand import read_choice
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Event, Options

SIMPLE = {
    "random": "Plays anything that is legal.",
    "greedy": "Plays what costs least at once, as the table stands.",
}
BOTS = SIMPLE | {name: level.thinks["en"] for name, level in LEVELS.items()}


class Bot(Protocol):
    """Decides for a seat from what the seat may know. All randomness comes from `rng`: same seed, same play."""

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action: ...


class UnknownBot(ValueError):
    """There is no bot with this name."""


def get_bot(name: str, game: AnyGame) -> Bot:
    """The bot of this name for this game; raises `UnknownBot`."""
    if name not in BOTS:
        raise UnknownBot(f"There is no bot {name!r}. The bots are: {', '.join(BOTS)}.")
    engine = f"nimmt.bots.simple:make_{name}" if name in SIMPLE else engine_of(name, game)
    make: Callable[[AnyGame], Bot] = _named(engine)
    return make(game)


def puzzle_player(name: str, game: AnyGame) -> Bot:
    """The bot of this name as it was when the game's puzzles were mined, so that their matches can be replayed."""
    engine = strength_of(game).puzzle_engines.get(name)
    if engine is None:
        return get_bot(name, game)
    bot: Bot = _named(engine)(game)
    return bot


def is_compiled(name: str, game_id: str) -> bool:
    """Whether this bot uses kernels, which may have to be compiled first."""
    game = registry.get(game_id)
    return name not in SIMPLE and is_fast(game) and not engine_of(name, game).startswith("nimmt.bots.simple:")


def warm_up(game_id: str) -> None:
    """Compile the kernels of this game's bots, or load them from disk."""
    game = registry.get(game_id)
    if is_fast(game):
        _named(strength_of(game).warm_up)(game)


def _named(path: str) -> Callable[..., Any]:
    module, _, name = path.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


# -- matches of bots ---------------------------------------------------------------------------------------------------


def seeded(
    game: AnyGame, options: Options, seats: Sequence[SeatInfo], seed: int | str, number: int = 1
) -> tuple[core.Match, list[Random]]:
    """A match whose deals depend only on the seed and its number, and a generator for each seat's bot."""

    def chance(purpose: str) -> bytes:
        text = f"nimmt simulate/{seed}/{number}/{purpose}"
        return sha256(text.encode("utf-8", "surrogatepass")).digest()

    contributions = [chance(f"contribution/{seat}").hex()[:16] for seat in range(len(seats))]
    rngs = [Random(chance(f"bot/{seat}")) for seat in range(len(seats))]
    return core.Match(game, options, seats, Dealer(chance("server"), contributions)), rngs


def advance(match: core.Match, bots: Sequence[Bot | None], rngs: Sequence[Random]) -> tuple[Event, ...] | None:
    """Let the first pending seat that has a bot decide; None if there is no such seat."""
    game, state = match.game, match.state
    for decision in game.pending(state):
        seat = decision.seat
        if (bot := bots[seat]) is not None:
            action = bot.choose(game.view(state, seat), game.legal(state, seat), rngs[seat])
            return match.act(seat, read_choice(game, state, seat, action))
    return None

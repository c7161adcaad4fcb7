"""Matches of bots: what a seed decides, and one decision after the other."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from random import Random

from nimmt.bots.bot import Bot
from nimmt.match import match as core
from nimmt.match.choices import read_choice
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules.game import AnyGame, Event, Options


def seeded(
    game: AnyGame, options: Options, seats: Sequence[SeatInfo], seed: int | str, number: int = 1
) -> tuple[core.Match, list[Random]]:
    """A match whose deals follow from the seed and its number alone, and the chance of each seat's bot."""

    def chance(purpose: str) -> bytes:
        text = f"nimmt simulate/{seed}/{number}/{purpose}"
        return sha256(text.encode("utf-8", "surrogatepass")).digest()

    contributions = [chance(f"contribution/{seat}").hex()[:16] for seat in range(len(seats))]
    rngs = [Random(chance(f"bot/{seat}")) for seat in range(len(seats))]
    return core.Match(game, options, seats, Dealer(chance("server"), contributions)), rngs


def advance(match: core.Match, bots: Sequence[Bot | None], rngs: Sequence[Random]) -> tuple[Event, ...] | None:
    """Let the first seat decide that is waited for and has a bot; None if there is none."""
    game, state = match.game, match.state
    for decision in game.pending(state):
        seat = decision.seat
        if (bot := bots[seat]) is not None:
            action = bot.choose(game.view(state, seat), game.legal(state, seat), rngs[seat])
            return match.act(seat, read_choice(game, state, seat, action))
    return None

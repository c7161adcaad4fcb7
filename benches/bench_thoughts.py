"""How a search should think: one that thinks like this among others that think like that.

    python benches/bench_thoughts.py baron 200:4 greedy --deals 200         200 rounds of 4 turns among greedy players
    python benches/bench_thoughts.py baron 200:4:learned 200:4 --deals 100  networks imagined, or careless players
    python benches/bench_thoughts.py eleven 800:1:learned:outlook master    a network is asked after the next turn

A thought is ROUNDS[:TURNS[:POLICY[:outlook]]], as `Thought` in `nimmt.bots.levels`; 0 turns are to the end of the
round. Any bot's name does as well. With `--seated 2` two think like the first, and their wins are added up: that tells
more in the same time. Wins are of single deals, shared ones split, with 95 % intervals; times are of the processor.
"""

from __future__ import annotations

import argparse
import time
from copy import copy
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np

from nimmt.bots import BOTS, Bot, get_bot
from nimmt.bots.levels import Thought
from nimmt.bots.worlds import WorldsBot
from nimmt.fast.game import get_fast
from nimmt.match.match import Match, single_deal
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.options import variant_options


class Timed:
    """A bot, and how long it thinks."""

    def __init__(self, text: str, game: AnyGame, networks: Path | None = None) -> None:
        self.bot, self.decisions, self.seconds = read(text, game, networks), 0, 0.0

    def choose(self, view, legal, rng):
        began = time.process_time()
        action = self.bot.choose(view, legal, rng)
        self.seconds += time.process_time() - began
        self.decisions += 1
        return action

    @property
    def ms(self) -> float:
        return 1000 * self.seconds / max(self.decisions, 1)


def read(text: str, game: AnyGame, networks: Path | None) -> Bot:
    if text in BOTS:
        return get_bot(text, game)
    fast = copy(get_fast(game.id))
    fast.folder = networks or fast.folder
    rounds, turns, policy, outlook = (*text.split(":"), *("0", "careless", "")[text.count(":") :])
    thought = Thought(int(rounds), int(turns), policy, outlook == "outlook")
    return WorldsBot(game, thought, knows_standings=True, fast=fast)


def play(game: AnyGame, variant: str, seats: list[Timed], deal: int) -> Match:
    secret = deal.to_bytes(32, "big")
    match = Match(
        game,
        single_deal(game, variant_options(game, variant)),
        [SeatInfo(str(seat)) for seat in range(len(seats))],
        Dealer(secret, [""] * len(seats)),
    )
    rng = Random(deal)
    while match.outcome is None:
        seat = game.pending(match.state)[0].seat
        legal = game.legal(match.state, seat)
        action = seats[seat].choose(game.view(match.state, seat), legal, rng) if len(legal) > 1 else legal[0]
        match.act(seat, action)
    return match


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("x", "eleven", "baron"))
    parser.add_argument("one", help="a thought or a bot")
    parser.add_argument("others", help="the same for all other seats")
    parser.add_argument("--variant", default="basic")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seated", type=int, default=1, help="so many seats think like the first")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal: others than were tried")
    parser.add_argument("--networks", type=Path, help="the folder that the first has its networks from [what ships]")
    args = parser.parse_args()
    if not 0 < args.seated < args.seats:
        parser.error(f"--seated is 1 to {args.seats - 1}: somebody has to think like the others.")
    game = registry.get(args.game)
    one, other, wins, points = Timed(args.one, game, args.networks), Timed(args.others, game), [], []
    places = list(combinations(range(args.seats), args.seated))
    for deal in range(args.deals):
        own = places[deal % len(places)]
        players = [one if seat in own else other for seat in range(args.seats)]
        match = play(game, args.variant, players, args.first + deal)
        winners, scores = match.outcome.winners, match.state.table.scores[-1]
        own_score = sum(scores[seat] for seat in own)
        wins.append(sum(seat in winners for seat in own) / len(winners))
        points.append((own_score / args.seated, (sum(scores) - own_score) / (args.seats - args.seated)))
        print(f"\r{deal + 1} of {args.deals} deals", end="", flush=True)
    mean, error = 100 * np.mean(wins), 196 * np.std(wins) / len(wins) ** 0.5
    own_points, their_points = np.mean(points, axis=0)
    print(f"\r{args.seated} × {args.one} among {args.others}: {mean:.1f} % ± {error:.1f} of {args.deals} deals", end="")
    print(f"; points {own_points:.1f} v {their_points:.1f}; {one.ms:.1f} v {other.ms:.1f} ms a decision")


if __name__ == "__main__":
    main()

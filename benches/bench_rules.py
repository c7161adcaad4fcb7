"""Rounds a second of every game by random play through the full protocol, on one core.

Everything a server would do for a seat is in it: who is waited for, the legal actions and the view of each seat that
decides, applying with all checks and all events, and deals by the provable shuffle. What is chosen is one of the legal
actions; where they are of several kinds the random bot chooses, which passes now and then.

Seconds are those of the processor: what else the machine has to do is not counted.

Run by `python3 dev.py bench`.
"""

from __future__ import annotations

import argparse
import time
from random import Random

from nimmt.bots.simple import RandomBot
from nimmt.match.shuffle import make_deal, root
from nimmt.rules import registry
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.options import variant_options

SEVERAL_KINDS = ("buffalo", "eleven")


def play_rounds(game: AnyGame, variant: str, seats: int, seconds: float) -> tuple[int, int, float]:
    """Whole matches until the time is over: rounds, decisions and seconds taken."""
    options, bot, rng, match_root = variant_options(game, variant), RandomBot(), Random(1), root(bytes(32), ["bench"])
    several_kinds = game.id in SEVERAL_KINDS
    rounds = decisions = 0
    began = time.process_time()
    while (taken := time.process_time() - began) < seconds:
        state = game.setup(options, seats)
        while game.outcome(state) is None:
            request = game.deal_request(state)
            if request is not None:
                state, _ = game.deal(state, make_deal(match_root, rounds, request))
                rounds += 1
            for decision in game.pending(state):
                seat = decision.seat
                view, legal = game.view(state, seat), game.legal(state, seat)
                if legal:  # in a window of special cards an earlier seat may have settled the matter
                    action = bot.choose(view, legal, rng) if several_kinds else legal[int(rng.random() * len(legal))]
                    state, _ = game.apply(state, seat, action)
                    decisions += 1
        if getattr(options, "draft", False):  # nothing is dealt in a draft
            rounds += len(state.table.scores)
    return rounds, decisions, taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each game and variant (default 3)")
    parser.add_argument("--seats", type=int, default=4)
    args = parser.parse_args()
    print(f"{'game':10}{'variant':16}{'rounds/s':>10}{'decisions/s':>13}{'µs a decision':>15}")
    for game in registry.all_games():
        for variant in game.variants:
            rounds, decisions, taken = play_rounds(game, variant.id, min(args.seats, game.max_seats), args.seconds)
            micro = 1e6 * taken / decisions
            print(f"{game.id:10}{variant.id:16}{rounds / taken:10,.0f}{decisions / taken:13,.0f}{micro:15.1f}")


if __name__ == "__main__":
    main()

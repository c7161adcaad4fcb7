"""Compare search settings: one seat with the first setting against others with the second.

    python benches/bench_thoughts.py baron 200:4 greedy --deals 200         200 rollouts of 4 turns, against greedy
    python benches/bench_thoughts.py baron 200:4:learned 200:4 --deals 100  learned rollout policy against careless one
    python benches/bench_thoughts.py eleven 800:1:learned:outlook master    value network after the next turn
    python benches/bench_thoughts.py baron master master --open             a seat that sees all hands: perfect belief
    python benches/bench_thoughts.py buffalo 1000:4:learned master --seats 2  two teams, each on the same deals

A thought is ROUNDS[:TURNS[:POLICY[:outlook]]], as `Thought` in `nimmt.bots.levels`; 0 turns are to the end of the
round. Any bot's name does as well. With `--seated 2` two think like the first, and their wins are added up: that tells
more in the same time. Wins are of single deals, shared ones split, with 95 % intervals; times are of the processor.

In Beat the Buffalo a thought is about cards and rows; about special cards all think like the Master.
"""

from __future__ import annotations

import argparse
import time
from copy import copy
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from nimmt.bots import BOTS, get_bot
from nimmt.bots.levels import Thought
from nimmt.bots.worlds import Effort, WorldsBot
from nimmt.clients.cli.flags import whole_number
from nimmt.fast.game import FastGame, field_bytes
from nimmt.fast.net import LEARNED
from nimmt.games.buffalo.search import MASTER, MASTER_ALONE, SLIPS, BuffaloBot
from nimmt.games.buffalo.types import DOUBLED_SEATS
from nimmt.match.match import Match, single_deal
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.options import variant_options


class Timed:
    """A bot, and its thinking time."""

    def __init__(self, text: str, game: AnyGame, networks: Path | None = None, is_open: bool = False) -> None:
        self.bot, self.decisions, self.seconds = read(text, game), 0, 0.0
        self.fast = getattr(self.bot, "_fast", None)
        if is_open or networks:
            self.fast = self.bot._fast = open_hands(self.fast) if is_open else copy(self.fast)
            self.fast.folder = networks or self.fast.folder
            self.fast.policies = {**self.fast.policies, "learned": LEARNED}

    def choose(self, state, view, legal, rng):
        if self.fast is not None:
            self.fast.truth = state
        began = time.process_time()
        action = self.bot.choose(view, legal, rng)
        self.seconds += time.process_time() - began
        self.decisions += 1
        return action

    @property
    def ms(self) -> float:
        return 1000 * self.seconds / max(self.decisions, 1)


def read(text: str, game: AnyGame) -> Any:
    if text in BOTS:
        return get_bot(text, game)
    rounds, turns, policy, outlook = (*text.split(":"), *("0", "careless", "")[text.count(":") :])
    if game.id == "buffalo":
        cards = Effort(int(rounds), SLIPS, policy, int(turns))
        return BuffaloBot(MASTER._replace(cards=cards), alone=MASTER_ALONE._replace(cards=cards))
    thought = Thought(int(rounds), int(turns), policy, outlook == "outlook")
    return WorldsBot(game, thought, knows_standings=True)


def open_hands(fast: FastGame) -> FastGame:
    """A game whose sampled worlds contain the true hands; face-down cards stay hidden."""

    class Open(type(fast)):
        truth: Any = None

        def load_view(self, view):
            del view
            flat = self.load(self.truth)
            self.forget_choices(flat)
            return flat

        def hidden(self, view):
            cards, *rest = super().hidden(view)
            held = {card for seat, hand in enumerate(self.truth.hands) if seat != view.seat for card in hand}
            return [card for card in cards if card not in held], *rest

        def places(self, view):
            found, *rest = super().places(view)
            first = field_bytes(self.state, "hands")
            hands = range(first, first + self.state["hands"].itemsize)
            return [place for place in found if place not in hands], *rest

    known = copy(fast)
    known.__class__ = Open
    return known


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
        view = game.view(match.state, seat)
        match.act(seat, seats[seat].choose(match.state, view, legal, rng) if len(legal) > 1 else legal[0])
    return match


def lead_of(match: Match) -> int:
    """The team's lead over the buffalo."""
    table = match.state.table
    return table.buffalo_bulls - table.bulls * (2 if table.seats <= DOUBLED_SEATS else 1)


def compare_teams(game: AnyGame, args: argparse.Namespace, one: Timed, other: Timed) -> str:
    """Two teams on the same deals."""
    played = []
    for deal in range(args.first, args.first + args.deals):
        matches = [play(game, args.variant, [team] * args.seats, deal) for team in (one, other)]
        played.append([(bool(match.outcome.winners), lead_of(match)) for match in matches])
        print(f"\r{len(played)} of {args.deals} deals", end="", flush=True)
    means = np.mean(played, axis=0)
    gains = np.subtract(*np.moveaxis(np.array(played, float), 1, 0))
    won, ahead = 1.96 * gains.std(axis=0) / len(played) ** 0.5
    return (
        f"\r{args.seats} seats, {args.one} {100 * means[0, 0]:.1f} %, {args.others} {100 * means[1, 0]:.1f} % of "
        f"{args.deals} deals, a difference of {100 * gains[:, 0].mean():+.1f} ± {100 * won:.1f}; bulls ahead "
        f"{means[0, 1]:.1f} v {means[1, 1]:.1f}, {gains[:, 1].mean():+.1f} ± {ahead:.1f}"
    )


def compare_seats(game: AnyGame, args: argparse.Namespace, one: Timed, other: Timed) -> str:
    """Seats with the first setting against seats with the second."""
    wins, points = [], []
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
    return (
        f"\r{args.seated} × {args.one} among {args.others}: {mean:.1f} % ± {error:.1f} of {args.deals} deals; "
        f"points {own_points:.1f} v {their_points:.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("x", "eleven", "baron", "buffalo"))
    parser.add_argument("one", help="a thought or a bot")
    parser.add_argument("others", help="the same for all other seats")
    parser.add_argument("--variant", default="basic")
    parser.add_argument("--seats", type=whole_number(1, 10), default=4)
    parser.add_argument("--seated", type=int, default=1, help="so many seats think like the first")
    parser.add_argument("--deals", type=whole_number(1, 10**6), default=100)
    parser.add_argument(
        "--first", type=whole_number(0, 2**62), default=0, help="the number of the first deal: others than were tried"
    )
    parser.add_argument("--networks", type=Path, help="the folder that the first has its networks from [what ships]")
    parser.add_argument("--open", action="store_true", help="the first see all hands: more than any belief can tell")
    args = parser.parse_args()
    game = registry.get(args.game)
    one, other = Timed(args.one, game, args.networks, args.open), Timed(args.others, game)
    if args.game != "buffalo" and not 0 < args.seated < args.seats:
        parser.error(f"--seated is 1 to {args.seats - 1}: somebody has to think like the others.")
    told = (compare_teams if args.game == "buffalo" else compare_seats)(game, args, one, other)
    print(f"{told}; {one.ms:.1f} v {other.ms:.1f} ms a decision")


if __name__ == "__main__":
    main()

"""A player of 6 nimmt! that learns from nothing: masked PPO on the batched environment, in NumPy, minutes on one core.

    python examples/ppo.py train policy.npz --minutes 3      learns by playing itself, and is measured against greedy
    python examples/ppo.py measure policy.npz --deals 20000  wins of one seat against three greedy players
    nimmt arena six --bots greedy:3,cmd:"python examples/ppo.py engine policy.npz" --deals 1000 --duplicate
    nimmt engine --connect http://localhost:8666 --cmd "python examples/ppo.py engine policy.npz"

The network scores each card of the hand by what the observation says of it and of the row that it would go to; a
softmax over the scores is the policy. A second head estimates what the next turns will bring. At each table two learn
from the bulls that they take, both by the same network; the other two are greedy, so that nobody learns to beat itself
only.
"""

import argparse
import json
import os
import sys
import time

for library in ("OPENBLAS", "MKL", "OMP"):  # on one core: products as small as these are slower on several
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np  # noqa: E402

CARDS, ROWS, HAND, SEATS, LEARNERS = 104, 4, 10, 4, 2
BULLS = np.ones(CARDS + 1, np.float32)
BULLS[5::5], BULLS[10::10], BULLS[11::11], BULLS[55] = 2, 3, 5, 7
BULLS[0] = 0
TURNS = 10
"""A deal has ten turns, and with `cards_only` a turn is a step."""
DISCOUNT = 0.75
"""How much of the bulls of the next turn is put down to this one: later ones are mostly chance."""


# -- what the network sees --------------------------------------------------------------------------------------


def features(obs, layout):
    """(decisions, hand, features) for each card of the hand, and (decisions, hand) which of them are cards."""
    hand = np.rint(obs[:, layout["hand"]] * CARDS)[:, :, None]
    ends = np.rint(obs[:, layout["ends"]] * CARDS)[:, None, :]
    lengths, bulls = obs[:, layout["row_lengths"]], obs[:, layout["row_bulls"]]
    gaps = np.where(hand > ends, hand - ends, CARDS + 1)
    row, gap = gaps.argmin(-1), gaps.min(-1)
    too_low = gap > CARDS
    length = np.take_along_axis(lengths, row, 1)
    load = np.take_along_axis(bulls, row, 1)
    cheapest = np.broadcast_to(bulls.min(-1, keepdims=True), gap.shape)
    own = ((hand.transpose(0, 2, 1) < hand) & (hand.transpose(0, 2, 1) > hand - gap[:, :, None])).sum(-1)
    left = np.broadcast_to(obs[:, layout["hand_size"]], gap.shape)
    rank = np.broadcast_to(np.arange(HAND) / HAND, gap.shape) / np.maximum(left, 0.1)
    full = (length > 0.9) & ~too_low
    between = np.where(too_low, 0, gap - 1 - own)
    parts = [
        hand[:, :, 0] / CARDS,
        BULLS[hand[:, :, 0].astype(int)] / 7,
        np.log1p(between) / 5,
        np.where(too_low, 0, length),
        full,
        np.where(too_low, 0, load),
        full * load,
        (length > 0.7) & (length < 0.9) & ~too_low,
        too_low,
        too_low * cheapest,
        rank,
        left,
        np.broadcast_to(lengths.mean(-1, keepdims=True), gap.shape),
        np.ones_like(gap),
    ]
    return np.stack(parts, -1).astype(np.float32), hand[:, :, 0] > 0


# -- the network ------------------------------------------------------------------------------------------------


class Network:
    """Two layers that all cards share; a score for each card, a value for all of them together."""

    NAMES = ("first", "second", "score", "value")

    def __init__(self, width=32, inputs=14, seed=0):
        rng = np.random.default_rng(seed)
        sizes = {"first": (inputs, width), "second": (width, width), "score": (width, 1), "value": (width, 1)}
        self.weights = {
            name: (rng.standard_normal(size) / np.sqrt(size[0])).astype(np.float32) for name, size in sizes.items()
        }
        self.weights["score"] *= 0.1
        self._moments = {name: (np.zeros(size), np.zeros(size)) for name, size in sizes.items()}
        self._steps = 0

    def forward(self, x, is_card):
        """Log chances of the cards, the value, and what `backward` needs."""
        w = self.weights
        one = np.tanh(x @ w["first"])
        two = np.tanh(one @ w["second"])
        scores = np.where(is_card, (two @ w["score"])[:, :, 0], -1e9)
        scores -= scores.max(-1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(-1, keepdims=True))
        share = is_card / np.maximum(1, is_card.sum(-1, keepdims=True))
        pooled = (two * share[:, :, None]).sum(1)
        return logs, (pooled @ w["value"])[:, 0], (x, one, two, share, pooled)

    def backward(self, kept, d_scores, d_value):
        """Gradients by those of the scores and of the value."""
        w, (x, one, two, share, pooled) = self.weights, kept
        d_two = (
            d_scores[:, :, None] * w["score"][:, 0] + share[:, :, None] * (d_value[:, None] * w["value"][:, 0])[:, None]
        )
        d_two = d_two * (1 - two**2)
        d_one = (d_two @ w["second"].T) * (1 - one**2)
        flat = lambda array: array.reshape(-1, array.shape[-1])  # noqa: E731
        return {
            "first": flat(x).T @ flat(d_one),
            "second": flat(one).T @ flat(d_two),
            "score": flat(two).T @ d_scores.reshape(-1, 1),
            "value": pooled.T @ d_value[:, None],
        }

    def improve(self, gradients, rate):
        """A step of Adam."""
        self._steps += 1
        for name, gradient in gradients.items():
            mean, square = self._moments[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            step = mean / (1 - 0.9**self._steps) / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)
            self.weights[name] -= (rate * step).astype(np.float32)

    def save(self, path):
        with open(path, "wb") as file:  # a name would get .npz behind it
            np.savez(file, **self.weights)

    @classmethod
    def load(cls, path):
        with np.load(path) as kept:
            network = cls(*reversed(kept["first"].shape))
            network.weights = {name: kept[name] for name in cls.NAMES}
        return network


# -- learning ---------------------------------------------------------------------------------------------------


def play_deal(env, network, rng):
    """A deal at all tables: what the learners have seen, chosen, expected and gained."""
    env.reset()
    seen = []
    for _ in range(TURNS):
        actions, obs = env.suggest("greedy"), env.observations[:, :LEARNERS].reshape(-1, env.features)
        x, is_card = features(obs, env.layout)
        logs, value, _ = network.forward(x, is_card)
        place = (logs + rng.gumbel(size=logs.shape)).argmax(-1)
        lines = np.arange(len(place))
        cards = np.rint(obs[lines, place] * CARDS).astype(np.int64)
        actions[:, :LEARNERS] = (cards - 1).reshape(env.tables, LEARNERS)
        env.step(actions)
        seen.append((x, is_card, place, logs[lines, place], value, env.rewards[:, :LEARNERS].reshape(-1) / 10))
    x, is_card, place, logs, values, rewards = (np.stack(part) for part in zip(*seen, strict=True))
    to_come = rewards.copy()
    for turn in range(TURNS - 2, -1, -1):
        to_come[turn] += DISCOUNT * to_come[turn + 1]
    many = TURNS * len(values[0])
    advantage = (to_come - values).reshape(many)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    joined = (part.reshape(many, *part.shape[2:]) for part in (x, is_card, place, logs, to_come))
    return (*joined, advantage)


def learn(network, deal, rng, rate, epochs=2, size=512, clip=0.2, entropy=0.003):
    """PPO: a few passes over a deal, none of which may change any chance by much."""
    x, is_card, place, old, to_come, advantage = deal
    for _ in range(epochs):
        for part in np.array_split(rng.permutation(len(place)), max(1, len(place) // size)):
            logs, value, kept = network.forward(x[part], is_card[part])
            lines, chances = np.arange(len(part)), np.exp(logs)
            ratio = np.exp(logs[lines, place[part]] - old[part])
            gain = advantage[part]
            moves = np.where(gain > 0, ratio < 1 + clip, ratio > 1 - clip)
            d_scores = chances * (moves * ratio * gain)[:, None]
            d_scores[lines, place[part]] -= moves * ratio * gain
            finite = np.where(is_card[part], logs, 0)
            d_scores += entropy * chances * (finite - (chances * finite).sum(-1, keepdims=True))
            d_value = 0.5 * (value - to_come[part])
            network.improve(network.backward(kept, d_scores / len(part), d_value / len(part)), rate)


def measure(network, deals, seed=12345):
    """One seat by the network against greedy players: its share of wins, its bulls and theirs."""
    from nimmt.envs import batch

    env = batch("six", min(deals, 2048), SEATS, seed=seed, cards_only=True)
    won, own, others, played = 0.0, 0.0, 0.0, 0
    while played < deals:
        env.reset()
        for _ in range(TURNS):
            actions = env.suggest("greedy")
            obs = env.observations[:, 0]
            logs, _, _ = network.forward(*features(obs, env.layout))
            actions[:, 0] = np.rint(obs[np.arange(len(obs)), logs.argmax(-1)] * CARDS).astype(np.int64) - 1
            env.step(actions)
        won += (env.won[:, 0] / env.won.sum(1)).sum()
        own, others, played = (
            own + env.points[:, 0].sum(),
            others + env.points[:, 1:].mean(1).sum(),
            played + env.tables,
        )
    return won / played, own / played, others / played


def train(path, minutes, tables, seed, deals=4096):
    from nimmt.envs import batch

    env, rng, network = batch("six", tables, SEATS, seed=seed, cards_only=True), np.random.default_rng(seed), Network()
    env.reset()
    start, told, number, best, kept, spent = time.monotonic(), 0.0, 0, 0.0, network.weights, 0.0
    while spent < 1:
        learn(network, play_deal(env, network, rng), rng, rate=0.003 * (1 - 0.9 * spent))
        number, spent = number + 1, (time.monotonic() - start) / 60 / minutes
        if time.monotonic() - told > 10 or spent >= 1:
            told = time.monotonic()
            won, own, others = measure(network, 2048, seed=1)
            if won > best:  # what has been learnt last is not always what is best
                best, kept = won, {name: array.copy() for name, array in network.weights.items()}
            done = min(1, spent)
            print(f"{done:4.0%} {number:5} updates: wins {won:.1%} against greedy, {own:.1f} bulls to {others:.1f}")
    network.weights = kept
    network.save(path)
    report(network, deals)
    return network


def report(network, deals):
    won, own, others = measure(network, deals)
    error = 1.96 * np.sqrt(won * (1 - won) / deals)
    print(f"wins {won:.1%} ± {error:.1%} of {deals} deals against three greedy players (25 % would be equal)")
    print(f"{own:.2f} bulls a deal, they {others:.2f}")


# -- playing ----------------------------------------------------------------------------------------------------


def engine(path):
    """Answer as the engine protocol wants it: cards by the network, the cheapest row where one must be taken."""
    import msgspec

    from nimmt.envs import get_codec
    from nimmt.rules import registry

    six, network = registry.get("six"), Network.load(path)
    codec = get_codec(six, six.options_type(), SEATS)  # what takes time to load is loaded before anybody waits

    def choose(told):
        view, legal = msgspec.convert(told["view"], six.view_type), told["legal"]
        obs = codec.observation(view)[None]
        if told["kind"] == "row":
            row = int(obs[0, codec.layout["row_bulls"]].argmin()) + 1
            return next(action for action in legal if action["row"] == row)
        if told["kind"] != "card":  # a draft, which it has not learnt
            return legal[0]
        logs, _, _ = network.forward(*features(obs, codec.layout))
        card = view.hand[int(logs[0].argmax())]
        return next((action for action in legal if action["card"] == card), legal[0])

    for line in sys.stdin:
        told = json.loads(line)
        if told["type"] == "hello":
            print(json.dumps({"type": "ready", "protocol": 1, "name": "PPO", "games": ["six"]}), flush=True)
        elif told["type"] == "new":
            codec = get_codec(six, msgspec.convert(told["options"], six.options_type), told["seats"])
        elif told["type"] == "decide":
            print(json.dumps({"type": "act", "action": choose(told)}), flush=True)
        elif told["type"] == "quit":
            break


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["train", "measure", "engine"])
    parser.add_argument("policy", help="the file with the weights")
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--deals", type=int, default=8192)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.what == "train":
        train(args.policy, args.minutes, args.tables, args.seed, args.deals)
    elif args.what == "measure":
        report(Network.load(args.policy), args.deals)
    else:
        engine(args.policy)


if __name__ == "__main__":
    main()

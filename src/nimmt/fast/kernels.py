"""The loops that all games share: play a round on, play many rounds, try actions in many worlds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nimmt.fast.chance import below, seed_rng
from nimmt.fast.jit import Flat, Flats, Numbers, Words, jit, part, wide
from nimmt.fast.net import LEARNED

# -- protocol ----------------------------------------------------------------------------------------------------------
# What the shared kernels ask of a game. Each game answers for states of its own layout (see `implement`).
#
# A round is a chain of decisions. `to_decide` names the seat that decides next, `choose` lets a policy decide, `act`
# carries the decision out; then `advance` does what follows of itself, one small step (one card placed) a call, until
# the next decision is due or the round is over. Of a secret choice the seats decide one after the other; nobody's
# policy looks at it.


def begin(s: Flat, cards: Numbers, rng: Words) -> None:
    """Shuffle the decks, as far as they are needed, and deal a round."""
    raise NotImplementedError


def deal(s: Flat, cards: Numbers) -> None:
    """Deal a round from decks in this order, as `nimmt.rules` would."""
    raise NotImplementedError


def to_decide(s: Flat) -> int:
    """The seat that decides next; -1 if the round is over."""
    raise NotImplementedError


def legal(s: Flat, seat: int, actions: Numbers) -> int:
    """Write the codes of the seat's legal actions; returns their number."""
    raise NotImplementedError


def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    """The action a policy chooses for the seat. It may use only what the seat may know."""
    raise NotImplementedError


def learned(s: Flat, seat: int, number: int, params: Numbers, rng: Words) -> int:
    """The same for the policy network with this number, in games that have one (`fast.net`)."""
    raise NotImplementedError


def act(s: Flat, seat: int, action: int) -> None:
    """Carry out a legal action; legality is not checked."""
    raise NotImplementedError


def advance(s: Flat) -> bool:
    """Do one step of what follows of itself; False if nothing does, because somebody must decide or all is over."""
    raise NotImplementedError


def tally(s: Flat, points: Numbers, taken: Numbers, other: Numbers) -> None:
    """When the round is over: points and rows (or piles) taken of each seat; how many turns it had, the buffalo's
    bulls."""
    raise NotImplementedError


def play_on(s: Flat, policies: Numbers, params: Numbers, rng: Words) -> None:
    """Play to the end of the round, each seat by its policy."""
    raise NotImplementedError


def so_far(s: Flat, seat: int) -> int:
    """A seat's points so far in this round, in games that count them."""
    raise NotImplementedError


def outlook(s: Flat, weights: Numbers, scores: Numbers) -> None:
    """Value network: a score for each seat, higher is better. It sees everything, including all hands: it evaluates
    simulated states only."""
    raise NotImplementedError


def picture(s: Flat, out: Numbers) -> None:
    """Everything in the state as bytes, in the form that the rules' state can be brought to as well."""
    raise NotImplementedError


# -- bundles -----------------------------------------------------------------------------------------------------------
# What the kernels below are handed together. Inside they take it apart: in inner loops bundles cost time.


class Players(NamedTuple):
    policies: Numbers
    """Policy codes by seat."""
    params: Numbers
    """Parameters of the policies."""


class Lines(NamedTuple):
    """Results of rounds, one line each."""

    points: Numbers
    taken: Numbers
    """Rows, or piles, by seat."""
    other: Numbers
    """How many turns it had; the points of a rival without a seat."""

    def part(self, lines: slice) -> Lines:
        return Lines(self.points[lines], self.taken[lines], self.other[lines])


def new_lines(*shape: int) -> Lines:
    """Zeroed results for rounds of so many seats; the leading dimensions are free."""
    return Lines(np.zeros(shape, np.int16), np.zeros(shape, np.int16), np.zeros((*shape[:-1], 2), np.int16))


class Prospects(NamedTuple):
    """Estimates of how rounds end, by world and action, and scratch buffers."""

    weights: Numbers
    """Weights of the value network."""
    scores: Numbers
    """The network's scores by seat, for rounds that go on."""
    ended: Numbers
    """Whether the round is over."""
    points: Numbers
    """Points by seat, for rounds that are over."""
    taken: Numbers
    other: Numbers


def new_prospects(weights: Numbers, *shape: int) -> Prospects:
    """Zeroed estimates for so many worlds, actions and seats."""
    ended, points = np.zeros(shape[:-1], np.bool_), np.zeros(shape, np.int16)
    return Prospects(weights, np.zeros(shape), ended, points, np.zeros(shape[-1], np.int16), np.zeros(2, np.int16))


# -- kernels -----------------------------------------------------------------------------------------------------------


@part
def apply(s: Flat, seat: int, action: int) -> None:
    """Carry out an action and everything that follows automatically."""
    act(s, seat, action)
    while advance(s):
        pass


@part
def pick(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    """The action that any policy chooses for the seat, simple or learned."""
    if policy >= LEARNED:
        return learned(s, seat, policy - LEARNED, params, rng)
    return wide(choose(s, seat, policy, params, rng))


@part
def play_by_steps(s: Flat, policies: Numbers, params: Numbers, rng: Words) -> None:
    """Play to the end of the round, decision by decision, each seat by its policy."""
    seat = to_decide(s)
    while seat >= 0:
        apply(s, seat, pick(s, seat, policies[seat], params, rng))
        seat = to_decide(s)


@jit
def play_rounds(template: Flats, cards: Numbers, players: Players, rng: Words, lines: Lines) -> None:
    """Play whole rounds, including the shuffle, and write each result to its line."""
    s, (policies, params), (points, taken, other) = template[0], players, lines
    for i in range(len(points)):
        begin(s, cards, rng)
        play_on(s, policies, params, rng)
        tally(s, points[i], taken[i], other[i])


@jit
def rollout(
    worlds: Flats, seat: int, actions: Numbers, players: Players, seed: np.uint64, first: int, lines: Lines
) -> None:
    """Roll out each action in each world, all seats playing by their policies. `first` numbers the first world.

    Within a world all actions share their random numbers.
    """
    (policies, params), (points, taken, other) = players, lines
    scratch = np.empty(1, worlds.dtype)
    rng = np.empty(4, np.uint64)
    for w in range(len(worlds)):
        for a in range(len(actions)):
            scratch[0] = worlds[w]
            seed_rng(rng, seed, first + w)
            apply(scratch[0], seat, actions[a])
            play_on(scratch[0], policies, params, rng)
            tally(scratch[0], points[w, a], taken[w, a], other[w, a])


@part
def play_turns(s: Flat, turns: int, policies: Numbers, params: Numbers, rng: Words) -> None:
    """Play so many turns, or to the end of the round if that comes first, each seat by its policy."""
    seat, last = to_decide(s), s.turns + turns
    while seat >= 0 and s.turns < last:
        apply(s, seat, pick(s, seat, policies[seat], params, rng))
        seat = to_decide(s)


@jit
def look_ahead(
    worlds: Flats, seat: int, actions: Numbers, players: Players, seed: np.uint64, turns: int, points: Numbers
) -> None:
    """Truncated rollouts of each action in each world; writes the points of all seats so far."""
    policies, params = players
    scratch = np.empty(1, worlds.dtype)
    rng = np.empty(4, np.uint64)
    for w in range(len(worlds)):
        for a in range(len(actions)):
            scratch[0] = worlds[w]
            seed_rng(rng, seed, w)
            apply(scratch[0], seat, actions[a])
            play_turns(scratch[0], turns, policies, params, rng)
            for other in range(len(policies)):
                points[w, a, other] = so_far(scratch[0], other)


@jit
def look_out(
    worlds: Flats, seat: int, actions: Numbers, players: Players, seed: np.uint64, turns: int, prospects: Prospects
) -> None:
    """Truncated rollouts of each action in each world, `turns` turns past the current one, scored by the value
    network."""
    (policies, params), (weights, scores, ended, points, taken, other) = players, prospects
    scratch = np.empty(1, worlds.dtype)
    rng = np.empty(4, np.uint64)
    for w in range(len(worlds)):
        for a in range(len(actions)):
            scratch[0] = worlds[w]
            seed_rng(rng, seed, w)
            last = scratch[0].turns + 1 + turns
            apply(scratch[0], seat, actions[a])
            play_turns(scratch[0], last - scratch[0].turns, policies, params, rng)
            if to_decide(scratch[0]) < 0:
                ended[w, a] = True
                tally(scratch[0], points[w, a], taken, other)
            else:
                outlook(scratch[0], weights, scores[w, a])


@jit
def judge(
    worlds: Flats, seat: int, actions: Numbers, players: Players, seed: np.uint64, lines: Lines, soon: Lines
) -> None:
    """Like `rollout`, with the policy's own choice as the last action, and also the results at the end of the turn.

    If a world is waiting for another seat, the policies simply play on.
    """
    (policies, params), (points, taken, other) = players, lines
    scratch = np.empty(1, worlds.dtype)
    rng, start = np.empty(4, np.uint64), np.zeros(2, np.int16)
    ignored = np.zeros(len(policies), np.int16)
    s = scratch[0]
    for w in range(len(worlds)):
        tally(worlds[w], ignored, ignored, start)
        for a in range(len(actions) + 1):
            scratch[0] = worlds[w]
            seed_rng(rng, seed, w)
            if a < len(actions):
                apply(s, seat, actions[a])
            tally(s, soon.points[w, a], soon.taken[w, a], soon.other[w, a])
            decides = to_decide(s)
            while decides >= 0 and soon.other[w, a, 0] == start[0]:
                apply(s, decides, choose(s, decides, policies[decides], params, rng))
                tally(s, soon.points[w, a], soon.taken[w, a], soon.other[w, a])
                decides = to_decide(s)
            play_on(s, policies, params, rng)
            tally(s, points[w, a], taken[w, a], other[w, a])


# -- worlds ---------------------------------------------------------------------------------------------------


@jit
def shuffle_rows(cards: Numbers, orders: Numbers, seed: np.uint64, kind: int) -> None:
    """Shuffle the cards of each line uniformly."""
    rng = np.empty(4, np.uint64)
    seed_rng(rng, seed, kind)
    for line in range(len(orders)):
        for i in range(len(cards)):  # inside out: each card changes places with one before it, or stays
            other = below(rng, i + 1)
            orders[line, i] = orders[line, other]
            orders[line, other] = cards[i]


@jit
def fill(worlds: Numbers, places: Numbers, columns: Numbers, cards: Numbers) -> None:
    """Put the cards of each line into the hidden places of a world (here a line of bytes)."""
    for w in range(len(worlds)):
        for i in range(len(places)):
            worlds[w, places[i]] = cards[w, columns[i]]


@jit
def seeded(seed: np.uint64, stream: int) -> Words:
    """An independent generator for each stream of a seed."""
    rng = np.empty(4, np.uint64)
    seed_rng(rng, seed, stream)
    return rng


# -- one step at a time -----------------------------------------------------------------------------------------


@jit
def deal_round(flat: Flats, cards: Numbers) -> None:
    deal(flat[0], cards)


@jit
def list_legal(flat: Flats, seat: int, actions: Numbers) -> int:
    return legal(flat[0], seat, actions)


@jit
def who_decides(flat: Flats) -> int:
    """The seat that decides next; -1 if the round is over."""
    return to_decide(flat[0])


@jit
def choose_for(flat: Flats, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    """The action a policy chooses for this seat."""
    return pick(flat[0], seat, policy, params, rng)


@jit
def step(flat: Flats, seat: int, action: int, pictures: Numbers) -> int:
    """Carry out an action and take a picture after it and after each small step that follows; returns their number.

    The last two differ only in what ends a turn or starts a decision.
    """
    act(flat[0], seat, action)
    count, more = 0, True
    while True:
        picture(flat[0], pictures[count])
        count += 1
        if not more:
            return count
        more = advance(flat[0])


@jit
def act_only(flat: Flats, seat: int, action: int) -> None:
    act(flat[0], seat, action)


@jit
def advance_once(flat: Flats) -> bool:
    return advance(flat[0])


@jit
def tally_all(flats: Flats, lines: Lines) -> None:
    """The results so far in these positions."""
    for i in range(len(flats)):
        tally(flats[i], lines.points[i], lines.taken[i], lines.other[i])


@jit
def look(flat: Flats, pictures: Numbers) -> None:
    picture(flat[0], pictures[0])

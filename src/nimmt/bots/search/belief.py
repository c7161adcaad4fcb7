"""What the others may hold and who they may be, judged by what they have played in this round.

A Markov chain walks over the deals of the unseen cards: it swaps two cards and keeps the swap with a chance in
proportion to how much better it explains the plays seen so far. For each seat they are explained by a mixture of
types; seats at one table are often alike, so a type that others seem to have is likelier (a Pólya urn).
"""

from __future__ import annotations

import numpy as np

from nimmt.bots.search.jit import compiled
from nimmt.bots.search.policy import chance, draw, see, weigh
from nimmt.bots.search.rollout import insert
from nimmt.bots.search.types import HAND, LOOKS, SEATS, Bits, Desk, Effort, Floats, Ints, Kinds, Situation

REST = -1


@compiled
def explain(hand: Ints, seat: int, now: Situation, kinds: Kinds, desk: Desk, held: Ints, chances: Floats) -> None:
    """For each type the chance that this seat, with this hand now, would have played what it has played."""
    count = len(kinds.prior)
    chances[:count] = 1.0
    held[: now.size] = hand[: now.size]
    size = now.size
    for turn in range(len(now.past_plays) - 1, -1, -1):
        play = now.past_plays[turn, seat]
        insert(held, size, play >> 1)
        size += 1
        if size == 1:
            continue
        options = see(
            held, size, now.past_twists[turn, seat], now.past_boards[turn], now.past_hidden[turn], now.seats, desk.looks
        )
        played = 0
        while played < options - 1 and desk.looks[played, LOOKS] != play:
            played += 1
        for kind in range(count):
            total = weigh(desk.looks, options, kinds.factors[kind], desk.weights)
            slip = kinds.slips[kind]
            chances[kind] *= (1.0 - slip) * desk.weights[played] / total + slip / options


@compiled
def mixed(chances: Floats, shares: Floats, count: int) -> float:
    total = 0.0
    for kind in range(count):
        total += chances[kind] * shares[kind]
    return total


@compiled
def shuffle(cards: Ints, dice: Bits) -> None:
    for at in range(len(cards) - 1, 0, -1):
        other = int(chance(dice) * (at + 1))
        cards[at], cards[other] = cards[other], cards[at]


@compiled
def deal(now: Situation, cards: Ints, owner: Ints, hands: Ints, dice: Bits) -> None:
    """All unseen cards at random; `cards` in hand order, `owner` says whose each is."""
    shuffle(cards, dice)
    owner[:] = REST
    used = 0
    for seat in range(now.seats):
        if seat == now.seat:
            hands[seat, : now.size] = now.hand[: now.size]
            continue
        for at in range(now.size):
            owner[used] = seat
            insert(hands[seat], at, cards[used])
            used += 1


@compiled
def share_types(now: Situation, kinds: Kinds, herd: float, chosen: Ints, shares: Floats) -> None:
    """How likely each type is for each seat before looking at its plays: as a rule, and as the others seem."""
    for seat in range(now.seats):
        for kind in range(len(kinds.prior)):
            shares[seat, kind] = herd * kinds.prior[kind]
        for other in range(now.seats):
            if other not in (seat, now.seat):
                shares[seat, chosen[other]] += 1.0


@compiled
def replace(hand: Ints, size: int, old: int, new: int) -> None:
    at = 0
    while hand[at] != old:
        at += 1
    while at + 1 < size and hand[at + 1] < new:
        hand[at] = hand[at + 1]
        at += 1
    while at > 0 and hand[at - 1] > new:
        hand[at] = hand[at - 1]
        at -= 1
    hand[at] = new


@compiled
def imagine(now: Situation, kinds: Kinds, effort: Effort, desk: Desk, worlds: Ints, types: Ints) -> None:
    """Fill `worlds` with hands and `types` with types of all seats, as likely as they are."""
    count, seats = len(kinds.prior), now.seats
    cards, owner = now.pool.copy(), np.zeros(len(now.pool), np.int64)
    hands, chosen = np.zeros((SEATS, HAND + 1), np.int64), np.zeros(SEATS, np.int64)
    shares = np.zeros((SEATS, count))
    chances, trial, other_trial = np.zeros((SEATS, count)), np.zeros(count), np.zeros(count)
    fit = np.ones(SEATS)
    held, hand, other_hand = np.zeros(2 * HAND + 2, np.int64), np.zeros(HAND + 1, np.int64), np.zeros(HAND + 1, np.int64)
    turns, steps = len(now.past_plays), 0
    dealt = len(now.known) > 0
    chosen[:] = kinds.own
    for world in range(len(worlds)):
        if world == 0 or (turns == 0 and not dealt):
            if dealt:
                hands[:seats, :HAND] = now.known[:seats, :HAND]
            else:
                deal(now, cards, owner, hands, desk.dice)
            for seat in range(seats):
                if seat != now.seat:
                    chosen[seat] = draw(kinds.prior, count, kinds.prior.sum(), desk.dice)
                    explain(hands[seat], seat, now, kinds, desk, held, chances[seat])
        steps = effort.burn_in if world == 0 else effort.thinning
        if turns == 0 or dealt:
            steps = 0
        share_types(now, kinds, effort.herd, chosen, shares)
        for seat in range(seats):
            if seat != now.seat:
                fit[seat] = mixed(chances[seat], shares[seat], count)
        for _ in range(steps):
            one = int(chance(desk.dice) * ((seats - 1) * now.size))
            two = int(chance(desk.dice) * len(cards))
            seat, other = owner[one], owner[two]
            if seat == other:
                continue
            hand[: now.size] = hands[seat, : now.size]
            replace(hand, now.size, cards[one], cards[two])
            explain(hand, seat, now, kinds, desk, held, trial)
            ratio = mixed(trial, shares[seat], count) / fit[seat]
            if other != REST:
                other_hand[: now.size] = hands[other, : now.size]
                replace(other_hand, now.size, cards[two], cards[one])
                explain(other_hand, other, now, kinds, desk, held, other_trial)
                ratio *= mixed(other_trial, shares[other], count) / fit[other]
            if ratio < 1.0 and chance(desk.dice) >= ratio:
                continue
            cards[one], cards[two] = cards[two], cards[one]
            hands[seat, : now.size] = hand[: now.size]
            chances[seat] = trial
            fit[seat] = mixed(trial, shares[seat], count)
            if other != REST:
                hands[other, : now.size] = other_hand[: now.size]
                chances[other] = other_trial
                fit[other] = mixed(other_trial, shares[other], count)
        for seat in range(seats):
            if seat != now.seat:
                share_types(now, kinds, effort.herd, chosen, shares)
                for kind in range(count):
                    desk.weights[kind] = shares[seat, kind] * chances[seat, kind]
                chosen[seat] = draw(desk.weights, count, desk.weights[:count].sum(), desk.dice)
        chosen[now.seat] = kinds.own
        worlds[world, :seats, : HAND + 1] = hands[:seats]
        types[world, :seats] = chosen[:seats]

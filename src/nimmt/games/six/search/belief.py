"""What the others may hold and who they may be, judged by what they have played in this round.

A Markov chain walks over the deals of the unseen cards: it swaps two cards and keeps the swap with a chance in
proportion to how much better it explains the plays seen so far. For each seat they are explained by a mixture of
types; seats at one table are often alike, so a type that others seem to have is likelier (a Pólya urn).
"""

from __future__ import annotations

import numpy as np

from nimmt.fast.jit import jit, part
from nimmt.games.six.search.board import (
    HAND,
    HANDS,
    LOOK,
    LOOKS,
    PLAYS,
    SEATS,
    STRIDE,
    TWISTS,
    WORLD,
    Bits,
    Floats,
    Ints,
)
from nimmt.games.six.search.policy import chance, draw, insert, see, weigh

REST = -1


@part
def explain(
    world: Ints,
    seat: int,
    seats: int,
    size: int,
    past: Ints,
    past_plays: Ints,
    factors: Floats,
    slips: Floats,
    looks: Ints,
    weights: Floats,
    held: Ints,
    chances: Floats,
) -> None:
    """For each type the chance that this seat, with the hand it has in this world, would have played what it has."""
    for kind in range(len(slips)):
        chances[seat, kind] = 1.0
    for at in range(size):
        held[at] = world[HANDS + STRIDE * seat + at]
    for turn in range(len(past_plays) - 1, -1, -1):
        play = past_plays[turn, seat]
        insert(held, 0, size, play >> 1)
        size += 1
        before = past[turn]
        options = see(held, 0, size, before[TWISTS + seat], before, seats, looks)
        played = 0
        while played < options - 1 and looks[LOOK * played + LOOKS] != play:
            played += 1
        for kind in range(len(slips)):
            chance_of_it = slips[kind] / options
            if slips[kind] < 1.0:
                total = weigh(looks, options, factors, kind, weights)
                chance_of_it += (1.0 - slips[kind]) * weights[played] / total
            chances[seat, kind] *= chance_of_it


@part
def mixed(chances: Floats, seat: int, shares: Floats) -> float:
    total = 0.0
    for kind in range(chances.shape[1]):
        total += chances[seat, kind] * shares[seat, kind]
    return total


@part
def shuffle(cards: Ints, dice: Bits) -> None:
    for at in range(len(cards) - 1, 0, -1):
        other = int(chance(dice) * (at + 1))
        cards[at], cards[other] = cards[other], cards[at]


@part
def deal(world: Ints, own: int, seats: int, size: int, cards: Ints, owner: Ints, dice: Bits) -> None:
    """All unseen cards at random: the first ones of `cards` are in hands, and `owner` says whose each is."""
    shuffle(cards, dice)
    owner[:] = REST
    used = 0
    for seat in range(seats):
        if seat != own:
            for at in range(size):
                owner[used] = seat
                insert(world, HANDS + STRIDE * seat, at, cards[used])
                used += 1


@part
def share_types(
    seat: int, own: int, seats: int, prior: Floats, clues: Floats, herd: float, types: Ints, shares: Floats
) -> None:
    """How likely each type is for a seat before looking at its cards: as a rule, as the others seem to be, and by the
    rows that it took."""
    for kind in range(len(prior)):
        shares[seat, kind] = herd * prior[kind]
    for other in range(seats):
        if other not in (seat, own):
            shares[seat, types[other]] += 1.0
    for kind in range(len(prior)):
        shares[seat, kind] *= clues[seat, kind]


@part
def replace(cards: Ints, base: int, size: int, old: int, new: int) -> None:
    """Exchange a card of an ascending hand."""
    at = base
    while cards[at] != old:
        at += 1
    while at + 1 < base + size and cards[at + 1] < new:
        cards[at] = cards[at + 1]
        at += 1
    while at > base and cards[at - 1] > new:
        cards[at] = cards[at - 1]
        at -= 1
    cards[at] = new


@jit
def imagine(  # noqa: PLR0912
    start: Ints,
    own: int,
    seats: int,
    size: int,
    pool: Ints,
    past: Ints,
    past_plays: Ints,
    factors: Floats,
    slips: Floats,
    prior: Floats,
    clues: Floats,
    own_kind: int,
    warm_up: int,
    thinning: int,
    herd: float,
    dice: Bits,
    worlds: Ints,
    types: Ints,
) -> None:
    """Fill `worlds` with positions and `types` with the types of all seats, as likely as they are.

    The first `warm_up` positions of the walk are not used.
    """
    count, known = len(prior), len(pool) == 0
    cards, owner = pool.copy(), np.zeros(len(pool), np.int64)
    looks, weights, held = np.zeros(PLAYS * LOOK, np.int64), np.zeros(PLAYS), np.zeros(2 * HAND + 2, np.int64)
    shares, chances, trial = np.zeros((SEATS, count)), np.ones((SEATS, count)), np.ones((SEATS, count))
    now, chosen = start.copy(), np.full(SEATS, own_kind)
    for seat in range(seats):
        for kind in range(count):
            shares[seat, kind] = prior[kind] * clues[seat, kind]
        if seat != own:
            chosen[seat] = draw(prior, count, 1.0, dice)
    walking = len(past_plays) > 0 and not known
    for number in range(-warm_up if walking else 0, len(worlds)):
        if not known and (not walking or number == -warm_up):
            deal(now, own, seats, size, cards, owner, dice)
        if len(past_plays) > 0 and (number == 0 if known else number == -warm_up):
            for seat in range(seats):
                if seat != own:
                    explain(now, seat, seats, size, past, past_plays, factors, slips, looks, weights, held, chances)
        for _ in range(thinning if walking else 0):
            one = int(chance(dice) * ((seats - 1) * size))
            two = int(chance(dice) * len(cards))
            seat, other = owner[one], owner[two]
            if seat == other:
                continue
            replace(now, HANDS + STRIDE * seat, size, cards[one], cards[two])
            explain(now, seat, seats, size, past, past_plays, factors, slips, looks, weights, held, trial)
            ratio = mixed(trial, seat, shares) / mixed(chances, seat, shares)
            if other != REST:
                replace(now, HANDS + STRIDE * other, size, cards[two], cards[one])
                explain(now, other, seats, size, past, past_plays, factors, slips, looks, weights, held, trial)
                ratio *= mixed(trial, other, shares) / mixed(chances, other, shares)
            if ratio >= 1.0 or chance(dice) < ratio:
                cards[one], cards[two] = cards[two], cards[one]
                for kind in range(count):
                    chances[seat, kind] = trial[seat, kind]
                    if other != REST:
                        chances[other, kind] = trial[other, kind]
            else:
                replace(now, HANDS + STRIDE * seat, size, cards[two], cards[one])
                if other != REST:
                    replace(now, HANDS + STRIDE * other, size, cards[one], cards[two])
        for seat in range(seats):
            if seat != own:
                share_types(seat, own, seats, prior, clues, herd, chosen, shares)
                total = 0.0
                for kind in range(count):
                    weights[kind] = shares[seat, kind] * chances[seat, kind]
                    total += weights[kind]
                chosen[seat] = draw(weights, count, total, dice)
        if number >= 0:
            for at in range(WORLD):
                worlds[number, at] = now[at]
            for seat in range(seats):
                types[number, seat] = chosen[seat]

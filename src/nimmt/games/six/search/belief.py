"""The belief about hands and types of the others, given what they have played in this round.

A Markov chain (Metropolis) walks over the deals of the unseen cards: it proposes to swap two cards and accepts with a
probability that depends on how well the new hands explain the plays so far. Each seat is a mixture of types; players at
one table tend to be alike, so a type that others seem to have gets a higher prior (a Pólya urn).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nimmt.fast.jit import Flat, Flats, jit, part, wide
from nimmt.games.six.search import net
from nimmt.games.six.search.policy import chance, draw, insert, roll, see, weigh
from nimmt.games.six.search.situation import (
    LOOK,
    LOOKS,
    Desk,
    Effort,
    Floats,
    Ints,
    Kinds,
    Situation,
    Worlds,
)
from nimmt.games.six.types import MAX_SEATS

REST = -1


@part
def explain(s: Flat, seat: int, now: Situation, kinds: Flats, mind: Flat, chances: Floats) -> None:
    """By type, the likelihood of the seat's plays, given its hand in this world."""
    for kind in range(len(kinds)):
        chances[seat, kind] = 1.0
    after = s
    for turn in range(len(now.past_plays) - 1, -1, -1):
        before, play = now.past[turn], now.past_plays[turn, seat]
        copy_hand(after, before, seat)
        insert(before, seat, abs(play))
        options = see(before, seat, mind)
        played = 0
        while played < options - 1 and mind.looks[LOOK * played + LOOKS] != play:
            played += 1
        looked = False
        for kind in range(len(kinds)):
            slip = kinds[kind].slip
            chance_of_it = slip / options
            if slip < 1.0:
                if kinds[kind].learned:
                    if not looked:
                        looked = net.look(before, seat, mind) > 0
                    total = net.score(mind, options, kinds[kind])
                else:
                    total = weigh(mind, options, kinds[kind])
                chance_of_it += (1.0 - slip) * mind.weights[played] / total
            chances[seat, kind] *= chance_of_it
        after = before


@part
def copy_hand(source: Flat, target: Flat, seat: int) -> None:
    for at in range(source.sizes[seat]):
        target.hands[seat, at] = source.hands[seat, at]
    target.sizes[seat] = source.sizes[seat]


@part
def mixed(chances: Floats, seat: int, shares: Floats) -> float:
    total = 0.0
    for kind in range(chances.shape[1]):
        total += chances[seat, kind] * shares[seat, kind]
    return total


# -- deals ------------------------------------------------------------------------------------------------------


class Deck(NamedTuple):
    """All unseen cards: first those in hands, then the rest."""

    cards: Ints
    owner: Ints
    """Whose each card is, by its place."""


@part
def shuffle(cards: Ints, mind: Flat) -> None:
    for at in range(len(cards) - 1, 0, -1):
        other = int(chance(mind) * (at + 1))
        cards[at], cards[other] = cards[other], cards[at]


@part
def deal(s: Flat, own: int, deck: Deck, mind: Flat) -> None:
    """Deal all unseen cards at random; every seat gets as many as the searching seat has."""
    shuffle(deck.cards, mind)
    deck.owner[:] = REST
    used = 0
    for seat in range(wide(s.seats)):
        if seat != own:
            s.sizes[seat] = 0
            for _ in range(wide(s.sizes[own])):
                deck.owner[used] = seat
                insert(s, seat, deck.cards[used])
                used += 1


@part
def replace(s: Flat, seat: int, old: int, new: int) -> None:
    """Replace a card of a sorted hand."""
    at, last = wide(0), wide(s.sizes[seat]) - 1
    while s.hands[seat, at] != old:
        at += 1
    while at < last and s.hands[seat, at + 1] < new:
        s.hands[seat, at] = s.hands[seat, at + 1]
        at += 1
    while at > 0 and s.hands[seat, at - 1] > new:
        s.hands[seat, at] = s.hands[seat, at - 1]
        at -= 1
    s.hands[seat, at] = new


# -- types ------------------------------------------------------------------------------------------------------


class Guess(NamedTuple):
    """Who the others may be; by seat, and by seat and type."""

    clues: Floats
    """Likelihood of the rows that the seat took, by seat and type."""
    shares: Floats
    """Prior of each type, before the seat's plays."""
    chances: Floats
    """Likelihood of the seat's plays under each type."""
    trial: Floats
    """The same with the proposed swap."""
    types: Ints


@part
def new_guess(s: Flat, own: int, kinds: Kinds, clues: Floats, mind: Flat) -> Guess:
    count = len(kinds.types)
    shares, types = np.zeros((MAX_SEATS, count)), np.full(MAX_SEATS, kinds.own)
    for seat in range(wide(s.seats)):
        for kind in range(count):
            mind.weights[kind] = kinds.types[kind].prior
            shares[seat, kind] = mind.weights[kind] * clues[seat, kind]
        if seat != own:
            types[seat] = draw(mind, count, 1.0)
    return Guess(clues, shares, np.ones((MAX_SEATS, count)), np.ones((MAX_SEATS, count)), types)


@part
def guess_types(s: Flat, own: int, kinds: Flats, herd: float, guess: Guess, mind: Flat) -> None:
    """Sample a type for each of the others, from the prior, the apparent types of the other seats, the rows it took and
    its plays."""
    shares = guess.shares
    for seat in range(wide(s.seats)):
        if seat == own:
            continue
        for kind in range(len(kinds)):
            shares[seat, kind] = herd * kinds[kind].prior
        for other in range(wide(s.seats)):
            if other not in (seat, own):
                shares[seat, guess.types[other]] += 1.0
        total = 0.0
        for kind in range(len(kinds)):
            shares[seat, kind] *= guess.clues[seat, kind]
            mind.weights[kind] = shares[seat, kind] * guess.chances[seat, kind]
            total += mind.weights[kind]
        guess.types[seat] = draw(mind, len(kinds), total)


# -- the walk ---------------------------------------------------------------------------------------------------


@part
def try_swap(s: Flat, now: Situation, kinds: Flats, deck: Deck, guess: Guess, mind: Flat) -> None:
    """Propose to swap a card in somebody's hand with any unseen one; accept or reject."""
    cards, chances, trial, shares = deck.cards, guess.chances, guess.trial, guess.shares
    one = int(chance(mind) * ((wide(s.seats) - 1) * wide(s.sizes[now.seat])))
    two = int(chance(mind) * len(cards))
    seat, other = deck.owner[one], deck.owner[two]
    if seat == other:
        return
    replace(s, seat, cards[one], cards[two])
    explain(s, seat, now, kinds, mind, trial)
    ratio = mixed(trial, seat, shares) / mixed(chances, seat, shares)
    if other != REST:
        replace(s, other, cards[two], cards[one])
        explain(s, other, now, kinds, mind, trial)
        ratio *= mixed(trial, other, shares) / mixed(chances, other, shares)
    if ratio >= 1.0 or chance(mind) < ratio:
        cards[one], cards[two] = cards[two], cards[one]
        for kind in range(len(kinds)):
            chances[seat, kind] = trial[seat, kind]
            if other != REST:
                chances[other, kind] = trial[other, kind]
    else:
        replace(s, seat, cards[two], cards[one])
        if other != REST:
            replace(s, other, cards[one], cards[two])


@jit
def imagine(now: Situation, kinds: Kinds, clues: Floats, effort: Effort, worlds: Worlds, seed: int, desk: Desk) -> None:
    """Fill `worlds` with positions and types sampled from the belief.

    The first `warm_up` steps of the chain are discarded.
    """
    desk.scratch[0] = now.flat[0]
    s, mind, own, known = desk.scratch[0], desk.minds[0], now.seat, len(now.pool) == 0
    roll(mind, seed, -1)
    deck = Deck(now.pool.copy(), np.zeros(len(now.pool), np.int64))
    guess = new_guess(s, own, kinds, clues, mind)
    walking = len(now.past_plays) > 0 and not known
    first = -effort.warm_up if walking else 0
    for number in range(first, len(worlds.flats)):
        if not known and (not walking or number == first):
            deal(s, own, deck, mind)
        if len(now.past_plays) > 0 and number == first:
            for seat in range(wide(s.seats)):
                if seat != own:
                    explain(s, seat, now, kinds.types, mind, guess.chances)
        for _ in range(effort.thinning if walking else 0):
            try_swap(s, now, kinds.types, deck, guess, mind)
        guess_types(s, own, kinds.types, effort.herd, guess, mind)
        if number >= 0:
            worlds.flats[number] = s
            for seat in range(wide(s.seats)):
                worlds.types[number, seat] = guess.types[seat]

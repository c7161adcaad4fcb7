"""A round to its end, every seat playing by its type."""

from __future__ import annotations

import numpy as np

from nimmt.bots.search.board import join, sort_plays, take, target, value_of
from nimmt.bots.search.policy import chance, draw, pick_row, see, weigh
from nimmt.bots.search.types import HANDS, HIDDEN, LOOK, LOOKS, SCORE, STRIDE, TWISTS, Bits, Floats, Ints
from nimmt.fast.jit import jit, part


@part
def remove(world: Ints, card: int) -> None:
    """The card is played: nobody holds it any more."""
    world[HIDDEN + (card >> 6)] &= ~(1 << (card & 63))


@part
def drop(cards: Ints, base: int, size: int, card: int) -> None:
    """Take the card out of an ascending hand."""
    at = base
    while at < base + size and cards[at] != card:
        at += 1
    for index in range(at, base + size - 1):
        cards[index] = cards[index + 1]


@part
def insert(cards: Ints, base: int, size: int, card: int) -> None:
    """Put the card into an ascending hand."""
    at = base + size
    while at > base and cards[at - 1] > card:
        cards[at] = cards[at - 1]
        at -= 1
    cards[at] = card


@jit
def roll(dice: Bits, seed: int, stream: int) -> None:
    """Begin a stream of chance of its own (splitmix64)."""
    word = np.uint64(seed) + np.uint64(stream + 1) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    dice[0] = (word ^ (word >> np.uint64(31))) | np.uint64(1)


@part
def pick_play(
    world: Ints,
    seat: int,
    size: int,
    seats: int,
    kind: int,
    factors: Floats,
    slips: Floats,
    looks: Ints,
    weights: Floats,
    dice: Bits,
) -> int:
    """A play by the type's tables; now and then any."""
    base, twist, slip = HANDS + STRIDE * seat, world[TWISTS + seat], slips[kind]
    if size == 1 and not twist:
        return int(2 * world[base])
    if slip > 0.0 and (slip >= 1.0 or chance(dice) < slip):
        return int(2 * world[base + int(chance(dice) * size)])
    options = see(world, base, size, twist, world, seats, looks)
    total = weigh(looks, options, factors, kind, weights)
    return int(looks[LOOK * draw(weights, options, total, dice) + LOOKS])


@part
def place_one(world: Ints, seat: int, play: int, any_row: int, dice: Bits) -> None:
    row = target(world, value_of(play))
    if row >= 0:
        world[SCORE + seat] += join(world, row, play >> 1)
    else:
        world[SCORE + seat] += take(world, pick_row(world, any_row, dice), play >> 1)


@part
def play_turn(
    world: Ints, size: int, seats: int, plays: Ints, order: Ints, types: Ints, any_row: Ints, dice: Bits
) -> None:
    """Reveal and place all cards of a turn, from the lowest to the highest; rule 4 by habit."""
    for seat in range(seats):
        card = plays[seat] >> 1
        drop(world, HANDS + STRIDE * seat, size, card)
        remove(world, card)
        if plays[seat] & 1:
            world[TWISTS + seat] = 0
    sort_plays(plays, order, seats)
    for place in range(seats):
        seat = order[place]
        place_one(world, seat, plays[seat], any_row[types[seat]], dice)


@part
def play_out(
    world: Ints,
    size: int,
    seats: int,
    types: Ints,
    factors: Floats,
    slips: Floats,
    any_row: Ints,
    plays: Ints,
    order: Ints,
    looks: Ints,
    weights: Floats,
    dice: Bits,
) -> None:
    """The turns that are left, each seat playing by its type."""
    while size > 0:
        for seat in range(seats):
            plays[seat] = pick_play(world, seat, size, seats, types[seat], factors, slips, looks, weights, dice)
        play_turn(world, size, seats, plays, order, types, any_row, dice)
        size -= 1

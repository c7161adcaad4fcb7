"""A round to its end, every seat playing by its type."""

from __future__ import annotations

import numpy as np

from nimmt.bots.search.board import SIZE, join, sort_plays, take, target, value_of
from nimmt.bots.search.jit import compiled
from nimmt.bots.search.policy import chance, draw, pick_row, see, weigh
from nimmt.bots.search.types import HAND, LOOKS, PLAYS, SEATS, Bits, Desk, Floats, Ints, Kinds, World


@compiled
def remove(cards: Bits, card: int) -> None:
    cards[card >> 6] &= ~(np.uint64(1) << np.uint64(card & 63))


@compiled
def add(cards: Bits, card: int) -> None:
    cards[card >> 6] |= np.uint64(1) << np.uint64(card & 63)


@compiled
def drop(hand: Ints, size: int, card: int) -> None:
    """Take the card out of an ascending hand."""
    at = 0
    while at < size and hand[at] != card:
        at += 1
    for index in range(at, size - 1):
        hand[index] = hand[index + 1]


@compiled
def insert(hand: Ints, size: int, card: int) -> None:
    """Put the card into an ascending hand."""
    at = size
    while at > 0 and hand[at - 1] > card:
        hand[at] = hand[at - 1]
        at -= 1
    hand[at] = card


@compiled
def new_desk(seed: int) -> Desk:
    dice = np.empty(1, np.uint64)
    roll(dice, seed, 0)
    return Desk(
        np.zeros(SEATS, np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros((PLAYS, LOOKS + 1), np.int64),
        np.zeros(PLAYS, np.float64),
        dice,
    )


@compiled
def roll(dice: Bits, seed: int, stream: int) -> None:
    """Begin a stream of chance of its own (splitmix64)."""
    word = np.uint64(seed) + np.uint64(stream + 1) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    dice[0] = (word ^ (word >> np.uint64(31))) | np.uint64(1)


@compiled
def new_world() -> World:
    return World(
        np.zeros(SIZE, np.int64),
        np.zeros((SEATS, HAND + 1), np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros(2, np.uint64),
        np.zeros(SEATS, np.int64),
    )


@compiled
def pick_play(world: World, seat: int, size: int, seats: int, factors: Floats, slip: float, desk: Desk) -> int:
    """A play by the type's tables; now and then, with the chance `slip`, any."""
    hand, twist = world.hands[seat], world.twists[seat]
    if size == 1 and not twist:
        return 2 * hand[0]
    if slip > 0.0 and chance(desk.dice) < slip:
        return 2 * hand[int(chance(desk.dice) * size)]
    options = see(hand, size, twist, world.board, world.hidden, seats, desk.looks)
    total = weigh(desk.looks, options, factors, desk.weights)
    return desk.looks[draw(desk.weights, options, total, desk.dice), LOOKS]


@compiled
def place_one(world: World, seat: int, play: int, any_row: int, dice: Bits) -> None:
    row = target(world.board, value_of(play))
    if row >= 0:
        world.score[seat] += join(world.board, row, play >> 1)
    else:
        world.score[seat] += take(world.board, pick_row(world.board, any_row, dice), play >> 1)


@compiled
def play_turn(world: World, size: int, seats: int, plays: Ints, chosen: Ints, kinds: Kinds, desk: Desk) -> None:
    """Reveal and place all cards of a turn, from the lowest to the highest; rule 4 by habit."""
    for seat in range(seats):
        card = plays[seat] >> 1
        drop(world.hands[seat], size, card)
        remove(world.hidden, card)
        if plays[seat] & 1:
            world.twists[seat] = 0
    sort_plays(plays, desk.order, seats)
    for place in range(seats):
        seat = desk.order[place]
        place_one(world, seat, plays[seat], kinds.any_row[chosen[seat]], desk.dice)


@compiled
def play_out(world: World, size: int, seats: int, chosen: Ints, kinds: Kinds, desk: Desk) -> None:
    """The turns that are left, seat by seat of the chosen types."""
    while size > 0:
        for seat in range(seats):
            kind = chosen[seat]
            desk.plays[seat] = pick_play(world, seat, size, seats, kinds.factors[kind], kinds.slips[kind], desk)
        play_turn(world, size, seats, desk.plays, chosen, kinds, desk)
        size -= 1

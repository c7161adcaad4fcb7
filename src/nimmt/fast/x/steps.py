"""The rules of X nimmt! on the flat state. `nimmt.rules.games.x` is the readable version and decides."""

from __future__ import annotations

from nimmt.fast.chance import shuffle
from nimmt.fast.flat import BULLS, CHOOSE, NOWHERE, OVER, PLACE, ROW
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.parts import (
    add_to_row,
    begin_row,
    card_of,
    closest_row,
    deal_hands,
    let_all_choose,
    list_hand,
    list_numbers,
    note_choice,
    reveal,
    seat_of,
    take_from_queue,
)
from nimmt.fast.parts import to_decide as card_or_row_due
from nimmt.fast.x.state import KEEP, TAKING
from nimmt.rules.games.x.options import HAND, HIGHEST, ROWS


@part
def begin(s: Flat, cards: Numbers, rng: Words) -> None:
    shuffle(rng, cards, 0, HIGHEST, HAND * s.seats + ROWS)
    deal(s, cards)


@part
def deal(s: Flat, cards: Numbers) -> None:
    """The first eight cards are the hand of seat 0, the next eight of seat 1, …; then the rows."""
    deal_hands(s, cards, HAND)
    for seat in range(s.seats):
        s.x_lengths[seat] = 0
        s.x_bulls[seat] = 0
        s.pile_bulls[seat] = 0
        s.rows_taken[seat] = 0
        s.chosen[seat] = 0
    for row in range(ROWS):
        begin_row(s, row, wide(cards[HAND * s.seats + row]))
    s.owner[:] = 0
    s.turns = 0
    s.takes = 0
    let_all_choose(s)


# -- deciding -------------------------------------------------------------------------------------------------


@part
def to_decide(s: Flat) -> int:
    return wide(s.taker) if s.phase == KEEP else card_or_row_due(s)


@part
def legal(s: Flat, seat: int, actions: Numbers) -> int:
    if s.phase == CHOOSE:
        return list_hand(s, seat, actions)
    if s.phase == ROW:
        return list_numbers(ROWS, actions)
    for i in range(s.takes):
        actions[i] = s.taken[i]
    return s.takes + 0


@part
def act(s: Flat, seat: int, action: int) -> None:
    if s.phase == CHOOSE:
        if note_choice(s, seat, action):
            reveal(s)
    elif s.phase == ROW:
        take(s, take_from_queue(s), action - 1)
    else:
        keep(s, action)


# -- placing --------------------------------------------------------------------------------------------------


@part
def advance(s: Flat) -> bool:
    """Place the next card, unless its owner must choose a row first."""
    if s.phase != PLACE:
        return False
    if s.placed == s.queued:
        end_turn(s)
        return False
    row = closest_row(s, card_of(wide(s.queue[s.placed])))
    if row == NOWHERE:
        s.phase = ROW
        return False
    play = take_from_queue(s)
    if s.lengths[row] + 1 >= TAKING[row]:
        take(s, play, row)
    else:
        add_to_row(s, row, card_of(play))
    return True


@part
def take(s: Flat, play: int, row: int) -> None:
    """Rules 3 and 4: the card takes the row and starts it again. A single card needs no decision."""
    s.taker = seat_of(play)
    s.takes = s.lengths[row]
    for i in range(s.takes):
        s.taken[i] = s.rows[row, i]
    s.rows_taken[s.taker] += 1
    begin_row(s, row, card_of(play))
    if s.takes == 1:
        keep(s, wide(s.taken[0]))
    else:
        s.phase = KEEP


@part
def keep(s: Flat, card: int) -> None:
    """One card to the X row, which must ascend or be cleared away first; the others to the hand."""
    seat, length = s.taker, s.x_lengths[s.taker]
    if length and card < s.x_rows[seat, length - 1]:
        for i in range(length):
            s.owner[s.x_rows[seat, i]] = seat + 1
        s.pile_bulls[seat] += s.x_bulls[seat]
        s.x_bulls[seat] = 0
        length = 0
    s.x_rows[seat, length] = card
    s.x_lengths[seat] = length + 1
    s.x_bulls[seat] += BULLS[card]
    for i in range(s.takes):
        if s.taken[i] != card:
            s.hands[seat, s.sizes[seat]] = s.taken[i]
            s.sizes[seat] += 1
    s.takes = 0
    s.phase = PLACE


@part
def end_turn(s: Flat) -> None:
    s.turns += 1
    let_all_choose(s)
    for seat in range(s.seats):
        if s.sizes[seat] == 0:
            s.phase = OVER
    if s.phase == OVER:
        for seat in range(s.seats):
            s.points[seat] = 2 * s.pile_bulls[seat]
            for i in range(s.sizes[seat]):
                s.points[seat] += BULLS[s.hands[seat, i]]

"""The rules of X nimmt! on the flat state. `nimmt.rules.games.x` is the readable version and decides."""

from __future__ import annotations

from nimmt.fast.chance import shuffle
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.parts import first_undecided, list_hand, list_numbers, remove_card, sort_queue
from nimmt.fast.x.state import BULLS, CHOOSE, KEEP, NOWHERE, OVER, PLACE, ROW, TAKING
from nimmt.rules.games.x.options import HAND, HIGHEST, ROWS


@part
def begin(s: Flat, cards: Numbers, rng: Words) -> None:
    shuffle(rng, cards, 0, HIGHEST, HAND * s.seats + ROWS)
    deal(s, cards)


@part
def deal(s: Flat, cards: Numbers) -> None:
    """The first eight cards are the hand of seat 0, the next eight of seat 1, …; then the rows."""
    for seat in range(s.seats):
        for i in range(HAND):
            s.hands[seat, i] = cards[HAND * seat + i]
        s.sizes[seat] = HAND
        s.x_lengths[seat] = 0
        s.x_bulls[seat] = 0
        s.pile_bulls[seat] = 0
        s.rows_taken[seat] = 0
        s.chosen[seat] = 0
    for row in range(ROWS):
        s.lengths[row] = 0
        add(s, row, wide(cards[HAND * s.seats + row]))
    s.owner[:] = 0
    s.turns = 0
    s.takes = 0
    s.phase = CHOOSE
    s.waiting = s.seats


# -- deciding -------------------------------------------------------------------------------------------------


@part
def to_decide(s: Flat) -> int:
    if s.phase == CHOOSE:
        return first_undecided(s.chosen)
    if s.phase == ROW:
        return s.queue[s.placed] & 7
    return s.taker if s.phase == KEEP else -1


@part
def legal(s: Flat, seat: int, actions: Numbers) -> int:
    if s.phase == CHOOSE:
        return list_hand(s.hands, s.sizes, seat, actions)
    if s.phase == ROW:
        return list_numbers(ROWS, actions)
    for i in range(s.takes):
        actions[i] = s.taken[i]
    return s.takes + 0


@part
def act(s: Flat, seat: int, action: int) -> None:
    if s.phase == CHOOSE:
        s.waiting -= s.chosen[seat] == 0
        s.chosen[seat] = action
        if s.waiting == 0:
            reveal(s)
    elif s.phase == ROW:
        s.phase = PLACE
        take(s, wide(s.queue[s.placed]), action - 1)
        s.placed += 1
    else:
        keep(s, action)


@part
def reveal(s: Flat) -> None:
    """The chosen cards leave the hands and queue up to be placed."""
    for seat in range(s.seats):
        card = wide(s.chosen[seat])
        s.chosen[seat] = 0
        remove_card(s.hands, s.sizes, seat, card)
        s.queue[seat] = card << 3 | seat
    sort_queue(s.queue, wide(s.seats))
    s.placed = 0
    s.queued = s.seats
    s.phase = PLACE


# -- placing --------------------------------------------------------------------------------------------------


@part
def advance(s: Flat) -> bool:
    """Place the next card, unless its owner must choose a row first."""
    if s.phase != PLACE:
        return False
    if s.placed == s.queued:
        end_turn(s)
        return False
    play = wide(s.queue[s.placed])
    row = target_row(s, play >> 3)
    if row == NOWHERE:
        s.phase = ROW
        return False
    s.placed += 1
    if s.lengths[row] + 1 >= TAKING[row]:
        take(s, play, row)
    else:
        add(s, row, play >> 3)
    return True


@part
def target_row(s: Flat, card: int) -> int:
    """Rules 1 and 2: of the rows with a lower end the one with the highest; NOWHERE if there is none."""
    closest, target = 0, NOWHERE
    for row in range(ROWS):
        if closest < s.ends[row] < card:
            closest, target = s.ends[row], row
    return target


@part
def add(s: Flat, row: int, card: int) -> None:
    s.rows[row, s.lengths[row]] = card
    s.lengths[row] += 1
    s.ends[row] = card


@part
def take(s: Flat, play: int, row: int) -> None:
    """Rules 3 and 4: the card takes the row and starts it again. A single card needs no decision."""
    s.taker = play & 7
    s.takes = s.lengths[row]
    for i in range(s.takes):
        s.taken[i] = s.rows[row, i]
    s.rows_taken[s.taker] += 1
    s.lengths[row] = 0
    add(s, row, play >> 3)
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
    s.phase = CHOOSE
    s.waiting = s.seats
    for seat in range(s.seats):
        if s.sizes[seat] == 0:
            s.phase = OVER
    if s.phase == OVER:
        for seat in range(s.seats):
            s.points[seat] = 2 * s.pile_bulls[seat]
            for i in range(s.sizes[seat]):
                s.points[seat] += BULLS[s.hands[seat, i]]


@part
def tally(s: Flat, points: Numbers, taken: Numbers, other: Numbers) -> None:
    for seat in range(s.seats):
        points[seat] = s.points[seat]
        taken[seat] = s.rows_taken[seat]
    other[0] = s.turns

"""The rules of 6 nimmt! on flat arrays, compiled. `rules.py` is the readable version and decides."""

from __future__ import annotations

import numpy as np

from nimmt.fast import parts
from nimmt.fast.chance import shuffle
from nimmt.fast.jit import Flat, Numbers, Words, hot, part, wide
from nimmt.fast.parts import (
    BULLS,
    CHOOSE,
    NOWHERE,
    OVER,
    PLACE,
    ROW,
    add_to_row,
    begin_placing,
    begin_row,
    card_of,
    closest_row,
    deal_hands,
    let_all_choose,
    list_numbers,
    note_choice,
    note_taking,
    remove_card,
    seat_of,
    take_from_queue,
)
from nimmt.fast.parts import to_decide as card_or_row_due
from nimmt.games.six.types import HAND, MAX_SEATS, ROW_LIMIT, ROWS, twisted
from nimmt.rules.kit.cards import HIGHEST

# -- state -------------------------------------------------------------------------------------------------------------
# The flat state of a round of 6 nimmt!, and what its numbers mean.
#
# Rows and seats count from 0, cards are their numbers, -1 is "nowhere". Nearly all is int8 (the highest card is 104),
# so that a state is half a kilobyte and copying it costs next to nothing; signed, as Numba mixes signed and unsigned to
# floats.
#
# Codes of actions: a card to draft or to play is its number, negated if it is played with the twist card; a row is its
# number from 1, as in the rules.

DRAFT = 4
"""A phase besides those of `flat`."""
PHASES = parts.PHASES | {"draft": DRAFT}

COW, EVEN_ODD, MOUNTAIN, TWIST = 1, 2, 4, 8
"""Bits of `fans`."""

TWISTED = np.array([twisted(card) for card in range(100)], dtype=np.int8)
UNTWISTED = 1 << 11
"""In a play of the queue: a card that is played without the twist card."""

STATE = np.dtype(
    [
        ("seats", np.int8),
        ("phase", np.int8),
        ("fans", np.int8),
        ("waiting", np.int8),  # how many seats have not chosen yet
        ("drafter", np.int8),  # the seat that drafts next; NOWHERE if cards are dealt
        ("pooled", np.int8),  # cards in the pool
        ("placed", np.int8),  # how many of the queue lie in their rows
        ("queued", np.int8),  # how many the queue had
        ("turns", np.int8),  # turns played
        ("cow", np.int8),  # its row
        ("even_odd", np.int8),  # the row of this marker
        ("parity", np.int8),  # what it shows: 0 even, 1 odd
        ("mountain", np.int8),  # the row of that marker
        ("arrows", np.int8),  # where its arrows point: -1 up, 1 down
        ("track", np.int8),  # whether `owner` is kept up to date: search has no use for it
        ("lengths", np.int8, ROWS),
        ("ends", np.int8, ROWS),
        ("worth", np.int8, ROWS),  # bulls in the row
        ("rows", np.int8, (ROWS, 8)),  # five places are used; eight make an index a shift
        ("sizes", np.int8, MAX_SEATS),  # cards in hand
        ("hands", np.int8, (MAX_SEATS, HAND)),  # in any order
        ("chosen", np.int8, MAX_SEATS),  # the code of the play; 0 if there is none yet
        ("twists", np.int8, MAX_SEATS),  # 1 while the seat holds its twist card
        ("rows_taken", np.int8, MAX_SEATS),
        ("points", np.int16, MAX_SEATS),  # bulls taken in this round
        ("queue", np.int32, MAX_SEATS),  # plays in the order of placement, see `packed` in `steps`
        ("pool", np.int8, HIGHEST),  # draft: cards nobody has taken yet, in any order
        ("owner", np.int8, HIGHEST + 1),  # by card: the seat in whose pile it lies, plus 1
        ("unplayed", np.uint64, 2),  # by card a bit: whether it is still to be played. Only search keeps and reads it
    ],
    align=True,
)


# -- steps -------------------------------------------------------------------------------------------------------------

# -- beginning ------------------------------------------------------------------------------------------------


@part
def begin(s: Flat, cards: Numbers, rng: Words) -> None:
    if s.drafter == NOWHERE:
        shuffle(rng, cards, 0, HIGHEST, HAND * s.seats + ROWS)
    else:  # after ten cards for everybody it is the turn of the seat that began: now the next one does
        s.drafter = next_seat(s)
    deal(s, cards)


@part
def next_seat(s: Flat) -> int:
    return s.drafter + 1 if s.drafter + 1 < s.seats else 0


@part
def deal(s: Flat, cards: Numbers) -> None:
    """The first ten cards are the hand of seat 0, the next ten of seat 1, …; then come the rows.

    For a draft nobody gets anything: all lie in the middle, and the seat that `drafter` names begins.
    """
    if s.drafter != NOWHERE:
        s.phase = DRAFT
        s.pooled = HAND * s.seats + ROWS
        for i in range(s.pooled):
            s.pool[i] = i + 1
        for seat in range(s.seats):
            s.sizes[seat] = 0
        return
    deal_hands(s, cards, HAND)
    for row in range(ROWS):
        start_row(s, row, wide(cards[HAND * s.seats + row]))
    begin_turns(s)


@part
def draft(s: Flat, seat: int, card: int) -> None:
    s.hands[seat, s.sizes[seat]] = card
    s.sizes[seat] += 1
    place = 0
    while s.pool[place] != card:
        place += 1
    s.pooled -= 1
    s.pool[place] = s.pool[s.pooled]
    s.drafter = next_seat(s)
    if s.pooled == ROWS:
        end_draft(s)


@part
def end_draft(s: Flat) -> None:
    """The first cards in the pool, those that nobody took, start the rows in ascending order."""
    for left in range(ROWS):
        row = wide(0)
        for other in range(ROWS):
            row += s.pool[other] < s.pool[left]
        start_row(s, row, wide(s.pool[left]))
    begin_turns(s)


@part
def begin_turns(s: Flat) -> None:
    """Everybody has ten cards and the rows have begun: lay the fan cards and let all choose."""
    lowest = lowest_end(s, wide(NOWHERE))
    s.cow = lowest if s.fans & COW else NOWHERE
    s.even_odd = lowest if s.fans & EVEN_ODD else NOWHERE
    s.parity = s.ends[lowest] & 1
    s.mountain = ROWS - 1 if s.fans & MOUNTAIN else NOWHERE
    s.arrows = -1
    for seat in range(s.seats):
        s.twists[seat] = 1 if s.fans & TWIST else 0
        s.points[seat] = 0
        s.rows_taken[seat] = 0
        s.chosen[seat] = 0
    if s.track:
        s.owner[:] = 0
    s.turns = 0
    s.placed = 0
    s.queued = 0
    let_all_choose(s)


# -- deciding -------------------------------------------------------------------------------------------------


@part
def to_decide(s: Flat) -> int:
    return wide(s.drafter) if s.phase == DRAFT else card_or_row_due(s)


@part
def legal(s: Flat, seat: int, actions: Numbers) -> int:
    count = 0
    if s.phase == CHOOSE:
        for i in range(s.sizes[seat]):
            actions[count] = s.hands[seat, i]
            count += 1
            if s.twists[seat] and s.hands[seat, i] < 100:
                actions[count] = -s.hands[seat, i]
                count += 1
    elif s.phase == ROW:
        count = list_numbers(ROWS, actions)
    elif s.phase == DRAFT:
        for i in range(s.pooled):
            actions[i] = s.pool[i]
        count += s.pooled
    return count


@part
def act(s: Flat, seat: int, action: int) -> None:
    if s.phase == CHOOSE:
        if note_choice(s, seat, action):
            reveal(s)
    elif s.phase == ROW:
        take(s, take_from_queue(s), action - 1)
    else:
        draft(s, seat, action)


@hot
def packed(seat: int, code: int) -> int:
    """A play as one number; sorted, these are in the order of placement.

    From the highest bits: the value, 0 if twisted (then it comes before its equal), the card, the seat.
    """
    if code < 0:
        return (wide(TWISTED[-code]) << 12) | (-code << 4) | seat
    return (code << 12) | UNTWISTED | (code << 4) | seat


@hot
def reveal(s: Flat) -> None:
    """The chosen cards leave the hands and queue up to be placed."""
    for seat in range(wide(s.seats)):
        remove_card(s, seat, queue_up(s, seat))
    begin_placing(s)


@hot
def queue_up(s: Flat, seat: int) -> int:
    """The seat's choice joins the queue; the card, which must leave the hand."""
    code = wide(s.chosen[seat])
    s.chosen[seat] = 0
    if code < 0:
        s.twists[seat] = 0
    s.queue[seat] = packed(seat, code)
    return abs(code)


# -- placing --------------------------------------------------------------------------------------------------


@part
def advance(s: Flat) -> bool:
    """Place the next card, unless its owner must choose a row first."""
    if s.phase != PLACE:
        return False
    if s.placed == s.queued:
        end_turn(s)
        return False
    if not place(s, wide(s.queue[s.placed])):
        s.phase = ROW
        return False
    s.placed += 1
    return True


@hot
def end_turn(s: Flat) -> None:
    s.turns += 1
    s.phase = CHOOSE if s.sizes[0] else OVER
    s.waiting = s.seats


@hot
def place(s: Flat, play: int) -> bool:
    """Put a card where it belongs; False if it fits no row."""
    row, card = target_row(s, play >> 12), card_of(play)
    if (row >= 0) & (room(s, row & 3) > 0):  # one guess for the processor, not two
        add_to_row(s, row, card)
        s.worth[row] += BULLS[card]
        if s.cow == row:
            let_fans_act(s, seat_of(play), row, wide(0))
        return True
    if row == NOWHERE:
        return False
    take(s, play, row)
    return True


@hot
def room(s: Flat, row: int) -> int:
    """How many cards can still join the row; the cow counts as one. Without room, a card takes the row."""
    return ROW_LIMIT - s.lengths[row] - (s.cow == row)


@hot
def target_row(s: Flat, value: int) -> int:
    """Rules 1 and 2: of the rows that the value fits, the one whose end is closest; NOWHERE if it fits none."""
    if s.fans & (EVEN_ODD | MOUNTAIN):
        return target_with_markers(s, value)
    return closest_row(s, value)


@part
def target_with_markers(s: Flat, value: int) -> int:
    closest, target = 2 * HIGHEST, NOWHERE
    for row in range(ROWS):
        gap = value - s.ends[row]
        if s.mountain == row:
            gap = -gap
        if gap <= 0 or (s.even_odd == row and (value & 1) != s.parity):
            continue
        distance = 2 * gap - (s.mountain == row)  # on a tie the descending row wins
        if distance < closest:
            closest, target = distance, row
    return target


@hot
def start_row(s: Flat, row: int, card: int) -> None:
    begin_row(s, row, card)
    s.worth[row] = BULLS[card]


@part
def take(s: Flat, play: int, row: int) -> None:
    """Rules 3 and 4: the seat takes the row, and its card starts it again."""
    seat = seat_of(play)
    s.points[seat] += s.worth[row]
    note_taking(s, row, seat)
    start_row(s, row, card_of(play))
    if s.fans:
        let_fans_act(s, seat, row, wide(1))


# -- fan cards ------------------------------------------------------------------------------------------------


@part
def let_fans_act(s: Flat, seat: int, row: int, takings: int) -> None:
    """After a placement the cow may jump, and take more; then the markers move once for each row taken."""
    if s.cow == row:
        takings += jump(s, seat)
    for _ in range(takings):
        if s.even_odd != NOWHERE:
            s.even_odd = lowest_end(s, wide(s.even_odd))
            s.parity = s.ends[s.even_odd] & 1
        if s.mountain != NOWHERE:
            s.mountain += s.arrows
            if s.mountain == 0:
                s.arrows = 1
            elif s.mountain == ROWS - 1:
                s.arrows = -1


@part
def lowest_end(s: Flat, but: int) -> int:
    """The row with the lowest end, leaving one row out."""
    lowest, found = HIGHEST + 1, 0
    for row in range(ROWS):
        if row != but and s.ends[row] < lowest:
            lowest, found = s.ends[row], row
    return found


@part
def jump(s: Flat, seat: int) -> int:
    """The cow leaves its row. While it lands on full ones the seat takes all but their highest; how many it took."""
    takings = 0
    row = lowest_end(s, wide(s.cow))
    while s.lengths[row] == ROW_LIMIT:
        kept = wide(0)
        for i in range(ROW_LIMIT):
            kept = max(kept, s.rows[row, i])
        s.points[seat] += s.worth[row] - BULLS[kept]
        note_taking(s, row, seat)
        s.owner[kept] = 0
        start_row(s, row, kept)
        takings += 1
        row = lowest_end(s, row)
    s.cow = row
    return takings

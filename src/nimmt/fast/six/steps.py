"""The rules of 6 nimmt! on the flat state; `nimmt.rules.games.six` is the readable version and decides."""

from __future__ import annotations

from nimmt.fast.chance import shuffle
from nimmt.fast.jit import Flat, Numbers, Words, part, jit
from nimmt.fast.six.state import (
    BULLS,
    CHOOSE,
    COW,
    DRAFT,
    EVEN_ODD,
    MOUNTAIN,
    NOWHERE,
    OVER,
    PLACE,
    ROW,
    TWIST,
    TWISTED,
)
from nimmt.rules.games.six.options import HAND, ROW_LIMIT, ROWS
from nimmt.rules.kit.cards import HIGHEST

# -- beginning ------------------------------------------------------------------------------------------------


@part
def begin(s: Flat, cards: Numbers, rng: Words) -> None:
    if s.drafter == NOWHERE:
        shuffle(rng, cards, 0, HIGHEST, HAND * s.seats + ROWS)
        deal(s, cards)
    else:
        begin_draft(s)


@part
def deal(s: Flat, cards: Numbers) -> None:
    """The first ten cards are the hand of seat 0, the next ten of seat 1, …; then come the rows."""
    for seat in range(s.seats):
        for i in range(HAND):
            s.hands[seat, i] = cards[HAND * seat + i]
        s.sizes[seat] = HAND
    start_rows(s, cards, HAND * s.seats)


@part
def begin_draft(s: Flat) -> None:
    """Everybody has nothing, all cards lie in the middle. `drafter` says who begins."""
    s.phase = DRAFT
    s.pooled = HAND * s.seats + ROWS
    for i in range(s.pooled):
        s.pool[i] = i + 1
    for seat in range(s.seats):
        s.sizes[seat] = 0


@part
def draft(s: Flat, seat: int, card: int) -> None:
    s.hands[seat, s.sizes[seat]] = card
    s.sizes[seat] += 1
    place = 0
    while s.pool[place] != card:
        place += 1
    s.pooled -= 1
    s.pool[place] = s.pool[s.pooled]
    s.drafter = (s.drafter + 1) % s.seats
    if s.pooled == ROWS:
        for i in range(1, ROWS):  # the four cards left start the rows in ascending order
            card, k = s.pool[i], i
            while k > 0 and s.pool[k - 1] > card:
                s.pool[k] = s.pool[k - 1]
                k -= 1
            s.pool[k] = card
        start_rows(s, s.pool, 0)


@part
def start_rows(s: Flat, cards: Numbers, first: int) -> None:
    """Everybody has ten cards: the rows begin, the fan cards are laid, all may choose."""
    for row in range(ROWS):
        start_row(s, row, cards[first + row])
    lowest = lowest_end(s, NOWHERE)
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
        for card in range(HIGHEST + 1):
            s.owner[card] = 0
    s.turns = 0
    s.phase = CHOOSE
    s.waiting = s.seats


# -- deciding -------------------------------------------------------------------------------------------------


@part
def to_decide(s: Flat) -> int:
    if s.phase == CHOOSE:
        seat = 0
        while s.chosen[seat]:
            seat += 1
        return seat
    if s.phase == ROW:
        return int(s.queue[s.placed] & 15)
    return int(s.drafter) if s.phase == DRAFT else -1


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
        for row in range(1, ROWS + 1):
            actions[count] = row
            count += 1
    elif s.phase == DRAFT:
        for i in range(s.pooled):
            actions[count] = s.pool[i]
            count += 1
    return count


@part
def act(s: Flat, seat: int, action: int) -> None:
    if s.phase == CHOOSE:
        s.waiting -= s.chosen[seat] == 0
        s.chosen[seat] = action
        if s.waiting == 0:
            reveal(s)
    elif s.phase == ROW:
        s.phase = PLACE
        play = s.queue[s.placed]
        s.placed += 1
        take(s, play, action - 1)
    else:
        draft(s, seat, action)


@part
def packed(seat: int, code: int) -> int:
    """A play as one number: sorted, these are in the order of placement.

    From the highest bits: the value, 0 if twisted (the twister places first), the card, the seat.
    """
    if code < 0:
        return (TWISTED[-code] << 12) | (-code << 4) | seat
    return (code << 12) | (1 << 11) | (code << 4) | seat


@part
def reveal(s: Flat) -> None:
    """The chosen cards leave the hands and queue up to be placed."""
    for seat in range(s.seats):
        code = s.chosen[seat]
        s.chosen[seat] = 0
        if code < 0:
            s.twists[seat] = 0
        remove(s, seat, abs(code))
        play = packed(seat, code)
        place = seat
        while place > 0 and s.queue[place - 1] > play:
            s.queue[place] = s.queue[place - 1]
            place -= 1
        s.queue[place] = play
    s.placed = 0
    s.queued = s.seats
    s.phase = PLACE


@part
def remove(s: Flat, seat: int, card: int) -> None:
    """Take a card out of a hand; the last one fills the gap."""
    last = s.sizes[seat] - 1
    place = last
    while s.hands[seat, place] != card:
        place -= 1
    s.hands[seat, place] = s.hands[seat, last]
    s.sizes[seat] = last


# -- placing --------------------------------------------------------------------------------------------------


@part
def advance(s: Flat) -> bool:
    """Place the next card, unless its owner must choose a row first."""
    if s.phase != PLACE:
        return False
    if s.placed == s.queued:
        end_turn(s)
        return False
    play = s.queue[s.placed]
    card = (play >> 4) & 127
    row = target_row(s, play >> 12)
    if row == NOWHERE:
        s.phase = ROW
        return False
    s.placed += 1
    if s.lengths[row] + (s.cow == row) >= ROW_LIMIT:
        take(s, play, row)
    else:
        s.rows[row, s.lengths[row]] = card
        s.lengths[row] += 1
        s.ends[row] = card
        s.worth[row] += BULLS[card]
        if s.cow == row:
            let_fans_act(s, play & 15, row, 0)
    return True


@part
def end_turn(s: Flat) -> None:
    s.turns += 1
    s.phase = CHOOSE if s.sizes[0] else OVER
    s.waiting = s.seats


@part
def target_row(s: Flat, value: int) -> int:
    """Rules 1 and 2: of the rows that the value fits, the one whose end is closest; NOWHERE if it fits none."""
    if s.fans & (EVEN_ODD | MOUNTAIN):
        return target_with_markers(s, value)
    closest, target = 0, NOWHERE
    for row in range(ROWS):
        if closest < s.ends[row] < value:
            closest, target = s.ends[row], row
    return target


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


@part
def start_row(s: Flat, row: int, card: int) -> None:
    s.rows[row, 0] = card
    s.lengths[row] = 1
    s.ends[row] = card
    s.worth[row] = BULLS[card]


@part
def take(s: Flat, play: int, row: int) -> None:
    """Rules 3 and 4: the seat takes the row, and its card starts it again."""
    seat, card = play & 15, (play >> 4) & 127
    s.points[seat] += s.worth[row]
    s.rows_taken[seat] += 1
    if s.track:
        for i in range(s.lengths[row]):
            s.owner[s.rows[row, i]] = seat + 1
    start_row(s, row, card)
    if s.fans:
        let_fans_act(s, seat, row, 1)


# -- fan cards ------------------------------------------------------------------------------------------------


@part
def let_fans_act(s: Flat, seat: int, row: int, takings: int) -> None:
    """After a placement the cow may jump, and take more; then the markers move once for each row taken."""
    if s.cow == row:
        takings += jump(s, seat)
    for _ in range(takings):
        if s.even_odd != NOWHERE:
            s.even_odd = lowest_end(s, s.even_odd)
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
    while True:
        row = lowest_end(s, s.cow)
        s.cow = row
        if s.lengths[row] < ROW_LIMIT:
            return takings
        kept = highest_of(s, row)
        s.points[seat] += s.worth[row] - BULLS[kept]
        s.rows_taken[seat] += 1
        if s.track:
            for i in range(s.lengths[row]):
                if s.rows[row, i] != kept:
                    s.owner[s.rows[row, i]] = seat + 1
        start_row(s, row, kept)
        takings += 1


@part
def highest_of(s: Flat, row: int) -> int:
    highest = 0
    for i in range(s.lengths[row]):
        highest = max(highest, s.rows[row, i])
    return highest


@part
def tally(s: Flat, points: Numbers, taken: Numbers, turns: Numbers) -> None:
    for seat in range(s.seats):
        points[seat] = s.points[seat]
        taken[seat] = s.rows_taken[seat]
    turns[0] = s.turns

"""The rules of Baron Oxx on the flat state. `nimmt.rules.games.baron` is the readable version and decides."""

from __future__ import annotations

from nimmt.fast.baron.state import (
    BULLS_ARE_GOOD,
    CHOOSE,
    COLOUR_COUNTS,
    CROWDED,
    DRAW_SPACE,
    OVER,
    PLACE,
    ROW,
    SIX_BULLS,
)
from nimmt.fast.chance import shuffle
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.parts import first_undecided, list_hand, list_numbers, remove_card, sort_queue
from nimmt.rules.games.baron.deck import HIGHEST
from nimmt.rules.games.baron.options import HAND, LARGEST_DRAW_PILE, ROW_LIMIT, ROWS


@part
def pile_size(seats: int) -> int:
    """The cards of each seat, hand included."""
    return min(LARGEST_DRAW_PILE, (HIGHEST - ROWS) // (HAND * seats) * HAND)


@part
def begin(s: Flat, cards: Numbers, rng: Words) -> None:
    seats = wide(s.seats)
    shuffle(rng, cards, 0, HIGHEST, pile_size(seats) * seats + ROWS)
    deal(s, cards)


@part
def deal(s: Flat, cards: Numbers) -> None:
    """Seat after seat gets a draw pile, its first card on top, and draws four from it; then come the five rows."""
    seats = wide(s.seats)
    size = pile_size(seats)
    for seat in range(seats):
        for i in range(HAND):
            s.hands[seat, i] = cards[size * seat + i]
        for i in range(size - HAND):
            s.draw[seat, i] = cards[size * seat + HAND + i]
        s.sizes[seat] = HAND
        s.draw_first[seat] = 0
        s.draw_sizes[seat] = size - HAND
        s.chosen[seat] = 0
        s.bulls[seat] = 0
        s.rows_taken[seat] = 0
    for row in range(ROWS):
        start_row(s, row, wide(cards[size * seats + row]))
    if s.track:
        s.owner[:] = 0
    s.turns = 0
    s.idle = 0
    s.moved = 0
    s.phase = CHOOSE
    s.waiting = s.seats


# -- deciding -------------------------------------------------------------------------------------------------


@part
def to_decide(s: Flat) -> int:
    if s.phase == CHOOSE:
        return first_undecided(s.chosen)
    return s.queue[s.placed] & 15 if s.phase == ROW else -1


@part
def fits(s: Flat, row: int, card: int) -> bool:
    """Whether the end of the row shows a colour that the card shows."""
    return (s.card_colours[s.ends[row]] & s.card_colours[card]) != 0


@part
def legal(s: Flat, seat: int, actions: Numbers) -> int:
    if s.phase == CHOOSE:
        return list_hand(s.hands, s.sizes, seat, actions)
    card, count = wide(s.queue[s.placed] >> 4), 0
    for row in range(ROWS):
        if fits(s, row, card):
            actions[count] = row + 1
            count += 1
    return count if count else list_numbers(ROWS, actions)


@part
def act(s: Flat, seat: int, action: int) -> None:
    if s.phase == CHOOSE:
        s.waiting -= s.chosen[seat] == 0
        s.chosen[seat] = action
        if s.waiting == 0:
            reveal(s)
        return
    play, row = wide(s.queue[s.placed]), action - 1
    s.phase = PLACE
    s.placed += 1
    if fits(s, row, play >> 4):
        add(s, play, row)
    else:
        take(s, play, row)


@part
def reveal(s: Flat) -> None:
    """The chosen cards leave the hands and queue up to be placed."""
    seats = wide(s.seats)
    for seat in range(seats):
        card = wide(s.chosen[seat])
        s.chosen[seat] = 0
        remove_card(s.hands, s.sizes, seat, card)
        s.queue[seat] = card << 4 | seat
    sort_queue(s.queue, seats)
    s.placed = 0
    s.queued = seats
    s.moved = 0
    s.phase = PLACE


# -- placing --------------------------------------------------------------------------------------------------


@part
def advance(s: Flat) -> bool:
    """Place the next card, unless its owner has to choose a row."""
    if s.phase != PLACE:
        return False
    if s.placed == s.queued:
        end_turn(s)
        return False
    play = wide(s.queue[s.placed])
    fitting, target = 0, 0
    for row in range(ROWS):
        if fits(s, row, play >> 4):
            fitting += 1
            target = row
    if fitting == 1:
        add(s, play, target)
    elif fitting == 0 and s.variants & BULLS_ARE_GOOD:
        give_back(s, play & 15, play >> 4)
    else:
        s.idle = 0
        s.phase = ROW
        return False
    s.placed += 1
    return True


@part
def add(s: Flat, play: int, row: int) -> None:
    """Add a card to a row that it fits. Rules 1 and 2, even both at once, are one taking."""
    card, length = play >> 4, s.lengths[row]
    counts = s.counts[row] + s.card_counts[card]
    is_full = length >= ROW_LIMIT and not s.variants & COLOUR_COUNTS
    if is_full or (counts + SIX_BULLS) & CROWDED:
        take(s, play, row)
        return
    s.rows[row, length] = card
    s.lengths[row] = length + 1
    s.ends[row] = card
    s.worth[row] += s.card_bulls[card]
    s.counts[row] = counts
    s.moved = 1


@part
def take(s: Flat, play: int, row: int) -> None:
    """The seat takes the row, and its card starts it again."""
    seat = play & 15
    s.bulls[seat] += s.worth[row]
    s.rows_taken[seat] += 1
    if s.track:
        for i in range(s.lengths[row]):
            s.owner[s.rows[row, i]] = seat + 1
    start_row(s, row, play >> 4)
    s.moved = 1


@part
def start_row(s: Flat, row: int, card: int) -> None:
    s.rows[row, 0] = card
    s.lengths[row] = 1
    s.ends[row] = card
    s.worth[row] = s.card_bulls[card]
    s.counts[row] = s.card_counts[card]


@part
def give_back(s: Flat, seat: int, card: int) -> None:
    """Variant 2: the card goes under the draw pile."""
    s.draw[seat, (s.draw_first[seat] + s.draw_sizes[seat]) & (DRAW_SPACE - 1)] = card
    s.draw_sizes[seat] += 1


# -- the end of a turn and of the game ------------------------------------------------------------------------


@part
def end_turn(s: Flat) -> None:
    """Somebody's last card lies, or nothing moves any more, or the next turn begins."""
    s.turns += 1
    s.idle = 0 if s.moved else s.idle + 1
    largest, smallest = 0, HIGHEST
    for seat in range(s.seats):
        holding = s.sizes[seat] + s.draw_sizes[seat]
        largest, smallest = max(largest, holding), min(smallest, holding)
    if smallest == 0 or (s.idle and s.idle >= largest):
        end_game(s)
        return
    for seat in range(wide(s.seats)):
        if s.sizes[seat] == 0:
            draw_cards(s, seat)
    s.phase = CHOOSE
    s.waiting = s.seats


@part
def draw_cards(s: Flat, seat: int) -> None:
    """Four cards from the top of the draw pile, or what is left."""
    size = min(HAND, s.draw_sizes[seat])
    for i in range(size):
        s.hands[seat, i] = s.draw[seat, s.draw_first[seat]]
        s.draw_first[seat] = (s.draw_first[seat] + 1) & (DRAW_SPACE - 1)
    s.draw_sizes[seat] -= size
    s.sizes[seat] = size


@part
def end_game(s: Flat) -> None:
    """Bulls taken, less those that are left in hands and draw piles."""
    s.phase = OVER
    for seat in range(s.seats):
        points = wide(s.bulls[seat])
        for i in range(s.sizes[seat]):
            points -= s.card_bulls[s.hands[seat, i]]
        for i in range(s.draw_sizes[seat]):
            points -= s.card_bulls[s.draw[seat, (s.draw_first[seat] + i) & (DRAW_SPACE - 1)]]
        s.points[seat] = points


@part
def tally(s: Flat, points: Numbers, taken: Numbers, other: Numbers) -> None:
    for seat in range(s.seats):
        points[seat] = s.points[seat]
        taken[seat] = s.rows_taken[seat]
    other[0] = s.turns

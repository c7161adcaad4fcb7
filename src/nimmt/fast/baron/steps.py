"""The rules of Baron Oxx on the flat state. `nimmt.rules.games.baron` is the readable version and decides."""

from __future__ import annotations

from nimmt.fast.baron.state import BULLS_ARE_GOOD, COLOUR_COUNTS, CROWDED, DRAW_SPACE, SIX_BULLS
from nimmt.fast.chance import shuffle
from nimmt.fast.flat import CHOOSE, OVER, PLACE, ROW
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.parts import (
    add_to_row,
    begin_row,
    card_of,
    let_all_choose,
    list_hand,
    list_numbers,
    note_choice,
    note_taking,
    reveal,
    seat_of,
    take_from_queue,
)
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
    let_all_choose(s)


# -- deciding -------------------------------------------------------------------------------------------------


@part
def fits(s: Flat, row: int, card: int) -> bool:
    """Whether the end of the row shows a colour that the card shows."""
    return (s.card_colours[s.ends[row]] & s.card_colours[card]) != 0


@part
def legal(s: Flat, seat: int, actions: Numbers) -> int:
    if s.phase == CHOOSE:
        return list_hand(s, seat, actions)
    card, count = card_of(wide(s.queue[s.placed])), 0
    for row in range(ROWS):
        if fits(s, row, card):
            actions[count] = row + 1
            count += 1
    return count if count else list_numbers(ROWS, actions)


@part
def act(s: Flat, seat: int, action: int) -> None:
    if s.phase == CHOOSE:
        if note_choice(s, seat, action):
            reveal(s)
            s.moved = 0
        return
    play, row = take_from_queue(s), action - 1
    if fits(s, row, card_of(play)):
        add(s, play, row)
    else:
        take(s, play, row)


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
        if fits(s, row, card_of(play)):
            fitting += 1
            target = row
    if fitting == 1:
        add(s, play, target)
    elif fitting == 0 and s.variants & BULLS_ARE_GOOD:
        give_back(s, seat_of(play), card_of(play))
    else:
        s.idle = 0
        s.phase = ROW
        return False
    s.placed += 1
    return True


@part
def add(s: Flat, play: int, row: int) -> None:
    """Add a card to a row that it fits. Rules 1 and 2, even both at once, are one taking."""
    card = card_of(play)
    counts = s.counts[row] + s.card_counts[card]
    is_full = s.lengths[row] >= ROW_LIMIT and not s.variants & COLOUR_COUNTS
    if is_full or (counts + SIX_BULLS) & CROWDED:
        take(s, play, row)
        return
    add_to_row(s, row, card)
    s.worth[row] += s.card_bulls[card]
    s.counts[row] = counts
    s.moved = 1


@part
def take(s: Flat, play: int, row: int) -> None:
    """The seat takes the row, and its card starts it again."""
    seat = seat_of(play)
    s.bulls[seat] += s.worth[row]
    note_taking(s, row, seat)
    start_row(s, row, card_of(play))
    s.moved = 1


@part
def start_row(s: Flat, row: int, card: int) -> None:
    begin_row(s, row, card)
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
    let_all_choose(s)


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

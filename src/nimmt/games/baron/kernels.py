"""The rules of Baron Oxx on flat arrays, compiled. `rules.py` is the readable version and decides."""

from __future__ import annotations

import numpy as np

from nimmt.fast import pictures
from nimmt.fast.chance import below, shuffle
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.parts import (
    CARELESS,
    CHOOSE,
    GREEDY,
    OVER,
    PHASES,
    PLACE,
    RANDOM,
    ROW,
    add_to_row,
    any_card,
    begin_row,
    card_of,
    let_all_choose,
    list_hand,
    list_numbers,
    note_choice,
    note_taking,
    random_or_greedy,
    reveal,
    seat_of,
    take_from_queue,
)
from nimmt.fast.pictures import CHOSEN, IN_HAND, IN_ROWS, OWN, PHASE, PILE
from nimmt.games.baron.deck import COLOURS, HIGHEST
from nimmt.games.baron.types import (
    HAND,
    MAX_DRAW_PILE,
    MAX_SEATS,
    ROW_LIMIT,
    ROWS,
    CardPlaced,
    CardReturned,
    CardsDrawn,
    CardsRevealed,
    State,
)
from nimmt.rules.game import Cards, Event
from nimmt.rules.kit.events import CardChosen

# -- state -------------------------------------------------------------------------------------------------------------
# The flat state of a game of Baron Oxx, and what its numbers mean.
#
# Rows and seats count from 0, cards are their numbers, 0 is no card. The deck is data, so what the cards show is part
# of the state: colours as bits, and counts of bulls as one number with five bits for each colour. Such numbers are
# added like the cards of a row; a colour with six bulls or more then shows in its highest bit when `SIX_BULLS` is
# added.
#
# Codes of actions: a card is its number, a row is its number from 1, as in the rules.

COLOUR_COUNTS, BULLS_ARE_GOOD = 1, 2
"""Bits of `variants`."""

COLOUR_BITS = 5
SIX_BULLS = sum((16 - 6) << COLOUR_BITS * colour for colour in range(len(COLOURS)))
CROWDED = sum(16 << COLOUR_BITS * colour for colour in range(len(COLOURS)))

DRAW_SPACE = 32
"""Draw piles go round in a ring of so many places; nobody ever has more than 24 cards."""

STATE = np.dtype(
    [
        ("seats", np.int8),
        ("phase", np.int8),
        ("variants", np.int8),
        ("waiting", np.int8),  # how many seats have not chosen yet
        ("placed", np.int8),  # how many of the queue lie in their rows
        ("queued", np.int8),  # how many the queue had
        ("moved", np.int8),  # whether a card has found a row in this turn
        ("idle", np.int8),  # turns in a row in which none has
        ("track", np.int8),  # whether `owner` is kept up to date: search has no use for it
        ("lengths", np.int8, ROWS),
        ("ends", np.int8, ROWS),
        ("worth", np.int8, ROWS),  # bulls in the row
        ("counts", np.int32, ROWS),  # bulls in the row, by colour
        ("rows", np.int8, (ROWS, 32)),
        ("sizes", np.int8, MAX_SEATS),  # cards in hand
        ("hands", np.int8, (MAX_SEATS, HAND)),  # in any order
        ("chosen", np.int8, MAX_SEATS),  # 0 if nothing yet
        ("draw_first", np.int8, MAX_SEATS),  # where in the ring the top of the draw pile lies
        ("draw_sizes", np.int8, MAX_SEATS),
        ("draw", np.int8, (MAX_SEATS, DRAW_SPACE)),
        ("rows_taken", np.int8, MAX_SEATS),
        ("turns", np.int16),  # turns played
        ("bulls", np.int16, MAX_SEATS),  # bulls taken
        ("points", np.int16, MAX_SEATS),  # when the game is over
        ("queue", np.int16, MAX_SEATS),  # plays in the order of placement, see `parts`
        ("owner", np.int8, HIGHEST + 1),  # by card: the seat in whose pile it lies, plus 1
        ("card_colours", np.int8, HIGHEST + 1),  # by card: bit i for colour i
        ("card_bulls", np.int8, HIGHEST + 1),
        ("card_counts", np.int32, HIGHEST + 1),  # by card: bulls by colour
    ],
    align=True,
)


# -- steps -------------------------------------------------------------------------------------------------------------


@part
def pile_size(seats: int) -> int:
    """The cards of each seat, hand included."""
    return min(MAX_DRAW_PILE, (HIGHEST - ROWS) // (HAND * seats) * HAND)


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


@part
def so_far(s: Flat, seat: int) -> int:
    """Bulls taken; when the game is over, less what is left."""
    return wide(s.points[seat]) if s.phase == OVER else wide(s.bulls[seat])


# -- policies ----------------------------------------------------------------------------------------------------------
# Simple players of Baron Oxx for rollouts and simulations.

POLICIES = {
    "random": RANDOM,  # anything that is legal
    "greedy": GREEDY,  # as few bulls as possible at once, or as many where they are good; like `nimmt.bots.simple`
    "careless": CARELESS,  # greedy, but random in so many decisions of a hundred as `params` begins with
}

_MUCH = 1 << 20


@part
def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    is_greedy = random_or_greedy(policy, params, rng) == GREEDY
    if s.phase == CHOOSE:
        return greedy_card(s, seat) if is_greedy else any_card(s, seat, rng)
    card = card_of(wide(s.queue[s.placed]))
    return greedy_row(s, card) + 1 if is_greedy else random_row(s, card, rng) + 1


@part
def random_row(s: Flat, card: int, rng: Words) -> int:
    fitting = 0
    for row in range(ROWS):
        fitting += fits(s, row, card)
    if fitting == 0:
        return below(rng, wide(ROWS))
    drawn = below(rng, wide(fitting))
    row = 0
    while drawn or not fits(s, row, card):
        drawn -= fits(s, row, card)
        row += 1
    return row


@part
def cost_of_row(s: Flat, row: int, card: int) -> int:
    """The bulls that the card takes with this row; where they are good, less than nothing."""
    if fits(s, row, card):
        is_full = s.lengths[row] >= ROW_LIMIT and not s.variants & COLOUR_COUNTS
        if not is_full and not (s.counts[row] + s.card_counts[card] + SIX_BULLS) & CROWDED:
            return 0
    return -wide(s.worth[row]) if s.variants & BULLS_ARE_GOOD else wide(s.worth[row])


@part
def greedy_row(s: Flat, card: int) -> int:
    """Of the rows that the card fits, or of all if it fits none, the first with the lowest cost."""
    best, least, some_fit = 0, _MUCH, False
    for row in range(ROWS):
        if fits(s, row, card) and not some_fit:
            some_fit, least = True, _MUCH  # forget rows that it does not fit
        cost = cost_of_row(s, row, card)
        if cost < least and fits(s, row, card) == some_fit:
            best, least = row, cost
    return best


@part
def greedy_card(s: Flat, seat: int) -> int:
    """The lowest cost, then the lowest card."""
    best, least = 0, _MUCH
    for i in range(s.sizes[seat]):
        card = wide(s.hands[seat, i])
        row = greedy_row(s, card)
        # A card that comes back under the draw pile is worse than one laid for nothing.
        comes_back = s.variants & BULLS_ARE_GOOD and not fits(s, row, card)
        cost = (wide(s.card_bulls[card]) if comes_back else cost_of_row(s, row, card)) * 256 + card
        if cost < least:
            best, least = card, cost
    return best


# -- picture -----------------------------------------------------------------------------------------------------------
# A state of Baron Oxx as bytes that the rules and the kernels can both make: what is equal here is equal.
#
# After what all games of this family have (see `nimmt.fast.pictures`) comes how deep each card lies in its row or draw
# pile, both of which may be long, and the bulls taken. With the phase stands for how many turns nobody has placed a
# card.

_DRAW = 40
"""Another place of cards: a seat's draw pile. Rows have a single place each, as the depth tells the rest."""

_DEPTH = OWN
_BULLS = _DEPTH + HIGHEST + 1
SIZE = _BULLS + MAX_SEATS + 2


@part
def picture(s: Flat, out: Numbers) -> None:
    pictures.show_cards(s, out)
    pictures.show_queue(s, out)
    for seat in range(s.seats):
        for i in range(s.draw_sizes[seat]):
            card = s.draw[seat, (s.draw_first[seat] + i) & (DRAW_SPACE - 1)]
            out[card] = _DRAW + seat
            out[_DEPTH + card] = i
        out[_BULLS + seat] = s.bulls[seat]
    for row in range(len(s.lengths)):
        for i in range(s.lengths[row]):
            out[s.rows[row, i]] = IN_ROWS + row
            out[_DEPTH + s.rows[row, i]] = i
    out[PHASE] += 8 * s.idle


def picture_of(state: State) -> bytearray:
    table = state.table
    out = pictures.new_picture(SIZE, state, state.chosen, PHASES[table.phase] + 8 * table.idle)
    for seat, draw_pile in enumerate(state.draw_piles):
        pictures.put(out, table.piles[seat], PILE + seat)
        _pile_up(out, draw_pile, _DRAW + seat)
        out[_BULLS + seat] = table.bulls[seat] & 255  # in the end all of it is compared
    for row, cards in enumerate(table.rows, IN_ROWS):
        _pile_up(out, cards, row)
    return out


def _pile_up(out: bytearray, cards: Cards, place: int) -> None:
    """On top of, or behind, those that are there already."""
    for depth, card in enumerate(cards, out.count(place, 0, CHOSEN)):
        out[card], out[_DEPTH + card] = place, depth


def follow(out: bytearray, event: Event) -> None:
    match event:
        case CardPlaced(seat=seat, card=card, row=row, taken=taken, bulls=bulls):
            for other in taken:
                out[other], out[_DEPTH + other] = PILE + seat, 0
            out[_BULLS + seat] = (out[_BULLS + seat] + bulls) & 255
            _pile_up(out, (card,), IN_ROWS + row - 1)
            pictures.leave_queue(out, card)
        case CardReturned(seat=seat, card=card):
            _pile_up(out, (card,), _DRAW + seat)
            pictures.leave_queue(out, card)
        case CardsDrawn(drawn=drawn):
            for seat, cards in enumerate(drawn):
                _draw(out, seat, cards or ())
        case CardChosen(seat=seat, card=card) if card is not None:
            out[CHOSEN + seat] = card
        case CardsRevealed(plays=plays):
            pictures.reveal(out, plays)


def _draw(out: bytearray, seat: int, cards: Cards) -> None:
    for card in cards:
        out[card], out[_DEPTH + card] = IN_HAND + seat, 0
    for card in range(1, HIGHEST + 1):
        if out[card] == _DRAW + seat:
            out[_DEPTH + card] -= len(cards)

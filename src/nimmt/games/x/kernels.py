"""The rules of X nimmt! on flat arrays, compiled. `rules.py` is the readable version and decides."""

from __future__ import annotations

import numpy as np

from nimmt.fast import parts, pictures
from nimmt.fast.chance import below, shuffle
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.parts import (
    BULLS,
    CARELESS,
    CHOOSE,
    GREEDY,
    NOWHERE,
    OVER,
    PLACE,
    RANDOM,
    ROW,
    add_to_row,
    any_card,
    begin_row,
    card_of,
    closest_row,
    deal_hands,
    let_all_choose,
    list_hand,
    list_numbers,
    note_choice,
    random_or_greedy,
    reveal,
    seat_of,
    take_from_queue,
)
from nimmt.fast.parts import to_decide as card_or_row_due
from nimmt.fast.pictures import CHOSEN, IN_HAND, OWN, PILE
from nimmt.games.x.types import HAND, HIGHEST, MAX_SEATS, ROWS, CardKept, CardsRevealed, State
from nimmt.games.x.types import TAKING as _TAKING
from nimmt.rules.game import Event
from nimmt.rules.kit.events import CardChosen, CardPlaced

# -- state -------------------------------------------------------------------------------------------------------------
# The flat state of a round of X nimmt!, and what its numbers mean.
#
# Rows and seats count from 0, cards are their numbers, 0 is no card. Codes of actions: a card to play or to keep is its
# number, a row is its number from 1, as in the rules.

KEEP = 4
"""A phase besides those of `flat`."""
PHASES = parts.PHASES | {"keep": KEEP}

TAKING = np.array(_TAKING, dtype=np.int8)

MAX_CARDS = HAND * MAX_SEATS + ROWS
"""More than any hand or X row can ever hold."""

STATE = np.dtype(
    [
        ("seats", np.int8),
        ("phase", np.int8),
        ("waiting", np.int8),  # how many seats have not chosen yet
        ("placed", np.int8),  # how many of the queue lie in their rows
        ("queued", np.int8),  # how many the queue had
        ("turns", np.int8),  # turns played
        ("track", np.int8),  # unused: this game always keeps track
        ("taker", np.int8),  # whose decision the taken cards wait for
        ("takes", np.int8),  # how many they are
        ("taken", np.int8, max(_TAKING)),
        ("lengths", np.int8, ROWS),
        ("ends", np.int8, ROWS),
        ("rows", np.int8, (ROWS, 8)),
        ("sizes", np.int8, MAX_SEATS),  # cards in hand
        ("hands", np.int8, (MAX_SEATS, MAX_CARDS)),  # in any order
        ("chosen", np.int8, MAX_SEATS),  # 0 if nothing yet
        ("x_lengths", np.int8, MAX_SEATS),
        ("x_rows", np.int8, (MAX_SEATS, MAX_CARDS)),
        ("rows_taken", np.int8, MAX_SEATS),
        ("x_bulls", np.int16, MAX_SEATS),  # bulls in the X row
        ("pile_bulls", np.int16, MAX_SEATS),  # bulls in the X pile
        ("points", np.int16, MAX_SEATS),  # when the round is over
        ("queue", np.int16, MAX_SEATS),  # plays in the order of placement, see `parts`
        ("owner", np.int8, HIGHEST + 1),  # by card: the seat in whose X pile it lies, plus 1
    ],
    align=True,
)


# -- steps -------------------------------------------------------------------------------------------------------------


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
        for seat in range(wide(s.seats)):
            s.points[seat] = so_far(s, seat)


@part
def so_far(s: Flat, seat: int) -> int:
    """Points if the round ended now."""
    points = 2 * wide(s.pile_bulls[seat])
    for i in range(s.sizes[seat]):
        points += BULLS[s.hands[seat, i]]
    return points


# -- policies ----------------------------------------------------------------------------------------------------------
# Simple players of X nimmt! for rollouts and simulations.

POLICIES = {
    "random": RANDOM,  # anything that is legal
    "greedy": GREEDY,  # what costs least at once, as the rows stand; the same as `nimmt.bots.simple`
    "careless": CARELESS,  # greedy, but random in so many decisions of a hundred as `params` begins with
}


@part
def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    is_greedy = random_or_greedy(policy, params, rng) == GREEDY
    if s.phase == CHOOSE:
        return greedy_card(s, seat) if is_greedy else any_card(s, seat, rng)
    if s.phase == ROW:
        return cheapest_row(s, seat) + 1 if is_greedy else below(rng, wide(ROWS)) + 1
    return greedy_keep(s, seat) if is_greedy else s.taken[below(rng, wide(s.takes))]


@part
def cost_of_keeping(s: Flat, seat: int, card: int) -> int:
    """How much the other cards of a taking cost less if this one is kept: two points for each bull that falls from the
    X row to the X pile, less its own bulls, which do not come into the hand."""
    length = s.x_lengths[seat]
    falls = 2 * s.x_bulls[seat] if length and card <= s.x_rows[seat, length - 1] else 0
    return falls - BULLS[card]


@part
def cost_of_row(s: Flat, seat: int, row: int) -> int:
    """What it costs to take a row, when the best card of it is kept."""
    least, bulls = 1 << 20, 0
    for i in range(s.lengths[row]):
        card = wide(s.rows[row, i])
        least = min(least, cost_of_keeping(s, seat, card))
        bulls += BULLS[card]
    return bulls + least


@part
def cheapest_row(s: Flat, seat: int) -> int:
    cheapest, least = 0, 1 << 20
    for row in range(ROWS):
        cost = cost_of_row(s, seat, row)
        if cost < least:
            cheapest, least = row, cost
    return cheapest


@part
def greedy_keep(s: Flat, seat: int) -> int:
    best, least = 0, 1 << 20
    for i in range(s.takes):
        cost = cost_of_keeping(s, seat, wide(s.taken[i]))
        if cost < least:
            best, least = s.taken[i], cost
    return best


@part
def greedy_card(s: Flat, seat: int) -> int:
    """The lowest cost; of cards that cost the same the one with most bulls should leave the hand; then the lowest."""
    too_low = cost_of_row(s, seat, cheapest_row(s, seat))
    least = wide(1 << 40)
    for i in range(s.sizes[seat]):
        card = wide(s.hands[seat, i])
        row, cost = closest_row(s, card), too_low
        if row != NOWHERE:
            cost = cost_of_row(s, seat, row) if s.lengths[row] + 1 >= TAKING[row] else 0
        least = min(least, (cost << 16) + ((8 - BULLS[card]) << 8) + card)
    return least & 255


# -- picture -----------------------------------------------------------------------------------------------------------
# A state of X nimmt! as bytes that the rules and the kernels can both make: what is equal here is equal.
#
# After what all games of this family have (see `nimmt.fast.pictures`) comes who may keep one of the cards taken.

# More places of cards.
_TAKEN, _X_ROWS = 22, 64

_TAKER = OWN
SIZE = _TAKER + 1 + 2


@part
def picture(s: Flat, out: Numbers) -> None:
    pictures.show_cards(s, out)
    pictures.show_rows(s, out)
    pictures.show_queue(s, out)
    for seat in range(s.seats):
        for i in range(s.x_lengths[seat]):
            out[s.x_rows[seat, i]] = _X_ROWS + MAX_CARDS * seat + i
    for i in range(s.takes):
        out[s.taken[i]] = _TAKEN + i
        out[_TAKER] = s.taker + 1


def picture_of(state: State) -> bytearray:
    table = state.table
    out = pictures.new_picture(SIZE, state, state.chosen, PHASES[table.phase])
    for seat in range(table.seats):
        pictures.put(out, table.x_piles[seat], PILE + seat)
        pictures.lay(out, table.x_rows[seat], _X_ROWS + MAX_CARDS * seat)
    pictures.lay_rows(out, table.rows)
    if table.taken:
        pictures.lay(out, table.taken.cards, _TAKEN)
        out[_TAKER] = table.taken.seat + 1
    return out


def follow(out: bytearray, event: Event) -> None:
    match event:
        case CardPlaced(seat=seat, card=card, row=row, taken=taken):
            if taken:
                pictures.lay(out, taken, _TAKEN)
                out[_TAKER] = seat + 1
            pictures.add_to_row(out, row - 1, card)
            pictures.leave_queue(out, card)
        case CardKept(seat=seat, x_row=x_row, discarded=discarded, to_hand=to_hand):
            pictures.put(out, discarded, PILE + seat)
            pictures.put(out, to_hand, IN_HAND + seat)
            pictures.lay(out, x_row, _X_ROWS + MAX_CARDS * seat)
            out[_TAKER] = 0
        case CardChosen(seat=seat, card=card) if card is not None:
            out[CHOSEN + seat] = card
        case CardsRevealed(plays=plays):
            pictures.reveal(out, plays)

"""The flat state of Beat the Buffalo, its rows and its special cards, compiled."""

from __future__ import annotations

import numpy as np

from nimmt.fast import parts
from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.fast.parts import BULLS, NOWHERE
from nimmt.games.buffalo.types import DOUBLED_SEATS, FACE_UP, HAND, MAX_SEATS, ROW_LIMIT, ROWS, SPECIALS
from nimmt.games.buffalo.types import SPECIALS_IN_PLAY as _SPECIALS_IN_PLAY
from nimmt.rules.kit.cards import HIGHEST

# -- state -------------------------------------------------------------------------------------------------------------
# The flat state of Beat the Buffalo, and what its numbers mean.
#
# Rows and seats count from 0, cards are their numbers, 0 is no card, and special cards have the numbers of the rules.
# The buffalo owns cards as seat -1. The team decides as one here: who proposes a special card and who agrees is not
# among it.
#
# Codes of actions: a card to play, also instead of one taken back, is its number; a row is its number from 1. In a
# window 0 is to use nothing (more), and a use is kind << 24 | what it needs: a row from 1, a seat, for Push! card << 3
# | row, for Sort three bits for each card still to be placed, the next one lowest: its owner plus 1.

WINDOW, SWAP_CARD = 4, 5
"""Phases besides those of `flat`. PLACE also opens the next window."""
PHASES = parts.PHASES | {"window": WINDOW, "swap": SWAP_CARD}

PASS, TAKE7, STOP, SWAP, INSERT, PUSH, FIRST, LAST, SORT, LIFT = range(10)
"""What the team may do in a window; the special cards in the order of the rules' `KINDS`."""

SPECIALS_IN_PLAY = np.array(_SPECIALS_IN_PLAY, dtype=np.int8)
KIND_SHIFT = 24
PAYLOAD = (1 << KIND_SHIFT) - 1

TEAM, BUFFALO = 1, 2
"""In `owner`: whose pile a card lies in."""

STATE = np.dtype(
    [
        ("version", np.int8),  # of the rules
        ("seats", np.int8),
        ("phase", np.int8),
        ("waiting", np.int8),  # how many seats have not chosen yet
        ("turns", np.int8),  # the turn being played, from 1
        ("queued", np.int8),  # how many cards are still to be placed
        ("settled", np.int8),  # whether the window before the next placement is over
        ("buffalo_next", np.int8),  # how many of the buffalo's cards are gone
        ("buffalo_stock", np.int8),  # how many it had
        ("face_ups", np.int8),  # how many special cards lie face up
        ("special_next", np.int8),  # how many of the special deck are gone
        ("special_stock", np.int8),  # how many it had
        ("swapper", np.int8),  # who has taken a card back
        ("swapped", np.int8),  # and which one
        ("track", np.int8),  # unused: this game always keeps track
        ("lengths", np.int8, ROWS),
        ("ends", np.int8, ROWS),  # 0 for an empty row
        ("worth", np.int8, ROWS),  # bulls in the row
        ("rows", np.int8, (ROWS, 8)),
        ("take7", np.int8, ROWS),  # the Take 7! that lies at the row
        ("stop", np.int8, ROWS),  # the Stop! that lies at the row
        ("stopped_now", np.int8, ROWS),  # whether it was laid in this window; version 1 only
        ("queue", np.int8, MAX_SEATS + 1),  # cards still to be placed, in their order
        ("owners", np.int8, MAX_SEATS + 1),  # and whose they are
        ("sizes", np.int8, MAX_SEATS),  # cards in hand
        ("hands", np.int8, (MAX_SEATS, HAND)),  # in any order
        ("chosen", np.int8, MAX_SEATS),  # 0 if nothing yet
        ("buffalo", np.int8, HAND),  # its cards, the first on top
        ("face_up", np.int8, FACE_UP),
        ("specials", np.int8, len(SPECIALS)),  # the deck of special cards, the first on top
        ("used", np.int8, len(SPECIALS) + 1),  # by special card: 1 if it has left the game
        ("rows_taken", np.int8, 2),  # by the team, by the buffalo
        ("bulls", np.int16, 2),  # of the team, of the buffalo
        ("owner", np.int8, HIGHEST + 1),  # by card: whose pile it lies in
    ],
    align=True,
)


# -- rows --------------------------------------------------------------------------------------------------------------
# Where a card goes in Beat the Buffalo: rows, piles, and what special cards at a row and empty rows change.


@part
def limit(s: Flat, row: int) -> int:
    return ROW_LIMIT + (s.take7[row] != 0)


@part
def empty_row(s: Flat) -> int:
    """The row that must take the next card: of several the uppermost."""
    for row in range(ROWS):
        if s.lengths[row] == 0:
            return row
    return NOWHERE


@part
def target_row(s: Flat, card: int) -> int:
    """An empty row before all; else rules 1 and 2 among the open rows; NOWHERE if the card fits none."""
    empty = empty_row(s)
    if empty != NOWHERE:
        return empty
    closest, target = 0, NOWHERE
    for row in range(ROWS):
        if closest < s.ends[row] < card and s.stop[row] == 0:
            closest, target = s.ends[row], row
    return target


@part
def cheapest_row(s: Flat) -> int:
    """Rule 4 for the buffalo: the open row with the fewest bulls, of several the one with the highest end."""
    best, least = 0, 1 << 20
    for row in range(ROWS):
        cost = (s.worth[row] << 8) - s.ends[row]
        if s.stop[row] == 0 and cost < least:
            best, least = row, cost
    return best


@part
def recount(s: Flat, row: int) -> None:
    """Set what follows from the cards of a row."""
    s.worth[row] = 0
    for i in range(s.lengths[row]):
        s.worth[row] += BULLS[s.rows[row, i]]
    s.ends[row] = s.rows[row, s.lengths[row] - 1] if s.lengths[row] else 0


@part
def collect(s: Flat, row: int, count: int, by: int) -> None:
    """The first so many cards of a row go to a pile; what is left moves up. The row's Take 7! leaves the game."""
    for i in range(count):
        card = s.rows[row, i]
        s.owner[card] = by
        s.bulls[by - 1] += BULLS[card]
    for i in range(count, s.lengths[row]):
        s.rows[row, i - count] = s.rows[row, i]
    s.lengths[row] -= count
    s.rows_taken[by - 1] += 1
    s.used[s.take7[row]] = 1
    s.take7[row] = 0


@part
def place_at(s: Flat, row: int, card: int, owner: int, takes: bool) -> None:
    """The card lies at the end of the row, after its owner has taken what lay there, if so."""
    if takes:
        collect(s, row, wide(s.lengths[row]), wide(TEAM) if owner >= 0 else wide(BUFFALO))
    s.rows[row, s.lengths[row]] = card
    s.lengths[row] += 1
    recount(s, row)


@part
def squeeze(s: Flat, row: int, card: int) -> None:
    """A card comes anywhere into a row so that it ascends. From a full one the team takes all but the last card."""
    place = wide(s.lengths[row])
    is_full = place >= limit(s, row)
    while place > 0 and s.rows[row, place - 1] > card:
        s.rows[row, place] = s.rows[row, place - 1]
        place -= 1
    s.rows[row, place] = card
    s.lengths[row] += 1
    if is_full:
        collect(s, row, wide(s.lengths[row]) - 1, wide(TEAM))
    recount(s, row)


@part
def pull_out(s: Flat, row: int, card: int) -> None:
    """A card leaves its row, which may be empty then."""
    place = 0
    while s.rows[row, place] != card:
        place += 1
    s.lengths[row] -= 1
    for i in range(place, s.lengths[row]):
        s.rows[row, i] = s.rows[row, i + 1]
    recount(s, row)


@part
def team_points(s: Flat) -> int:
    return wide(s.bulls[0]) * (2 if s.seats <= DOUBLED_SEATS else 1)


@part
def row_of(s: Flat, card: int) -> int:
    for row in range(ROWS):
        for i in range(s.lengths[row]):
            if s.rows[row, i] == card:
                return row
    return NOWHERE


# -- specials ----------------------------------------------------------------------------------------------------------
# Special cards on the flat state: what the team could do with them now, and what they do.

# -- what is possible -----------------------------------------------------------------------------------------


@part
def lies_face_up(s: Flat, kind: int) -> bool:
    """Special cards are numbered from 1, two of each kind. A Stop! is lifted without one."""
    for i in range(s.face_ups):
        if (s.face_up[i] + 1) // 2 == kind:
            return True
    return kind == LIFT


@part
def row_use_possible(s: Flat, kind: int, row: int) -> bool:
    """Take 7!, Stop!, Lift or Insert! at this row."""
    if kind == TAKE7:
        return s.lengths[row] > 0 and s.take7[row] == 0
    if kind == STOP:
        return s.lengths[row] > 0 and s.stop[row] == 0
    if kind == LIFT:
        return s.stop[row] != 0 and s.stopped_now[row] == 0
    is_next = s.queued > 0 and s.owners[0] >= 0 and empty_row(s) == NOWHERE
    return is_next and s.stop[row] == 0 and s.queue[0] < s.ends[row]


@part
def card_use_possible(s: Flat, kind: int, place: int) -> bool:
    """Swap!, First or Last for the card at this place of the queue."""
    if s.owners[place] < 0:
        return False
    if kind == SWAP:
        return s.turns < HAND
    if s.version > 1:
        return True  # even if it changes nothing: the next special card is turned up
    return place > 0 if kind == FIRST else place < s.queued - 1


@part
def list_uses(s: Flat, kind: int, actions: Numbers, count: int) -> int:
    """Write down, from this number on, all uses of a kind but Sort that are possible; how many there are then."""
    code = kind << KIND_SHIFT
    if kind in (TAKE7, STOP, LIFT, INSERT):
        for row in range(ROWS):
            if row_use_possible(s, kind, row):
                actions[count] = code | (row + 1)
                count += 1
    elif kind == PUSH and s.queued:
        for source in range(ROWS):
            for row in range(ROWS):
                if source != row and s.stop[source] == 0 and s.stop[row] == 0:
                    for i in range(s.lengths[source]):
                        actions[count] = code | s.rows[source, i] << 3 | (row + 1)
                        count += 1
    elif kind in (SWAP, FIRST, LAST):
        for place in range(wide(s.queued)):
            if card_use_possible(s, kind, place):
                actions[count] = code | s.owners[place]
                count += 1
    return count


@part
def kind_possible(s: Flat, kind: int) -> bool:
    """Whether a special card of this kind lies face up and can be used in any way."""
    if not lies_face_up(s, kind):
        return False
    if kind == SORT:
        return s.queued > (0 if s.version > 1 else 1)
    if kind == PUSH:
        open_rows, cards = 0, 0
        for row in range(ROWS):
            if s.stop[row] == 0:
                open_rows += 1
                cards += s.lengths[row]
        return s.queued > 0 and open_rows > 1 and cards > 0
    if kind in (SWAP, FIRST, LAST):
        for place in range(wide(s.queued)):
            if card_use_possible(s, kind, place):
                return True
        return False
    for row in range(ROWS):
        if row_use_possible(s, kind, row):
            return True
    return False


@part
def anything_possible(s: Flat) -> bool:
    for kind in range(TAKE7, LIFT + 1):
        if kind_possible(s, kind):
            return True
    return False


@part
def order_code(s: Flat, places: Numbers) -> int:
    """The code of the Sort that puts the cards at these places of the queue one after the other."""
    code = SORT << KIND_SHIFT
    for i in range(len(places)):
        code |= (s.owners[places[i]] + 1) << (3 * i)
    return code


@part
def next_order(places: Numbers) -> bool:
    """Change the order to the one that follows in a list of all, sorted; False if it is the last."""
    turn = len(places) - 2
    while turn >= 0 and places[turn] > places[turn + 1]:
        turn -= 1
    if turn < 0:
        return False
    last = len(places) - 1
    other = last
    while places[other] < places[turn]:
        other -= 1
    places[turn], places[other] = places[other], places[turn]
    for i in range((last - turn) // 2):  # what lies behind descends and has to ascend
        places[turn + 1 + i], places[last - i] = places[last - i], places[turn + 1 + i]
    return True


@part
def list_orders(s: Flat, actions: Numbers, count: int) -> int:
    """All orders of the cards to be placed, for Sort; in version 1 all but the present one."""
    places = np.arange(s.queued)
    if s.version > 1:
        actions[count] = order_code(s, places)
        count += 1
    while next_order(places):
        actions[count] = order_code(s, places)
        count += 1
    return count


# -- what they do ---------------------------------------------------------------------------------------------


@part
def spend(s: Flat, kind: int) -> int:
    """The special card of this kind leaves its place, where the next of the deck lies then; which one it was."""
    place = 0
    while (s.face_up[place] + 1) // 2 != kind:
        place += 1
    special = s.face_up[place]
    if s.special_next < s.special_stock:
        s.face_up[place] = s.specials[s.special_next]
        s.special_next += 1
    else:
        s.face_ups -= 1
        for i in range(place, s.face_ups):
            s.face_up[i] = s.face_up[i + 1]
    return special + 0


@part
def carry_out(s: Flat, action: int) -> None:
    """Use a special card, or lift a Stop!"""
    kind, payload = action >> KIND_SHIFT, action & PAYLOAD
    row = (payload & 7) - 1
    if kind == LIFT:
        s.used[s.stop[row]] = 1
        s.stop[row] = 0
        return
    special = spend(s, kind)
    if kind == TAKE7:
        s.take7[row] = special
        return
    if kind == STOP:
        s.stop[row] = special
        s.stopped_now[row] = s.version == 1
        return
    s.used[special] = 1
    if kind == INSERT:
        squeeze(s, row, wide(s.queue[0]))
        remove_from_queue(s, wide(0))
    elif kind == PUSH:
        pull_out(s, row_of(s, payload >> 3), payload >> 3)
        squeeze(s, row, payload >> 3)
    elif kind == SORT:
        sort_by_owners(s, payload)
    else:
        use_on_card(s, kind, payload)


@part
def use_on_card(s: Flat, kind: int, seat: int) -> None:
    """Swap!, First or Last for a seat's card."""
    place = wide(0)
    while s.owners[place] != seat:
        place += 1
    card = s.queue[place]
    remove_from_queue(s, place)
    if kind == SWAP:
        s.hands[seat, s.sizes[seat]] = card
        s.sizes[seat] += 1
        s.swapper = seat
        s.swapped = card
        s.phase = SWAP_CARD
    else:
        put_into_queue(s, wide(0) if kind == FIRST else wide(s.queued), wide(card), seat)


@part
def remove_from_queue(s: Flat, place: int) -> None:
    s.queued -= 1
    for i in range(place, s.queued):
        s.queue[i] = s.queue[i + 1]
        s.owners[i] = s.owners[i + 1]


@part
def put_into_queue(s: Flat, place: int, card: int, owner: int) -> None:
    for i in range(s.queued, place, -1):
        s.queue[i] = s.queue[i - 1]
        s.owners[i] = s.owners[i - 1]
    s.queue[place] = card
    s.owners[place] = owner
    s.queued += 1


@part
def sort_by_owners(s: Flat, order: int) -> None:
    """Bring the queue into the order that a Sort names."""
    for place in range(s.queued):
        owner = (order >> (3 * place) & 7) - 1
        other = place
        while s.owners[other] != owner:
            other += 1
        s.queue[place], s.queue[other] = s.queue[other], s.queue[place]
        s.owners[place], s.owners[other] = s.owners[other], s.owners[place]

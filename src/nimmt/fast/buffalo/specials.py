"""Special cards on the flat state: what the team could do with them now, and what they do."""

from __future__ import annotations

import numpy as np

from nimmt.fast.buffalo.rows import empty_row, pull_out, row_of, squeeze
from nimmt.fast.buffalo.state import (
    FIRST,
    INSERT,
    KIND_SHIFT,
    LAST,
    LIFT,
    PAYLOAD,
    PUSH,
    SORT,
    STOP,
    SWAP,
    SWAP_CARD,
    TAKE7,
)
from nimmt.fast.flat import NOWHERE
from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.rules.games.buffalo.options import HAND, ROWS

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
        return s.turn < HAND
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

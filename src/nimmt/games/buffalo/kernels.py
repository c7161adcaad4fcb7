"""The rules of Beat the Buffalo on flat arrays, compiled. `rules.py` is the readable version and decides."""

from __future__ import annotations

from nimmt.fast.chance import shuffle
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.parts import (
    CHOOSE,
    NOWHERE,
    OVER,
    PLACE,
    ROW,
    deal_hands,
    first_undecided,
    let_all_choose,
    list_hand,
    note_choice,
    remove_card,
)
from nimmt.games.buffalo.kernel_parts import (
    INSERT,
    KIND_SHIFT,
    LIFT,
    PASS,
    SORT,
    SPECIALS_IN_PLAY,
    SWAP_CARD,
    TAKE7,
    WINDOW,
    anything_possible,
    carry_out,
    cheapest_row,
    kind_possible,
    limit,
    list_orders,
    list_uses,
    place_at,
    put_into_queue,
    recount,
    remove_from_queue,
    target_row,
    team_points,
)
from nimmt.games.buffalo.types import FACE_UP, HAND, ROWS, SPECIALS
from nimmt.rules.kit.cards import HIGHEST

_SPECIALS = len(SPECIALS)
SPECIAL_WORTH = 4
"""Bulls that a special card brings later, about."""


@part
def begin(s: Flat, cards: Numbers, rng: Words) -> None:
    shuffle(rng, cards, 0, HIGHEST, HAND * (s.seats + 1) + ROWS)
    shuffle(rng, cards, HIGHEST, _SPECIALS, wide(SPECIALS_IN_PLAY[s.seats]))
    deal(s, cards)


@part
def deal(s: Flat, cards: Numbers) -> None:
    """Ten cards for each seat in turn, the buffalo's ten from its top, the four rows. Behind the numbers come the
    special cards: the first two lie face up, the next ones are the deck from its top, the rest is put away."""
    deal_hands(s, cards, HAND)
    s.chosen[:] = 0
    for i in range(HAND):
        s.buffalo[i] = cards[HAND * s.seats + i]
    for row in range(ROWS):
        s.rows[row, 0] = cards[HAND * (s.seats + 1) + row]
        s.lengths[row] = 1
        s.take7[row] = 0
        s.stop[row] = 0
        recount(s, row)
    s.buffalo_next = 0
    s.buffalo_stock = HAND
    specials = SPECIALS_IN_PLAY[s.seats]
    s.face_ups = min(FACE_UP, specials)
    for i in range(s.face_ups):
        s.face_up[i] = cards[HIGHEST + i]
    s.special_next = 0
    s.special_stock = specials - s.face_ups
    for i in range(s.special_stock):
        s.specials[i] = cards[HIGHEST + s.face_ups + i]
    s.used[:] = 0
    s.owner[:] = 0
    s.bulls[:] = 0
    s.rows_taken[:] = 0
    s.turns = 1
    s.queued = 0
    let_all_choose(s)


# -- deciding -------------------------------------------------------------------------------------------------


@part
def to_decide(s: Flat) -> int:
    if s.phase == CHOOSE:
        return first_undecided(s)
    if s.phase == SWAP_CARD:
        return s.swapper
    if s.phase == ROW:
        return s.owners[0]
    return 0 if s.phase == WINDOW else -1


@part
def legal(s: Flat, seat: int, actions: Numbers) -> int:
    if s.phase != WINDOW:
        return list_cards_or_rows(s, seat, actions)
    count = wide(1)
    actions[0] = PASS
    for kind in range(TAKE7, LIFT + 1):
        if kind_possible(s, kind):
            count = list_orders(s, actions, count) if kind == SORT else list_uses(s, kind, actions, count)
    return count


@part
def list_cards_or_rows(s: Flat, seat: int, actions: Numbers) -> int:
    if s.phase == CHOOSE:
        return list_hand(s, seat, actions)
    count = wide(0)
    if s.phase == SWAP_CARD:
        for i in range(s.sizes[seat]):
            if s.hands[seat, i] != s.swapped:
                actions[count] = s.hands[seat, i]
                count += 1
    elif s.phase == ROW:
        for row in range(ROWS):
            if s.stop[row] == 0:
                actions[count] = row + 1
                count += 1
    return count


@part
def act(s: Flat, seat: int, action: int) -> None:
    if s.phase == CHOOSE:
        if note_choice(s, seat, action):
            reveal(s)
    elif s.phase == WINDOW:
        act_in_window(s, action)
    elif s.phase == SWAP_CARD:
        remove_card(s, seat, action)
        put_into_queue(s, wide(0), action, seat)
        s.phase = PLACE
        s.settled = 1  # it is placed at once
    else:
        place_at(s, action - 1, wide(s.queue[0]), seat, True)
        remove_from_queue(s, wide(0))
        s.phase = PLACE
        s.settled = 0


@part
def act_in_window(s: Flat, action: int) -> None:
    """After a use everybody may think again, as long as there is something to think about."""
    if action == PASS:
        s.phase = PLACE
        s.settled = 1
        return
    carry_out(s, action)
    if action >> KIND_SHIFT == INSERT:
        s.phase = PLACE
        s.settled = 0
    elif s.phase == WINDOW and not anything_possible(s):
        s.phase = PLACE
        s.settled = 1


@part
def reveal(s: Flat) -> None:
    """The buffalo's top card joins those chosen; all lie in order."""
    for owner in range(-1, s.seats):
        card = wide(0)
        if owner < 0:
            card = wide(s.buffalo[s.buffalo_next])
            s.buffalo_next += 1
        else:
            card = wide(s.chosen[owner])
            s.chosen[owner] = 0
            remove_card(s, owner, card)
        place = owner + 1
        while place > 0 and s.queue[place - 1] > card:
            s.queue[place] = s.queue[place - 1]
            s.owners[place] = s.owners[place - 1]
            place -= 1
        s.queue[place] = card
        s.owners[place] = owner
    s.queued = s.seats + 1
    s.phase = PLACE
    s.settled = 0


# -- placing --------------------------------------------------------------------------------------------------


@part
def advance(s: Flat) -> bool:
    """Open the next window if there is anything to do in it, else place the next card or begin the next turn."""
    if s.phase != PLACE:
        return False
    if s.queued == 0 and s.turns == HAND:
        s.phase = OVER
        return False
    if not s.settled and open_window(s):
        return False
    if s.queued == 0:
        s.turns += 1
        let_all_choose(s)
        return False
    card, owner = wide(s.queue[0]), wide(s.owners[0])
    row = target_row(s, card)
    if row == NOWHERE and owner >= 0:
        s.phase = ROW
        return False
    takes = row == NOWHERE or s.lengths[row] >= limit(s, row)
    place_at(s, cheapest_row(s) if row == NOWHERE else row, card, owner, takes)
    remove_from_queue(s, wide(0))
    s.settled = 0
    return True


@part
def open_window(s: Flat) -> bool:
    for row in range(ROWS):
        s.stopped_now[row] = 0
    if not anything_possible(s):
        return False
    s.phase = WINDOW
    return True


@part
def so_far(s: Flat, seat: int) -> int:
    """How far the team is behind the buffalo; special cards that it still has count as what they will bring."""
    specials = s.face_ups + s.special_stock - s.special_next
    return team_points(s) - s.bulls[1] - SPECIAL_WORTH * specials


@part
def tally(s: Flat, points: Numbers, taken: Numbers, other: Numbers) -> None:
    """All seats of the team have the same; the buffalo's bulls stand apart."""
    for seat in range(s.seats):
        points[seat] = team_points(s)
        taken[seat] = s.rows_taken[0]
    other[0] = s.turns
    other[1] = s.bulls[1]

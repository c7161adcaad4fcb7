"""The rules of 11 nimmt! on flat arrays, compiled. `rules.py` is the readable version and decides."""

from __future__ import annotations

import numpy as np

from nimmt.fast.chance import below, shuffle
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.parts import BULLS, CARELESS, GREEDY, RANDOM, random_or_greedy
from nimmt.games.eleven.types import BULL_CARDS, HAND, HIGHEST, LARGE_PILE, MAX_SEATS, NEW_PILES, REACH, State
from nimmt.rules.game import Event

# -- state -------------------------------------------------------------------------------------------------------------
# The flat state of a round of 11 nimmt!, and what its numbers mean.
#
# Seats count from 0, cards are their numbers, 0 is no card. A hand may hold any number of cards, and what is asked of
# it is whether it holds one within ten of a top: so hands are a table that says whose each card is. A pile is its top
# and, for each card, the one below it.
#
# Codes of actions: kind << 16 | pile << 8 | card to lay a card, kind << 16 | pile << 8 to take a pile, kind << 16 to
# end the turn, kind << 16 | seat to say who gives a bull card. Piles count from 1 there, as in the rules.

TURN, GIVER, OVER = range(3)
"""Phases."""

LAY, TAKE, END, GIVE = range(4)
"""Kinds of actions."""

OPEN, SHOWN = 1, 2
"""What all have seen of a card: that it has lain open; that it was the top of a pile which went to a hand."""

MAX_PILES = 48
"""There are never more than 41: one to begin with, and one more with each pair of the draw pile."""

STATE = np.dtype(
    [
        ("seats", np.int8),
        ("phase", np.int8),
        ("starter", np.int8),
        ("first", np.int8),  # the seat that begins the first round
        ("turn", np.int8),  # the seat whose turn it is
        ("piles", np.int8),  # how many there are
        ("laid", np.int8),  # on how many of them cards were laid in this turn
        ("supply", np.int8),  # bull cards that nobody has
        ("drawn", np.int8),  # how many of the draw pile are gone
        ("stock", np.int8),  # how many the draw pile had
        ("track", np.int8),  # unused: this game always keeps track
        ("bull_cards", np.int8, MAX_SEATS),
        ("sizes", np.int8, MAX_SEATS),  # cards in hand
        ("tops", np.int8, MAX_PILES),
        ("heights", np.int8, MAX_PILES),
        ("laid_on", np.int8, MAX_PILES),  # the top that cards laid in this turn are measured from; 0 if none were
        ("holder", np.int8, HIGHEST + 1),  # by card: the seat that holds it, plus 1
        ("below", np.int8, HIGHEST + 1),  # by card in a pile: the card below it
        ("seen", np.int8, HIGHEST + 1),  # by card: whether it has lain open, and whether all know in which hand it is
        ("draw", np.int8, HIGHEST),  # the draw pile, the first card on top
        ("turns", np.int16),  # turns played
        ("piles_taken", np.int16, MAX_SEATS),
        ("points", np.int16, MAX_SEATS),  # when the round is over
    ],
    align=True,
)


# -- steps -------------------------------------------------------------------------------------------------------------


@part
def begin(s: Flat, cards: Numbers, rng: Words) -> None:
    shuffle(rng, cards, 0, HIGHEST, HIGHEST)
    deal(s, cards)


@part
def deal(s: Flat, cards: Numbers) -> None:
    """Ten cards to seat 0, the next ten to seat 1 and so on; the card after them opens the first pile; the rest is the
    draw pile."""
    s.holder[:] = 0
    s.seen[:] = 0
    for seat in range(s.seats):
        for i in range(HAND):
            s.holder[cards[HAND * seat + i]] = seat + 1
        s.sizes[seat] = HAND
        s.bull_cards[seat] = 0
        s.piles_taken[seat] = 0
    first = HAND * s.seats
    s.stock = HIGHEST - first
    s.drawn = 0
    for i in range(s.stock):
        s.draw[i] = cards[first + i]
    s.piles = 0
    s.supply = BULL_CARDS
    s.laid = 0
    s.turns = 0
    s.turn = s.starter
    s.phase = TURN
    open_pile(s)


@part
def open_pile(s: Flat) -> None:
    """The next card of the draw pile opens a pile, if there is one."""
    if s.drawn == s.stock:
        return
    card = s.draw[s.drawn]
    s.drawn += 1
    s.tops[s.piles] = card
    s.heights[s.piles] = 1
    s.laid_on[s.piles] = 0
    s.below[card] = 0
    s.seen[card] = OPEN
    s.piles += 1


# -- deciding -------------------------------------------------------------------------------------------------


@part
def to_decide(s: Flat) -> int:
    return s.turn if s.phase != OVER else -1


@part
def distance(on: int, card: int) -> int:
    """Steps from one number up to another; after the highest comes 1."""
    return card - on if card >= on else card - on + HIGHEST


@part
def first_step(s: Flat, seat: int, pile: int) -> int:
    """How far above the top that counts the next card on this pile must lie at least; too far if none may."""
    if s.laid_on[pile]:
        return distance(wide(s.laid_on[pile]), wide(s.tops[pile])) + 1
    return wide(REACH + 1) if s.laid >= max(1, s.bull_cards[seat]) else wide(1)


@part
def step_up(on: int, step: int) -> int:
    """The card so far above this one; after the highest comes 1."""
    return on + step if on + step <= HIGHEST else on + step - HIGHEST


@part
def card_above(s: Flat, pile: int, step: int) -> int:
    """The card so far above the top that counts."""
    return step_up(wide(s.laid_on[pile]) if s.laid_on[pile] else wide(s.tops[pile]), step)


@part
def find_laying(s: Flat, seat: int, wanted: int) -> int:
    """The code of the laying with this number, from 0; if there are not so many, how many there are."""
    found = 0
    for pile in range(s.piles):
        for step in range(first_step(s, seat, pile), REACH + 1):
            card = card_above(s, pile, step)
            if s.holder[card] == seat + 1:
                if found == wanted:
                    return LAY << 16 | (pile + 1) << 8 | card
                found += 1
    return found


@part
def list_layings(s: Flat, seat: int, actions: Numbers) -> int:
    """All of them, in one go."""
    count = wide(0)
    for pile in range(wide(s.piles)):
        for step in range(first_step(s, seat, pile), REACH + 1):
            card = card_above(s, pile, step)
            if s.holder[card] == seat + 1:
                actions[count] = LAY << 16 | (pile + 1) << 8 | card
                count += 1
    return count


@part
def is_giver(s: Flat, seat: int) -> bool:
    """Whether this seat has as many bull cards as anybody, and is not the one that gets another."""
    most = s.bull_cards[0]
    for other in range(s.seats):
        most = max(most, s.bull_cards[other])
    return s.bull_cards[seat] == most and seat != s.turn


@part
def legal(s: Flat, seat: int, actions: Numbers) -> int:
    count = wide(0)
    if s.phase == GIVER:
        for giver in range(wide(s.seats)):
            if is_giver(s, giver):
                actions[count] = GIVE << 16 | giver
                count += 1
        return count
    count = list_layings(s, seat, actions)
    if s.laid:
        actions[count] = END << 16
        return count + 1
    for pile in range(s.piles):
        actions[count] = TAKE << 16 | (pile + 1) << 8
        count += 1
    return count


@part
def act(s: Flat, seat: int, action: int) -> None:
    kind, pile = action >> 16, (action >> 8 & 255) - 1
    if kind == LAY:
        lay_card(s, seat, pile, action & 255)
    elif kind == TAKE:
        take_pile(s, seat, pile)
    elif kind == END:
        pass_on(s)
    else:
        s.bull_cards[action & 255] -= 1
        s.bull_cards[seat] += 1
        open_piles(s)


@part
def advance(s: Flat) -> bool:
    """Nothing here happens of itself."""
    return False


# -- laying ---------------------------------------------------------------------------------------------------


@part
def lay_card(s: Flat, seat: int, pile: int, card: int) -> None:
    if s.laid_on[pile] == 0:
        s.laid_on[pile] = s.tops[pile]
        s.laid += 1
    s.below[card] = s.tops[pile]
    s.tops[pile] = card
    s.heights[pile] += 1
    s.holder[card] = 0
    s.seen[card] = OPEN
    s.sizes[seat] -= 1
    if s.sizes[seat] == 0:
        end_round(s)
    elif s.bull_cards[seat] == 0:
        pass_on(s)


@part
def pass_on(s: Flat) -> None:
    """The next seat's turn. It can always lay or take, unless there is no pile."""
    s.turns += 1
    if s.piles == 0:
        end_round(s)
        return
    if s.laid:
        for pile in range(s.piles):
            s.laid_on[pile] = 0
        s.laid = 0
    s.turn = s.turn + 1 if s.turn + 1 < s.seats else 0
    s.phase = TURN


# -- taking ---------------------------------------------------------------------------------------------------


@part
def take_pile(s: Flat, seat: int, pile: int) -> None:
    height, card = s.heights[pile], s.tops[pile]
    s.seen[card] = SHOWN
    for _ in range(height):
        s.holder[card] = seat + 1
        card = s.below[card]
    s.sizes[seat] += height
    s.piles_taken[seat] += 1
    s.piles -= 1
    for other in range(pile, s.piles):
        s.tops[other] = s.tops[other + 1]
        s.heights[other] = s.heights[other + 1]
    if height < LARGE_PILE or bring_bull_card(s, seat):
        open_piles(s)


@part
def bring_bull_card(s: Flat, seat: int) -> bool:
    """From the supply, or from who has the most; False if the seat must choose from whom."""
    if s.supply:
        s.supply -= 1
        s.bull_cards[seat] += 1
        return True
    givers, giver = 0, 0
    for other in range(wide(s.seats)):
        if is_giver(s, other):
            givers += 1
            giver = other
    if givers > 1:
        s.phase = GIVER
        return False
    if givers:
        s.bull_cards[giver] -= 1
        s.bull_cards[seat] += 1
    return True


@part
def open_piles(s: Flat) -> None:
    for _ in range(NEW_PILES):
        open_pile(s)
    pass_on(s)


# -- the end --------------------------------------------------------------------------------------------------


@part
def end_round(s: Flat) -> None:
    s.phase = OVER
    s.laid = 0
    for pile in range(s.piles):
        s.laid_on[pile] = 0
    for seat in range(s.seats):
        s.points[seat] = 0
    for card in range(1, HIGHEST + 1):
        if s.holder[card]:
            s.points[s.holder[card] - 1] += BULLS[card]


@part
def tally(s: Flat, points: Numbers, taken: Numbers, other: Numbers) -> None:
    for seat in range(s.seats):
        points[seat] = s.points[seat]
        taken[seat] = s.piles_taken[seat]
    other[0] = s.turns


# -- policies ----------------------------------------------------------------------------------------------------------
# Simple players of 11 nimmt! for rollouts and simulations.

POLICIES = {
    "random": RANDOM,  # lay, take or end, whatever is possible alike; then anything of that kind
    "greedy": GREEDY,  # lay while it goes, in small steps; else take a cheap top; the same as `nimmt.bots.simple`
    "careless": CARELESS,  # greedy, but random in so many decisions of a hundred as `params` begins with
}

_NO_SUCH = 1 << 20


@part
def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    is_greedy = random_or_greedy(policy, params, rng) == GREEDY
    if s.phase == GIVER:
        return GIVE << 16 | choose_giver(s, is_greedy, rng)
    return greedy_turn(s, seat) if is_greedy else random_turn(s, seat, rng)


@part
def choose_giver(s: Flat, is_greedy: bool, rng: Words) -> int:
    """Greedy: who has the fewest cards, the first of them. Random: anybody who may have to give."""
    best, least = 0, wide(_NO_SUCH)
    for seat in range(wide(s.seats)):
        if is_giver(s, seat):
            cost = wide(s.sizes[seat]) if is_greedy else below(rng, wide(1 << 16))
            if cost < least:
                best, least = seat, cost
    return best


@part
def random_turn(s: Flat, seat: int, rng: Words) -> int:
    layings = find_laying(s, seat, wide(_NO_SUCH))
    if layings and below(rng, wide(2)):
        return find_laying(s, seat, below(rng, layings))
    if s.laid:
        return END << 16
    return TAKE << 16 | (below(rng, wide(s.piles)) + 1) << 8


@part
def greedy_turn(s: Flat, seat: int) -> int:
    """Of all layings the smallest step from the top, then the most bulls, the lowest card, the first pile. If there is
    none, end the turn or take the pile whose top has the fewest bulls."""
    layings = find_laying(s, seat, wide(_NO_SUCH))
    best, least = 0, wide(1 << 40)
    for number in range(layings):
        code = find_laying(s, seat, number)
        card, pile = code & 255, (code >> 8) & 255
        step = distance(wide(s.tops[pile - 1]), card)
        cost = ((step << 4 | (8 - BULLS[card])) << 8 | card) << 8 | pile
        if cost < least:
            best, least = code, cost
    if layings:
        return best
    if s.laid:
        return END << 16
    cheapest = 0
    for pile in range(1, s.piles):
        if BULLS[s.tops[pile]] < BULLS[s.tops[cheapest]]:
            cheapest = pile
    return TAKE << 16 | (cheapest + 1) << 8


# -- picture -----------------------------------------------------------------------------------------------------------
# A state of 11 nimmt! as bytes that the rules and the kernels can both make: what is equal here is equal.
#
# The place of every card: whose hand, or which pile; for a card in a pile also the one below it, for one in the draw
# pile also how deep it lies. Then bull cards, and on what cards were laid in this turn; the phase and whose turn it is;
# last what all have seen of each card.

# Places of cards.
_HAND, _DRAW, _PILES = 1, 9, 16

# Where things stand in a picture, after the places of the cards 0 … 100 and what lies below or before each.
_UNDER = HIGHEST + 1
_BULL_CARDS = _UNDER + HIGHEST + 1
_SUPPLY = _BULL_CARDS + MAX_SEATS
_LAID_ON = _SUPPLY + 1
_PHASE = _LAID_ON + MAX_PILES
_TURN = _PHASE + 1
_SEEN = _TURN + 1
SIZE = _SEEN + HIGHEST + 1

_PHASES = {"turn": TURN, "giver": GIVER, "deal": OVER, "over": OVER}


@part
def picture(s: Flat, out: Numbers) -> None:
    out[:] = 0
    for card in range(1, HIGHEST + 1):
        if s.holder[card]:
            out[card] = _HAND + s.holder[card] - 1
    for i in range(s.drawn, s.stock):
        out[s.draw[i]] = _DRAW
        out[_UNDER + s.draw[i]] = i - s.drawn
    for pile in range(s.piles):
        card = s.tops[pile]
        for _ in range(s.heights[pile]):
            out[card] = _PILES + pile
            out[_UNDER + card] = s.below[card]
            card = s.below[card]
        out[_LAID_ON + pile] = s.laid_on[pile]
    for seat in range(s.seats):
        out[_BULL_CARDS + seat] = s.bull_cards[seat]
    out[_SUPPLY] = s.supply
    out[_PHASE] = s.phase
    out[_TURN] = s.turn if s.phase != OVER else 0
    for card in range(1, HIGHEST + 1):
        out[_SEEN + card] = s.seen[card]


def picture_of(state: State) -> bytearray:
    table = state.table
    out = bytearray(SIZE)
    for seat, hand in enumerate(state.hands):
        for card in hand:
            out[card] = _HAND + seat
        out[_BULL_CARDS + seat] = table.bull_cards[seat]
    for i, card in enumerate(state.draw):
        out[card] = _DRAW
        out[_UNDER + card] = i
    for pile, cards in enumerate(state.piles):
        under = 0
        for card in cards:
            out[card] = _PILES + pile
            out[_UNDER + card] = under
            under = card
    for laid in table.laid:
        out[_LAID_ON + laid.pile - 1] = laid.on
    out[_SUPPLY] = table.supply
    out[_PHASE] = _PHASES[table.phase]
    out[_TURN] = table.turn if _PHASES[table.phase] != OVER else 0
    for card in table.seen:
        out[_SEEN + card] = OPEN
    for known in table.known:
        for card in known:
            out[_SEEN + card] = SHOWN
    return out


def follow(out: bytearray, event: Event) -> None:
    """A decision and what follows of it are one step, so that no picture has to be told by events."""

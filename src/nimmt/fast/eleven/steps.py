"""The rules of 11 nimmt! on the flat state. `nimmt.rules.games.eleven` is the readable version and decides."""

from __future__ import annotations

from nimmt.fast.chance import shuffle
from nimmt.fast.eleven.state import END, GIVE, GIVER, LAY, OVER, TAKE, TURN
from nimmt.fast.flat import BULLS
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.rules.games.eleven.options import BULL_CARDS, HAND, HIGHEST, LARGE_PILE, NEW_PILES, REACH


@part
def begin(s: Flat, cards: Numbers, rng: Words) -> None:
    shuffle(rng, cards, 0, HIGHEST, HIGHEST)
    deal(s, cards)


@part
def deal(s: Flat, cards: Numbers) -> None:
    """Ten cards to seat 0, the next ten to seat 1 and so on; the card after them opens the first pile; the rest is the
    draw pile."""
    s.holder[:] = 0
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
def find_laying(s: Flat, seat: int, wanted: int) -> int:
    """The code of the laying with this number, from 0; if there are not so many, how many there are."""
    found = 0
    no_other_pile = s.laid >= max(1, s.bull_cards[seat])
    for pile in range(s.piles):
        on, above = wide(s.tops[pile]), wide(0)
        if s.laid_on[pile]:
            on, above = wide(s.laid_on[pile]), distance(wide(s.laid_on[pile]), wide(s.tops[pile]))
        elif no_other_pile:
            continue
        for step in range(above + 1, REACH + 1):
            card = on + step if on + step <= HIGHEST else on + step - HIGHEST
            if s.holder[card] == seat + 1:
                if found == wanted:
                    return LAY << 16 | (pile + 1) << 8 | card
                found += 1
    return found


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
    layings = find_laying(s, seat, wide(1 << 20))
    while count < layings:
        actions[count] = find_laying(s, seat, count)
        count += 1
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

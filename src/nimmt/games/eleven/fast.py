"""11 nimmt! on flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nimmt.fast.game import FastGame
from nimmt.fast.jit import Flat, Flats, Numbers, jit, part, wide
from nimmt.games.eleven import GAME, kernels, outlook, sight
from nimmt.games.eleven.kernels import END, GIVE, GIVER, LAY, OPEN, OVER, SHOWN, STATE, TAKE, TURN, distance
from nimmt.games.eleven.types import HIGHEST, ChooseGiver, EndTurn, LayCard, Options, State, TakePile, View, laid_on
from nimmt.rules.game import Action, Seat

# -- worlds ------------------------------------------------------------------------------------------------------------
# What may be true in 11 nimmt! for all that a seat knows: hidden cards dealt to draw pile, hands and piles.
#
# Cards that have never lain open go to the draw pile and to hands; those that have go to hands and below the tops. It
# does the same as `nimmt.games.eleven.rules`, for many orders of the cards.


class Layout(NamedTuple):
    """How many hidden cards of which kind go where."""

    fresh: int
    """So many of the cards have never lain open; they come first."""
    draw: int
    """So many of those are the draw pile."""
    hands: NDArray[np.int64]
    """By seat: hidden cards in its hand that have never lain open, and that have."""
    bottoms: NDArray[np.int64]
    """By pile: the lowest card that is known to lie there, and how many are."""

    @classmethod
    def of(cls, view: View, fresh: int) -> Layout:
        table = view.table
        hands = np.zeros((table.seats, 2), dtype=np.int64)
        for seat, (size, old) in enumerate(zip(table.hand_sizes, table.seen_in_hand, strict=True)):
            if seat != view.seat:
                hands[seat] = size - old, old - len(table.known[seat])
        bottoms = np.zeros((len(table.tops), 2), dtype=np.int64)
        for pile, top in enumerate(table.tops):
            laid = laid_on(table, pile + 1)
            bottoms[pile] = (laid.on, 1 + len(laid.cards)) if laid else (top, 1)
        return cls(fresh, table.draw_left, hands, bottoms)


@jit
def fill_worlds(worlds: Flats, cards: Numbers, fresh: int, draw: int, hands: Numbers, bottoms: Numbers) -> None:
    for w in range(len(worlds)):
        s, order = worlds[w], cards[w]
        for card in order:
            s.holder[card] = 0
        for i in range(draw):
            s.draw[i] = order[i]
        new, old = draw, fresh
        for seat in range(len(hands)):
            for i in range(new, new + hands[seat, 0]):
                s.holder[order[i]] = seat + 1
            for i in range(old, old + hands[seat, 1]):
                s.holder[order[i]] = seat + 1
            new += hands[seat, 0]
            old += hands[seat, 1]
        fill_piles(s, order[old:], bottoms)


@part
def fill_piles(s: Flat, cards: Numbers, bottoms: Numbers) -> None:
    """Every card that is left lies below the top that it is closest to: piles grow upwards in small steps."""
    nearest = np.full(HIGHEST + 1, -1)
    for card in cards:
        least = HIGHEST
        for pile in range(len(bottoms)):
            steps = distance(wide(card), bottoms[pile, 0])
            if steps < least:
                nearest[card], least = pile, steps
    for pile in range(len(bottoms)):
        lowest, s.heights[pile] = bottoms[pile, 0], bottoms[pile, 1]
        for steps in range(1, HIGHEST):
            card = bottoms[pile, 0] - steps
            card = card if card > 0 else card + HIGHEST
            if nearest[card] == pile:
                s.below[lowest] = card
                lowest = card
                s.heights[pile] += 1
        s.below[lowest] = 0


# -- eleven ------------------------------------------------------------------------------------------------------------

_PHASES = {"turn": TURN, "giver": GIVER, "over": OVER}


class FastEleven(FastGame):
    rules = GAME
    state = STATE
    decks = ("numbers",)
    over = OVER
    most_actions = 2048
    told_by_events = False

    def template(self, options: Options, seats: int, round_number: int = 1) -> Flats:
        del round_number
        flat = super().template(options, seats)
        flat["starter"] = flat["first"] = options.starter
        return flat

    def template_of(self, state: State) -> Flats:
        flat = self.template(state.table.options, state.table.seats)
        flat["starter"] = state.table.starter
        return flat

    def load_into(self, s: Flat, state: State) -> None:
        table = state.table
        s["phase"], s["turn"] = _PHASES[table.phase], table.turn
        s["supply"], s["piles"], s["laid"] = table.supply, len(state.piles), len(table.laid)
        s["stock"] = len(state.draw)
        s["draw"][: len(state.draw)] = state.draw
        s["bull_cards"][: table.seats] = table.bull_cards
        for seat, hand in enumerate(state.hands):
            s["holder"][list(hand)] = seat + 1
            s["sizes"][seat] = len(hand)
        for pile, cards in enumerate(state.piles):
            s["tops"][pile], s["heights"][pile] = cards[-1], len(cards)
            s["below"][list(cards)] = (0, *cards[:-1])
        s["seen"][list(table.seen)] = OPEN
        for known in table.known:
            s["seen"][list(known)] = SHOWN
        for laid in table.laid:
            s["laid_on"][laid.pile - 1] = laid.on
        if table.phase == "over":
            s["points"][: table.seats] = table.scores[-1]

    def encode(self, action: Action) -> int:
        match action:
            case LayCard(card=card, pile=pile):
                return LAY << 16 | pile << 8 | card
            case TakePile(pile=pile):
                return TAKE << 16 | pile << 8
            case EndTurn():
                return END << 16
            case ChooseGiver(seat=seat):
                return GIVE << 16 | seat
        raise TypeError(f"{action} is not an action of 11 nimmt!")

    def decode(self, state: State | View, seat: Seat, code: int) -> Action:
        del state, seat
        kind, pile, card = code >> 16, code >> 8 & 255, code & 255
        if kind == LAY:
            return LayCard(card, pile)
        if kind == TAKE:
            return TakePile(pile)
        return EndTurn() if kind == END else ChooseGiver(card)

    def kind(self, code: int) -> int:
        return code >> 16

    # -- worlds: cards that have lain open and others have places of their own -----------------------------------

    def hidden(self, view: View) -> Sequence[Sequence[int]]:
        lain_open, unseen = set(view.table.seen), GAME.unseen(view)
        fresh = tuple(card for card in unseen if card not in lain_open)
        return fresh, tuple(card for card in unseen if card in lain_open)

    def places(self, view: View) -> Sequence[Sequence[int]]:
        raise NotImplementedError("Hands and piles of 11 nimmt! are no lists of places: see `worlds`.")

    def worlds(self, view: View, cards: NDArray[np.int8]) -> Flats:
        worlds = np.repeat(self.load_view(view), len(cards))
        layout = Layout.of(view, len(self.hidden(view)[0]))
        fill_worlds(worlds, np.ascontiguousarray(cards), layout.fresh, layout.draw, layout.hands, layout.bottoms)
        return worlds


FAST = FastEleven(kernels, sight, outlook)

"""11 nimmt! on flat arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nimmt.fast.eleven import picture, policies, steps
from nimmt.fast.eleven.state import END, GIVE, GIVER, LAY, OVER, STATE, TAKE, TURN
from nimmt.fast.eleven.worlds import Layout, fill_worlds
from nimmt.fast.game import FastGame
from nimmt.fast.jit import Flat, Flats
from nimmt.rules.game import Action, Seat
from nimmt.rules.games.eleven import GAME
from nimmt.rules.games.eleven.actions import ChooseGiver, EndTurn, LayCard, TakePile
from nimmt.rules.games.eleven.options import Options
from nimmt.rules.games.eleven.state import State, View

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
        flat["starter"] = options.starter
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


FAST = FastEleven(steps, policies, picture)

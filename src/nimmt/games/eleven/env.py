"""11 nimmt!: laying by card and distance, taking by the top of the pile, ending the turn, choosing a giver.

Piles have numbers that shift; their tops are all different. So a pile is named by its top: a card lies 1 to 10 above
the top that it is laid on, and no limit on the number of piles is needed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nimmt.envs.codec import Array, Codec, Feature, numbers, one_of, plane, planes, word
from nimmt.games.eleven.types import (
    BULL_CARDS,
    HIGHEST,
    MAX_SEATS,
    REACH,
    ChooseGiver,
    EndTurn,
    LayCard,
    Table,
    TakePile,
    View,
    distance,
    laid_on,
)
from nimmt.rules.game import Action
from nimmt.rules.kit.cards import totals

TAKES = HIGHEST * REACH
END = TAKES + HIGHEST
GIVERS = END + 1
PHASES = ("turn", "giver", "over")


class ElevenCodec(Codec):
    actions = GIVERS + MAX_SEATS
    simultaneous = frozenset()

    def encode(self, view: View, action: Action) -> int:
        tops = view.table.tops
        match action:
            case LayCard(card=card, pile=pile):
                return (card - 1) * REACH + distance(tops[pile - 1], card) - 1
            case TakePile(pile=pile):
                return TAKES + tops[pile - 1] - 1
            case EndTurn():
                return END
            case ChooseGiver(seat=seat):
                return GIVERS + seat
        raise ValueError(f"{action} has no number.")

    def decode(self, view: View, number: int) -> Action:
        if number >= GIVERS:
            return ChooseGiver(number - GIVERS)
        if number == END:
            return EndTurn()
        if number >= TAKES:
            return TakePile(_pile(view.table, number - TAKES + 1))
        card, above = number // REACH + 1, number % REACH + 1
        return LayCard(card, _pile(view.table, (card - above - 1) % HIGHEST + 1))

    def features(self, view: View) -> Iterator[Feature]:
        table, seats = view.table, self.around(view.seat)
        sums = totals(table.scores, table.seats)
        yield "hand", plane(view.hand, HIGHEST)
        yield "tops", plane(table.tops, HIGHEST)
        yield "reach", _reach(table)
        yield "seen", plane(table.seen, HIGHEST)
        yield "known", planes([table.known[seat] for seat in seats], HIGHEST, self.seats)
        yield "seen_in_hand", numbers([table.seen_in_hand[seat] for seat in seats], 50, self.seats)
        yield "hand_sizes", numbers([table.hand_sizes[seat] for seat in seats], 50, self.seats)
        yield "bull_cards", numbers([table.bull_cards[seat] for seat in seats], BULL_CARDS, self.seats)
        yield "supply", numbers([table.supply], BULL_CARDS, 1)
        yield "draw_left", numbers([table.draw_left], HIGHEST, 1)
        yield "piles_laid_on", numbers([len(table.laid)], BULL_CARDS, 1)
        yield "turn", one_of(seats.index(table.turn), self.seats)
        yield "starter", one_of(seats.index(table.starter), self.seats)
        yield "phase", word(table.phase, PHASES)
        yield "totals", numbers([sums[seat] for seat in seats], 100, self.seats)
        yield "round", numbers([table.round], 20, 1)

    def scores(self, table: Table) -> tuple[int, ...]:
        """Points are counted when a round ends, not before."""
        return tuple(-total for total in totals(table.scores, table.seats))


def _pile(table: Table, top: int) -> int:
    if top not in table.tops:
        raise ValueError(f"No pile has the top {top}.")
    return table.tops.index(top) + 1


def _reach(table: Table) -> Array:
    """For each top how far above it a card may lie now, as a part of ten."""
    found = np.zeros(HIGHEST, np.float32)
    no_other = len(table.laid) >= max(1, table.bull_cards[table.turn])
    for pile, top in enumerate(table.tops, 1):
        laid = laid_on(table, pile)
        if laid is not None:
            found[top - 1] = (REACH - distance(laid.on, top)) / REACH
        elif not no_other:
            found[top - 1] = 1
    return found


CODEC = ElevenCodec

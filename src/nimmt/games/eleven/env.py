"""11 nimmt!: laying by card and distance, taking by the top of the pile, ending the turn, choosing a giver.

Piles have numbers that shift; their tops are all different. So a pile is named by its top: a card lies 1 to 10 above
the top that it is laid on, and no limit on the number of piles is needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from nimmt.envs.codec import Codec, Feature, by_card, holders, one_of, plane, word
from nimmt.games.eleven.batch import END, GIVERS, TAKES
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

PHASES = ("turn", "giver", "over")


class ElevenCodec(Codec):
    actions = GIVERS + MAX_SEATS
    highest = HIGHEST
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

    def _decode(self, view: View, number: int) -> Action:
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
        yield "hand", plane(view.hand, HIGHEST), 1
        yield "piles", by_card(_reach(table), HIGHEST), REACH + 1
        yield "known", by_card(holders(table.known[seat] for seat in seats), HIGHEST), self.seats
        yield "seen_in_hand", [table.seen_in_hand[seat] for seat in seats], 50
        yield "hand_sizes", [table.hand_sizes[seat] for seat in seats], 50
        yield "bull_cards", [table.bull_cards[seat] for seat in seats], BULL_CARDS
        yield "supply", [table.supply], BULL_CARDS
        yield "draw_left", [table.draw_left], HIGHEST
        yield "piles_laid_on", [len(table.laid)], BULL_CARDS
        yield "turn", one_of(seats.index(table.turn), self.seats), 1
        yield "starter", one_of(seats.index(table.starter), self.seats), 1
        yield "phase", word(table.phase, PHASES), 1
        yield "totals", [sums[seat] for seat in seats], 100
        yield "round", [table.round], 20

    def scores(self, table: Table) -> tuple[int, ...]:
        """Points are counted when a round ends, not before."""
        return tuple(-total for total in totals(table.scores, table.seats))


def _pile(table: Table, top: int) -> int:
    if top not in table.tops:
        raise ValueError(f"No pile has the top {top}.")
    return table.tops.index(top) + 1


def _reach(table: Table) -> dict[int, float]:
    """For each top how far above it a card may lie now, and one more."""
    found: dict[int, float] = {}
    no_other = len(table.laid) >= max(1, table.bull_cards[table.turn])
    for pile, top in enumerate(table.tops, 1):
        laid = laid_on(table, pile)
        reach = REACH - distance(laid.on, top) if laid is not None else 0 if no_other else REACH
        found[top] = 1 + reach
    return found


CODEC = ElevenCodec

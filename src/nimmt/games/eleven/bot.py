"""11 nimmt!: lay cards while it goes, those with most bulls first; else take the pile that can be put away again."""

from __future__ import annotations

from nimmt.bots.levels import Strength, Thought
from nimmt.games.eleven.types import ChooseGiver, EndTurn, LayCard, TakePile, View, distance
from nimmt.rules.game import Action
from nimmt.rules.kit.cards import BULLS

STRENGTH = Strength(master=Thought(12_000, turns=1, policy="learned", outlook=True), careless=3.0)
"""A single careless decision costs a pile. The Master plays on to the end of the next seat's turn, and then asks how
the round is likely to end."""


_LAY, _END, _TAKE = 0, 1, 2


def cost(view: View, action: Action) -> tuple[int, ...]:
    match action:
        case LayCard(card=card, pile=pile):
            # Small steps first: with bull cards more can follow on the same pile, and without one room is left.
            return _LAY, distance(view.table.tops[pile - 1], card), -BULLS[card], card, pile
        case EndTurn():
            return (_END,)
        case TakePile(pile=pile):
            return _TAKE, BULLS[view.table.tops[pile - 1]], pile
        case ChooseGiver(seat=seat):
            return (view.table.hand_sizes[seat],)
    raise TypeError(f"{action} is not an action of 11 nimmt!")

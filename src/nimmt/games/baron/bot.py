"""Baron Oxx: the bulls that a card would bring as the rows stand; where bulls are good, as many as possible."""

from __future__ import annotations

from nimmt.bots.levels import Strength, Thought
from nimmt.games.baron.deck import faces
from nimmt.games.baron.rules import BARON
from nimmt.games.baron.types import ChooseRow, PlayCard, Table, View
from nimmt.rules.game import Action, Foreseen

STRENGTH = Strength(
    expert=Thought(100, turns=4),
    master=Thought(4000, turns=3, policy="learned", outlook=True),
    puzzle_engines={"expert": "nimmt.bots.worlds:first_expert"},
    alike=True,
)


def turns_left(view: View) -> int:
    """Nobody plays more than a card in a turn, and the game ends when one has none."""
    return min(hand + draw for hand, draw in zip(view.hand_sizes, view.draw_sizes, strict=True))


def cost(view: View, action: Action) -> tuple[int, ...]:
    match action:
        case PlayCard(card=card):
            return min(_cost_at(view.table, card, one) for one in BARON.foresee(view, action)), card
        case ChooseRow(row=row):
            return min((_cost_at(view.table, 0, one) for one in BARON.foresee(view, action)), default=0), row
    raise TypeError(f"{action} is not an action of Baron Oxx.")


def _cost_at(table: Table, card: int, foreseen: Foreseen) -> int:
    if foreseen.place is None:
        # The card comes back under the draw pile: worse than laying it for nothing.
        return faces(table.options.deck).bulls[card]
    return -foreseen.bulls if table.options.bulls_are_good else foreseen.bulls

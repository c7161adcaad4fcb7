"""X nimmt!: the bulls a card would bring, and an X row that does not have to be cleared away."""

from __future__ import annotations

from nimmt.bots.levels import Slips, Strength, Thought
from nimmt.games.x.rules import X
from nimmt.games.x.types import ChooseRow, KeepCard, PlayCard, View
from nimmt.rules.game import Action, Cards
from nimmt.rules.kit.cards import BULLS, bulls

STRENGTH = Strength(
    slips=Slips(0.8, 0.2, 0.3),
    club_rounds=30,
    expert=Thought(100),
    master=Thought(4000, turns=1, policy="learned", outlook=True),
    spread=12.0,
    alike=True,
)


def turns_left(view: View) -> int:
    """A hand loses no more than a card in a turn."""
    return min(view.hand_sizes)


def cost(view: View, action: Action) -> tuple[int, ...]:
    rows = view.table.rows
    match action:
        case PlayCard(card=card):
            price = min(_cost_of_taking(view, one.takes) if one.takes else 0 for one in X.foresee(view, action))
            # Of cards that cost nothing the one with most bulls should leave the hand.
            return price, -BULLS[card], card
        case ChooseRow(row=row):
            return _cost_of_taking(view, rows[row - 1]), row
        case KeepCard(card=card):
            taking = view.table.taken
            return (_cost_of_keeping(view, card, taking.cards if taking else ()),)
    raise TypeError(f"{action} is not an action of X nimmt!")


def _cost_of_taking(view: View, cards: Cards) -> int:
    return min(_cost_of_keeping(view, card, cards) for card in cards)


def _cost_of_keeping(view: View, card: int, taken: Cards) -> int:
    """A bull for each one that comes into the hand, two for each one that falls from the X row to the X pile."""
    x_row = view.table.x_rows[view.seat] if view.seat is not None else ()
    falls = 2 * bulls(x_row) if x_row and card <= x_row[-1] else 0
    return bulls(taken) - BULLS[card] + falls

"""6 nimmt!: nothing if the card fits a row with room, else the bulls it would take."""

from __future__ import annotations

from nimmt.bots.levels import Slips, Strength
from nimmt.games.six.rules import SIX
from nimmt.games.six.types import ChooseRow, DraftCard, PlayCard, View, highest_card
from nimmt.rules.game import Action
from nimmt.rules.kit.cards import bulls

STRENGTH = Strength(
    slips=Slips(0.8, 0.4, 0.0),
    engines={level: f"nimmt.games.six.search.levels:{level}" for level in ("club", "expert", "master")},
    warm_up="nimmt.games.six.search.levels:warm_up",
    pieces=180,
    judge="nimmt.games.six.search.judge:SixJudge",
)


def cost(view: View, action: Action) -> tuple[int, ...]:
    match action:
        case PlayCard(card=card, twisted=twist):
            # A twist card is kept for a turn in which it saves something.
            return _cost_at_once(view, action), twist, card
        case ChooseRow(row=row):
            return bulls(view.table.rows[row - 1]), row
        case DraftCard(card=card):
            # Cards from the middle are neither too low nor the ones that fill the last row.
            return (abs(2 * card - highest_card(view.table.options, view.table.seats)),)
    raise TypeError(f"{action} is not an action of 6 nimmt!")


def _cost_at_once(view: View, action: PlayCard) -> int:
    """Of the row that the card would take; what the cow may do then is not reckoned with."""
    rows = view.table.rows
    taken = (
        rows[one.place - 1] for one in SIX.foresee(view, action) if one.place and one.rule != "smallest-difference"
    )
    return min(map(bulls, taken), default=0)

"""Baron Oxx: the bulls that a card would bring as the rows lie; where bulls are good, as many as possible."""

from __future__ import annotations

from nimmt.bots.levels import Strength
from nimmt.games.baron.deck import faces
from nimmt.games.baron.placing import fitting_rows
from nimmt.games.baron.types import ROW_LIMIT, ChooseRow, PlayCard, Table, View
from nimmt.rules.game import Action, Cards

STRENGTH = Strength()


def cost(view: View, action: Action) -> tuple[int, ...]:
    match action:
        case PlayCard(card=card):
            return _cost_of_card(view.table, card), card
        case ChooseRow(row=row):
            card = view.table.queue[0].card
            fits = row in fitting_rows(faces(view.table.options.deck), view.table.rows, card)
            return _cost_of_row(view.table, card, row, fits), row
    raise TypeError(f"{action} is not an action of Baron Oxx.")


def _cost_of_card(table: Table, card: int) -> int:
    shown = faces(table.options.deck)
    fitting = fitting_rows(shown, table.rows, card)
    if fitting:
        return min(_cost_of_row(table, card, row, True) for row in fitting)
    if table.options.bulls_are_good:
        # The card comes back under the draw pile: worse than laying it for nothing.
        return shown.bulls[card]
    return min(_cost_of_row(table, card, row, False) for row in range(1, len(table.rows) + 1))


def _cost_of_row(table: Table, card: int, row: int, fits: bool) -> int:
    cards, shown = table.rows[row - 1], faces(table.options.deck)
    if fits and not _takes(table, (*cards, card)):
        return 0
    worth = shown.worth(cards)
    return -worth if table.options.bulls_are_good else worth


def _takes(table: Table, cards: Cards) -> bool:
    too_long = len(cards) > ROW_LIMIT and not table.options.colour_counts
    return too_long or bool(faces(table.options.deck).crowded(cards))

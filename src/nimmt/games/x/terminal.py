"""X nimmt! at a terminal."""

from __future__ import annotations

from nimmt.clients.terminal.face import (
    Board,
    Face,
    Lane,
    Lanes,
    Look,
    card_cell,
    earlier,
    heads,
    mark,
    row_hint,
    turn_shown,
)
from nimmt.clients.terminal.pieces import BULL, Choice, Hand, Line, Panel, number_card, number_cards
from nimmt.games.x.placing import foresee
from nimmt.games.x.types import (
    ROWS,
    TAKING,
    CardsRevealed,
    ChooseRow,
    KeepCard,
    PlayCard,
    View,
)
from nimmt.rules.game import Action, Cards
from nimmt.rules.kit.cards import bulls, totals
from nimmt.rules.kit.events import count, spaced


class Terminal(Face[View]):
    turn_begins = (CardsRevealed,)
    legend = (
        f"→2 the card would go to row 2; 6{BULL} it would take six bulls",
        f"any 1{BULL}+ it fits no row: you would choose one, for one bull or more",
        "X row: your safe cards; X pile: what fell out of it, counted twice",
    )

    # -- looking ------------------------------------------------------------------------------------------------

    def where(self, look: Look[View]) -> str:
        table = look.view.table
        turn = turn_shown(look, look.turn)
        return f"round {table.round} of {table.options.rounds} · turn {turn}"

    def board(self, look: Look[View]) -> Board:
        table = look.view.table
        lanes = [
            Lane(row, number_cards(cards, look.fresh), TAKING[row - 1] - 1, bulls(cards))
            for row, cards in enumerate(table.rows, 1)
        ]
        return Lanes(tuple(lanes))

    def panel(self, look: Look[View]) -> Panel:
        view, table = look.view, look.view.table
        sums = totals(table.scores, table.seats)
        lines = [
            Line(
                mark(seat, look.awaited, table.queue),
                self.name(seat, view.seat),
                (
                    str(sums[seat]),
                    str(view.hand_sizes[seat]),
                    heads(bulls(table.x_piles[seat])),
                    card_cell(view, seat),
                ),
                own=seat == view.seat,
                tail=earlier(table.scores, seat),
                below=f"X row: {spaced(table.x_rows[seat]) or 'empty'}",
            )
            for seat in range(table.seats)
        ]
        return Panel(("", "sum", "hand", "X pile", "card", "rounds" if table.scores else ""), tuple(lines))

    def hand(self, look: Look[View]) -> Hand:
        view, taken = look.view, look.view.table.taken
        if view.seat is None:
            return Hand("", ())
        if look.kind == "keep" and taken is not None:
            keeps = [self._keeping(view, card, taken.cards) for card in taken.cards]
            return Hand("Cards that you took", tuple(keeps), (f"Your hand: {spaced(view.hand) or 'empty'}",))
        choices = [self._choice(view, card) for card in view.hand]
        held = count(bulls(view.hand), "bull")
        return Hand(f"{self.names[view.seat]}’s hand, {held}", tuple(choices))

    def _choice(self, view: View, card: int) -> Choice:
        shown = number_card(card, fresh=card == view.choice)
        return row_hint(shown, foresee(view.table.rows, card)) if self.hints and view.table.rows else Choice(shown)

    def _keeping(self, view: View, card: int, taken: Cards) -> Choice:
        shown, x_row = number_card(card), view.table.x_rows[view.seat or 0]
        if not self.hints:
            return Choice(shown)
        rest = tuple(other for other in taken if other != card)
        coming = f"{spaced(rest)} ({count(bulls(rest), 'bull')}) to the hand"
        if not x_row or card > x_row[-1]:
            return Choice(shown, f"joins the X row, {coming}", ("joins the X row",), ("joins",))
        falling = bulls(x_row)
        words = f"the X row {spaced(x_row)} falls to the X pile ({count(falling, 'bull')}, counted twice), {coming}"
        return Choice(shown, words, ("the X row falls", f"2×{heads(falling)}"), ("falls", f"2×{heads(falling)}"), True)

    def everything(self, view: View) -> list[str]:
        lines = ["All can see the X rows and X piles, and remember what was picked up:"]
        for seat, name in enumerate(self.names):
            table = view.table
            lines.append(f"  {name}: X row {spaced(table.x_rows[seat]) or 'empty'}")
            lines.append(f"    X pile {spaced(table.x_piles[seat]) or 'empty'}")
            lines.append(f"    known in hand {spaced(table.known[seat]) or 'nothing'}")
        return lines

    # -- asking -------------------------------------------------------------------------------------------------

    def possible(self, look: Look[View]) -> str:
        if look.kind == "row":
            return f"Type the number of the row that you take: 1 to {ROWS}."
        if look.kind == "keep" and look.view.table.taken is not None:
            return f"Type the card that goes to your X row: {spaced(look.view.table.taken.cards)}."
        return f"Type one of your cards: {spaced(look.view.hand)}."

    def read(self, look: Look[View], text: str) -> Action:
        value = self.the_number(look, text, "row", "card", "take", "keep", "play")
        if look.kind == "row":
            return ChooseRow(value)
        return KeepCard(value) if look.kind == "keep" else PlayCard(value)

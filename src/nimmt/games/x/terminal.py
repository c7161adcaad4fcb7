"""X nimmt! at a terminal."""

from __future__ import annotations

from nimmt.clients.terminal import face
from nimmt.clients.terminal.pieces import BULL, Choice, Hand, Panel, SeatLine, number_card, number_cards
from nimmt.clients.terminal.words import bulls_told, tr
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
from nimmt.rules.kit.events import spaced


class Terminal(face.Face[View]):
    turn_begins = (CardsRevealed,)

    def legend(self) -> tuple[str, ...]:
        return (
            tr("→2 the card would go to row 2; 6{bull} it would take six bulls", bull=BULL),
            tr("any 1{bull}+ it fits no row: you would choose one, for one bull or more", bull=BULL),
            tr("X row: your safe cards; X pile: what fell out of it, counted twice"),
        )

    # -- looking ------------------------------------------------------------------------------------------------

    def where(self, look: face.Look[View]) -> str:
        table = look.view.table
        turn = face.turn_shown(look, look.turn)
        return tr(
            "round {number} of {rounds} · turn {turn}", number=table.round, rounds=table.options.rounds, turn=turn
        )

    def board(self, look: face.Look[View]) -> face.Board:
        table = look.view.table
        lanes = [
            face.Lane(row, number_cards(cards, look.fresh), TAKING[row - 1] - 1, bulls(cards))
            for row, cards in enumerate(table.rows, 1)
        ]
        return face.Lanes(tuple(lanes))

    def panel(self, look: face.Look[View]) -> Panel:
        view, table = look.view, look.view.table
        sums = totals(table.scores, table.seats)
        lines = [
            SeatLine(
                face.mark(seat, look.awaited, table.queue),
                self.name(seat, view.seat),
                (
                    str(sums[seat]),
                    str(view.hand_sizes[seat]),
                    face.heads(bulls(table.x_piles[seat])),
                    face.card_cell(view, seat),
                ),
                own=seat == view.seat,
                tail=face.earlier(table.scores, seat),
                below=tr("X row: {cards}", cards=spaced(table.x_rows[seat]) or tr("empty")),
            )
            for seat in range(table.seats)
        ]
        return Panel(
            ("", tr("sum"), tr("hand"), tr("X pile"), tr("card"), tr("rounds") if table.scores else ""), tuple(lines)
        )

    def hand(self, look: face.Look[View]) -> Hand:
        view, taken = look.view, look.view.table.taken
        if view.seat is None:
            return Hand("", ())
        if look.kind == "keep" and taken is not None:
            keeps = [self._keeping(view, card, taken.cards) for card in taken.cards]
            held = tr("Your hand: {cards}", cards=spaced(view.hand) or tr("empty"))
            return Hand(tr("Cards that you took"), tuple(keeps), (held,))
        choices = [self._choice(view, card) for card in view.hand]
        title = tr("{name}’s hand", name=self.names[view.seat])
        return Hand(f"{title}, {bulls_told(bulls(view.hand))}", tuple(choices))

    def _choice(self, view: View, card: int) -> Choice:
        shown = number_card(card, fresh=card == view.choice)
        return face.row_hint(shown, foresee(view.table.rows, card)) if self.hints and view.table.rows else Choice(shown)

    def _keeping(self, view: View, card: int, taken: Cards) -> Choice:
        shown, x_row = number_card(card), view.table.x_rows[view.seat or 0]
        if not self.hints:
            return Choice(shown)
        rest = tuple(other for other in taken if other != card)
        coming = tr("{cards} ({bulls}) to the hand", cards=spaced(rest), bulls=bulls_told(bulls(rest)))
        if not x_row or card > x_row[-1]:
            return Choice(shown, f"{tr('joins the X row')}, {coming}", (tr("joins the X row"),), (tr("joins"),))
        falling = bulls(x_row)
        falls = tr(
            "the X row {cards} falls to the X pile ({bulls}, counted twice)",
            cards=spaced(x_row),
            bulls=bulls_told(falling),
        )
        twice = f"2×{face.heads(falling)}"
        return Choice(shown, f"{falls}, {coming}", (tr("the X row falls"), twice), (tr("falls"), twice), True)

    def everything(self, view: View) -> list[str]:
        lines = [tr("All can see the X rows and X piles, and remember what was picked up:")]
        for seat, name in enumerate(self.names):
            table = view.table
            lines.append(f"  {name}: {tr('X row: {cards}', cards=spaced(table.x_rows[seat]) or tr('empty'))}")
            lines.append(f"    {tr('X pile: {cards}', cards=spaced(table.x_piles[seat]) or tr('empty'))}")
            lines.append(f"    {tr('known in hand: {cards}', cards=spaced(table.known[seat]) or tr('nothing'))}")
        return lines

    # -- asking -------------------------------------------------------------------------------------------------

    def possible(self, look: face.Look[View]) -> str:
        if look.kind == "row":
            return tr("Type the number of the row that you take: 1 to {most}.", most=ROWS)
        if look.kind == "keep" and look.view.table.taken is not None:
            cards = spaced(look.view.table.taken.cards)
            return tr("Type the card that goes to your X row: {cards}.", cards=cards)
        return tr("Type one of your cards: {cards}.", cards=spaced(look.view.hand))

    def read(self, look: face.Look[View], text: str) -> Action:
        value = self.the_number(look, text, "row", "card", "take", "keep", "play")
        if look.kind == "row":
            return ChooseRow(value)
        return KeepCard(value) if look.kind == "keep" else PlayCard(value)

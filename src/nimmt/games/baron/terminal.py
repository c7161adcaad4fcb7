"""Baron Oxx at a terminal. Colours are letters first: nobody has to tell red from green."""

from __future__ import annotations

from functools import lru_cache

from rich.text import Text

from nimmt.clients.terminal import face
from nimmt.clients.terminal.pieces import BULL, Card, Choice, Hand, Panel, SeatLine, sheet
from nimmt.clients.terminal.words import cards_told, either, language, page_text, tr
from nimmt.games.baron.deck import BARONS, COLOURS, Deck, faces
from nimmt.games.baron.placing import fitting_rows, foresee
from nimmt.games.baron.types import (
    ROW_LIMIT,
    ROWS,
    CardsDrawn,
    CardsRevealed,
    ChooseRow,
    PlayCard,
    Table,
    View,
    draw_pile_size,
)
from nimmt.rules.game import Action, Cards, Event
from nimmt.rules.kit.cards import totals
from nimmt.rules.kit.events import spaced

LETTERS = {"blue": "B", "yellow": "Y", "green": "G", "red": "R", "black": "K", "white": "W"}
STYLES = {
    "blue": "bright_blue",
    "yellow": "yellow",
    "green": "green",
    "red": "red",
    "black": "bright_black",
    "white": "bold white",
}


class Terminal(face.Face[View]):
    turn_begins = (CardsRevealed,)

    def legend(self) -> tuple[str, ...]:
        colours = ", ".join(f"{letter} {_colour(colour)}" for colour, letter in LETTERS.items())
        return (
            tr("{colours}; all6 the Baron", colours=colours),
            tr("B4 beside a row: four blue bulls lie there; with the sixth it is taken"),
            tr("→1,3 free: the card may go there for nothing; →4:9{bull} it would take nine bulls in row 4", bull=BULL),
        )

    # -- looking ------------------------------------------------------------------------------------------------

    def where(self, look: face.Look[View]) -> str:
        table = look.view.table
        turn = face.turn_shown(look, look.turn)
        parts = [tr("game {number} of {games}", number=table.round, games=table.options.games)]
        if table.options.bulls_are_good:
            parts += [tr("turn {turn}", turn=turn), tr("bulls are good")]
        else:
            parts += [
                tr("turn {turn} of {turns}", turn=turn, turns=draw_pile_size(table.seats)),
                tr("fewest bulls win"),
            ]
        return " · ".join(parts if table.options.games > 1 else parts[1:])

    def board(self, look: face.Look[View]) -> face.Board:
        table = look.view.table
        places = 0 if table.options.colour_counts else ROW_LIMIT
        lanes = [self._lane(look, row, cards, places) for row, cards in enumerate(table.rows, 1)]
        return face.Lanes(tuple(lanes))

    def _lane(self, look: face.Look[View], row: int, cards: Cards, places: int) -> face.Lane:
        table = look.view.table
        shown = faces(table.options.deck)
        sums = map(sum, zip(*[shown.counts[card] for card in cards], strict=True))
        colours = [
            Text(f"{LETTERS[colour]}{number}", STYLES[colour])
            for colour, number in zip(COLOURS, sums, strict=True)
            if number
        ]
        drawn = tuple(baron_card(table.options.deck, card, fresh=card == look.fresh) for card in cards)
        hint = _row_hint(table, row) if self.hints and look.kind in ("row", "take") else ""
        return face.Lane(row, drawn, places, shown.worth(cards), (Text(" ").join(colours),), hint)

    def panel(self, look: face.Look[View]) -> Panel:
        view, table = look.view, look.view.table
        over = len(table.scores) >= table.round
        sums = totals(table.scores if over else (*table.scores, table.bulls), table.seats)
        lines = [
            SeatLine(
                face.mark(seat, look.awaited, table.queue),
                self.name(seat, view.seat),
                (str(sums[seat]), str(view.hand_sizes[seat] + view.draw_sizes[seat]), face.card_cell(view, seat)),
                own=seat == view.seat,
                tail=face.earlier(table.scores, seat),
            )
            for seat in range(table.seats)
        ]
        return Panel(("", tr("sum"), tr("left"), tr("card"), tr("games") if table.scores else ""), tuple(lines))

    def hand(self, look: face.Look[View]) -> Hand:
        view, deck = look.view, look.view.table.options.deck
        if view.seat is None:
            return Hand("", ())
        if look.kind in ("row", "take"):
            card = view.table.queue[0].card
            return Hand(tr("The card that you place"), (Choice(baron_card(deck, card)),), self._rest(view))
        choices = [self._choice(view, card) for card in view.hand]
        return Hand(tr("{name}’s hand", name=self.names[view.seat]), tuple(choices))

    def _rest(self, view: View) -> tuple[str, ...]:
        flats = [baron_card(view.table.options.deck, card).flat for card in view.hand]
        return (tr("Your hand: {cards}", cards=" ".join(flats) or tr("empty")),)

    def _choice(self, view: View, card: int) -> Choice:
        shown = baron_card(view.table.options.deck, card, fresh=card == view.choice)
        return _hint(view.table, card, shown) if self.hints and view.table.rows else Choice(shown)

    def tell(self, event: Event) -> str:
        if isinstance(event, CardsDrawn) and len(set(event.sizes)) == 1:
            return tr("Everybody draws {cards}.", cards=cards_told(event.sizes[0]))
        return super().tell(event)

    def scores(self, view: View, width: int) -> list[str]:
        return sheet(self.names, view.table.scores, width, games=True)

    def everything(self, view: View) -> list[str]:
        table = view.table
        lines = [tr("All saw what was taken, and may remember:")]
        lines += [
            f"  {name}: {spaced(pile) or tr('nothing')}" for name, pile in zip(self.names, table.piles, strict=True)
        ]
        if table.options.bulls_are_good:
            lines += ["", tr("Cards that went under the draw piles, or came from there into the hands:")]
            lines += [
                f"  {name}: {spaced(table.returned[seat]) or tr('none')}; "
                + tr("in hand {cards}", cards=spaced(table.known[seat]) or tr("none"))
                for seat, name in enumerate(self.names)
            ]
        return lines

    # -- asking -------------------------------------------------------------------------------------------------

    def question(self, look: face.Look[View]) -> str:
        asked = super().question(look)
        is_short = look.kind == "row" and language() == "en"  # in other languages the question names the card
        return f"{asked}: {look.view.table.queue[0].card}" if is_short else asked

    def possible(self, look: face.Look[View]) -> str:
        table = look.view.table
        if look.kind == "card":
            return tr("Type one of your cards: {cards}.", cards=spaced(look.view.hand))
        if look.kind == "take":
            return tr("Type the number of the row that you take: 1 to {most}.", most=ROWS)
        rows = fitting_rows(faces(table.options.deck), table.rows, table.queue[0].card)
        return tr("Type the number of a row that your card fits: {rows}.", rows=either(rows))

    def read(self, look: face.Look[View], text: str) -> Action:
        value = self.the_number(look, text, "row", "card", "take", "play")
        return PlayCard(value) if look.kind == "card" else ChooseRow(value)


# -- cards and hints -------------------------------------------------------------------------------------------


def _colour(colour: str) -> str:
    return (page_text(f"baron:colour.{colour}") if language() != "en" else None) or colour


@lru_cache(maxsize=512)
def _printed(deck: Deck | None, card: int) -> Card:
    counts = faces(deck).counts[card]
    letters = Text()
    for colour, number in zip(COLOURS, counts, strict=True):
        letters.append(LETTERS[colour] * number, STYLES[colour])
    flat = f"{card}:{letters.plain}"
    if card in BARONS:
        return Card(str(card), Text("all6", "bold magenta"), f"{card}:all6", "magenta")
    return Card(str(card), letters if len(letters) <= 4 else Text(f"{len(letters)}∀"), flat, "white")


def baron_card(deck: Deck | None, card: int, *, fresh: bool = False) -> Card:
    return _printed(deck, card)._replace(fresh=fresh) if fresh else _printed(deck, card)


def _row_hint(table: Table, row: int) -> str:
    found = [one for one in foresee(table, table.queue[0].card) if one.place == row]
    if not found:
        return tr("no colour")
    return tr("takes {bulls}", bulls=face.heads(found[0].bulls)) if found[0].takes else tr("free")


def _hint(table: Table, card: int, drawn: Card) -> Choice:
    foreseen = foresee(table, card)
    if foreseen[0].rule == "returned":
        returned = tr("fits no row: it would go under your draw pile")
        return Choice(drawn, returned, (tr("fits no row"), tr("comes back")), (tr("back"),))
    if foreseen[0].rule == "no-colour":
        return face.no_row(drawn, min(one.bulls for one in foreseen))
    free = [one.place for one in foreseen if not one.takes]
    taking = [one for one in foreseen if one.takes]
    told = [tr("free to row {rows}", rows=either(free))] if free else []
    told += [face.takes(one.place or 0, one.bulls) for one in taking]
    wide = [f"→{','.join(map(str, free))} {tr('free')}"] if free else []
    bites = [f"→{one.place}:{face.heads(one.bulls)}" for one in taking]
    wide += [" ".join(bites[start : start + 2]) for start in range(0, len(bites), 2)]
    narrow = ([f"→{','.join(map(str, free))}"] if free else []) + bites
    return Choice(drawn, ", ".join(told), tuple(wide), tuple(narrow[:2]), not free)

"""Baron Oxx at a terminal. Colours are letters first: nobody has to tell red from green."""

from __future__ import annotations

from functools import lru_cache

from rich.text import Text

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
    no_row,
    turn_shown,
)
from nimmt.clients.terminal.pieces import BULL, Card, Choice, Hand, Line, Panel, listed, sheet
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
from nimmt.rules.kit.events import count, spaced

LETTERS = {"blue": "B", "yellow": "Y", "green": "G", "red": "R", "black": "K", "white": "W"}
STYLES = {
    "blue": "bright_blue",
    "yellow": "yellow",
    "green": "green",
    "red": "red",
    "black": "bright_black",
    "white": "bold white",
}


class Terminal(Face[View]):
    turn_begins = (CardsRevealed,)
    legend = (
        ", ".join(f"{letter} {colour}" for colour, letter in LETTERS.items()) + "; all6 the Baron",
        "B4 beside a row: four blue bulls lie there; with the sixth it is taken",
        f"→1,3 free: the card may go there for nothing; →4:9{BULL} it would take nine bulls in row 4",
    )

    # -- looking ------------------------------------------------------------------------------------------------

    def where(self, look: Look[View]) -> str:
        table = look.view.table
        games = f"game {table.round} of {table.options.games} · " if table.options.games > 1 else ""
        turn = turn_shown(look, look.turn)
        of = "" if table.options.bulls_are_good else f" of {draw_pile_size(table.seats)}"
        aim = "bulls are good" if table.options.bulls_are_good else "fewest bulls win"
        return f"{games}turn {turn}{of} · {aim}"

    def board(self, look: Look[View]) -> Board:
        table = look.view.table
        places = 0 if table.options.colour_counts else ROW_LIMIT
        lanes = [self._lane(look, row, cards, places) for row, cards in enumerate(table.rows, 1)]
        return Lanes(tuple(lanes))

    def _lane(self, look: Look[View], row: int, cards: Cards, places: int) -> Lane:
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
        return Lane(row, drawn, places, shown.worth(cards), (Text(" ").join(colours),), hint)

    def panel(self, look: Look[View]) -> Panel:
        view, table = look.view, look.view.table
        over = len(table.scores) >= table.round
        sums = totals(table.scores if over else (*table.scores, table.bulls), table.seats)
        lines = [
            Line(
                mark(seat, look.awaited, table.queue),
                self.name(seat, view.seat),
                (str(sums[seat]), str(view.hand_sizes[seat] + view.draw_sizes[seat]), card_cell(view, seat)),
                own=seat == view.seat,
                tail=earlier(table.scores, seat),
            )
            for seat in range(table.seats)
        ]
        return Panel(("", "sum", "left", "card", "games" if table.scores else ""), tuple(lines))

    def hand(self, look: Look[View]) -> Hand:
        view, deck = look.view, look.view.table.options.deck
        if view.seat is None:
            return Hand("", ())
        if look.kind in ("row", "take"):
            card = view.table.queue[0].card
            return Hand("The card that you place", (Choice(baron_card(deck, card)),), self._rest(view))
        choices = [self._choice(view, card) for card in view.hand]
        return Hand(f"{self.names[view.seat]}’s hand", tuple(choices))

    def _rest(self, view: View) -> tuple[str, ...]:
        flats = [baron_card(view.table.options.deck, card).flat for card in view.hand]
        return (f"Your hand: {' '.join(flats) or 'empty'}",)

    def _choice(self, view: View, card: int) -> Choice:
        shown = baron_card(view.table.options.deck, card, fresh=card == view.choice)
        return _hint(view.table, card, shown) if self.hints and view.table.rows else Choice(shown)

    def tell(self, event: Event) -> str:
        if isinstance(event, CardsDrawn) and len(set(event.sizes)) == 1:
            return f"Everybody draws {count(event.sizes[0], 'card')}."
        return super().tell(event)

    def scores(self, view: View, width: int) -> list[str]:
        return sheet(self.names, view.table.scores, width, "game")

    def everything(self, view: View) -> list[str]:
        table = view.table
        lines = ["All saw what was taken, and may remember:"]
        lines += [f"  {name}: {spaced(pile) or 'nothing'}" for name, pile in zip(self.names, table.piles, strict=True)]
        if table.options.bulls_are_good:
            lines += ["", "Cards that went under the draw piles, or came from there into the hands:"]
            lines += [
                f"  {name}: {spaced(table.returned[seat]) or 'none'}; in hand {spaced(table.known[seat]) or 'none'}"
                for seat, name in enumerate(self.names)
            ]
        return lines

    # -- asking -------------------------------------------------------------------------------------------------

    def question(self, look: Look[View]) -> str:
        asked = super().question(look)
        return f"{asked}: {look.view.table.queue[0].card}" if look.kind == "row" else asked

    def possible(self, look: Look[View]) -> str:
        table = look.view.table
        if look.kind == "card":
            return f"Type one of your cards: {spaced(look.view.hand)}."
        if look.kind == "take":
            return f"Type the number of the row that you take: 1 to {ROWS}."
        rows = fitting_rows(faces(table.options.deck), table.rows, table.queue[0].card)
        return f"Type the number of a row that your card fits: {listed(rows)}."

    def read(self, look: Look[View], text: str) -> Action:
        value = self.the_number(look, text, "row", "card", "take", "play")
        return PlayCard(value) if look.kind == "card" else ChooseRow(value)


# -- cards and hints -------------------------------------------------------------------------------------------


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
        return "no colour"
    return f"takes {heads(found[0].bulls)}" if found[0].takes else "free"


def _hint(table: Table, card: int, drawn: Card) -> Choice:
    foreseen = foresee(table, card)
    if foreseen[0].rule == "returned":
        return Choice(drawn, "fits no row: it would go under your draw pile", ("fits no row", "comes back"), ("back",))
    if foreseen[0].rule == "no-colour":
        return no_row(drawn, min(one.bulls for one in foreseen))
    free = [one.place for one in foreseen if not one.takes]
    taking = [one for one in foreseen if one.takes]
    told = ([f"free to row {listed(free)}"] if free else []) + [
        f"takes row {one.place}: {count(one.bulls, 'bull')}" for one in taking
    ]
    wide = [f"→{','.join(map(str, free))} free"] if free else []
    bites = [f"→{one.place}:{heads(one.bulls)}" for one in taking]
    wide += [" ".join(bites[start : start + 2]) for start in range(0, len(bites), 2)]
    narrow = ([f"→{','.join(map(str, free))}"] if free else []) + bites
    return Choice(drawn, ", ".join(told), tuple(wide), tuple(narrow[:2]), not free)

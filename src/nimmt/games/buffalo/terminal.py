"""Beat the Buffalo at a terminal: the team decides about special cards in plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text

from nimmt.clients.terminal.face import (
    NO,
    YES,
    Board,
    Face,
    Lane,
    Lanes,
    Look,
    Unclear,
    card_cell,
    find_name,
    heads,
    mark,
    number,
    numbers,
    row_hint,
    turn_shown,
    words,
)
from nimmt.clients.terminal.pieces import BULL, Choice, Hand, Line, Panel, listed, number_card, number_cards
from nimmt.games.buffalo import types
from nimmt.games.buffalo.events import (
    PRINTED,
    CardsRevealed,
    SeatPassed,
    describe,
    who,
)
from nimmt.games.buffalo.placing import foresee, limit, open_rows, row_for_buffalo
from nimmt.games.buffalo.specials import PIECES
from nimmt.games.buffalo.types import (
    BUFFALO,
    DOUBLED_SEATS,
    HAND,
    Agree,
    AnyUse,
    ChooseRow,
    Decline,
    Pass,
    Play,
    PlayCard,
    Propose,
    Push,
    Sort,
    SwapCard,
    Table,
    Use,
    View,
    kind,
)
from nimmt.rules.game import Action, Seat
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import count, spaced

# -- buffalo -----------------------------------------------------------------------------------------------------------

ENOUGH_TO_LIST = 12
"""More pushes than that are not listed: `push 7 3` is shorter."""

HOW = {
    "Push": "push 7 3 moves card 7 to row 3 (table lists all)",
    "Sort": "sort and the cards in their new order, as in sort 14 8 25",
}


AT_A_ROW: dict[str, Callable[[int], AnyUse]] = {
    "stop": types.Stop,
    "lift": types.Lift,
    "insert": types.Insert,
}
OF_A_SEAT: dict[str, Callable[[Seat], AnyUse]] = {
    "swap": types.Swap,
    "first": types.First,
    "last": types.Last,
}


class Terminal(Face[View]):
    quiet = (SeatPassed,)
    turn_begins = (CardsRevealed,)
    open_kinds = frozenset(("special", "answer"))
    legend = (
        f"→2 the card would go to row 2; 6{BULL} it would take six bulls",
        f"any 1{BULL}+ it fits no open row: its owner takes one, for one bull or more",
        "Take 7!, Stop! beside a row: it holds six cards; it is closed",
    )

    # -- looking ------------------------------------------------------------------------------------------------

    def where(self, look: Look[View]) -> str:
        return f"turn {turn_shown(look, look.turn)} of {HAND}"

    def board(self, look: Look[View]) -> Board:
        table = look.view.table
        lanes = []
        for row, cards in enumerate(table.rows, 1):
            remarks = tuple(Text(PRINTED[kind(special)], "bold magenta") for special in table.beside[row - 1])
            lanes.append(Lane(row, number_cards(cards, look.fresh), limit(table, row), bulls(cards), remarks))
        return Lanes(tuple(lanes))

    def panel(self, look: Look[View]) -> Panel:
        view, table = look.view, look.view.table
        places = {play.seat: place for place, play in enumerate(table.queue, 1)}
        lines = [
            Line(
                mark(seat, look.awaited, () if look.awaited else table.queue),
                "the buffalo" if seat == BUFFALO else self.name(seat, view.seat),
                (str(places.get(seat, "")), card_cell(view, seat) if seat >= 0 else _buffalo(table)),
                own=seat == view.seat,
                tail=self._fate(table, places.get(seat)),
            )
            for seat in (*range(table.seats), BUFFALO)
        ]
        return Panel(("", "no.", "card", ""), tuple(lines), self._standing(view))

    def _fate(self, table: Table, place: int | None) -> str:
        """Where a card that lies open would go, as the rows are now."""
        if place is None or not self.hints:
            return ""
        return " ".join(_narrow(table, table.queue[place - 1]))

    def _standing(self, view: View) -> tuple[str, ...]:
        table = view.table
        points = table.bulls * (2 if table.seats <= DOUBLED_SEATS else 1)
        twice = f" ({count(table.bulls, 'bull')}, twice)" if table.seats <= DOUBLED_SEATS else ""
        lines = [f"Team {points}{twice}, buffalo {table.buffalo_bulls}"]
        if table.face_up or view.specials_left:
            kinds = [PRINTED[kind(special)] for special in sorted(table.face_up)]
            lines.append(f"Special: {', '.join(kinds) or 'none'}")
            lines.append(f"  {view.specials_left} more face down")
        return tuple(lines)

    def hand(self, look: Look[View]) -> Hand:
        view = look.view
        below = (f"Your hand: {' '.join(card.flat for card in number_cards(view.hand))}",) if view.hand else ()
        if look.kind == "special":
            short, hows = _shortlist(view.table)
            items = [f"{place} {self._told(view.table, use)}" for place, use in enumerate(short, 1)]
            title = "Special cards (Enter passes once, pass all until the next turn)"
            return Hand(title, (), (*hows, *below), tuple(items))
        if look.kind == "answer" and view.table.window is not None and view.table.window.proposal is not None:
            proposal = view.table.window.proposal
            told = f"{self.names[proposal.seat]} proposes {self._told(view.table, proposal.use)}. All must agree."
            return Hand("A proposal", (), (told, *below))
        if view.seat is None:
            return Hand("", ())
        choices = [self._choice(view, card) for card in view.hand]
        return Hand(f"{self.names[view.seat]}’s hand", tuple(choices))

    def _told(self, table: Table, use: AnyUse) -> str:
        """A use in words, with the cards that it is about."""
        cards = {play.seat: play.card for play in table.queue}
        match use:
            case types.Lift(row=row):
                return f"lift Stop! from row {row}"
            case Sort(order=order):
                return f"Sort: {', '.join(f'{cards[seat]} ({who(self.names, seat)})' for seat in order)}"
            case types.Swap(seat=seat) | types.First(seat=seat) | types.Last(seat=seat):
                return f"{describe(use, self.names)} ({cards[seat]})"
        return describe(use, self.names)

    def _choice(self, view: View, card: int) -> Choice:
        shown, table = number_card(card, fresh=card == view.choice), view.table
        if not self.hints or not table.rows or view.seat is None:
            return Choice(shown)
        return row_hint(shown, foresee(table, card))

    def everything(self, view: View) -> list[str]:
        table = view.table
        lines = [
            f"The team's pile: {spaced(table.pile) or 'nothing'} ({count(table.bulls, 'bull')}).",
            f"The buffalo's pile: {count(table.buffalo_taken, 'card')} ({count(table.buffalo_bulls, 'bull')}).",
            f"Special cards out of the game: {', '.join(PRINTED[kind(card)] for card in table.used) or 'none'}.",
        ]
        lines += [f"{self.names[play.seat]} took {play.card} back into the hand." for play in table.known]
        uses = _uses(table)
        if uses:
            lines += ["", "What the team could do with special cards now:"]
            lines += [f"{place:>4} {self._told(table, use)}" for place, use in enumerate(uses, 1)]
        return lines

    def scores(self, view: View, width: int) -> list[str]:
        del width
        return list(self._standing(view))

    # -- asking -------------------------------------------------------------------------------------------------

    def question(self, look: Look[View]) -> str:
        if look.kind == "special":
            return "which special card?"
        if look.kind == "answer":
            return "do you agree? yes or no"
        return super().question(look)

    def possible(self, look: Look[View]) -> str:
        view, table = look.view, look.view.table
        if look.kind == "special":
            return (
                "Type a number of the list, words like stop 2 or first Ben, or pass; "
                "pass all passes until the next turn."
            )
        if look.kind == "answer":
            return "Type yes or no."
        if look.kind == "row":
            return f"Type the number of the row that you take: {listed(open_rows(table))}."
        back = table.known[-1].card if look.kind == "swap" else None
        return f"Type one of your cards: {spaced(tuple(card for card in view.hand if card != back))}."

    def read(self, look: Look[View], text: str) -> Action:
        if look.kind == "special":
            return self._special(look, words(text))
        if look.kind == "answer":
            return self._answer(look, text.casefold())
        value = self.the_number(look, text, "row", "card", "take", "play", "swap")
        if look.kind == "row":
            return ChooseRow(value)
        return SwapCard(value) if look.kind == "swap" else PlayCard(value)

    def standing(self, look: Look[View], text: str) -> bool:
        return look.kind == "special" and words(text) == ["pass", "all"]

    def _answer(self, look: Look[View], text: str) -> Action:
        if text in YES:
            return Agree()
        if text in NO:
            return Decline()
        raise Unclear(self.possible(look))

    def _special(self, look: Look[View], given: list[str]) -> Action:
        if given in ([], ["pass"], ["p"], ["pass", "all"]):
            return Pass()
        if given[0] in ("propose", "use"):
            given = given[1:]
        use = self._use(look, [word for word in given if word not in ("row", "card", "at", "to", "of", "for")])
        if use is None:
            raise Unclear(self.possible(look))
        return Use(use) if look.view.table.options.decide == "anyone" else Propose(use)

    def _use(self, look: Look[View], given: list[str]) -> AnyUse | None:
        table = look.view.table
        values = numbers(given)
        match given:
            case [word] if (place := number(word)) is not None:
                uses = _uses(table)
                return uses[place - 1] if 1 <= place <= len(uses) else None
            case ["take", "7", _] | ["take", _]:
                return types.Take7(values[-1]) if values else None
            case ["stop" | "lift" | "insert" as name, _]:
                return AT_A_ROW[name](values[0]) if values else None
            case ["push", _, _]:
                return Push(values[0], values[1]) if len(values) == 2 else None
            case ["sort", *_]:
                return self._order(table, values) if len(values) == len(given) - 1 else None
            case ["swap"] if look.asked is not None:
                return types.Swap(look.asked)
            case ["swap" | "first" | "last" as name, *rest] if rest:
                return self._about_seat(table, name, rest)
        return None

    def _about_seat(self, table: Table, name: str, given: Sequence[str]) -> AnyUse | None:
        """A use that names whose card is meant: by the name of the seat or by the card."""
        card = number(given[0])
        owner = next((play.seat for play in table.queue if play.card == card), None)
        seat = owner if owner is not None else find_name(self.names, " ".join(given), range(table.seats))
        return None if seat is None else OF_A_SEAT[name](seat)

    def _order(self, table: Table, cards: list[int]) -> Sort:
        """The cards in their new order; those that are not named follow as they lie."""
        owners = {play.card: play.seat for play in table.queue}
        for card in cards:
            if card not in owners:
                waiting = ", ".join(f"{play.card} ({who(self.names, play.seat)})" for play in table.queue)
                raise Unclear(f"{card} is not waiting to be placed. These are: {waiting or 'none'}.")
        rest = [play.card for play in table.queue if play.card not in cards]
        return Sort(tuple(owners[card] for card in (*cards, *rest)))


def _uses(table: Table) -> list[AnyUse]:
    """All uses but the orders of a Sort, of which there may be thousands; pushes last, as they are many."""
    kinds = dict.fromkeys(kind(special) for special in table.face_up)
    uses = [use for name in (*kinds, "Lift") if name != "Sort" for use in PIECES[name].uses(table)]
    return sorted(uses, key=lambda use: isinstance(use, Push))


def _shortlist(table: Table) -> tuple[list[AnyUse], list[str]]:
    """The uses that are worth a list, and in words how to ask for the others."""
    uses = _uses(table)
    hows = []
    if len(uses) > ENOUGH_TO_LIST:
        if any(isinstance(use, Push) for use in uses):
            hows.append(f"Push!: {HOW['Push']}")
        uses = [use for use in uses if not isinstance(use, Push)]
    if next(PIECES["Sort"].uses(table), None) is not None and any(kind(special) == "Sort" for special in table.face_up):
        hows.append(f"Sort: {HOW['Sort']}")
    return uses, hows


def _buffalo(table: Table) -> str:
    return next((str(play.card) for play in table.queue if play.seat == BUFFALO), "")


def _narrow(table: Table, play: Play) -> tuple[str, str]:
    foreseen = foresee(table, play.card)
    if not foreseen:
        return "none", ""
    if len(foreseen) > 1 or foreseen[0].rule == "too-low":
        if play.seat == BUFFALO:
            row = row_for_buffalo(table)
            return f"→{row}", heads(bulls(table.rows[row - 1]))
        return "any", f"{heads(min(one.bulls for one in foreseen))}+"
    one = foreseen[0]
    return f"→{one.place}", heads(one.bulls) if one.takes else "free"

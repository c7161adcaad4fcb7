"""Beat the Buffalo at a terminal: the team decides about special cards in plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import msgspec
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
from nimmt.clients.terminal.pieces import BULL, Choice, Hand, Panel, SeatLine, number_card, number_cards
from nimmt.clients.terminal.words import bulls_told, cards_told, either, language, page_text, tr
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
    Kind,
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
    Withdraw,
    kind,
)
from nimmt.rules.game import Action, Seat
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import spaced

# -- buffalo -----------------------------------------------------------------------------------------------------------

ENOUGH_TO_LIST = 12
"""More pushes than that are not listed: `push 7 3` is shorter."""

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

    def legend(self) -> tuple[str, ...]:
        return (
            tr("→2 the card would go to row 2; 6{bull} it would take six bulls", bull=BULL),
            tr("any 1{bull}+ it fits no open row: its owner takes one, for one bull or more", bull=BULL),
            tr(
                "{take7}, {stop} beside a row: it holds six cards; it is closed",
                take7=_kind("Take7"),
                stop=_kind("Stop"),
            ),
        )

    def called(self, action: Action) -> str | None:
        match action:
            case Propose(use=use) | Use(use=use):
                return _described(use, self.names)
            case Agree():
                return tr("Agree")
            case Decline():
                return tr("Decline")
            case Withdraw():
                return tr("Withdraw")
            case Pass():
                return tr("Pass")
        return None

    def special(self, kind: str) -> str:
        return _kind("Stop" if kind == "Lift" else cast(Kind, kind))

    # -- looking ------------------------------------------------------------------------------------------------

    def where(self, look: Look[View]) -> str:
        return tr("turn {turn} of {turns}", turn=turn_shown(look, look.turn), turns=HAND)

    def board(self, look: Look[View]) -> Board:
        table = look.view.table
        lanes = []
        for row, cards in enumerate(table.rows, 1):
            remarks = tuple(Text(_kind(kind(special)), "bold magenta") for special in table.beside[row - 1])
            lanes.append(Lane(row, number_cards(cards, look.fresh), limit(table, row), bulls(cards), remarks))
        return Lanes(tuple(lanes))

    def panel(self, look: Look[View]) -> Panel:
        view, table = look.view, look.view.table
        places = {play.seat: place for place, play in enumerate(table.queue, 1)}
        lines = [
            SeatLine(
                mark(seat, look.awaited, () if look.awaited else table.queue),
                _who(self.names, seat) if seat == BUFFALO else self.name(seat, view.seat),
                (str(places.get(seat, "")), card_cell(view, seat) if seat >= 0 else _buffalo(table)),
                own=seat == view.seat,
                tail=self._fate(table, places.get(seat)),
            )
            for seat in (*range(table.seats), BUFFALO)
        ]
        return Panel(("", tr("no."), tr("card"), ""), tuple(lines), self._standing(view))

    def _fate(self, table: Table, place: int | None) -> str:
        """Where a card that lies open would go, as the rows are now."""
        if place is None or not self.hints:
            return ""
        return " ".join(_narrow(table, table.queue[place - 1]))

    def _standing(self, view: View) -> tuple[str, ...]:
        table = view.table
        points = table.bulls * (2 if table.seats <= DOUBLED_SEATS else 1)
        lines = [tr("Team {team}, buffalo {buffalo}", team=points, buffalo=table.buffalo_bulls)]
        if table.seats <= DOUBLED_SEATS:
            told = bulls_told(table.bulls)
            lines = [
                tr(
                    "Team {team} ({bulls}, twice), buffalo {buffalo}",
                    team=points,
                    bulls=told,
                    buffalo=table.buffalo_bulls,
                )
            ]
        if table.face_up or view.specials_left:
            kinds = [_kind(kind(special)) for special in sorted(table.face_up)]
            lines.append(tr("Special: {cards}", cards=", ".join(kinds) or tr("none")))
            lines.append(f"  {tr('{count} more face down', count=view.specials_left)}")
        return tuple(lines)

    def hand(self, look: Look[View]) -> Hand:
        view = look.view
        held = " ".join(card.flat for card in number_cards(view.hand))
        below = (tr("Your hand: {cards}", cards=held),) if view.hand else ()
        if look.kind == "special":
            short, hows = _shortlist(view.table)
            items = [f"{place} {self._told(view.table, use)}" for place, use in enumerate(short, 1)]
            title = tr("Special cards (Enter passes once, pass all until the next turn)")
            return Hand(title, (), (*hows, *below), tuple(items))
        if look.kind == "answer" and view.table.window is not None and view.table.window.proposal is not None:
            proposal = view.table.window.proposal
            use = self._told(view.table, proposal.use)
            told = tr("{name} proposes {use}. All must agree.", name=self.names[proposal.seat], use=use)
            return Hand(tr("A proposal"), (), (told, *below))
        if view.seat is None:
            return Hand("", ())
        choices = [self._choice(view, card) for card in view.hand]
        return Hand(tr("{name}’s hand", name=self.names[view.seat]), tuple(choices))

    def _told(self, table: Table, use: AnyUse) -> str:
        """A use in words, with the cards that it is about."""
        cards = {play.seat: play.card for play in table.queue}
        match use:
            case types.Lift(row=row):
                return tr("lift Stop! from row {row}", row=row)
            case Sort(order=order):
                new = ", ".join(f"{cards[seat]} ({_who(self.names, seat)})" for seat in order)
                return f"{_kind('Sort')}: {new}"
            case types.Swap(seat=seat) | types.First(seat=seat) | types.Last(seat=seat):
                return f"{_described(use, self.names)} ({cards[seat]})"
        return _described(use, self.names)

    def _choice(self, view: View, card: int) -> Choice:
        shown, table = number_card(card, fresh=card == view.choice), view.table
        if not self.hints or not table.rows or view.seat is None:
            return Choice(shown)
        return row_hint(shown, foresee(table, card))

    def everything(self, view: View) -> list[str]:
        table = view.table
        lines = [
            tr(
                "The team's pile: {cards} ({bulls}).",
                cards=spaced(table.pile) or tr("nothing"),
                bulls=bulls_told(table.bulls),
            ),
            tr(
                "The buffalo's pile: {cards} ({bulls}).",
                cards=cards_told(table.buffalo_taken),
                bulls=bulls_told(table.buffalo_bulls),
            ),
            tr(
                "Special cards out of the game: {cards}.",
                cards=", ".join(_kind(kind(card)) for card in table.used) or tr("none"),
            ),
        ]
        lines += [
            tr("{name} took {card} back into the hand.", name=self.names[play.seat], card=play.card)
            for play in table.known
        ]
        uses = _uses(table)
        if uses:
            lines += ["", tr("What the team could do with special cards now:")]
            lines += [f"{place:>4} {self._told(table, use)}" for place, use in enumerate(uses, 1)]
        return lines

    def scores(self, view: View, width: int) -> list[str]:
        del width
        return list(self._standing(view))

    # -- asking -------------------------------------------------------------------------------------------------

    def question(self, look: Look[View]) -> str:
        if look.kind == "special":
            return tr("which special card?")
        if look.kind == "answer":
            return tr("do you agree? yes or no")
        return super().question(look)

    def possible(self, look: Look[View]) -> str:
        view, table = look.view, look.view.table
        if look.kind == "special":
            return tr(
                "Type a number of the list, words like stop 2 or first Ben, or pass; "
                "pass all passes until the next turn."
            )
        if look.kind == "answer":
            return tr("Type yes or no.")
        if look.kind == "row":
            return tr("Type the number of the row that you take: {rows}.", rows=either(open_rows(table)))
        back = table.known[-1].card if look.kind == "swap" else None
        cards = spaced(tuple(card for card in view.hand if card != back))
        return tr("Type one of your cards: {cards}.", cards=cards)

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
                waiting = ", ".join(f"{play.card} ({_who(self.names, play.seat)})" for play in table.queue)
                said = tr(
                    "{card} is not waiting to be placed. These are: {cards}.", card=card, cards=waiting or tr("none")
                )
                raise Unclear(said)
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
            hows.append(f"{_kind('Push')}: {tr('push 7 3 moves card 7 to row 3 (table lists all)')}")
        uses = [use for use in uses if not isinstance(use, Push)]
    if next(PIECES["Sort"].uses(table), None) is not None and any(kind(special) == "Sort" for special in table.face_up):
        hows.append(f"{_kind('Sort')}: {tr('sort and the cards in their new order, as in sort 14 8 25')}")
    return uses, hows


def _kind(name: Kind) -> str:
    """What is printed on a special card."""
    return (page_text(f"buffalo:kind.{name}") if language() != "en" else None) or PRINTED[name]


def _who(names: Sequence[str], seat: Seat) -> str:
    if seat == BUFFALO and language() != "en":
        return page_text("buffalo:buffalo") or who(names, seat)
    return who(names, seat)


def _described(use: AnyUse, names: Sequence[str]) -> str:
    if language() == "en":
        return describe(use, names)
    told = msgspec.to_builtins(use)
    name = _who(names, told["seat"]) if "seat" in told else ""
    order = ", ".join(_who(names, seat) for seat in told.get("order", ()))
    return page_text(f"buffalo:use.{told['type']}", **{**told, "name": name, "order": order}) or describe(use, names)


def _buffalo(table: Table) -> str:
    return next((str(play.card) for play in table.queue if play.seat == BUFFALO), "")


def _narrow(table: Table, play: Play) -> tuple[str, str]:
    foreseen = foresee(table, play.card)
    if not foreseen:
        return tr("none"), ""
    if len(foreseen) > 1 or foreseen[0].rule == "too-low":
        if play.seat == BUFFALO:
            row = row_for_buffalo(table)
            return f"→{row}", heads(bulls(table.rows[row - 1]))
        return tr("any"), f"{heads(min(one.bulls for one in foreseen))}+"
    one = foreseen[0]
    return f"→{one.place}", heads(one.bulls) if one.takes else tr("free")

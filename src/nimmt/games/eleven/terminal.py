"""11 nimmt! at a terminal."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.clients.terminal.face import Board, Face, Look, Piles, Unclear, earlier, find_name, mark, number, words
from nimmt.clients.terminal.pieces import BULL, Choice, Hand, Panel, SeatLine, number_card, number_cards
from nimmt.clients.terminal.words import bulls_told, cards_told, either, tr
from nimmt.games.eleven.rules import layings
from nimmt.games.eleven.types import (
    ChooseGiver,
    EndTurn,
    HandsDealt,
    LayCard,
    Table,
    TakePile,
    View,
    givers,
    laid_on,
)
from nimmt.rules.game import Action, Seat
from nimmt.rules.kit.cards import bulls, totals
from nimmt.rules.kit.events import spaced


class Terminal(Face[View]):
    choices = ()
    round_begins = (HandsDealt,)
    going_on = frozenset(("more",))

    def legend(self) -> tuple[str, ...]:
        return (
            tr("→1,3 the card may go on pile 1 or pile 3; – it fits no pile"),
            tr("on 33 below a pile: this turn's cards there are measured from 33"),
            tr("{bull} cards: bull cards, each one lets you lay on another pile", bull=BULL),
        )

    def called(self, action: Action) -> str | None:
        match action:
            case EndTurn():
                return tr("End turn")
            case ChooseGiver(seat=seat):
                return self.names[seat]
        return None

    # -- looking ------------------------------------------------------------------------------------------------

    def where(self, look: Look[View]) -> str:
        table = look.view.table
        rounds = table.options.rounds or table.seats
        return tr(
            "round {number} of {rounds} · draw pile {cards} · bull cards left {left}",
            number=table.round,
            rounds=rounds,
            cards=table.draw_left,
            left=table.supply,
        )

    def board(self, look: Look[View]) -> Board:
        table = look.view.table
        laid = [laid_on(table, pile) for pile in range(1, len(table.tops) + 1)]
        return Piles(
            number_cards(table.tops, look.fresh), tuple(tr("on {card}", card=pile.on) if pile else "" for pile in laid)
        )

    def panel(self, look: Look[View]) -> Panel:
        view, table = look.view, look.view.table
        sums = totals(table.scores, table.seats)
        lines = [
            SeatLine(
                mark(seat, look.awaited, ()),
                self.name(seat, view.seat),
                (str(sums[seat]), str(table.hand_sizes[seat]), str(table.bull_cards[seat])),
                own=seat == view.seat,
                tail=earlier(table.scores, seat),
            )
            for seat in range(table.seats)
        ]
        return Panel(
            ("", tr("sum"), tr("hand"), tr("{bull} cards", bull=BULL), tr("rounds") if table.scores else ""),
            tuple(lines),
        )

    def hand(self, look: Look[View]) -> Hand:
        view = look.view
        if view.seat is None:
            return Hand("", ())
        fitting = _fitting(view)
        choices = [self._choice(view, card, fitting.get(card, [])) for card in view.hand]
        cards = f"{cards_told(len(view.hand))}, {bulls_told(bulls(view.hand))}"
        title = tr("{name}’s hand", name=self.names[view.seat])
        return Hand(f"{title}: {cards}", tuple(choices))

    def _choice(self, view: View, card: int, piles: list[int]) -> Choice:
        shown = number_card(card)
        if not self.hints or not view.table.tops:
            return Choice(shown)
        if not piles:
            return Choice(shown, tr("fits no pile"), (tr("no pile"),), ("–",), costs=True)
        wide = tuple(tr("→{pile} on {top}", pile=pile, top=view.table.tops[pile - 1]) for pile in piles)
        narrow = (f"→{','.join(map(str, piles))}",)
        return Choice(shown, tr("on {piles}", piles=_piles_told(view.table, piles)), wide, narrow)

    def everything(self, view: View) -> list[str]:
        lines = [tr("All saw these cards being picked up on top of a pile, and may remember:")]
        lines += [
            f"  {name}: {spaced(known) or tr('nothing')}"
            for name, known in zip(self.names, view.table.known, strict=True)
        ]
        return [*lines, "", tr("Seen lying open in this round: {cards}.", cards=spaced(view.table.seen))]

    # -- asking -------------------------------------------------------------------------------------------------

    def possible(self, look: Look[View]) -> str:
        table = look.view.table
        if look.kind == "giver":
            return tr("Type the name of the player who gives you a bull card: {names}.", names=self._givers(table))
        if look.kind == "more":
            return tr("Type a card and a pile, as in 36 1, or end if you lay no more.")
        if _fitting(look.view):
            said = tr("Type a card and a pile to lay it, as in 36 1; or take and a pile to take it, as in take {pile}.",
                      pile=len(table.tops))  # fmt: skip
        else:
            said = tr("None of your cards fits: type take and a pile to take it, as in take {pile}.",
                      pile=len(table.tops))  # fmt: skip
        return said

    def _givers(self, table: Table) -> str:
        return either([self.names[seat] for seat in givers(table)])

    def read(self, look: Look[View], text: str) -> Action:
        if look.kind == "giver":
            return ChooseGiver(self._giver(look, text))
        left = [word for word in words(text) if word not in ("lay", "on", "pile", "card", "play")]
        match left:
            case ["end" | "done" | "stop"]:
                return EndTurn()
            case ["take" | "t", word] if (pile := number(word)) is not None:
                return TakePile(pile)
            case ["take" | "t"] if len(look.view.table.tops) == 1:
                return TakePile(1)
            case [first, second] if (card := number(first)) is not None and (pile := number(second)) is not None:
                return LayCard(card, pile)
            case [word] if (card := number(word)) is not None:
                return LayCard(card, self._only_pile(look, card))
        raise Unclear(self.possible(look))

    def _only_pile(self, look: Look[View], card: int) -> int:
        """Where the card goes if nobody says: clear as long as it fits one pile alone."""
        view = look.view
        piles = _fitting(view).get(card, [])
        if len(piles) == 1:
            return piles[0]
        if piles:
            told = _piles_told(view.table, piles)
            raise Unclear(tr("{card} fits {piles}: type {card} {pile}, say.", card=card, piles=told, pile=piles[0]))
        held = card in view.hand
        what = tr("{card} fits no pile now.", card=card) if held else tr("{card} is not in your hand.", card=card)
        raise Unclear(f"{what} {self.possible(look)}")

    def _giver(self, look: Look[View], text: str) -> Seat:
        seat = find_name(self.names, text, givers(look.view.table))
        if seat is None:
            raise Unclear(self.possible(look))
        return seat


def _fitting(view: View) -> dict[int, list[int]]:
    """The piles that each card may be laid on, now or, as the piles lie, in the next own turn."""
    table = view.table
    if view.seat is not None and table.turn != view.seat:
        table = replace(table, turn=view.seat, laid=())
    fitting: dict[int, list[int]] = {}
    for action in layings(table, view.hand):
        if isinstance(action, LayCard):
            fitting.setdefault(action.card, []).append(action.pile)
    return fitting


def _piles_told(table: Table, piles: list[int]) -> str:
    return either(f"{tr('pile {pile}', pile=pile)} ({table.tops[pile - 1]})" for pile in piles)

"""11 nimmt! at a terminal."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.clients.terminal.face import Board, Face, Look, Piles, Unclear, earlier, find_name, mark, number, words
from nimmt.clients.terminal.pieces import BULL, Choice, Hand, Line, Panel, listed, number_card, number_cards
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
from nimmt.rules.kit.events import count, spaced


class Terminal(Face[View]):
    choices = ()
    round_begins = (HandsDealt,)
    going_on = frozenset(("more",))
    legend = (
        "→1,3 the card may go on pile 1 or pile 3; – it fits no pile",
        "on 33 below a pile: this turn's cards there are measured from 33",
        f"{BULL} cards: bull cards, each one lets you lay on another pile",
    )

    # -- looking ------------------------------------------------------------------------------------------------

    def where(self, look: Look[View]) -> str:
        table = look.view.table
        rounds = table.options.rounds or table.seats
        return f"round {table.round} of {rounds} · draw pile {table.draw_left} · bull cards left {table.supply}"

    def board(self, look: Look[View]) -> Board:
        table = look.view.table
        laid = [laid_on(table, pile) for pile in range(1, len(table.tops) + 1)]
        return Piles(number_cards(table.tops, look.fresh), tuple(f"on {pile.on}" if pile else "" for pile in laid))

    def panel(self, look: Look[View]) -> Panel:
        view, table = look.view, look.view.table
        sums = totals(table.scores, table.seats)
        lines = [
            Line(
                mark(seat, look.awaited, ()),
                self.name(seat, view.seat),
                (str(sums[seat]), str(table.hand_sizes[seat]), str(table.bull_cards[seat])),
                own=seat == view.seat,
                tail=earlier(table.scores, seat),
            )
            for seat in range(table.seats)
        ]
        return Panel(("", "sum", "hand", f"{BULL} cards", "rounds" if table.scores else ""), tuple(lines))

    def hand(self, look: Look[View]) -> Hand:
        view = look.view
        if view.seat is None:
            return Hand("", ())
        fitting = _fitting(view)
        choices = [self._choice(view, card, fitting.get(card, [])) for card in view.hand]
        cards = f"{count(len(view.hand), 'card')}, {count(bulls(view.hand), 'bull')}"
        return Hand(f"{self.names[view.seat]}’s hand: {cards}", tuple(choices))

    def _choice(self, view: View, card: int, piles: list[int]) -> Choice:
        shown = number_card(card)
        if not self.hints or not view.table.tops:
            return Choice(shown)
        if not piles:
            return Choice(shown, "fits no pile", ("no pile",), ("–",), costs=True)
        wide = tuple(f"→{pile} on {view.table.tops[pile - 1]}" for pile in piles)
        return Choice(shown, f"on {_piles_told(view.table, piles)}", wide, (f"→{','.join(map(str, piles))}",))

    def everything(self, view: View) -> list[str]:
        lines = ["All saw these cards being picked up on top of a pile, and may remember:"]
        lines += [
            f"  {name}: {spaced(known) or 'nothing'}" for name, known in zip(self.names, view.table.known, strict=True)
        ]
        return [*lines, "", f"Seen lying open in this round: {spaced(view.table.seen)}."]

    # -- asking -------------------------------------------------------------------------------------------------

    def possible(self, look: Look[View]) -> str:
        table = look.view.table
        if look.kind == "giver":
            return f"Type the name of the player who gives you a bull card: {self._givers(table)}."
        if look.kind == "more":
            return "Type a card and a pile, as in 36 1, or end if you lay no more."
        lay = "Type a card and a pile to lay it, as in 36 1; " if _fitting(look.view) else "None of your cards fits: "
        return f"{lay}or take and a pile to take it, as in take {len(table.tops)}.".replace(": or", ": type")

    def _givers(self, table: Table) -> str:
        return listed([self.names[seat] for seat in givers(table)])

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
            raise Unclear(f"{card} fits {_piles_told(view.table, piles)}: type {card} {piles[0]}, say.")
        what = "fits no pile now" if card in view.hand else "is not in your hand"
        raise Unclear(f"{card} {what}. {self.possible(look)}")

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
    return listed(f"pile {pile} ({table.tops[pile - 1]})" for pile in piles)

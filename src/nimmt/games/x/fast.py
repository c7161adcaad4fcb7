"""X nimmt! on flat arrays."""

from __future__ import annotations

from nimmt.fast.game import RowGame
from nimmt.fast.jit import Flat
from nimmt.fast.parts import BULLS
from nimmt.games.x import GAME, kernels, outlook, sight
from nimmt.games.x.kernels import PHASES, STATE
from nimmt.games.x.types import ChooseRow, KeepCard, PlayCard, State, View
from nimmt.rules.game import Action, Seat
from nimmt.rules.kit.events import CardPlaced


class FastX(RowGame):
    rules = GAME
    state = STATE
    decks = ("numbers",)
    phases = PHASES
    step_events = (CardPlaced,)

    def load_into(self, s: Flat, state: State) -> None:
        super().load_into(s, state)
        table = state.table
        for seat in range(table.seats):
            x_row, pile = list(table.x_rows[seat]), list(table.x_piles[seat])
            s["x_rows"][seat, : len(x_row)] = x_row
            s["x_lengths"][seat] = len(x_row)
            s["x_bulls"][seat] = BULLS[x_row].sum()
            s["pile_bulls"][seat] = BULLS[pile].sum()
            s["owner"][pile] = seat + 1
        if table.taken:
            s["taker"], s["takes"] = table.taken.seat, len(table.taken.cards)
            s["taken"][: s["takes"]] = table.taken.cards
        if table.phase == "over":
            s["points"][: table.seats] = table.scores[-1]

    def encode(self, action: Action) -> int:
        match action:
            case PlayCard(card=number) | KeepCard(card=number) | ChooseRow(row=number):
                return number
        raise TypeError(f"{action} is not an action of X nimmt!")

    def decode(self, state: State | View, seat: Seat, code: int) -> Action:
        del seat
        phase = state.table.phase
        return PlayCard(code) if phase == "choose" else ChooseRow(code) if phase == "row" else KeepCard(code)


FAST = FastX(kernels, sight, outlook)

"""Baron Oxx on flat arrays."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt.fast.game import RowGame, field_bytes
from nimmt.fast.jit import Flat, Flats
from nimmt.games.baron import GAME, kernels, outlook, sight
from nimmt.games.baron.deck import faces
from nimmt.games.baron.kernels import BULLS_ARE_GOOD, COLOUR_BITS, COLOUR_COUNTS, DRAW_SPACE, STATE
from nimmt.games.baron.types import CardPlaced, CardReturned, ChooseRow, Options, PlayCard, State, View
from nimmt.rules.game import Action, Seat


class FastBaron(RowGame):
    rules = GAME
    state = STATE
    decks = ("baron",)
    step_events = (CardPlaced, CardReturned)

    def template(self, options: Options, seats: int, round_number: int = 1) -> Flats:
        del round_number
        flat, shown = super().template(options, seats), faces(options.deck)
        flat["variants"] = COLOUR_COUNTS * options.colour_counts + BULLS_ARE_GOOD * options.bulls_are_good
        flat["card_colours"], flat["card_bulls"] = shown.colours, shown.bulls
        flat["card_counts"] = [
            sum(count << COLOUR_BITS * colour for colour, count in enumerate(counts)) for counts in shown.counts
        ]
        return flat

    def load_into(self, s: Flat, state: State) -> None:
        super().load_into(s, state)
        table = state.table
        s["idle"], s["moved"] = table.idle, table.phase == "row"
        for row, cards in enumerate(map(list, table.rows)):
            s["worth"][row] = s["card_bulls"][cards].sum()
            s["counts"][row] = s["card_counts"][cards].sum()
        for seat, draw in enumerate(state.draw_piles):
            s["draw"][seat, : len(draw)] = draw
            s["draw_sizes"][seat] = len(draw)
            s["owner"][list(table.piles[seat])] = seat + 1
            s["bulls"][seat] = table.bulls[seat]
        if table.phase == "over":
            s["points"][: table.seats] = table.scores[-1]

    def encode(self, action: Action) -> int:
        match action:
            case PlayCard(card=number) | ChooseRow(row=number):
                return number
        raise TypeError(f"{action} is not an action of Baron Oxx.")

    def decode(self, state: State | View, seat: Seat, code: int) -> Action:
        del seat
        return PlayCard(code) if state.table.phase == "choose" else ChooseRow(code)

    def places(self, view: View) -> Sequence[Sequence[int]]:
        first, table = field_bytes(STATE, "draw"), view.table
        found: list[int] = []
        for seat in range(table.seats):
            found += self.hand_places(view, seat)
            strange = view.draw_sizes[seat] - len(table.returned[seat])
            found += [first + DRAW_SPACE * seat + i for i in range(strange)]
        return (found,)


FAST = FastBaron(kernels, sight, outlook)

"""Baron Oxx: 110 cards, 5 rows."""

from __future__ import annotations

from collections.abc import Iterator

from nimmt.envs.codec import Codec, Feature, ends, numbers, plane, planes, word
from nimmt.games.baron.deck import COLOURS, HIGHEST, faces
from nimmt.games.baron.types import HAND, MAX_DRAW_PILE, ROWS, ChooseRow, PlayCard, Table, View
from nimmt.rules.game import Action
from nimmt.rules.kit.cards import totals

PHASES = ("choose", "row", "over")


class BaronCodec(Codec):
    actions = HIGHEST + ROWS

    def encode(self, view: View, action: Action) -> int:
        del view
        match action:
            case PlayCard(card=card):
                return card - 1
            case ChooseRow(row=row):
                return HIGHEST + row - 1
        raise ValueError(f"{action} has no number.")

    def decode(self, view: View, number: int) -> Action:
        del view
        return ChooseRow(number - HIGHEST + 1) if number >= HIGHEST else PlayCard(number + 1)

    def features(self, view: View) -> Iterator[Feature]:
        table, seats, shown = view.table, self.around(view.seat), faces(view.table.options.deck)
        plays = {play.seat: (play.card,) for play in table.queue}
        sums = totals(table.scores, table.seats)
        colours = [
            sum(shown.counts[card][colour] for card in row) for row in table.rows for colour in range(len(COLOURS))
        ]
        yield "hand", plane(view.hand, HIGHEST)
        yield "rows", planes(table.rows, HIGHEST, ROWS)
        yield "ends", planes(ends(table.rows), HIGHEST, ROWS)
        yield "row_lengths", numbers(map(len, table.rows), 10, ROWS)
        yield "row_bulls", numbers(map(shown.worth, table.rows), 30, ROWS)
        yield "row_colours", numbers(colours, 6, ROWS * len(COLOURS))
        yield "queue", planes([plays.get(seat, ()) for seat in seats], HIGHEST, self.seats)
        yield "piles", planes([table.piles[seat] for seat in seats], HIGHEST, self.seats)
        yield "returned", planes([table.returned[seat] for seat in seats], HIGHEST, self.seats)
        yield "known", planes([table.known[seat] for seat in seats], HIGHEST, self.seats)
        yield "phase", word(table.phase, PHASES)
        yield "hand_sizes", numbers([view.hand_sizes[seat] for seat in seats], HAND, self.seats)
        yield "draw_sizes", numbers([view.draw_sizes[seat] for seat in seats], MAX_DRAW_PILE, self.seats)
        yield "bulls", numbers([table.bulls[seat] for seat in seats], 100, self.seats)
        yield "totals", numbers([sums[seat] for seat in seats], 100, self.seats)
        yield "idle", numbers([table.idle], MAX_DRAW_PILE, 1)
        yield "round", numbers([table.round], 20, 1)

    def scores(self, table: Table) -> tuple[int, ...]:
        sums = totals(table.scores, table.seats)
        now = table.bulls if table.phase in ("choose", "row") else (0,) * table.seats
        sign = 1 if table.options.bulls_are_good else -1
        return tuple(sign * (total + taken) for total, taken in zip(sums, now, strict=True))


CODEC = BaronCodec

"""X nimmt!: 100 cards (to play or to keep), 3 rows."""

from __future__ import annotations

from collections.abc import Iterator

from nimmt.envs.codec import Codec, Feature, ends, numbers, one_of, plane, planes, word
from nimmt.games.x.types import HIGHEST, ROWS, ChooseRow, KeepCard, PlayCard, Table, View
from nimmt.rules.game import Action
from nimmt.rules.kit.cards import bulls, totals

PHASES = ("choose", "row", "keep", "over")


class XCodec(Codec):
    actions = HIGHEST + ROWS

    def encode(self, view: View, action: Action) -> int:
        del view
        match action:
            case PlayCard(card=card) | KeepCard(card=card):
                return card - 1
            case ChooseRow(row=row):
                return HIGHEST + row - 1
        raise ValueError(f"{action} has no number.")

    def decode(self, view: View, number: int) -> Action:
        if number >= HIGHEST:
            return ChooseRow(number - HIGHEST + 1)
        return KeepCard(number + 1) if view.table.taken else PlayCard(number + 1)

    def features(self, view: View) -> Iterator[Feature]:
        table, seats, taking = view.table, self.around(view.seat), view.table.taken
        plays = {play.seat: (play.card,) for play in table.queue}
        sums = totals(table.scores, table.seats)
        yield "hand", plane(view.hand, HIGHEST)
        yield "rows", planes(table.rows, HIGHEST, ROWS)
        yield "ends", planes(ends(table.rows), HIGHEST, ROWS)
        yield "row_lengths", numbers(map(len, table.rows), 4, ROWS)
        yield "row_bulls", numbers(map(bulls, table.rows), 20, ROWS)
        yield "queue", planes([plays.get(seat, ()) for seat in seats], HIGHEST, self.seats)
        yield "taken", plane(taking.cards if taking else (), HIGHEST)
        yield "taker", one_of(seats.index(taking.seat) if taking else None, self.seats)
        yield "x_rows", planes([table.x_rows[seat] for seat in seats], HIGHEST, self.seats)
        yield "x_piles", planes([table.x_piles[seat] for seat in seats], HIGHEST, self.seats)
        yield "known", planes([table.known[seat] for seat in seats], HIGHEST, self.seats)
        yield "phase", word(table.phase, PHASES)
        yield "hand_sizes", numbers([view.hand_sizes[seat] for seat in seats], 20, self.seats)
        yield "totals", numbers([sums[seat] for seat in seats], 100, self.seats)
        yield "round", numbers([table.round], 20, 1)

    def scores(self, table: Table) -> tuple[int, ...]:
        """Points are counted when a round ends, not before."""
        return tuple(-total for total in totals(table.scores, table.seats))


CODEC = XCodec

"""X nimmt!: 100 cards (to play or to keep), 3 rows."""

from __future__ import annotations

from collections.abc import Iterator

from nimmt.envs.codec import Codec, Feature, by_card, ends, holders, listed, one_of, plane, rows_of, word
from nimmt.games.x.batch import MAX_ROW_LENGTH
from nimmt.games.x.types import HIGHEST, ROWS, ChooseRow, KeepCard, PlayCard, Table, View
from nimmt.rules.game import Action
from nimmt.rules.kit.cards import bulls, totals

PHASES = ("choose", "row", "keep", "over")


class XCodec(Codec):
    actions = HIGHEST + ROWS
    highest = HIGHEST

    def encode(self, view: View, action: Action) -> int:
        del view
        match action:
            case PlayCard(card=card) | KeepCard(card=card):
                return card - 1
            case ChooseRow(row=row):
                return HIGHEST + row - 1
        raise ValueError(f"{action} has no number.")

    def _decode(self, view: View, number: int) -> Action:
        if number >= HIGHEST:
            return ChooseRow(number - HIGHEST + 1)
        return KeepCard(number + 1) if view.table.taken else PlayCard(number + 1)

    def features(self, view: View) -> Iterator[Feature]:
        table, seats, taking = view.table, self.around(view.seat), view.table.taken
        plays = {play.seat: play.card for play in table.queue}
        sums = totals(table.scores, table.seats)
        yield "hand", plane(view.hand, HIGHEST), 1
        yield "rows", rows_of(table.rows, ROWS, MAX_ROW_LENGTH), HIGHEST
        yield "row_lengths", listed(map(len, table.rows), ROWS), MAX_ROW_LENGTH
        yield "ends", listed(ends(table.rows), ROWS), HIGHEST
        yield "row_bulls", listed(map(bulls, table.rows), ROWS), 20
        yield "queue", [plays.get(seat, 0) for seat in seats], HIGHEST
        yield "taken", listed(taking.cards if taking else (), MAX_ROW_LENGTH), HIGHEST
        yield "taker", one_of(seats.index(taking.seat) if taking else None, self.seats), 1
        yield "x_ends", ends([table.x_rows[seat] for seat in seats]), HIGHEST
        yield "x_lengths", [len(table.x_rows[seat]) for seat in seats], 10
        yield "x_bulls", [bulls(table.x_rows[seat]) for seat in seats], 20
        yield "pile_bulls", [bulls(table.x_piles[seat]) for seat in seats], 50
        yield "known", by_card(holders(table.known[seat] for seat in seats), HIGHEST), self.seats
        yield "phase", word(table.phase, PHASES), 1
        yield "hand_sizes", [view.hand_sizes[seat] for seat in seats], 20
        yield "totals", [sums[seat] for seat in seats], 100
        yield "round", [table.round], 20

    def scores(self, table: Table) -> tuple[int, ...]:
        """Points are counted when a round ends, not before."""
        return tuple(-total for total in totals(table.scores, table.seats))


CODEC = XCodec

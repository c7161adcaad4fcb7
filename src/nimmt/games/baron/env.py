"""Baron Oxx: 110 cards, 5 rows."""

from __future__ import annotations

from collections.abc import Iterator

from nimmt.envs.codec import Codec, Feature, by_card, ends, holders, listed, word
from nimmt.games.baron.deck import COLOURS, HIGHEST, faces
from nimmt.games.baron.types import HAND, MAX_DRAW_PILE, ROW_LIMIT, ROWS, ChooseRow, PlayCard, Table, View
from nimmt.rules.game import Action
from nimmt.rules.kit.cards import totals

PHASES = ("choose", "row", "over")
NO_COLOURS = (0,) * len(COLOURS)


class BaronCodec(Codec):
    actions = HIGHEST + ROWS
    highest = HIGHEST

    def encode(self, view: View, action: Action) -> int:
        del view
        match action:
            case PlayCard(card=card):
                return card - 1
            case ChooseRow(row=row):
                return HIGHEST + row - 1
        raise ValueError(f"{action} has no number.")

    def _decode(self, view: View, number: int) -> Action:
        del view
        return ChooseRow(number - HIGHEST + 1) if number >= HIGHEST else PlayCard(number + 1)

    def features(self, view: View) -> Iterator[Feature]:
        table, seats, shown = view.table, self.around(view.seat), faces(view.table.options.deck)
        plays = {play.seat: play.card for play in table.queue}
        sums, rows = totals(table.scores, table.seats), table.rows or ((),) * ROWS
        in_rows = [sum(shown.counts[card][colour] for card in row) for row in rows for colour in range(len(COLOURS))]
        yield "hand", listed(view.hand, HAND), HIGHEST
        yield "hand_colours", [n for card in listed(view.hand, HAND) for n in _colours(shown.counts, card)], 6
        yield "row_lengths", list(map(len, rows)), ROW_LIMIT
        yield "ends", ends(rows), HIGHEST
        yield "row_bulls", list(map(shown.worth, rows)), 30
        yield "row_colours", in_rows, 6
        yield "end_colours", [n for card in ends(rows) for n in _colours(shown.counts, card)], 6
        yield "queue", [plays.get(seat, 0) for seat in seats], HIGHEST
        yield "phase", word(table.phase, PHASES), 1
        yield "hand_sizes", [view.hand_sizes[seat] for seat in seats], HAND
        yield "draw_sizes", [view.draw_sizes[seat] for seat in seats], MAX_DRAW_PILE
        yield "bulls", [table.bulls[seat] for seat in seats], 100
        yield "totals", [sums[seat] for seat in seats], 100
        yield "idle", [table.idle], MAX_DRAW_PILE
        yield "round", [table.round], 20
        if table.options.bulls_are_good:
            known = holders(table.known[seat] for seat in seats)
            known |= {card: -whose for card, whose in holders(table.returned[seat] for seat in seats).items()}
            yield "known", by_card(known, HIGHEST), self.seats

    def scores(self, table: Table) -> tuple[int, ...]:
        sums = totals(table.scores, table.seats)
        now = table.bulls if table.phase in ("choose", "row") else (0,) * table.seats
        sign = 1 if table.options.bulls_are_good else -1
        return tuple(sign * (total + taken) for total, taken in zip(sums, now, strict=True))


def _colours(counts: tuple[tuple[int, ...], ...], card: float) -> tuple[int, ...]:
    """Bulls of each colour on a card; nothing if there is none."""
    return counts[int(card)] if card else NO_COLOURS


CODEC = BaronCodec

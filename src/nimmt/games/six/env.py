"""6 nimmt!: 104 cards (to play or to draft), 99 cards to play with the twist card, 4 rows."""

from __future__ import annotations

from collections.abc import Iterator

from nimmt.envs.codec import Codec, Feature, ends, flags, numbers, one_of, plane, planes, word
from nimmt.games.six.types import ROWS, ChooseRow, DraftCard, PlayCard, Table, View
from nimmt.rules.game import Action
from nimmt.rules.kit.cards import HIGHEST, bulls, totals

TWISTS = HIGHEST
"""Where the twisted cards begin; those with three digits cannot be twisted."""
CHOICES = TWISTS + 99
PHASES = ("draft", "choose", "row", "over")


class SixCodec(Codec):
    actions = CHOICES + ROWS

    def encode(self, view: View, action: Action) -> int:
        del view
        match action:
            case PlayCard(card=card, twisted=twisted):
                return (TWISTS if twisted else 0) + card - 1
            case DraftCard(card=card):
                return card - 1
            case ChooseRow(row=row):
                return CHOICES + row - 1
        raise ValueError(f"{action} has no number.")

    def decode(self, view: View, number: int) -> Action:
        if number >= CHOICES:
            return ChooseRow(number - CHOICES + 1)
        if number >= TWISTS:
            return PlayCard(number - TWISTS + 1, True)
        return DraftCard(number + 1) if view.table.phase == "draft" else PlayCard(number + 1)

    def features(self, view: View) -> Iterator[Feature]:
        table, seats = view.table, self.around(view.seat)
        plays = {play.seat: (play.card,) for play in table.queue}
        sums = totals(table.scores, table.seats)
        yield "hand", plane(view.hand, HIGHEST)
        yield "rows", planes(table.rows, HIGHEST, ROWS)
        yield "ends", planes(ends(table.rows), HIGHEST, ROWS)
        yield "row_lengths", numbers(map(len, table.rows), 5, ROWS)
        yield "row_bulls", numbers(map(bulls, table.rows), 30, ROWS)
        yield "taken", plane(table.taken, HIGHEST)
        yield "queue", planes([plays.get(seat, ()) for seat in seats], HIGHEST, self.seats)
        yield "pool", plane(table.pool, HIGHEST)
        yield "drafted", planes([table.drafted[seat] for seat in seats] if table.drafted else (), HIGHEST, self.seats)
        yield from _markers(table)
        yield "twists", flags(table.twists[seat] for seat in seats)
        yield "phase", word(table.phase, PHASES)
        yield "hand_sizes", numbers([view.hand_sizes[seat] for seat in seats], 10, self.seats)
        yield "bulls", numbers([table.bulls[seat] for seat in seats], 50, self.seats)
        yield "totals", numbers([sums[seat] for seat in seats], table.options.target, self.seats)
        yield "round", numbers([table.round], 20, 1)

    def scores(self, table: Table) -> tuple[int, ...]:
        sums = totals(table.scores, table.seats)
        # Once a round is counted its bulls are in the sums.
        now = table.bulls if table.phase in ("choose", "row") else (0,) * table.seats
        return tuple(-total - taken for total, taken in zip(sums, now, strict=True))


def _markers(table: Table) -> Iterator[Feature]:
    parity, mountain, cow = table.markers.even_odd, table.markers.mountain, table.markers.cow
    yield "even_odd_row", one_of(parity.row - 1 if parity else None, ROWS)
    yield "even_odd", word(parity.parity if parity else None, ("even", "odd"))
    yield "mountain_row", one_of(mountain.row - 1 if mountain else None, ROWS)
    yield "mountain", word(mountain.arrows if mountain else None, ("up", "down"))
    yield "cow_row", one_of(cow - 1 if cow else None, ROWS)


CODEC = SixCodec

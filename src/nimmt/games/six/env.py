"""6 nimmt!: 104 cards (to play or to draft), 99 cards to play with the twist card, 4 rows."""

from __future__ import annotations

from collections.abc import Iterator

from nimmt.envs.codec import Codec, Feature, by_card, ends, holders, listed, one_of, rows_of, word
from nimmt.games.six.batch import CHOICES, TWISTS
from nimmt.games.six.types import HAND, ROW_LIMIT, ROWS, ChooseRow, DraftCard, PlayCard, Table, View, drafted_hands
from nimmt.rules.game import Action
from nimmt.rules.kit.cards import HIGHEST, bulls, totals

PHASES = ("draft", "choose", "row", "over")


class SixCodec(Codec):
    actions = CHOICES + ROWS
    highest = HIGHEST

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

    def _decode(self, view: View, number: int) -> Action:
        if number >= CHOICES:
            return ChooseRow(number - CHOICES + 1)
        if number >= TWISTS:
            return PlayCard(number - TWISTS + 1, True)
        return DraftCard(number + 1) if view.table.phase == "draft" else PlayCard(number + 1)

    def features(self, view: View) -> Iterator[Feature]:
        table, seats = view.table, self.around(view.seat)
        plays = {play.seat: -play.card if play.twisted else play.card for play in table.queue}
        sums = totals(table.scores, table.seats)
        yield "hand", listed(view.hand, HAND), HIGHEST
        yield "rows", rows_of(table.rows, ROWS, ROW_LIMIT), HIGHEST
        yield "row_lengths", listed(map(len, table.rows), ROWS), ROW_LIMIT
        yield "ends", listed(ends(table.rows), ROWS), HIGHEST
        yield "row_bulls", listed(map(bulls, table.rows), ROWS), 30
        yield "queue", [plays.get(seat, 0) for seat in seats], HIGHEST
        yield "phase", word(table.phase, PHASES), 1
        yield "hand_size", [len(view.hand)], HAND
        yield "bulls", [table.bulls[seat] for seat in seats], 50
        yield "totals", [sums[seat] for seat in seats], table.options.target
        yield "round", [table.round], 20
        yield from _fans(table, seats)
        if table.options.draft:
            hands = drafted_hands(table)
            held = holders(hands[seat] for seat in seats)
            yield "cards", by_card(held | dict.fromkeys(table.pool, -1), HIGHEST), self.seats

    def scores(self, table: Table) -> tuple[int, ...]:
        sums = totals(table.scores, table.seats)
        # Once a round is counted its bulls are in the sums.
        now = table.bulls if table.phase in ("choose", "row") else (0,) * table.seats
        return tuple(-total - taken for total, taken in zip(sums, now, strict=True))


def _fans(table: Table, seats: list[int]) -> Iterator[Feature]:
    parity, mountain, cow = table.markers.even_odd, table.markers.mountain, table.markers.cow
    fans = table.options.fan
    if "even-odd" in fans:
        sign = -1 if parity and parity.parity == "odd" else 1
        yield "even_odd", [sign * flag for flag in one_of(parity.row - 1 if parity else None, ROWS)], 1
    if "mountain" in fans:
        sign = -1 if mountain and mountain.arrows == "up" else 1
        yield "mountain", [sign * flag for flag in one_of(mountain.row - 1 if mountain else None, ROWS)], 1
    if "cow" in fans:
        yield "cow", one_of(cow - 1 if cow else None, ROWS), 1
    if "twist" in fans:
        yield "twists", [float(table.twists[seat]) for seat in seats], 1


CODEC = SixCodec

"""A face for games that have none of their own: what lies on the table by the names of its fields, and a numbered list
of all that may be done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rich.text import Text

from nimmt.clients.terminal.face import Board, Face, Look, Unclear, only_number
from nimmt.clients.terminal.pieces import NOBODY, QUIET, STRONG, WAITED_FOR, Hand, Panel, SeatLine, fit, sheet
from nimmt.rules.game import Action, Value, spoken
from nimmt.rules.kit.cards import points_so_far
from nimmt.rules.kit.events import spaced
from nimmt.rules.kit.notation import fields_of, items_of, write

ELSEWHERE = frozenset(("table", "seat", "seats", "options", "phase", "hand", "waiting", "points", "scores"))
"""Fields that are shown in a place of their own, or need not be."""
TOGETHER = 3
"""So many actions are listed in a sentence; more are counted."""


class Thing(NamedTuple):
    """One field of the table or the view."""

    name: str
    value: Any
    hint: Any

    @property
    def has_rows(self) -> bool:
        item = items_of(self.hint)
        return item is not None and items_of(item) is not None

    def is_each_seats(self, seats: int) -> bool:
        """As many as there are seats: then it is theirs."""
        return items_of(self.hint) is not None and len(self.value) == seats

    def of_seat(self, seat: int) -> str:
        return write(self.value[seat], items_of(self.hint)).replace(".", "–")

    def told(self) -> str:
        return write(self.value, self.hint)


def things(view: Any) -> Iterator[Thing]:
    structs: tuple[Value, Value] = (view.table, view)
    for struct in structs:
        for name, hint in fields_of(type(struct)).items():
            if name not in ELSEWHERE:
                yield Thing(spoken(name), getattr(struct, name), hint)


class Lines(NamedTuple):
    """What lies on the table, a line for each thing."""

    lines: tuple[tuple[str, str], ...]

    def told(self) -> list[str]:
        return [f"  {label}: {cards}" for label, cards in self.lines]

    def draw(self, width: int, level: int) -> list[Text]:
        del level
        column = max((len(label) for label, _ in self.lines), default=0)
        drawn = [Text().append(f"{label:<{column}}  ", QUIET).append(cards, STRONG) for label, cards in self.lines]
        return [fit(line, width, pad=False) for line in drawn]


class PlainFace(Face[Any]):
    """Knows nothing about the game but what its types say."""

    def where(self, look: Look[Any]) -> str:
        table = look.view.table
        counted = [f"{name} {getattr(table, name)}" for name in ("round", "turn") if hasattr(table, name)]
        return " · ".join(counted) or f"phase: {getattr(table, 'phase', 'play')}"

    def board(self, look: Look[Any]) -> Board:
        seats, lines = look.view.table.seats, []
        for thing in things(look.view):
            if thing.is_each_seats(seats):
                continue
            if thing.has_rows:
                rows = enumerate(thing.value, 1)
                lines += [(f"{thing.name} {number}", spaced(row) or "–") for number, row in rows]
            elif thing.value not in (None, False):
                lines.append((thing.name, thing.told()))
        return Lines(tuple(lines))

    def panel(self, look: Look[Any]) -> Panel:
        view, seats = look.view, range(look.view.table.seats)
        theirs = [thing for thing in things(view) if thing.is_each_seats(len(seats))]
        columns = [thing for thing in theirs if not thing.has_rows]
        points = points_so_far(view.table, len(seats))
        lines = [
            SeatLine(
                WAITED_FOR if seat in look.awaited else NOBODY,
                self.name(seat, view.seat),
                ("" if points is None else str(points[seat]), *(thing.of_seat(seat) for thing in columns)),
                own=seat == view.seat,
                below="; ".join(
                    f"{thing.name} {spaced(thing.value[seat]) or '–'}" for thing in theirs if thing.has_rows
                ),
            )
            for seat in seats
        ]
        return Panel(("", "" if points is None else "points", *(thing.name for thing in columns), ""), tuple(lines))

    def hand(self, look: Look[Any]) -> Hand:
        view = look.view
        if view.seat is None:
            return Hand("", ())
        held = getattr(view, "hand", ())
        title = f"{self.names[view.seat]}’s hand: {spaced(held) or 'empty'}"
        return Hand(title, (), items=tuple(self._listed(look)))

    def _listed(self, look: Look[Any]) -> list[str]:
        if look.kind is None:
            return []
        return [f"{number}) {action.label()}" for number, action in enumerate(self.game.legal_for(look.view), 1)]

    def everything(self, view: Any) -> list[str]:
        return [f"{thing.name}: {thing.told()}" for thing in things(view)]

    def scores(self, view: Any, width: int) -> list[str]:
        table = view.table
        if hasattr(table, "scores"):
            return sheet(self.names, table.scores, width)
        points = points_so_far(table, table.seats)
        if points is None:
            return ["Points are counted at the end."]
        return [f"{name}: {total}" for name, total in zip(self.names, points, strict=True)]

    # -- asking -------------------------------------------------------------------------------------------------

    def possible(self, look: Look[Any]) -> str:
        legal = self.game.legal_for(look.view)
        said = "; ".join(f"{number}: {action.label()}" for number, action in enumerate(legal[:TOGETHER], 1))
        return f"Type the number in front of what you do, 1 to {len(legal)} ({said}{' …' * (len(legal) > TOGETHER)})."

    def read(self, look: Look[Any], text: str) -> Action:
        legal = self.game.legal_for(look.view)
        exact = [action for action in legal if action.label().casefold() == " ".join(text.casefold().split())]
        if exact:
            return exact[0]
        place = only_number(text)
        if place is None or not 1 <= place <= len(legal):
            raise Unclear(self.possible(look))
        return legal[place - 1]

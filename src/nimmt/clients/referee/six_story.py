"""What happened in a turn of 6 nimmt!, with the reasons, fan cards included."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from nimmt.clients.referee.reasons import closest, none_lower
from nimmt.clients.referee.ruling import Step
from nimmt.clients.referee.six_markers import FIELDS, read_marker
from nimmt.rules.game import Cards, Event, Names, Rows
from nimmt.rules.games.six.events import CardsRevealed
from nimmt.rules.games.six.fans import CowJumped, MarkerMoved
from nimmt.rules.games.six.options import Options
from nimmt.rules.games.six.placing import pieces
from nimmt.rules.games.six.state import Markers, Play
from nimmt.rules.kit.events import CardPlaced, count


class Story:
    """Follows the events on a table of its own, to see what each card met there."""

    def __init__(self, options: Options, rows: Rows, markers: Markers, names: Names) -> None:
        self.fans = pieces(options.fan)
        self.rows = list(rows)
        self.markers = markers
        self.names = names
        self.plays: dict[int, Play] = {}
        self.steps: list[Step] = []
        self.cited: list[str] = []
        """Rules of fan cards that had a say in the step being told."""

    def follow(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case CardsRevealed():
                    self.plays = {play.card: play for play in event.plays}
                case CardPlaced():
                    self._placed(event)
                case CowJumped():
                    self._jumped(event)
                case MarkerMoved():
                    marker = read_marker(event.fan, f"{event.row}:{event.shows}")
                    self.markers = replace(self.markers, **{FIELDS[event.fan]: marker})
                    self.steps[-1].notes.append(event.tell(self.names))

    def _placed(self, event: CardPlaced) -> None:
        play, self.cited = self.plays[event.card], []
        reasons = self._reasons(play, event)
        self.steps.append(
            Step(
                seat=self.names[event.seat],
                card=event.card,
                value=play.value if play.twisted else UNSET,
                row=event.row,
                taken=event.taken,
                bulls=event.bulls,
                rule=event.rule,
                also=self.cited,
                sentence=event.tell(self.names),
                reasons=reasons,
            )
        )
        self.rows[event.row - 1] = (event.card,) if event.taken else (*self.rows[event.row - 1], event.card)

    def _jumped(self, event: CowJumped) -> None:
        self.markers = replace(self.markers, cow=event.row)
        if event.kept is None:
            self.steps[-1].notes.append(event.tell(self.names))
            return
        self.rows[event.row - 1] = (event.kept,)
        self.steps.append(
            Step(
                seat=self.names[event.seat],
                card=self.steps[-1].card,
                row=event.row,
                taken=event.taken,
                bulls=event.bulls,
                rule="cow",
                sentence=event.tell(self.names),
                kept=event.kept,
            )
        )

    # -- why ----------------------------------------------------------------------------------------------------

    def why_nowhere(self, play: Play) -> list[str]:
        """Rule 4: why the card may join no row."""
        told = f"{play.value} may join no row." if self.fans else none_lower(play.value, tuple(self.rows))
        return [*self._twist(play), *self._passed_over(play.value, None), told]

    def _reasons(self, play: Play, event: CardPlaced) -> list[str]:
        if event.rule == "too-low":
            return self.why_nowhere(play)
        return [
            *self._twist(play),
            *self._passed_over(play.value, event.row),
            self._why_there(play.value, event.row),
            *self._what_is_special(event.row, event.taken),
        ]

    def _twist(self, play: Play) -> list[str]:
        if not play.twisted:
            return []
        equal = any(other.value == play.value and not other.twisted for other in self.plays.values())
        return [
            f"{play.card} is played as {play.value:02}.",
            *([f"Of two {play.value} the twisted one is placed first."] if equal else []),
        ]

    def _passed_over(self, value: int, target: int | None) -> list[str]:
        """The rows that would be better if no fan card changed what fits there."""
        away = {row: abs(value - cards[-1]) for row, cards in enumerate(self.rows, 1)}
        reach = away[target] if target else max(away.values()) + 1
        rows = sorted((row for row in away if away[row] < reach), key=away.__getitem__)
        return [told for row in rows if (told := self._refused(row, value, closer=target is not None))]

    def _refused(self, row: int, value: int, *, closer: bool) -> str | None:
        end = self.rows[row - 1][-1]
        lead = f"{end} would be closer" if closer else f"{value} could follow {end}"
        in_order = self._in_order(row, value)
        if not in_order and value <= end:
            return None
        if self.markers.even_odd and not self._admitted(row, value):
            self._cite("even-odd")
            return f"{lead}, but row {row} takes only {self.markers.even_odd.parity} numbers."
        if in_order:
            return None
        self._cite("mountain")
        return f"{lead}, but in row {row} numbers descend."

    def _why_there(self, value: int, row: int) -> str:
        rows = range(1, len(self.rows) + 1)
        possible = {r: self.rows[r - 1][-1] for r in rows if self._in_order(r, value) and self._admitted(r, value)}
        for other, end in possible.items():
            if other != row and abs(value - end) == abs(value - possible[row]):
                both = f"{possible[row]} (row {row}) and {end} (row {other})"
                return f"{both} are equally close; on a tie the row with the mountain marker wins."
        return closest(value, possible, row)

    def _what_is_special(self, row: int, taken: Cards) -> list[str]:
        told = []
        if self._descends(row):
            self._cite("mountain")
            told.append(f"In row {row} numbers descend.")
        if taken and self.markers.cow == row:
            self._cite("cow")
            told.append(f"The cow counts as a card: with {count(len(taken), 'number')} and the cow row {row} is full.")
        return told

    def _cite(self, rule: str) -> None:
        if rule not in self.cited:
            self.cited.append(rule)

    def _descends(self, row: int) -> bool:
        return any(fan.descends(self.markers, row) for fan in self.fans)

    def _in_order(self, row: int, value: int) -> bool:
        end = self.rows[row - 1][-1]
        return value < end if self._descends(row) else value > end

    def _admitted(self, row: int, value: int) -> bool:
        return all(fan.admits(self.markers, row, value) for fan in self.fans)

"""Questions about 6 nimmt!, with or without fan cards."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
from msgspec import UNSET

from nimmt.clients.referee import questions
from nimmt.clients.referee.rulings import Ask, Course, Lane, Ruling, Step, bulls_taken, closest, none_lower, totals
from nimmt.games.six.fans import CowJumped, MarkerMoved
from nimmt.games.six.placing import pieces
from nimmt.games.six.position import table_position
from nimmt.games.six.rules import SIX
from nimmt.games.six.types import (
    ROWS,
    CardsRevealed,
    ChooseRow,
    Markers,
    MountainMarker,
    Options,
    ParityMarker,
    Play,
    PlayCard,
    Table,
    twisted,
)
from nimmt.rules.game import Cards, Names, Rows
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import CardPlaced, count, spaced
from nimmt.rules.kit.options import read_options

# -- six markers -------------------------------------------------------------------------------------------------------
# The markers of the fan cards as a flag takes them: `4:odd`, `3:up`, `2`, or with names `even-odd=4:odd cow=2`.

FIELDS = {"even-odd": "even_odd", "mountain": "mountain", "cow": "cow"}
"""The fan cards that lie at a row, and where their markers are kept."""

_FORMS = {"even-odd": "ROW:even or ROW:odd", "mountain": "ROW:up or ROW:down", "cow": "ROW"}
_EXAMPLES = {"even-odd": "even-odd=4:odd", "mountain": "mountain=4:up", "cow": "cow=4"}
_SHOWN = {"even": "even-odd", "odd": "even-odd", "up": "mountain", "down": "mountain", "": "cow"}


def read_markers(options: Options, rows: Rows, texts: questions.Texts) -> tuple[Markers, list[str]]:
    """The markers given. Others lie as at the start of a round, if this can be one, and a note says so."""
    given: dict[str, Any] = {}
    for word in questions.words(texts):
        fan, form = _fan_of(word, options)
        if fan in given:
            raise questions.UnclearQuestion(f"The marker of {fan} is given twice.")
        given[fan] = read_marker(fan, form)
    missing = [fan for fan in options.fan if fan in FIELDS and fan not in given]
    if missing and any(len(cards) > 1 for cards in rows):
        fan = missing[0]
        raise questions.UnclearQuestion(
            f"Where does the marker of {fan} lie? Say it with --marker, for example {_EXAMPLES[fan]}."
        )
    notes = [f"No marker of {fan} was given: it lies as at the start of a round." for fan in missing]
    return Markers(**{FIELDS[fan]: value for fan, value in given.items()}), notes


def _fan_of(word: str, options: Options) -> tuple[str, str]:
    """Whose marker it is: the name says it, or the form."""
    name, _, form = word.rpartition("=")
    fan = name or _SHOWN.get(form.partition(":")[2], "")
    if fan not in FIELDS:
        forms = "; ".join(f"{form} for {fan}" for fan, form in _FORMS.items())
        raise questions.UnclearQuestion(f"{word!r:.40} is not a marker. Write {forms}.")
    if fan not in options.fan:
        raise questions.UnclearQuestion(f"{word!r:.40} is a marker of {fan}, which is not in play: add --fan {fan}.")
    return fan, form


def read_marker(fan: str, form: str) -> ParityMarker | MountainMarker | int:
    row, _, shown = form.partition(":")
    if _SHOWN.get(shown) != fan:
        raise questions.UnclearQuestion(f"{form!r:.40} is not a marker of {fan}: write {_FORMS[fan]}.")
    number = questions.read_number(row, "a row")
    if fan == "even-odd":
        return msgspec.convert({"row": number, "parity": shown}, ParityMarker)
    return msgspec.convert({"row": number, "arrows": shown}, MountainMarker) if fan == "mountain" else number


def marker_facts(markers: Markers) -> dict[str, Any]:
    """For programs, as the flag takes them: the only one bare, several with their names."""
    lying = {fan: getattr(markers, field) for fan, field in FIELDS.items()}
    forms = {
        fan: str(marker) if isinstance(marker, int) else marker.to_text()
        for fan, marker in lying.items()
        if marker is not None
    }
    if not forms:
        return {}
    line = " ".join(f"{fan}={form}" for fan, form in forms.items())
    return {"marker": line if len(forms) > 1 else next(iter(forms.values())), "markers": forms}


def remarks(markers: Markers, row: int) -> tuple[str, ...]:
    """What lies at this row, for people."""
    told = []
    if markers.cow == row:
        told.append("the cow")
    if markers.even_odd and markers.even_odd.row == row:
        told.append(f"only {markers.even_odd.parity} numbers")
    if markers.mountain and markers.mountain.row == row:
        told.append(f"descends, arrows {markers.mountain.arrows}")
    return tuple(told)


# -- explaining --------------------------------------------------------------------------------------------------------
# What happened in a turn of 6 nimmt!, with the reasons, fan cards included.


class Explainer:
    """Follows the events and the tables that they met, to say why each card went where it did."""

    def __init__(self, table: Table, names: Names) -> None:
        self.table = table
        """As it was when what is being told happened."""
        self.fans = pieces(table.options.fan)
        self.names = names
        self.plays: dict[int, Play] = {}
        self.steps: list[Step] = []
        self.cited: list[str] = []
        """Rules of fan cards that had a say in the step being told."""

    def follow(self, course: Course) -> None:
        for self.table, event in course.told():
            match event:
                case CardsRevealed():
                    self.plays = {play.card: play for play in event.plays}
                case CardPlaced():
                    self._placed(event)
                case CowJumped():
                    self._jumped(event)
                case MarkerMoved():
                    self.steps[-1].notes.append(event.tell(self.names))
        self.table = course.state.table

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

    def _jumped(self, event: CowJumped) -> None:
        if event.kept is None:
            self.steps[-1].notes.append(event.tell(self.names))
            return
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
        told = f"{play.value} may join no row." if self.fans else none_lower(play.value, self.table.rows)
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
        away = {row: abs(value - cards[-1]) for row, cards in enumerate(self.table.rows, 1)}
        reach = away[target] if target else max(away.values()) + 1
        rows = sorted((row for row in away if away[row] < reach), key=away.__getitem__)
        return [told for row in rows if (told := self._refused(row, value, closer=target is not None))]

    def _refused(self, row: int, value: int, *, closer: bool) -> str | None:
        end = self.table.rows[row - 1][-1]
        lead = f"{end} would be closer" if closer else f"{value} could follow {end}"
        in_order = self._in_order(row, value)
        if not in_order and value <= end:
            return None
        if self.table.markers.even_odd and not self._admitted(row, value):
            self._cite("even-odd")
            return f"{lead}, but row {row} takes only {self.table.markers.even_odd.parity} numbers."
        if in_order:
            return None
        self._cite("mountain")
        return f"{lead}, but in row {row} numbers descend."

    def _why_there(self, value: int, row: int) -> str:
        rows = range(1, len(self.table.rows) + 1)
        possible = {
            r: self.table.rows[r - 1][-1] for r in rows if self._in_order(r, value) and self._admitted(r, value)
        }
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
        if taken and self.table.markers.cow == row:
            self._cite("cow")
            told.append(f"The cow counts as a card: with {count(len(taken), 'number')} and the cow row {row} is full.")
        return told

    def _cite(self, rule: str) -> None:
        if rule not in self.cited:
            self.cited.append(rule)

    def _descends(self, row: int) -> bool:
        return any(fan.descends(self.table.markers, row) for fan in self.fans)

    def _in_order(self, row: int, value: int) -> bool:
        end = self.table.rows[row - 1][-1]
        return value < end if self._descends(row) else value > end

    def _admitted(self, row: int, value: int) -> bool:
        return all(fan.admits(self.table.markers, row, value) for fan in self.fans)


# -- six ---------------------------------------------------------------------------------------------------------------

_ASKS = {"row": Ask("choose", "row", "row", ChooseRow)}


def settle(
    rows: str | None,
    play: questions.Texts,
    *,
    fan: questions.Texts = (),
    marker: questions.Texts = (),
    choose: questions.Texts = (),
) -> Ruling:
    lying = questions.read_rows(rows, "--rows", "12 | 37 | 43 | 58")
    names, cards = questions.read_plays(play, "A:3 B:9")
    seats, actions = questions.Seats(SIX, names), [_action(card) for card in cards]
    questions.check_rows(lying, ROWS, [action.card for action in actions])
    options = read_options(Options, {"fan": list(dict.fromkeys(questions.words(fan)))})
    markers, notes = read_markers(options, lying, marker)
    choices = questions.Choices(seats)
    choices.read("choose", choose, "row")

    state = table_position(lying, [[action.card] for action in actions], options=options, markers=markers)
    course, explainer = Course(SIX, seats.names, state), Explainer(state.table, seats.names)
    course.play(actions)
    course.answer(_ASKS, choices)
    explainer.follow(course)
    table, taken = course.state.table, bulls_taken(seats.names, explainer.steps)
    needs = course.needs(_ASKS, table.queue[0].card, explainer.why_nowhere(table.queue[0])) if course.open else None
    warnings = [*SIX.warnings(options, len(seats)), *_disorder(options, lying)]
    return Ruling(
        game=SIX,
        before=_lanes(lying, state.table.markers),
        after=_lanes(table.rows, table.markers),
        played=", ".join(f"{name} {_told(action)}" for name, action in zip(names, actions, strict=True)),
        steps=explainer.steps,
        needs=needs,
        facts={"rows": table.rows, **marker_facts(table.markers), "bulls": taken},
        totals=totals(taken),
        notes=notes,
        warnings=warnings if needs else warnings + choices.warnings(),
    )


def _action(word: str) -> PlayCard:
    return PlayCard(questions.read_number(word.removesuffix("~")), word.endswith("~"))


def _told(action: PlayCard) -> str:
    return f"{action.card} as {twisted(action.card):02}" if action.twisted else str(action.card)


def _disorder(options: Options, rows: Rows) -> list[str]:
    """Rows ascend, unless a fan card has mixed them: otherwise it is likely a slip of the pen."""
    if {"mountain", "twist"} & set(options.fan):
        return []
    mixed = [row for row, cards in enumerate(rows, 1) if any(left > right for left, right in pairwise(cards))]
    return [f"Row {row} does not ascend; only its last card counts." for row in mixed]


def _lanes(rows: Rows, markers: Markers) -> list[Lane]:
    return [Lane(f"row {row}", spaced(cards), bulls(cards), remarks(markers, row)) for row, cards in enumerate(rows, 1)]


QUESTION = questions.Question(
    (
        *questions.rows_and_plays("12 14 | 37 | 43 | 58", "A:3 B:24~"),
        questions.words_said(
            "fan", "NAME", "fan cards in play: even-odd, mountain, cow, twist; CARD~ is played twisted"
        ),
        questions.words_said(
            "marker",
            "MARKER",
            "where a fan card lies: 4:odd, 3:up or 4 (the cow); several: even-odd=4:odd cow=4",
        ),
    ),
    settle,
    """\
examples:
  nimmt referee six --rows "12 | 37 | 43 | 58" --play "14 15 44 61" --json
  nimmt referee six --rows "30 36 | 37 | 43 44 | 58 61" \\
      --play "A:3 B:9 C:68 D:83" --choose A:2
  nimmt referee six --fan even-odd --marker 4:odd \\
      --rows "31 | 10 20 30 40 52 | 92 | 85" --play 90
  nimmt referee six --fan mountain --marker 4:up \\
      --rows "5 | 12 | 70 | 30 29 28 27 26" --play 21
  nimmt referee six --fan cow --marker 1 \\
      --rows "1 5 9 13 | 78 | 104 | 53" --play 43
  nimmt referee six --fan twist \\
      --rows "10 | 19 20 21 22 23 | 30 | 41" --play 24~
""",
)

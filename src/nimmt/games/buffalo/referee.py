"""Questions about Beat the Buffalo: the rows, with Take 7! and Stop! lying at them.

How the team uses its other special cards is a matter of whole positions and actions.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from nimmt.clients.referee import questions
from nimmt.clients.referee.rulings import Ask, Course, Lane, Ruling, Step, bulls_taken, closest, lower_ends, none_lower
from nimmt.games.buffalo.events import PRINTED, CardPlaced, SpecialRemoved
from nimmt.games.buffalo.placing import lies_at
from nimmt.games.buffalo.position import table_position
from nimmt.games.buffalo.rules import BUFFALO_GAME
from nimmt.games.buffalo.turns import go_on
from nimmt.games.buffalo.types import BUFFALO, MAX_SEATS, ROWS, ChooseRow, Kind, Pass, Play, State, Table, kind
from nimmt.rules.game import Names, Rows
from nimmt.rules.kit.cards import HIGHEST, bulls, deck
from nimmt.rules.kit.events import count, spaced

_ASKS = {"row": Ask("choose", "row", "row", ChooseRow)}
_NAME = "buffalo"


def settle(
    rows: str | None,
    play: questions.Texts = (),
    *,
    buffalo: str | None = None,
    take7: questions.Texts = (),
    stop: questions.Texts = (),
    choose: questions.Texts = (),
) -> Ruling:
    lying = questions.read_rows(rows, "--rows", "12 | 37 | 43 | 58")
    names, cards = questions.read_plays(play, "A:3 B:9") if play or buffalo is None else ([], [])
    if _NAME in names:
        raise questions.UnclearQuestion(f"The card of the buffalo is given with --{_NAME}, not as a player's.")
    seats = questions.Seats(BUFFALO_GAME, names)
    plays = [Play(seat, questions.read_number(card)) for seat, card in enumerate(cards)]
    plays += [] if buffalo is None else [Play(BUFFALO, questions.read_number(buffalo))]
    beside = _beside({"Take7": take7, "Stop": stop})
    choices = questions.Choices(seats)
    choices.read("choose", choose, "row")

    revealed = _revealed(lying, beside, plays)
    course = Course(BUFFALO_GAME, (*names, *["-"] * (revealed.table.seats - len(names)), _NAME), revealed)
    course.state = go_on(revealed, course.events)
    course.answer(_ASKS, choices)
    while not course.open and (asked := course.asked("special")):
        course.apply(asked.seat, Pass())
        course.answer(_ASKS, choices)
    story = _Story(revealed.table, course.names)
    story.follow(course)
    table = course.state.table
    waits = table.queue[0].card if course.open else 0
    return Ruling(
        game=BUFFALO_GAME,
        before=_lanes(revealed.table),
        after=_lanes(table),
        played=", ".join(f"{course.names[play.seat]} {play.card}" for play in plays),
        steps=story.steps,
        needs=course.needs(_ASKS, waits, story.why_nowhere(waits)) if course.open else None,
        facts={
            "rows": table.rows,
            "take7": _rows_with(table, "Take7"),
            "stop": _rows_with(table, "Stop"),
            "bulls": bulls_taken((*names, _NAME), story.steps),
            "team_bulls": table.bulls,
            "buffalo_bulls": table.buffalo_bulls,
        },
        totals=[f"The team takes {count(table.bulls, 'bull')}, the buffalo {table.buffalo_bulls}."],
        notes=[],
        warnings=[] if course.open else choices.warnings(),
    )


# -- the position -----------------------------------------------------------------------------------------------


def _beside(given: Mapping[Kind, questions.Texts]) -> dict[int, list[Kind]]:
    """What lies left of which row."""
    beside: dict[int, list[Kind]] = {}
    for what, texts in given.items():
        for word in questions.words(texts):
            row = questions.read_number(word, "a row")
            if not 1 <= row <= ROWS:
                raise questions.UnclearQuestion(f"{PRINTED[what]} lies at a row from 1 to {ROWS}, not at {row}.")
            beside.setdefault(row, []).append(what)
    return beside


def _revealed(rows: Rows, beside: Mapping[int, list[Kind]], plays: list[Play]) -> State:
    """All cards lie open and none is placed yet. Who is not asked about sits at the table without a card."""
    if len(rows) != ROWS:
        raise questions.UnclearQuestion(f"There must be {ROWS} rows with | between them, not {len(rows)}.")
    played = {play.seat: play.card for play in plays}
    questions.check_once(rows, played.values())
    # Special cards are for teams; before the reveal everybody would hold a card, so spare ones fill the hands.
    seats = MAX_SEATS if beside else max(1, len(played.keys() - {BUFFALO}))
    spare = (card for card in deck(HIGHEST) if card not in {*played.values()}.union(*rows))
    cards = {seat: played[seat] if seat in played else next(spare) for seat in range(BUFFALO, seats)}
    hidden = table_position(rows, [[cards[seat]] for seat in range(seats)], [cards[BUFFALO]], beside=beside)
    queue = tuple(sorted(plays, key=lambda play: play.card))
    return replace(hidden, table=replace(hidden.table, queue=queue), hands=((),) * seats, buffalo=(), waiting=())


# -- what happened, and why -------------------------------------------------------------------------------------


class _Story:
    """Follows the events and the tables that they met, to say why each card went where it did."""

    def __init__(self, table: Table, names: Names) -> None:
        self.table = table
        """As it was when what is being told happened."""
        self.names = names
        self.steps: list[Step] = []

    def follow(self, course: Course) -> None:
        for self.table, event in course.told():
            if isinstance(event, CardPlaced):
                self._placed(event)
            elif isinstance(event, SpecialRemoved):
                self.steps[-1].notes.append(event.tell(self.names))
        self.table = course.state.table

    def _placed(self, event: CardPlaced) -> None:
        self.steps.append(
            Step(
                seat=self.names[event.seat],
                card=event.card,
                row=event.row,
                taken=event.taken,
                bulls=event.bulls,
                rule=event.rule,
                sentence=event.tell(self.names[:-1]),
                reasons=self._reasons(event),
            )
        )

    def _reasons(self, event: CardPlaced) -> list[str]:
        if event.rule == "empty-row":
            return [f"Row {event.row} is empty."]
        if event.rule == "too-low":
            return self.why_nowhere(event.card)
        if event.rule == "buffalo-too-low":
            return [*self.why_nowhere(event.card), self._why_cheapest(event.row)]
        ends = self._open_ends(event.card)
        stopped = self._stopped(event.card, ends[event.row])
        return [*stopped, closest(event.card, ends, event.row)]

    def why_nowhere(self, card: int) -> list[str]:
        """Rule 4: why the card fits no open row."""
        stopped = self._stopped(card, 0)
        return stopped or [none_lower(card, self.table.rows)]

    def _open_ends(self, card: int) -> dict[int, int]:
        ends = lower_ends(self.table.rows, card)
        return {row: end for row, end in ends.items() if not lies_at(self.table, "Stop", row)}

    def _stopped(self, card: int, above: int) -> list[str]:
        """The rows that would be closer if nothing lay there."""
        ends = lower_ends(self.table.rows, card)
        lead = "would be closer" if above else "is lower"
        return [
            f"{end} {lead}, but Stop! lies at row {row}."
            for row, end in ends.items()
            if end > above and lies_at(self.table, "Stop", row)
        ]

    def _why_cheapest(self, row: int) -> str:
        worth = {r: bulls(cards) for r, cards in enumerate(self.table.rows, 1) if not lies_at(self.table, "Stop", r)}
        equal = [r for r in worth if worth[r] == worth[row] and r != row]
        has = f"Row {row} has the fewest bulls, {worth[row]}"
        return f"{has}, as row {equal[0]} has, and the higher end." if equal else f"{has}."


def _rows_with(table: Table, what: Kind) -> list[int]:
    return [row for row in range(1, ROWS + 1) if lies_at(table, what, row)]


def _lanes(table: Table) -> list[Lane]:
    return [
        Lane(f"row {row}", spaced(cards) or ".", bulls(cards), tuple(PRINTED[kind(card)] for card in beside))
        for row, (cards, beside) in enumerate(zip(table.rows, table.beside, strict=True), 1)
    ]


QUESTION = questions.Question(
    (
        *questions.rows_and_plays("12 | 37 | 43 | 58 (an empty row is a dot)", "A:3 B:9"),
        questions.Flag("buffalo", "CARD", "the card of the buffalo"),
        questions.words_said("take7", "ROW", "a row where Take 7! lies; repeatable"),
        questions.words_said("stop", "ROW", "a row where Stop! lies; repeatable"),
    ),
    settle,
    """\
examples:
  nimmt referee buffalo --rows "12 | 37 | 43 | 58" --play "A:3 B:9" \\
      --buffalo 25 --choose A:2
  nimmt referee buffalo --rows "2 4 6 8 10 | 20 | 50 | 60" --stop 2 --buffalo 25
  nimmt referee buffalo --rows "2 4 6 8 17 | 30 | 50 | 60" --take7 1 \\
      --play "A:20 B:21"
""",
)

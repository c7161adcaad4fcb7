"""Questions about Baron Oxx."""

from __future__ import annotations

from typing import Any

from nimmt.clients.referee import questions
from nimmt.clients.referee.rulings import Ask, Course, Lane, Ruling, Step, bulls_taken, listed, totals
from nimmt.games.baron.deck import COLOURS, faces
from nimmt.games.baron.placing import fitting_rows
from nimmt.games.baron.position import table_position
from nimmt.games.baron.rules import BARON
from nimmt.games.baron.types import ROWS, CardPlaced, CardReturned, ChooseRow, Options, PlayCard, Table
from nimmt.rules.game import Cards, Names, Rows
from nimmt.rules.kit.options import read_options

_ASK = Ask("choose", "row", "row", ChooseRow)
_ASKS = {"row": _ASK, "take": _ASK}
_NOT_PRINTED = (
    "The colours are those of the deck that comes with nimmt, not of the printed one: --deck FILE reads yours."
)


def settle(
    rows: str | None,
    play: questions.Texts,
    *,
    choose: questions.Texts = (),
    colour_counts: bool = False,
    bulls_are_good: bool = False,
    deck: Any = None,
) -> Ruling:
    lying = questions.read_rows(rows, "--rows", "1 | 2 | 13 | 40 | 52")
    names, words = questions.read_plays(play, "A:8 B:17")
    seats, cards = questions.Seats(BARON, names), [questions.read_number(word) for word in words]
    questions.check_rows(lying, ROWS, cards)
    values = {"colour_counts": colour_counts, "bulls_are_good": bulls_are_good, "deck": deck}
    options = read_options(Options, values)
    choices = questions.Choices(seats)
    choices.read("choose", choose, "row")

    course = Course(BARON, seats.names, table_position(lying, [[card] for card in cards], options=options))
    course.play([PlayCard(card) for card in cards])
    course.answer(_ASKS, choices)
    story = _Story(course.state.table, seats.names)
    story.follow(course)
    table, taken = course.state.table, bulls_taken(names, story.steps)
    waits = table.queue[0].card if course.open else 0
    return Ruling(
        game=BARON,
        before=story.lanes(lying),
        after=story.lanes(table.rows),
        played=", ".join(f"{name} {story.face(card)}" for name, card in zip(names, cards, strict=True)),
        steps=story.steps,
        needs=course.needs(_ASKS, waits, story.why_asked(waits)) if course.open else None,
        facts={"rows": table.rows, "bulls": taken},
        totals=totals(taken),
        notes=[] if deck is not None else [_NOT_PRINTED],
        warnings=[] if course.open else choices.warnings(),
    )


class _Story:
    """Follows the events and the tables that they met, to say why each card went where it did."""

    def __init__(self, table: Table, names: Names) -> None:
        self.table = table
        """As it was when what is being told happened."""
        self.faces = faces(table.options.deck)
        self.names = names
        self.steps: list[Step] = []

    def follow(self, course: Course) -> None:
        for self.table, event in course.told():
            if isinstance(event, CardPlaced):
                self._tell(event, event.row, event.taken, event.bulls, self._reasons(event))
            elif isinstance(event, CardReturned):
                self._tell(event, None, (), 0, [self._fits_nowhere(event.card)])
        self.table = course.state.table

    def _tell(
        self, event: CardPlaced | CardReturned, row: int | None, taken: Cards, bulls: int, reasons: list[str]
    ) -> None:
        self.steps.append(
            Step(
                seat=self.names[event.seat],
                card=event.card,
                row=row,
                taken=taken,
                bulls=bulls,
                rule=event.rule,
                sentence=event.tell(self.names),
                reasons=reasons,
            )
        )

    def _reasons(self, event: CardPlaced) -> list[str]:
        if event.rule == "no-colour":
            return [self._fits_nowhere(event.card)]
        lying = self.table.rows[event.row - 1]
        common = listed(self._common(event.card, lying[-1]), "and")
        told = [f"{event.card} and {lying[-1]}, the end of row {event.row}, both show {common}."]
        if len(fitting_rows(self.faces, self.table.rows, event.card)) == 1:
            told.append("No other row fits.")
        for colour in event.colours:
            before, after = (self._number(colour, cards) for cards in (lying, (*lying, event.card)))
            told.append(f"The row shows {before} {colour} without {event.card}, and {after} with it.")
        return told

    def why_asked(self, card: int) -> list[str]:
        """What there is to choose from."""
        fitting = fitting_rows(self.faces, self.table.rows, card)
        if not fitting:
            return [self._fits_nowhere(card)]
        return [
            f"Row {row} ends with {end}: both show {listed(self._common(card, end), 'and')}."
            for row, end in ((row, self.table.rows[row - 1][-1]) for row in fitting)
        ]

    def _fits_nowhere(self, card: int) -> str:
        return f"{card} shows {listed(self._common(card, card), 'and')}, and no row ends with that."

    def _common(self, card: int, other: int) -> list[str]:
        counts = zip(COLOURS, self.faces.counts[card], self.faces.counts[other], strict=True)
        return [colour for colour, own, shown in counts if own and shown]

    def _number(self, colour: str, cards: Cards) -> int:
        index = list(COLOURS).index(colour)  # type: ignore[arg-type]
        return sum(self.faces.counts[card][index] for card in cards)

    # -- for the picture ----------------------------------------------------------------------------------------

    def face(self, card: int) -> str:
        """`8 (2 blue, red)`."""
        shown = zip(COLOURS, self.faces.counts[card], strict=True)
        return f"{card} ({', '.join(f'{number} {c}' if number > 1 else c for c, number in shown if number)})"

    def lanes(self, rows: Rows) -> list[Lane]:
        return [
            Lane(f"row {row}", "  ".join(map(self.face, cards)), self.faces.worth(cards))
            for row, cards in enumerate(rows, 1)
        ]


QUESTION = questions.Question(
    (
        *questions.rows_and_plays("1 | 2 | 13 | 40 | 52", "A:8 B:17"),
        questions.Flag("colour-counts", "", "variant 1: only six bulls of a colour take a row", "switch"),
        questions.Flag("bulls-are-good", "", "variant 2: a card that fits no row is returned", "switch"),
        questions.Flag("deck", "FILE", "the bulls on the cards, as JSON; by default those of nimmt's own deck", "json"),
    ),
    settle,
    """\
examples:
  nimmt referee baron --rows "1 | 2 | 13 | 40 | 52" --play "A:8 B:17" \\
      --choose A:3 B:2
  nimmt referee baron --bulls-are-good --deck my-deck.json \\
      --rows "1 | 2 | 13 | 40 | 52" --play A:8
""",
)

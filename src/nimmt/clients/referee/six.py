"""Questions about 6 nimmt!, with or without fan cards."""

from __future__ import annotations

from itertools import pairwise

from nimmt.clients.referee.course import Ask, Course
from nimmt.clients.referee.reading import Choices, Seats, Texts, check_rows, read_number, read_plays, read_rows, words
from nimmt.clients.referee.ruling import Lane, Ruling, bulls_taken, totals
from nimmt.clients.referee.six_markers import marker_facts, read_markers, remarks
from nimmt.clients.referee.six_story import Story
from nimmt.rules.game import Rows
from nimmt.rules.games.six.actions import ChooseRow, PlayCard
from nimmt.rules.games.six.game import SIX
from nimmt.rules.games.six.options import ROWS, Options
from nimmt.rules.games.six.position import table_position
from nimmt.rules.games.six.state import Markers, twisted
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import spaced
from nimmt.rules.kit.options import read_options

_ASKS = {"row": Ask("choose", "row", "row", ChooseRow)}


def settle(rows: str | None, play: Texts, *, fan: Texts = (), marker: Texts = (), choose: Texts = ()) -> Ruling:
    lying = read_rows(rows, "--rows", "12 | 37 | 43 | 58")
    names, cards = read_plays(play, "A:3 B:9")
    seats, actions = Seats(SIX, names), [_action(card) for card in cards]
    check_rows(lying, ROWS, [action.card for action in actions])
    options = read_options(Options, {"fan": list(dict.fromkeys(words(fan)))})
    markers, notes = read_markers(options, lying, marker)
    choices = Choices(seats)
    choices.read("choose", choose, "row")

    state = table_position(lying, [[action.card] for action in actions], options=options, markers=markers)
    course, story = Course(SIX, seats.names, state), Story(options, lying, state.table.markers, seats.names)
    course.play(actions)
    course.answer(_ASKS, choices)
    story.follow(course.events)
    table, taken = course.state.table, bulls_taken(seats.names, story.steps)
    needs = course.needs(_ASKS, table.queue[0].card, story.why_nowhere(table.queue[0])) if course.open else None
    warnings = [*SIX.warnings(options, len(seats)), *_disorder(options, lying)]
    return Ruling(
        game=SIX,
        before=_lanes(lying, state.table.markers),
        after=_lanes(table.rows, table.markers),
        played=", ".join(f"{name} {_told(action)}" for name, action in zip(names, actions, strict=True)),
        steps=story.steps,
        needs=needs,
        facts={"rows": table.rows, **marker_facts(table.markers), "bulls": taken},
        totals=totals(taken),
        notes=notes,
        warnings=warnings if needs else warnings + choices.warnings(),
    )


def _action(word: str) -> PlayCard:
    return PlayCard(read_number(word.removesuffix("~")), word.endswith("~"))


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

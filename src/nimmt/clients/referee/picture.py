"""A ruling as people like to read it: the table before, what happens, the table after, the rules that were used.

Lines are made of pieces with a style, so that a terminal shows colours and a file plain text.
"""

from __future__ import annotations

from collections.abc import Iterator

from nimmt.clients.referee.ruling import Lane, Ruling, Step
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.events import count

Line = list[tuple[str, str]]

HEADING, QUIET, STRONG = "bold", "dim", "bold cyan"


def lines(ruling: Ruling) -> Iterator[Line]:
    yield [("Before", HEADING)]
    yield from _table(ruling.before)
    yield [("Played: ", HEADING), (ruling.played, "")]
    yield from ([(note, QUIET)] for note in ruling.notes)
    yield []
    for number, step in enumerate(ruling.steps, 1):
        yield from _step(f"{number}. ", step)
    if ruling.needs:
        yield from ([(reason, QUIET)] for reason in ruling.needs.reasons)
        yield [(ruling.needs.sentence, "bold yellow")]
    yield []
    yield [("So far" if ruling.needs else "After", HEADING)]
    yield from _table(ruling.after)
    if not ruling.needs:
        yield from ([(total, "")] for total in ruling.totals)
    yield from _rules(ruling.game, ruling.steps)


def _table(lanes: list[Lane]) -> Iterator[Line]:
    """The lanes below each other, in columns."""
    label_width = max((len(lane.label) for lane in lanes), default=0)
    card_width = max((len(lane.cards) for lane in lanes), default=0)
    for lane in lanes:
        line: Line = [(f"  {lane.label:<{label_width}}   ", QUIET), (lane.cards, STRONG)]
        gap = " " * (card_width - len(lane.cards))
        if lane.bulls is not None:
            line.append((f"{gap}   {count(lane.bulls, 'bull')}", ""))
        if lane.remarks:
            line.append((f"{gap if lane.bulls is None else ''}   [{', '.join(lane.remarks)}]", "magenta"))
        yield line


def _step(number: str, step: Step) -> Iterator[Line]:
    yield [(number, QUIET), (step.sentence, ""), (f" [{', '.join((step.rule, *step.also))}]", "yellow")]
    for sentence in (*step.reasons, *step.notes):
        yield [(" " * len(number) + sentence, QUIET)]


def _rules(game: AnyGame, steps: list[Step]) -> Iterator[Line]:
    """The full sentence of each rule that decided something."""
    used = dict.fromkeys(rule for step in steps for rule in (step.rule, *step.also))
    if used:
        yield []
    for rule in used:
        yield [(f"[{rule}] ", "yellow"), (game.rules[rule], "")]

"""The coach in the terminal: what it says, in words; and for a match in this process, what it remembers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nimmt.clients.terminal.naming import Naming
from nimmt.clients.terminal.words import tr
from nimmt.insight.advice import Advice, Hint
from nimmt.match.match import Match
from nimmt.match.record import Practice
from nimmt.rules.game import Decision, Seat, Value

WISHES = ("hint", "takeback")


def told_wishes() -> list[tuple[str, str]]:
    """What can be typed at a practice table, and what it does."""
    meanings = (tr("what each card may cost, says the coach"), tr("take your last decision back"))
    return [*zip(WISHES, meanings, strict=True)]


def told_hint(said: Hint, naming: Naming) -> list[str]:
    """A line for each action, the best first; then why."""
    ranked = sorted(said.actions, key=lambda one: one.cost)
    names = [naming.of(one.action, one.facts) for one in ranked]
    costs = [_cost(one, said) for one in ranked]
    wide, wider = max(map(len, names)), max(map(len, costs))
    lines = [
        f"  {'*' if one.best else ' '} {name:<{wide}}  {cost:<{wider}}  {_risk(one)}"
        for one, name, cost in zip(ranked, names, costs, strict=True)
    ]
    measured = tr(
        "Points compared with the best, over {worlds} ways in which hidden cards may lie; ± is the standard error.",
        worlds=said.worlds,
    )
    return [*lines, "", naming.hint(said).best.reason, "", measured]


def _cost(one: Advice, said: Hint) -> str:
    if one.best:
        return tr("best")
    cost = -one.cost if said.high_wins else one.cost
    return f"{cost:+.1f} ± {one.cost_error:.1f}"


def _risk(one: Advice) -> str:
    return tr("takes cards in {risk} %", risk=round(100 * one.risk))


def told_practice(practice: Practice, names: Sequence[str], people: Sequence[Seat]) -> list[str]:
    """How often the coach helped whom."""
    return [
        tr(
            "{name}: hints {hints}, taken back {backs}",
            name=names[seat],
            hints=practice.hints[seat],
            backs=practice.take_backs[seat],
        )
        for seat in people
    ]


class Point(NamedTuple):
    """A match as it stood when a decision came up."""

    state: Value
    moves: int
    deals: int
    turn: int


class Coach:
    """For a match in this process."""

    def __init__(self, match: Match, people: Sequence[Seat]) -> None:
        self._match, self._people = match, tuple(people)
        self._came_up: dict[Seat, Point] = {}
        self._decided: list[Point] = []
        self._hints, self._take_backs = ([0] * len(match.seats) for _ in range(2))
        self._hinted: Point | None = None
        self._note()

    def look(self, pending: Sequence[Decision], turn: int) -> None:
        """Who is asked now, perhaps since a while."""
        here = Point(self._match.state, len(self._match.moves), len(self._match.deals), turn)
        for decision in pending:
            if decision.seat in self._people:
                self._came_up.setdefault(decision.seat, here)

    def decided(self, seat: Seat) -> None:
        if seat in self._came_up:
            self._decided.append(self._came_up.pop(seat))

    def hint(self, seat: Seat, naming: Naming) -> list[str]:
        """What there is to say about the decision of this seat, from what it knows."""
        from nimmt.insight.hint import hint_for  # thinking takes a while to load

        game, state = self._match.game, self._match.state
        try:
            said = hint_for(game, game.view(state, seat), game.legal(state, seat))
        except (ValueError, ImportError):
            return [tr("The coach has nothing to say about this decision.")]
        if self._came_up.get(seat) is not self._hinted:
            self._hinted = self._came_up.get(seat)
            self._hints[seat] += 1
            self._note()
        return told_hint(said, naming)

    def why_not(self) -> str:
        """Why nothing can be taken back; empty if something can."""
        if len(self._people) > 1:
            return tr("Others play in this match: what they have seen cannot be taken back.")
        return "" if self._decided else tr("There is no decision of yours that can be taken back.")

    def take_back(self) -> int:
        """To the last decision; returns the number of its turn."""
        point = self._decided.pop()
        self._match.go_back(point.state, point.moves, point.deals)
        self._came_up.clear()
        self._take_backs[self._people[0]] += 1
        self._note()
        return point.turn

    def _note(self) -> None:
        self._match.practice = Practice(hints=tuple(self._hints), take_backs=tuple(self._take_backs))

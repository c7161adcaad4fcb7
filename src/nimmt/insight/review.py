"""A match taken apart: what was to be expected, what luck brought, what own decisions changed. It adds up.

For a seat, values are written down at certain moments: before a deal, after it, before and after each own decision,
and at the end. The value before a decision is what going on by habit would bring; after it, what the action brings in
the same worlds. What changes between two moments is luck or decision, and nothing is left over. Values are whole
millionths, so that sums are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from nimmt.bots.judge import Judge, Trial, judge_of, seed_of
from nimmt.insight.chances import Floats, Future, future_of
from nimmt.insight.exact import judged
from nimmt.insight.figures import (
    UNIT,
    Account,
    Extra,
    JudgedDecision,
    Kind,
    Review,
    SeatReview,
    Tried,
    seat_review,
    whole,
)
from nimmt.insight.reasons import ignores_standings, kind_of, prospect, reason_for
from nimmt.match.match import Step, game_of, options_of
from nimmt.match.record import Record, RecordError, read_record
from nimmt.match.story import read_story
from nimmt.rules.game import Action, AnyGame, Options, Seat
from nimmt.rules.kit.cards import totals

WORLDS = 300
THRESHOLD = 0.3
"""Points that a decision must cost to be called a mistake."""
SURE = 2.0
"""Standard errors that the cost must be above the threshold."""

Progress = Callable[[int, int], None]
"""Told how many of how many decisions are judged."""


class Recorded(Protocol):
    """What has a record, such as `nimmt.Match`."""

    @property
    def record(self) -> Record: ...


Source: TypeAlias = Record | Recorded | bytes | str | PathLike[str]
"""A match, its record, or a file with it."""


def review(
    source: Source,
    *,
    seats: Sequence[Seat] | None = None,
    rounds: Container[int] | None = None,
    worlds: int = WORLDS,
    language: str = "en",
    progress: Progress | None = None,
) -> Review:
    """Judge the decisions of a finished match; raises `RecordError` if it breaks a rule or is not over.

    `seats` are those whose decisions are judged, by number from 0, and `rounds` those that are looked at, from 1: all
    unless told; `joined` puts parts together. More `worlds` make finer figures.
    """
    record = _record_of(source)
    story = read_story(record)
    if story.error:
        raise story.error
    if record.result is None:
        raise RecordError("$.result", "the match is not over: there is no review of a running match")
    game = game_of(record)
    judge, moments = judge_of(game), [one for one in moments_of(record) if rounds is None or one.round in rounds]
    chosen = range(len(record.seats)) if seats is None else seats
    due = sum(moment.seat in chosen for moment in moments if moment.is_decision)
    ledgers, done = [], 0

    def tick() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, due)

    for seat in chosen:
        book = Book(game, judge, options_of(record, game), len(record.seats), seat, worlds, language, tick)
        for moment in moments:
            book.see(moment)
        ledgers.append(book)
    return Review(
        game=game.id,
        evaluator=f"{judge.name} worlds={worlds}",
        worlds=worlds,
        seats=tuple(book.closed(story.names[book.seat]) for book in ledgers),
        decisions=tuple(sorted((one for book in ledgers for one in book.decided), key=_place)),
    )


def _record_of(source: Source) -> Record:
    match source:
        case Record():
            return source
        case bytes():
            return read_record(source)
        case str() | PathLike():
            return read_record(Path(source).read_bytes())
    return source.record


def _place(decided: JudgedDecision) -> tuple[int, int]:
    return decided.round, decided.turn


# -- moments ----------------------------------------------------------------------------------------------------


class Moment(NamedTuple):
    """A step of the match and the state before it."""

    round: int
    turn: int
    before: Any
    step: Step
    number: int
    """How many actions there were, with this one."""
    is_final: bool
    """Not a secret choice that was changed before anybody saw it."""

    @property
    def seat(self) -> Seat | None:
        return self.step.seat

    @property
    def is_decision(self) -> bool:
        return self.step.seat is not None and self.is_final


def moments_of(record: Record) -> Iterator[Moment]:
    story = read_story(record)
    scenes = story.scenes
    start = story.game.setup(story.options, len(record.seats))
    states = [start, *(scene.step.state for scene in scenes)]
    steps, number = [scene.step for scene in scenes], 0
    for index, scene in enumerate(scenes):
        number += scene.step.seat is not None
        yield Moment(scene.round, scene.turn, states[index], scene.step, number, _is_final(index, steps))


def _is_final(index: int, steps: Sequence[Step]) -> bool:
    """A choice is made anew if its seat acts again before anything but choosing has happened."""
    seat = steps[index].seat
    for step in steps[index:]:
        if any(event.seen_by(None) == event for event in step.events):  # something that everybody could see
            return True
        if step is not steps[index] and step.seat == seat:
            return False
    return True


# -- the book ---------------------------------------------------------------------------------------------------


class _Values(NamedTuple):
    """What a moment is worth in both units, in millionths."""

    points: int
    win: int


def _value(points: float, win: float) -> _Values:
    return _Values(round(points * UNIT), round(win * UNIT))


class _Sums:
    """Columns of an account that is still open."""

    def __init__(self) -> None:
        self.mean = self.deal = self.turns = self.decisions = self.result = 0

    def account(self) -> Account:
        return Account(*(x / UNIT for x in (self.mean, self.deal, self.turns, self.decisions, self.result)))


class Book:
    """The values of one seat, moment by moment."""

    def __init__(
        self,
        game: AnyGame,
        judge: Judge,
        options: Options,
        seats: int,
        seat: Seat,
        worlds: int,
        language: str,
        tick: Callable[[], None],
    ) -> None:
        self._game, self._judge, self._options, self._seats, self.seat = game, judge, options, seats, seat
        self._worlds, self._language, self._tick = worlds, language, tick
        self._sign = -1.0 if game.high_score_wins(options) else 1.0
        self.decided: list[JudgedDecision] = []
        self._rounds: list[tuple[_Sums, _Sums]] = []
        self._number = 0
        self._future: Future | None = None
        self._now: _Values | None = None

    # -- moments ------------------------------------------------------------------------------------------------

    def see(self, moment: Moment) -> None:
        if moment.round != self._number:
            self._begin(moment)
        if moment.is_decision and moment.seat == self.seat:
            self._decide(moment)
            self._tick()
        after = moment.step.state
        if self._game.outcome(after) is not None:
            self._end(after, _win_of(self._game, after, self.seat))
        elif len(_scores(after)) > len(_scores(moment.before)):
            self._end(after, None)

    def _begin(self, moment: Moment) -> None:
        """Before the deal: what anybody may expect of a round, and the chance to win from the standings."""
        self._number = moment.round
        self._future = self._future_of(moment.round)
        self._before = np.array(totals(_scores(moment.before), self._seats), np.float64)
        win = self._future.chance(self._before, len(_scores(moment.before)))
        start = _value(self._future.mean, win)
        self._now = start
        sums = (_Sums(), _Sums())
        for column, value in zip(sums, start, strict=True):
            column.mean = value
        self._rounds.append(sums)
        dealt = moment.step.state if moment.step.seat is None else moment.before
        self._look(dealt)

    def _future_of(self, number: int) -> Future:
        return future_of(self._game, self._judge, self._options, self._seats, number, self.seat)

    def _look(self, state: Any) -> None:
        """After the deal: what the seat sees is worth more or less than what anybody may expect."""
        view = self._game.view(state, self.seat)
        trial = self._judge.try_out(view, (), self._worlds, seed_of(self._judge.name, view))
        self._luck("deal", self._worth(trial)[-1])

    def _decide(self, moment: Moment) -> None:
        found = self.judge(moment, self._worlds)
        if found is None:
            return
        before, after, decided = found
        self._luck("turns", before)
        self._luck("decisions", after)
        self.decided.append(decided)

    def judge(self, moment: Moment, worlds: int) -> tuple[_Values, _Values, JudgedDecision] | None:
        """The value before and after a decision of this round, and what is to be said about it; None if nothing is."""
        view, action = self._game.view(moment.before, self.seat), moment.step.cause
        assert isinstance(action, Action)
        legal = self._game.legal(moment.before, self.seat)
        actions = self._judge.considered(view, legal, action) if len(legal) > 1 else ()
        if len(actions) < 2 or action not in actions:
            return None
        trial = judged(self._game, self._judge, view, legal, actions, worlds)
        values, number = self._worth(trial), list(actions).index(action)
        return values[-1], values[number], self._judged(moment, actions, number, trial, values)

    def _end(self, state: Any, win: float | None) -> None:
        """The round is over: what is left is the luck of its last turns."""
        assert self._future is not None
        finished = _scores(state)
        points = self._result(state)
        if win is None:
            standings = np.array(totals(finished, self._seats), np.float64)
            win = self._future_of(self._number + 1).chance(standings, len(finished))
        end = _value(points, win)
        self._luck("turns", end)
        for column, value in zip(self._rounds[-1], end, strict=True):
            column.result = value

    def _result(self, state: Any) -> float:
        """What the round brought the seat, or its team against the rival."""
        outcome = self._game.outcome(state)
        if self._game.cooperative and outcome is not None:
            return outcome.points[self.seat] - self._judge.rival(state)
        return float(_scores(state)[-1][self.seat])

    def _luck(self, column: str, value: _Values) -> None:
        """What has changed since the last moment goes into this column."""
        assert self._now is not None
        for sums, before, after in zip(self._rounds[-1], self._now, value, strict=True):
            setattr(sums, column, getattr(sums, column) + after - before)
        self._now = value

    # -- values -------------------------------------------------------------------------------------------------

    def _samples(self, trial: Trial) -> tuple[Floats, Floats]:
        """Points and chances to win, by world and action."""
        assert self._future is not None
        return self._future.values(self._before, trial)

    def _worth(self, trial: Trial) -> list[_Values]:
        points, wins = self._samples(trial)
        return [_value(*pair) for pair in zip(points.mean(axis=0), wins.mean(axis=0), strict=True)]

    def _judged(
        self, moment: Moment, actions: Sequence[Action], number: int, trial: Trial, values: Sequence[_Values]
    ) -> JudgedDecision:
        points, wins = self._samples(trial)
        means = self._sign * points[:, :-1].mean(axis=0)
        best = int(means.argmin())
        gaps, win_gaps = self._sign * (points[:, number] - points[:, best]), wins[:, best] - wins[:, number]
        cost, error = float(gaps.mean()), _error(gaps)
        facts, named = reason_for(trial, points, actions, number, best), cost - SURE * error > THRESHOLD
        return JudgedDecision(
            seat=self.seat,
            number=moment.number,
            round=moment.round,
            turn=moment.turn,
            action=actions[number],
            best=actions[best],
            cost=_rounded(cost),
            error=_rounded(error),
            win_cost=_rounded(float(win_gaps.mean())),
            win_error=_rounded(_error(win_gaps)),
            stake=_rounded(float(means.max() - means.min())),
            named=named,
            kind=self._kind(moment, actions, number, best, trial, points, wins, named),
            exact=trial.weights is not None,
            reason=facts.told(self._language),
            facts=facts,
            expected=values[-1].points / UNIT,
            chance=values[-1].win / UNIT,
            values=tuple(self._tried(trial, points, actions, one, best, values[one]) for one in range(len(actions))),
            extra=self._extra(moment, actions, number, points, wins),
        )

    def _extra(
        self, moment: Moment, actions: Sequence[Action], number: int, points: Floats, wins: Floats
    ) -> Extra | None:
        """What a special card brought, if the action used one: the same worlds without it."""
        used = self._judge.extra(self._game.view(moment.before, self.seat), actions[number])
        if used is None or used[1] not in actions:
            return None
        without = list(actions).index(used[1])
        gains = self._sign * (points[:, without] - points[:, number])
        return Extra(
            what=used[0],
            gain=_rounded(float(gains.mean())),
            error=_rounded(_error(gains)),
            win_gain=_rounded(float((wins[:, number] - wins[:, without]).mean())),
        )

    def _kind(
        self,
        moment: Moment,
        actions: Sequence[Action],
        number: int,
        best: int,
        trial: Trial,
        points: Floats,
        wins: Floats,
        named: bool,
    ) -> Kind | None:
        if not named:
            return "standings" if ignores_standings(wins, number) else None
        foreseen = self._game.foresee(self._game.view(moment.before, self.seat), actions[number])
        return kind_of(trial, points, actions, number, best, self._sign, foreseen)

    def _tried(
        self, trial: Trial, points: Floats, actions: Sequence[Action], number: int, best: int, value: _Values
    ) -> Tried:
        gaps = self._sign * (points[:, number] - points[:, best])
        return Tried(
            action=actions[number],
            points=value.points / UNIT,
            win=value.win / UNIT,
            cost=_rounded(float(gaps.mean())),
            error=_rounded(_error(gaps)),
            facts=prospect(trial, points, actions, number),
        )

    # -- closing ------------------------------------------------------------------------------------------------

    def closed(self, name: str) -> SeatReview:
        mattered = [one for one in self.decided if one.stake > THRESHOLD]
        return seat_review(
            self.seat,
            name,
            rounds=tuple((points.account(), win.account()) for points, win in self._rounds),
            lost=whole(one.cost for one in mattered),
            stake=whole(one.stake for one in mattered),
            mistakes=sum(one.named for one in self.decided),
            judged=len(self.decided),
        )


def _rounded(value: float) -> float:
    return round(value, 6)


def _error(gaps: Floats) -> float:
    return float(gaps.std(ddof=1) / np.sqrt(len(gaps))) if len(gaps) > 1 else 0.0


def _scores(state: Any) -> Any:
    """The points of each finished round; a game of one round may have none until its outcome."""
    return getattr(state.table, "scores", ())


def _win_of(game: AnyGame, state: Any, seat: Seat) -> float:
    outcome = game.outcome(state)
    assert outcome is not None
    if seat not in outcome.winners:
        return 0.0
    return 1.0 if game.cooperative else 1 / len(outcome.winners)

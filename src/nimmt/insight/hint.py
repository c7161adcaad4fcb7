"""A hint: what each action may be expected to bring, judged as a review judges it, before the decision is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from nimmt.bots.judge import judge_of
from nimmt.insight.advice import SURE, Advice, Hint
from nimmt.insight.chances import Floats, future_of
from nimmt.insight.exact import judged
from nimmt.insight.reasons import prospect
from nimmt.rules.game import Action, AnyGame, Seat
from nimmt.rules.kit.cards import totals

WORLDS = 1000
"""Three times those of a review: it is one decision, and somebody waits for it."""


def hint_for(
    game: AnyGame, view: Any, legal: Sequence[Action] | None = None, *, worlds: int = WORLDS, language: str = "en"
) -> Hint:
    """What comes of each legal action, from what the owner of this view may know.

    The same view always gives the same hint, whatever is hidden from it. Raises `ValueError` if its owner has nothing
    to decide.
    """
    legal = game.legal_for(view) if legal is None else legal
    if not legal:
        raise ValueError("There is nothing to decide here.")
    judge = judge_of(game)
    # Of a choice that only prepares one, a judge says nothing: what is compared with the others does not matter then.
    actions = next((found for done in reversed(legal) if (found := judge.considered(view, legal, done))), ())
    if not actions:
        raise ValueError("Nothing can be said about this decision.")
    trial = judged(game, judge, view, legal, actions, worlds)
    table, seat = view.table, view.seat
    scores = getattr(table, "scores", ())
    future = future_of(game, judge, table.options, table.seats, max(1, len(scores) + 1), seat)
    points, chances = future.values(np.array(totals(scores, table.seats), np.float64), trial)
    points, wins = points[:, : len(actions)], chances.mean(axis=0)
    sign = -1.0 if game.high_score_wins(table.options) else 1.0
    best = int(np.argmin(sign * points.mean(axis=0)))
    advice = []
    for number, action in enumerate(actions):
        gaps = sign * (points[:, number] - points[:, best])
        cost, cost_error = float(gaps.mean()), _error(gaps)
        facts = prospect(trial, points, actions, number)
        advice.append(
            Advice(
                action=action,
                points=facts.rest,
                error=_error(points[:, number]),
                cost=round(cost, 6),
                cost_error=cost_error,
                risk=round(facts.takes / 100, 4),
                win=round(float(wins[number]), 6),
                best=number == best,
                close=number != best and cost <= SURE * cost_error,
                facts=facts,
            )
        )
    said = Hint(
        game=game.id,
        seat=seat,
        evaluator=f"{judge.name} worlds={worlds}",
        worlds=worlds,
        exact=trial.weights is not None,
        high_wins=sign < 0,
        actions=tuple(advice),
    )
    return said.told(language)


def _error(values: Floats) -> float:
    return round(float(values.std(ddof=1) / np.sqrt(len(values))), 6) if len(values) > 1 else 0.0


class Positioned(Protocol):
    """A moment of a match, such as `nimmt.Position`."""

    @property
    def game(self) -> AnyGame: ...

    @property
    def state(self) -> Any: ...


def hint(position: Positioned, seat: Seat | None = None, *, worlds: int = WORLDS, language: str = "en") -> Hint:
    """What each action of a seat may be expected to bring; without a seat, of the first that is waited for.

    Only what the seat may know is used, although a position has all cards open. Raises `ValueError` if there is nothing
    to decide.
    """
    game, state = position.game, position.state
    waiting = [decision.seat for decision in game.pending(state)]
    if game.outcome(state) is not None or not waiting:
        raise ValueError("Nobody has to decide anything in this position.")
    if seat is None:
        seat = waiting[0]
    elif not 0 <= seat < state.table.seats:
        raise ValueError(f"There is no seat {seat}: the seats are 0 to {state.table.seats - 1}.")
    elif seat not in waiting:
        others = ", ".join(map(str, waiting))
        raise ValueError(f"Seat {seat} has nothing to decide now: waited for is {others}.")
    return hint_for(game, game.view(state, seat), game.legal(state, seat), worlds=worlds, language=language)

"""Why an action is better than another, and what kind of mistake the other was: from what happened in the worlds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nimmt.bots.judge import Floats, Trial
from nimmt.insight.advice import name_of
from nimmt.insight.figures import Kind, Prospect, Reason
from nimmt.rules.game import Action, Foreseen


def reason_for(trial: Trial, points: Floats, actions: Sequence[Action], done: int, best: int) -> Reason:
    return Reason(prospect(trial, points, actions, done), prospect(trial, points, actions, best))


def prospect(trial: Trial, points: Floats, actions: Sequence[Action], number: int) -> Prospect:
    taken = (trial.taken > 0).astype(np.float64)
    takes = trial.share(taken, number)
    return Prospect(
        what=name_of(actions[number]),
        takes=round(100 * takes, 2),
        price=round(trial.share(taken * trial.soon, number) / takes if takes else 0.0, 2),
        rest=round(float(np.mean(points[:, number] - trial.so_far)), 2),
        soon=round(trial.share(trial.soon, number), 2),
    )


# -- kinds of mistakes -------------------------------------------------------------------------------------------------

NOTICEABLE = 0.1
"""Points, or cards taken, by which two actions differ within a turn."""
WIN_THRESHOLD, WIN_SURE = 0.03, 3.0
"""Chance to win that a decision must cost by so many standard errors, where it costs no points."""


def kind_of(
    trial: Trial,
    points: Floats,
    actions: Sequence[Action],
    done: int,
    best: int,
    sign: float,
    foreseen: Sequence[Foreseen],
) -> Kind:
    """The kind of a mistake in points; `foreseen` is what could be foreseen of what was done."""
    if _is_about_a_row(actions[done]):
        # Who could have played a card instead should not have taken anything.
        return "row" if _is_about_a_row(actions[best]) else "taken"
    cost = float(sign * (points[:, done] - points[:, best]).mean())
    now = _in_this_turn(trial, done, best, sign, cost)
    if now >= cost / 2:
        # A card that would take any of several rows fits none.
        return "too_low" if len(foreseen) > 1 and all(one.takes for one in foreseen) else "taken"
    return "put_off" if now < -NOTICEABLE else "later"


def ignores_standings(wins: Floats, done: int) -> bool:
    """Whether something else would surely have brought more chance to win; the last column is no action."""
    best = int(wins[:, :-1].mean(axis=0).argmax())
    gaps = wins[:, best] - wins[:, done]
    error = gaps.std(ddof=1) / np.sqrt(len(gaps)) if len(gaps) > 1 else 0.0
    return bool(gaps.mean() - WIN_SURE * error > WIN_THRESHOLD)


def _in_this_turn(trial: Trial, done: int, best: int, sign: float, cost: float) -> float:
    """How much of the cost comes before the end of the turn. Where points are counted only when the round is over, it
    is all of it, or none, by who takes more."""
    if trial.soon.any():
        return sign * (trial.share(trial.soon, done) - trial.share(trial.soon, best))
    more = trial.share(trial.taken, done) - trial.share(trial.taken, best)
    return cost if more > NOTICEABLE else more


def _is_about_a_row(action: Action) -> bool:
    """A row, or a pile, is taken; no card is chosen."""
    return not hasattr(action, "card") and (hasattr(action, "row") or hasattr(action, "pile"))

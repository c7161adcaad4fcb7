"""Why an action is better than another: facts counted in the imagined worlds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nimmt.bots.judge import Floats, Trial
from nimmt.insight.figures import Prospect, Reason
from nimmt.insight.naming import name_of
from nimmt.rules.game import Action


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

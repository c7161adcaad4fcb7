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
    taken, soon = trial.taken[:, number] > 0, trial.soon[:, number]
    return Prospect(
        what=name_of(actions[number]),
        takes=round(100 * float(taken.mean()), 2),
        price=round(float(soon[taken].mean()) if taken.any() else 0.0, 2),
        rest=round(float(np.mean(points[:, number] - trial.so_far)), 2),
    )

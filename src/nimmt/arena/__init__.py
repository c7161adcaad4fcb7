"""Bot against bot on the same deals: schedules, engines, statistics, ratings. `docs/arena.md` tells how it counts."""

from nimmt.arena.plan import ArenaError, Contestant, MissingExtra, Plan, make_plan, read_field
from nimmt.arena.report import Report, make_report
from nimmt.arena.runner import Course, Ledger, run
from nimmt.arena.statistics import Sprt

__all__ = [
    "ArenaError",
    "Contestant",
    "Course",
    "Ledger",
    "MissingExtra",
    "Plan",
    "Report",
    "Sprt",
    "make_plan",
    "make_report",
    "read_field",
    "run",
]

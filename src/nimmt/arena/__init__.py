"""Bot against bot on the same deals: schedules, engines, statistics, ratings. `docs/arena.md` tells how it counts."""

from nimmt.arena.errors import ArenaError, MissingExtra
from nimmt.arena.ledger import Ledger
from nimmt.arena.plan import Contestant, Plan, make_plan, read_field
from nimmt.arena.report import Report, make_report
from nimmt.arena.running import Course, run
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

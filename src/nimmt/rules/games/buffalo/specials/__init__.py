"""The eight special cards, one small piece each, and the lifting of a Stop!

A piece lists its possible uses, says why a use is not possible, and carries it out. Listing goes through the
same judgement as refusing, so that the two cannot differ.
"""

from __future__ import annotations

from typing import Any, Final

from nimmt.rules.games.buffalo.specials.base import Refused, Special
from nimmt.rules.games.buffalo.specials.cards import Insert, Push, Swap
from nimmt.rules.games.buffalo.specials.order import First, Last, Sort
from nimmt.rules.games.buffalo.specials.rows import Lift, Stop, Take7

__all__ = ["PIECES", "Refused", "Special"]

PIECES: Final[dict[str, Special[Any]]] = {
    "Take7": Take7(),
    "Stop": Stop(),
    "Swap": Swap(),
    "Insert": Insert(),
    "Push": Push(),
    "First": First(),
    "Last": Last(),
    "Sort": Sort(),
    "Lift": Lift(),
}
"""By the name of the use."""

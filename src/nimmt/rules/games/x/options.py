"""What may vary in X nimmt!"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from nimmt.rules import game
from nimmt.rules.game import InvalidOptions, Variant

HIGHEST = 100
HAND = 8
TAKING = (3, 4, 5)
"""By row: which card of the row takes the ones before it. At rest a row holds fewer."""
ROWS = len(TAKING)
MIN_SEATS, MAX_SEATS = 2, 4


class Options(game.Options, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    rounds: Annotated[int, Meta(ge=1, le=100, description="The match has so many rounds.")] = 2


VARIANTS = (Variant("basic", "Basic game", "Eight cards each, three rows of different lengths. Two rounds."),)


def check(seats: int) -> None:
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise InvalidOptions(f"This takes {MIN_SEATS} to {MAX_SEATS} seats, not {seats}.")

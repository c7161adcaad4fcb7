"""What may vary in Beat the Buffalo."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from nimmt.rules import game
from nimmt.rules.game import InvalidOptions, Variant

RULES_VERSION = 2
"""Version 1 kept a Stop! in the window in which it was laid, and refused uses that change nothing."""

HAND = 10
ROWS = 4
ROW_LIMIT = 5
FACE_UP = 2
MIN_SEATS, MAX_SEATS = 1, 6

SPECIALS_IN_PLAY = (0, 0, 2, 4, 6, 11, 16)
"""How many special cards are used, by the number of seats; alone there are none."""

DOUBLED_SEATS = 2
"""A team of so many seats or fewer counts its bulls twice."""


class Options(game.Options, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    decide: Annotated[
        Literal["agree", "anyone"],
        Meta(description="Special cards are used when all agree to a proposal, or by anyone alone."),
    ] = "agree"
    proposals: Annotated[
        int,
        Meta(ge=1, le=20, description="Proposals that a seat may make until a special card is used or a card placed."),
    ] = 3


VARIANTS = (
    Variant("basic", "Beat the Buffalo", "One team against the buffalo; special cards need everybody's agreement."),
    Variant(
        "anyone",
        "Beat the Buffalo, quick hands",
        "Any player may use a special card without asking.",
        {"decide": "anyone"},
    ),
)


def check(options: Options, seats: int) -> None:
    del options
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise InvalidOptions(f"This takes {MIN_SEATS} to {MAX_SEATS} seats, not {seats}.")

"""What may vary in 6 nimmt!"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from nimmt.rules import game
from nimmt.rules.game import InvalidOptions, Variant
from nimmt.rules.kit.cards import HIGHEST

Fan: TypeAlias = Literal["even-odd", "mountain", "cow", "twist"]

HAND = 10
ROWS = 4
ROW_LIMIT = 5
MIN_SEATS, MAX_SEATS, MAX_DRAFT_SEATS = 2, 10, 6


class Options(game.Options, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    draft: Annotated[bool, Meta(description="Tactical game: only the cards needed, drafted face up.")] = False
    large_draft: Annotated[bool, Meta(description="Draft with up to ten seats, not six (2007 edition).")] = False
    fan: Annotated[tuple[Fan, ...], Meta(description="Fan cards in play; best one kind at a time.")] = ()
    target: Annotated[
        int, Meta(ge=1, le=1000, description="The match ends with the round that brings anybody this many bulls.")
    ] = 66
    more_than_target: Annotated[
        bool, Meta(description="More bulls than the target are needed to end the match (2007 edition).")
    ] = False
    rounds: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None, Meta(description="Play so many rounds, whatever the target.")
    ] = None


VARIANTS = (
    Variant("basic", "Basic game", "Ten cards each, four rows, the sixth card takes. To 66 bulls."),
    Variant(
        "2007",
        "Basic game, 2007 edition",
        "The match ends with more than 66 bulls; drafts may seat ten.",
        {"more_than_target": True, "large_draft": True},
    ),
    Variant(
        "draft",
        "Tactical draft",
        "All cards are known and everybody picks their ten.",
        {"draft": True},
        MAX_DRAFT_SEATS,
    ),
    Variant(
        "draft-2007",
        "Tactical draft, 2007 edition",
        "The draft for up to ten, to more than 66 bulls.",
        {"draft": True, "large_draft": True, "more_than_target": True},
    ),
    Variant("even-odd", "Even/Odd", "One row takes only even or only odd numbers.", {"fan": ["even-odd"]}),
    Variant("mountain", "Mountain climbing", "In one row the numbers descend.", {"fan": ["mountain"]}),
    Variant("cow", "Jumping cow", "A cow fills a place in a row, and jumps.", {"fan": ["cow"]}),
    Variant("twist", "Twisted numbers", "Once a round the digits of a card are swapped.", {"fan": ["twist"]}),
    Variant(
        "all-fans",
        "All fan cards",
        "All four fan cards at once, for those who want chaos.",
        {"fan": ["even-odd", "mountain", "cow", "twist"]},
    ),
)


def check(options: Options, seats: int) -> None:
    most = MAX_DRAFT_SEATS if options.draft and not options.large_draft else MAX_SEATS
    if not MIN_SEATS <= seats <= most:
        hint = " (ten with large_draft)" if most == MAX_DRAFT_SEATS else ""
        raise InvalidOptions(f"This takes {MIN_SEATS} to {most} seats{hint}, not {seats}.")
    if len(set(options.fan)) != len(options.fan):
        raise InvalidOptions("fan: each kind of fan card can be named only once.")


def highest_card(options: Options, seats: int) -> int:
    return HAND * seats + ROWS if options.draft else HIGHEST

"""What may vary in 11 nimmt!, and the numbers that do not."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from nimmt.rules import game
from nimmt.rules.game import InvalidOptions, Variant

HIGHEST = 100
HAND = 10
REACH = 10
NEW_PILES = 2
LARGE_PILE = 3
BULL_CARDS = 10
MIN_SEATS, MAX_SEATS = 2, 7


class Options(game.Options, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    starter: Annotated[int, Meta(ge=0, le=MAX_SEATS - 1, description="The seat that begins the first round.")] = 0
    rounds: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None, Meta(description="Play so many rounds, not one for each seat.")
    ] = None


VARIANTS = (Variant("basic", "Basic game", "Ten cards each, one pile to begin with, as many rounds as players."),)


def check(options: Options, seats: int) -> None:
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise InvalidOptions(f"This takes {MIN_SEATS} to {MAX_SEATS} seats, not {seats}.")
    if not 0 <= options.starter < seats:
        raise InvalidOptions(f"starter: there is no seat {options.starter}: seats are 0 to {seats - 1}.")

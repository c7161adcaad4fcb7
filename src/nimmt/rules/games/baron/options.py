"""What may vary in Baron Oxx."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from nimmt.rules import game
from nimmt.rules.game import InvalidOptions, Variant
from nimmt.rules.games.baron.deck import HIGHEST, Deck, check_deck

HAND = 4
ROWS = 5
ROW_LIMIT = 5
LARGEST_DRAW_PILE = 24
MOST_GAMES = 100
MIN_SEATS, MAX_SEATS = 2, 10


class Options(game.Options, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    colour_counts: Annotated[
        bool, Meta(description="Variant 1: rows have no limit, only six bulls of a colour make somebody take.")
    ] = False
    bulls_are_good: Annotated[
        bool, Meta(description="Variant 2: bulls taken are points won; a card that fits nowhere is returned.")
    ] = False
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES, description="So many games are played and added up.")] = 1
    deck: Annotated[
        Deck | None, Meta(description="The bulls on the cards, if not those of the deck that is shipped.")
    ] = None


VARIANTS = (
    Variant("basic", "Basic game", "Colour joins colour; the sixth card or six bulls of a colour take the row."),
    Variant(
        "colour-counts",
        "Colour counts!",
        "Rows have no limit: only six bulls of a colour take.",
        {"colour_counts": True},
    ),
    Variant(
        "bulls-are-good",
        "Bulls are good",
        "Bulls taken are points won, cards not got rid of are points lost.",
        {"bulls_are_good": True},
    ),
    Variant(
        "both",
        "Colour counts, and bulls are good",
        "Both variants at once: long rows, and everybody wants them.",
        {"colour_counts": True, "bulls_are_good": True},
    ),
)


def check(options: Options, seats: int) -> None:
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise InvalidOptions(f"This takes {MIN_SEATS} to {MAX_SEATS} seats.")
    check_values(options)


def check_values(options: Options) -> None:
    if not 1 <= options.games <= MOST_GAMES:
        raise InvalidOptions(f"games must be a whole number from 1 to {MOST_GAMES}.")
    if options.deck is not None:
        check_deck(options.deck)


def draw_pile_size(seats: int) -> int:
    """The cards of each seat, hand included: whole hands, as many as the deck has beside the rows, six at most."""
    return min(LARGEST_DRAW_PILE, (HIGHEST - ROWS) // (HAND * seats) * HAND)

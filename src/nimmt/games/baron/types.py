"""Options, actions, state, views and events of Baron Oxx."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from nimmt.games.baron.deck import HIGHEST, Colour, Deck, check_deck
from nimmt.rules import game
from nimmt.rules.game import Cards, Event, InvalidOptions, Names, Rows, Seat, Value, Variant
from nimmt.rules.kit import cards as kit
from nimmt.rules.kit import events, secret
from nimmt.rules.kit.events import count, seen_alone, spaced
from nimmt.rules.kit.seats import check_seats

# -- options -----------------------------------------------------------------------------------------------------------

HAND = 4
ROWS = 5
ROW_LIMIT = 5
MAX_DRAW_PILE = 24
MAX_GAMES = 100
MIN_SEATS, MAX_SEATS = 2, 10


class Options(game.Options, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    colour_counts: Annotated[
        bool, Meta(description="Variant 1: rows have no limit, only six bulls of a colour make somebody take.")
    ] = False
    bulls_are_good: Annotated[
        bool, Meta(description="Variant 2: bulls taken are points won; a card that fits nowhere is returned.")
    ] = False
    games: Annotated[int, Meta(ge=1, le=MAX_GAMES, description="How many games are played and added up.")] = 1
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
    check_seats(seats, MIN_SEATS, MAX_SEATS)
    check_values(options)


def check_values(options: Options) -> None:
    if not 1 <= options.games <= MAX_GAMES:
        raise InvalidOptions(f"games must be a whole number from 1 to {MAX_GAMES}.")
    if options.deck is not None:
        check_deck(options.deck)


def draw_pile_size(seats: int) -> int:
    """The cards of each seat, hand included: whole hands, as many as the deck has beside the rows, six at most."""
    return min(MAX_DRAW_PILE, (HIGHEST - ROWS) // (HAND * seats) * HAND)


# -- actions -----------------------------------------------------------------------------------------------------------


class PlayCard(secret.PlayCard, frozen=True, gc=False):
    """Choose a card in secret; may be changed until all have chosen."""


class ChooseRow(secret.ChooseRow, frozen=True, gc=False):
    """Add the own card to this row, or take it if the card fits no row (rule 3)."""


# -- state -------------------------------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["deal", "choose", "row", "over"]


class Play(secret.Play, frozen=True, gc=False):
    """A card that a seat plays this turn."""


class Table(Value, frozen=True, gc=False):
    """All that everybody can see, or has seen and can remember."""

    options: Options
    seats: int
    phase: Phase
    round: int
    """The number of the game in the match."""
    rows: Rows
    queue: tuple[Play, ...]
    """Cards revealed this turn and not placed yet, in the order of placement."""
    bulls: Cards
    """Bulls taken in this game, by seat."""
    piles: Rows
    """The bull piles, by seat: all saw what was taken from the rows, and by whom."""
    returned: Rows
    """Variant 2: the cards that all saw going under each draw pile and that are still there, the lowest last."""
    known: Rows
    """Variant 2: the returned cards that each seat has drawn again and still holds, ascending."""
    idle: int
    """Variant 2: how many turns in a row nobody has placed a card."""
    left: Rows
    """Variant 2: what each seat had left when the game ended, laid open to be counted."""
    scores: Rows
    """Points of each finished game, by seat."""


def bare_table(options: Options, seats: int) -> Table:
    """The table before the first deal."""
    nothing: Rows = ((),) * seats
    return Table(
        options=options,
        seats=seats,
        phase="deal",
        round=1,
        rows=(),
        queue=(),
        bulls=(0,) * seats,
        piles=nothing,
        returned=nothing,
        known=nothing,
        idle=0,
        left=nothing,
        scores=(),
    )


class State(Value, frozen=True, gc=False):
    table: Table
    hands: Rows
    draw_piles: Rows
    """By seat, the top card first; hidden from everybody, their owners included."""
    chosen: tuple[int | None, ...]
    waiting: tuple[Seat, ...]
    """Seats that have not chosen yet."""


class View(secret.View, frozen=True, gc=False):
    """What a seat may know; a spectator has no seat and no hand."""

    table: Table
    draw_sizes: Cards


def places(state: State) -> Mapping[str, Cards]:
    """Where every card in play lies."""
    table = state.table
    lying = kit.places("row", table.rows, 1)
    for seat, (hand, draw_pile) in enumerate(zip(state.hands, state.draw_piles, strict=True)):
        known, returned = table.known[seat], table.returned[seat]
        # Returned cards are places of their own: unlike the rest of the hand or the draw pile, all have seen them.
        lying[f"the hand of seat {seat}"] = tuple(card for card in hand if card not in known)
        lying[f"the known cards of seat {seat}"] = known
        lying[f"the draw pile of seat {seat}"] = draw_pile[: len(draw_pile) - len(returned)]
        lying[f"the returned cards of seat {seat}"] = returned
        lying[f"the pile of seat {seat}"] = table.piles[seat]
        lying[f"the cards left of seat {seat}"] = table.left[seat]
    return lying | {"the cards to be placed": tuple(play.card for play in table.queue)}


# -- events ------------------------------------------------------------------------------------------------------------


class CardsRevealed(secret.CardsRevealed, frozen=True, gc=False):
    """All cards of the turn, in the order in which they will be placed."""

    plays: tuple[Play, ...]


class CardPlaced(events.CardPlaced, frozen=True, gc=False):
    """A card lies in its row. `colours` are those of which the row and the card together show six or more."""

    colours: tuple[Colour, ...] = ()

    def tell(self, names: Names) -> str:
        who, loot = names[self.seat], f"{spaced(self.taken)} ({count(self.bulls, 'bull')})"
        if self.rule == "sixth-card":
            return f"{who}: {self.card} is the sixth card of row {self.row} and takes {loot}."
        if self.rule == "six-bulls":
            crowd = " and ".join(self.colours)
            return f"{who}: {self.card} brings row {self.row} to six bulls or more in {crowd} and takes {loot}."
        if self.rule == "no-colour":
            return f"{who}: {self.card} fits no row, takes {loot} and starts row {self.row} again."
        return f"{who}: {self.card} goes to row {self.row}."


class CardReturned(Event, frozen=True, gc=False):
    """Variant 2: a card that fits no row lies face down under its owner's draw pile; all have seen which."""

    seat: Seat
    card: int
    rule: str = "returned"

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]}: {self.card} fits no row and goes under the draw pile."


class CardsDrawn(Event, frozen=True, gc=False):
    """Empty hands are filled again: all see how many cards are drawn, and each seat its own."""

    sizes: Cards
    drawn: tuple[Cards | None, ...]

    def seen_by(self, seat: Seat | None) -> CardsDrawn:
        return CardsDrawn(self.sizes, seen_alone(self.drawn, seat))

    def tell(self, names: Names) -> str:
        told = [
            f"{names[seat]} {count(size, 'card') if cards is None else spaced(cards)}"
            for seat, (size, cards) in enumerate(zip(self.sizes, self.drawn, strict=True))
            if size
        ]
        return f"Drawn: {', '.join(told)}."


class StoodStill(Event, frozen=True, gc=False):
    """Variant 2: the game ends because no card finds a row any more."""

    SECONDS = 0.0

    turns: int

    def tell(self, names: Names) -> str:
        del names
        return f"Nobody could place a card for {count(self.turns, 'turn')}: the game stands still and ends."


class LeftCounted(Event, frozen=True, gc=False):
    """Variant 2: what is left in hands and draw piles is laid open, and its bulls count against its owner."""

    SECONDS = 0.0

    left: Rows
    bulls: Cards

    def tell(self, names: Names) -> str:
        told = [
            f"{names[seat]} {spaced(cards)} ({count(bulls, 'bull')})"
            for seat, (cards, bulls) in enumerate(zip(self.left, self.bulls, strict=True))
            if cards
        ]
        return f"Left over: {', '.join(told)}."

"""Options, actions, state, views and events of 6 nimmt!"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self, TypeAlias

import msgspec
from msgspec import Meta

from nimmt.rules import game
from nimmt.rules.game import Action, Cards, Event, InvalidOptions, Names, Rows, Seat, Value, Variant
from nimmt.rules.kit import cards as kit
from nimmt.rules.kit import secret
from nimmt.rules.kit.cards import HIGHEST, deck
from nimmt.rules.kit.events import spaced
from nimmt.rules.kit.seats import check_seats

# -- options -----------------------------------------------------------------------------------------------------------

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
        Annotated[int, Meta(ge=1, le=1000)] | None,
        Meta(description="Play exactly this many rounds, ignoring the target."),
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
    check_seats(seats, MIN_SEATS, most, " (ten with large_draft)" if most == MAX_DRAFT_SEATS else "")
    if len(set(options.fan)) != len(options.fan):
        raise InvalidOptions("fan: each kind of fan card can be named only once.")


def highest_card(options: Options, seats: int) -> int:
    return HAND * seats + ROWS if options.draft else HIGHEST


# -- actions -----------------------------------------------------------------------------------------------------------


class PlayCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Choose a card in secret, perhaps with the twist card; may be changed until all have chosen."""

    card: int
    twisted: bool = False


class ChooseRow(secret.ChooseRow, frozen=True, gc=False):
    """Rule 4: take this row."""


class DraftCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    card: int


# -- state -------------------------------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["deal", "draft", "choose", "row", "over"]
Parity: TypeAlias = Literal["even", "odd"]
Arrows: TypeAlias = Literal["up", "down"]


def parity(number: int) -> Parity:
    return "odd" if number % 2 else "even"


def twisted(card: int) -> int:
    """The number with its two digits swapped; one digit reads with a leading zero."""
    return card % 10 * 10 + card // 10


class Play(secret.Play, frozen=True, gc=False):
    """A card that a seat plays this turn, perhaps with its twist card."""

    twisted: bool = False

    @property
    def value(self) -> int:
        return twisted(self.card) if self.twisted else self.card

    def to_text(self) -> str:
        return f"{self.seat}:{self.card}{'~' if self.twisted else ''}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        seat, _, card = text.partition(":")
        return cls(int(seat), int(card.removesuffix("~")), card.endswith("~"))

    def told(self) -> str:
        return f"{self.card} as {self.value:02}" if self.twisted else str(self.card)


class Marker(Value, frozen=True, gc=False):
    """The row at which a fan card lies; what it shows stands in a second field."""

    row: int

    def to_text(self) -> str:
        return ":".join(map(str, msgspec.structs.astuple(self)))

    @classmethod
    def from_text(cls, text: str) -> Self:
        row, _, shown = text.partition(":")
        return msgspec.convert(dict(zip(cls.__struct_fields__, (int(row), shown), strict=True)), cls)


class ParityMarker(Marker, frozen=True, gc=False):
    parity: Parity


class MountainMarker(Marker, frozen=True, gc=False):
    arrows: Arrows


class Markers(Value, frozen=True, gc=False):
    """Where the fan cards lie: the row of each, and what it shows."""

    even_odd: ParityMarker | None = None
    mountain: MountainMarker | None = None
    cow: int | None = None


class History(Value, frozen=True, gc=False):
    """The round as everybody saw it; empty if it is not known, as in a position made by hand."""

    starts: Cards = ()
    """The cards with which the rows began."""
    turns: tuple[tuple[Play, ...], ...] = ()
    """All cards revealed, turn by turn, in the order of placement."""
    rows: Cards = ()
    """Rows chosen under rule 4, in the order in which that happened."""

    def to_text(self) -> str:
        """The first cards and the turns between bars, then the rows chosen: `12 37 43 58 | 1:5 0:60 ; 2`."""
        if not self.starts and not self.turns and not self.rows:
            return "-"
        turns = [" ".join(play.to_text() for play in turn) for turn in self.turns]
        return " | ".join([spaced(self.starts), *turns]) + (f" ; {spaced(self.rows)}" if self.rows else "")

    @classmethod
    def from_text(cls, text: str) -> History:
        if text == "-":
            return cls()
        played, _, rows = text.partition(";")
        starts, *turns = played.split("|")
        plays = tuple(tuple(map(Play.from_text, turn.split())) for turn in turns)
        return cls(tuple(map(int, starts.split())), plays, tuple(map(int, rows.split())))


class Table(Value, frozen=True, gc=False):
    """All that everybody can see, or has seen and can remember."""

    options: Options
    seats: int
    phase: Phase
    round: int
    rows: Rows
    markers: Markers
    queue: tuple[Play, ...]
    """Cards revealed this turn and not placed yet, in the order of placement."""
    bulls: Cards
    """Bulls taken in this round, by seat."""
    taken: Cards
    """Cards taken in this round by anybody."""
    twists: tuple[bool, ...]
    """Who still holds a twist card."""
    pool: Cards
    """Draft: the cards nobody has taken yet."""
    drafted: Rows
    """Draft: the ten cards of each seat, played ones included; everybody saw them being picked."""
    scores: Rows
    """Bulls of each finished round, by seat."""
    history: History = History()


def bare_table(options: Options, seats: int) -> Table:
    """The table before the first deal or draft."""
    return Table(
        options=options,
        seats=seats,
        phase="draft" if options.draft else "deal",
        round=1,
        rows=(),
        markers=Markers(),
        queue=(),
        bulls=(0,) * seats,
        taken=(),
        twists=(False,) * seats,
        pool=deck(highest_card(options, seats)) if options.draft else (),
        drafted=((),) * seats if options.draft else (),
        scores=(),
    )


class State(Value, frozen=True, gc=False):
    table: Table
    hands: Rows
    piles: Rows
    """The bull piles: face down, only their owners may look through them."""
    chosen: tuple[Play | None, ...]
    waiting: tuple[Seat, ...]
    """Seats that have not chosen yet."""


class View(Value, frozen=True, gc=False):
    """What a seat may know; a spectator has no seat, no hand and no pile."""

    seat: Seat | None
    table: Table
    hand: Cards
    pile: Cards
    choice: Play | None
    """The own card of this turn, while it may still be changed."""
    waiting: tuple[Seat, ...]
    hand_sizes: Cards


def places(state: State) -> Mapping[str, Cards]:
    """Where every card in play lies."""
    table = state.table
    lying = kit.places("row", table.rows, 1)
    lying |= kit.places("the hand of seat", state.hands) | kit.places("the pile of seat", state.piles)
    return lying | {"the cards to be placed": tuple(play.card for play in table.queue), "the pool": table.pool}


def drafted_hands(table: Table) -> Rows:
    gone = {*table.taken, *(play.card for play in table.queue)}.union(*table.rows)
    return tuple(tuple(card for card in cards if card not in gone) for cards in table.drafted)


# -- events ------------------------------------------------------------------------------------------------------------


class DraftBegun(Event, frozen=True, gc=False):
    SECONDS = 0.0

    round: int
    pool: Cards
    starter: Seat

    def tell(self, names: Names) -> str:
        return f"Round {self.round}: the draft of 1 to {self.pool[-1]}. {names[self.starter]} begins."


class CardDrafted(Event, frozen=True, gc=False):
    seat: Seat
    card: int

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} drafts {self.card}."


class RowsStarted(Event, frozen=True, gc=False):
    """The four cards that nobody drafted start the rows."""

    cards: Cards

    def tell(self, names: Names) -> str:
        del names
        return f"The rows start with {spaced(self.cards)}."


class MarkersLaid(Event, frozen=True, gc=False):
    """Where the fan cards lie when the round begins."""

    markers: Markers

    def tell(self, names: Names) -> str:
        del names
        markers, told = self.markers, []
        if markers.even_odd:
            told.append(f"Even/Odd lies at row {markers.even_odd.row}, {markers.even_odd.parity} numbers only")
        if markers.mountain:
            told.append(f"the mountain marker lies at row {markers.mountain.row}, arrows {markers.mountain.arrows}")
        if markers.cow:
            told.append(f"the cow stands in row {markers.cow}")
        sentence = "; ".join(told)
        return f"{sentence[0].upper()}{sentence[1:]}."


class CardChosen(Event, frozen=True, gc=False):
    """A seat has chosen in secret: only the seat knows what."""

    SECONDS = 0.0

    seat: Seat
    play: Play | None

    def seen_by(self, seat: Seat | None) -> CardChosen:
        return self if seat == self.seat else CardChosen(self.seat, None)

    def tell(self, names: Names) -> str:
        if self.play is None:
            return f"{names[self.seat]} chooses a card."
        return f"{names[self.seat]} chooses {self.play.card}{' twisted' if self.play.twisted else ''}."


class CardsRevealed(secret.CardsRevealed, frozen=True, gc=False):
    """All cards of the turn, in the order in which they will be placed."""

    plays: tuple[Play, ...]

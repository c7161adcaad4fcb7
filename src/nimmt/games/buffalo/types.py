"""Options, actions, state and views of Beat the Buffalo."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from nimmt.rules import game
from nimmt.rules.game import Action, Cards, Rows, Seat, Value, Variant
from nimmt.rules.kit import secret
from nimmt.rules.kit.cards import places
from nimmt.rules.kit.seats import check_seats

# -- options -----------------------------------------------------------------------------------------------------------

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
    check_seats(seats, MIN_SEATS, MAX_SEATS)


# -- actions -----------------------------------------------------------------------------------------------------------


class PlayCard(secret.PlayCard, frozen=True, gc=False):
    """Choose a card in secret; may be changed until all have chosen."""


class ChooseRow(secret.ChooseRow, frozen=True, gc=False):
    """Rule 4: take this row for the team."""


class SwapCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Swap!: play this card instead of the one taken back."""

    card: int


# -- uses of special cards ----------------------------------------------------------------------------------


class SpecialUse(Value, frozen=True, tag=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """Base of the ways to use a special card; named like the card, except `Lift`."""


class Take7(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    row: int


class Stop(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    row: int


class Lift(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    """Take the Stop! away from a row; no card is spent for it."""

    row: int


class Swap(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    seat: Seat


class Insert(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    """The next card goes into this row; the ascending order says where."""

    row: int


class Push(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    """A card that lies in a row moves to this row; the ascending order says where."""

    card: int
    row: int


class First(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    seat: Seat


class Last(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    seat: Seat


class Sort(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    """The owners of all cards still to be placed, in their new order; the buffalo is -1."""

    order: tuple[Seat, ...]


AnyUse: TypeAlias = Take7 | Stop | Lift | Swap | Insert | Push | First | Last | Sort


# -- deciding about them ------------------------------------------------------------------------------------


class Propose(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Suggest to use a special card; it happens when all others agree."""

    use: AnyUse

    def family(self) -> tuple[type, ...]:
        return type(self), type(self.use)


class Agree(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    pass


class Decline(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """One seat that declines is enough to drop the proposal."""


class Withdraw(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Take the own proposal back."""


class Pass(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Wish for nothing (more) as things stand; holds until a special card is used or a card placed."""


class Use(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Use a special card without asking, where the options allow it."""

    use: AnyUse

    def family(self) -> tuple[type, ...]:
        return type(self), type(self.use)


# -- state -------------------------------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["deal", "choose", "window", "swap", "row", "over"]
Kind: TypeAlias = Literal["Take7", "Stop", "Swap", "Insert", "Push", "First", "Last", "Sort"]

BUFFALO: Final = -1
"""Stands where the owner of a card is named; no seat has this number."""

KINDS: tuple[Kind, ...] = ("Take7", "Stop", "Swap", "Insert", "Push", "First", "Last", "Sort")
SPECIALS: Cards = tuple(range(1, 2 * len(KINDS) + 1))


def kind(special: int) -> Kind:
    """Special cards are numbered from 1, two of each kind in the order of `KINDS`."""
    return KINDS[(special - 1) // 2]


class Play(secret.Play, frozen=True, gc=False):
    """A card and whose it is: a seat's or the buffalo's."""


class Proposal(Value, frozen=True, gc=False):
    seat: Seat
    use: AnyUse
    agreed: tuple[Seat, ...]
    """The other seats that have agreed so far."""


class Window(Value, frozen=True, gc=False):
    """A moment between two placements in which the team may use special cards."""

    passed: tuple[bool, ...]
    proposals: Cards
    """How many proposals each seat has made since a special card was used or a card placed."""
    proposal: Proposal | None
    stopped: Cards
    """Version 1 only: rows that got their Stop! in this window, which cannot be lifted before a later one."""


class Table(Value, frozen=True, gc=False):
    """All that everybody can see, or has seen and can remember."""

    options: Options
    seats: int
    phase: Phase
    turn: int
    """The turn being played, from 1; 0 before the deal."""
    rows: Rows
    beside: Rows
    """Special cards lying left of each row."""
    queue: tuple[Play, ...]
    """Cards revealed this turn and not placed yet, in the order of placement."""
    known: tuple[Play, ...]
    """Cards that were shown and taken back by Swap! and are still in hand, the latest one last."""
    face_up: Cards
    """Special cards that the team may use."""
    used: Cards
    """Special cards that have left the game."""
    window: Window | None
    pile: Cards
    """The team's bull pile, which it may look through."""
    bulls: int
    """The team's bulls, not doubled."""
    buffalo_taken: int
    """How many cards lie in the buffalo's bull pile."""
    buffalo_bulls: int
    taken: Cards
    """Cards taken by anybody, for those who remember everything."""
    declined: tuple[AnyUse, ...] = ()
    """Proposals that somebody declined in this turn, in their order."""
    rules_version: int = 1
    """The version of the rules that this match obeys. Tables from before there was a second one do not say it."""


class State(Value, frozen=True, gc=False):
    table: Table
    hands: Rows
    buffalo: Cards
    """The buffalo's cards, face down, from the top."""
    buffalo_pile: Cards
    """The buffalo's bull pile: nobody may look through it."""
    specials: Cards
    """The deck of special cards, from the top."""
    chosen: tuple[int | None, ...]
    waiting: tuple[Seat, ...]
    """Seats that have not chosen yet."""


class View(secret.View, frozen=True, gc=False):
    """What a seat may know; a spectator has no seat and no hand."""

    table: Table
    buffalo_size: int
    specials_left: int
    """How many special cards are still face down."""


def before_the_deal(options: Options, seats: int, rules_version: int = RULES_VERSION) -> State:
    table = Table(
        options=options,
        seats=seats,
        phase="deal",
        turn=0,
        rows=(),
        beside=((),) * ROWS,
        queue=(),
        known=(),
        face_up=(),
        used=(),
        window=None,
        pile=(),
        bulls=0,
        buffalo_taken=0,
        buffalo_bulls=0,
        taken=(),
        rules_version=rules_version,
    )
    return State(table, ((),) * seats, (), (), (), (None,) * seats, ())


def number_places(state: State) -> dict[str, Cards]:
    """Where every numbered card in play lies."""
    table = state.table
    return (
        places("row", table.rows, 1)
        | places("the hand of seat", state.hands)
        | {
            "the buffalo's cards": state.buffalo,
            "the cards to be placed": tuple(play.card for play in table.queue),
            "the team's pile": table.pile,
            "the buffalo's pile": state.buffalo_pile,
        }
    )


def special_places(state: State) -> dict[str, Cards]:
    """Where every special card in play lies; those put away unseen are nowhere."""
    table = state.table
    return places("the left of row", table.beside, 1) | {
        "the special deck": state.specials,
        "the face-up special cards": table.face_up,
        "the special cards out of the game": table.used,
    }

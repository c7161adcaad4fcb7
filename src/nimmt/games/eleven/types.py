"""Options, actions, state, views and events of 11 nimmt!"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from nimmt.rules import game
from nimmt.rules.game import Action, Cards, Event, InvalidOptions, Names, Rows, Seat, Value, Variant
from nimmt.rules.kit import cards as kit
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import count, holdings, seen_alone, spaced
from nimmt.rules.kit.seats import check_seats

# -- options -----------------------------------------------------------------------------------------------------------

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
        Annotated[int, Meta(ge=1, le=1000)] | None,
        Meta(description="Play exactly this many rounds, not one for each seat."),
    ] = None


VARIANTS = (Variant("basic", "Basic game", "Ten cards each, one pile to begin with, as many rounds as players."),)


def check(options: Options, seats: int) -> None:
    check_seats(seats, MIN_SEATS, MAX_SEATS)
    if not 0 <= options.starter < seats:
        raise InvalidOptions(f"starter: there is no seat {options.starter}: seats are 0 to {seats - 1}.")


# -- actions -----------------------------------------------------------------------------------------------------------


class LayCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Lay a card on a pile. Without bull cards that is the whole turn."""

    card: int
    pile: int


class EndTurn(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Lay no more cards this turn."""


class TakePile(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Take a whole pile into the hand instead of laying."""

    pile: int


class ChooseGiver(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Say which of the seats with the most bull cards gives one away."""

    seat: Seat


# -- state -------------------------------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["deal", "turn", "giver", "over"]


def distance(on: int, card: int) -> int:
    """Steps from one number up to another; after the highest comes 1."""
    return (card - on) % HIGHEST


class Laid(Value, frozen=True, gc=False):
    """Cards laid on one pile in the turn that is going on, and the top that they are measured from."""

    pile: int
    on: int
    cards: Cards

    def to_text(self) -> str:
        return f"{self.pile}:{self.on}:{','.join(map(str, self.cards))}"

    @classmethod
    def from_text(cls, text: str) -> Laid:
        pile, on, cards = text.split(":")
        return cls(int(pile), int(on), tuple(map(int, cards.split(","))))


class Table(Value, frozen=True, gc=False):
    """All that everybody can see, or has seen and can remember. How high the piles are is not among it."""

    options: Options
    seats: int
    phase: Phase
    round: int
    starter: Seat
    """The seat that begins this round."""
    turn: Seat
    tops: Cards
    draw_left: int
    """Cards in the draw pile."""
    hand_sizes: Cards
    bull_cards: Cards
    """Bull cards in front of each seat."""
    supply: int
    """Bull cards that nobody has."""
    laid: tuple[Laid, ...]
    """What the seat whose turn it is has laid in this turn."""
    seen: Cards
    """Cards that have lain open in this round, ascending, wherever they are now."""
    seen_in_hand: Cards
    """How many of the seen cards each hand holds: all saw how many were taken and which were laid again."""
    known: Rows
    """Which of them all saw going to each hand: the tops of the piles that it took."""
    shown: Rows
    """Between rounds, the hands as they were counted; otherwise nothing."""
    scores: Rows
    """Points of each finished round, by seat."""


def bare_table(options: Options, seats: int) -> Table:
    """The table before the first deal."""
    nothing: Rows = ((),) * seats
    return Table(
        options=options,
        seats=seats,
        phase="deal",
        round=1,
        starter=options.starter,
        turn=options.starter,
        tops=(),
        draw_left=0,
        hand_sizes=(0,) * seats,
        bull_cards=(0,) * seats,
        supply=BULL_CARDS,
        laid=(),
        seen=(),
        seen_in_hand=(0,) * seats,
        known=nothing,
        shown=nothing,
        scores=(),
    )


class State(Value, frozen=True, gc=False):
    table: Table
    hands: Rows
    piles: Rows
    """From the bottom to the top."""
    draw: Cards
    """The draw pile, the next card first."""


class View(Value, frozen=True, gc=False):
    """What a seat may know; a spectator has no seat and no hand."""

    seat: Seat | None
    table: Table
    hand: Cards


def laid_on(table: Table, pile: int) -> Laid | None:
    """What was laid on this pile in the turn that is going on."""
    for laid in table.laid:
        if laid.pile == pile:
            return laid
    return None


def givers(table: Table) -> tuple[Seat, ...]:
    """Who may have to give the seat in turn a bull card: all others with the most, none if it alone has the most."""
    most = max(table.bull_cards)
    return tuple(seat for seat, owned in enumerate(table.bull_cards) if owned == most and seat != table.turn)


def places(state: State) -> Mapping[str, Cards]:
    """Where every card in play lies."""
    lying = kit.places("pile", state.piles, 1) | kit.places("the hand of seat", state.hands)
    return lying | {"the draw pile": state.draw}


# -- events ------------------------------------------------------------------------------------------------------------


class HandsDealt(Event, frozen=True, gc=False):
    """A round begins: a hand for each seat to see alone."""

    round: int
    starter: Seat
    hands: tuple[Cards | None, ...]

    def seen_by(self, seat: Seat | None) -> HandsDealt:
        return HandsDealt(self.round, self.starter, seen_alone(self.hands, seat))

    def tell(self, names: Names) -> str:
        begun = f"Round {self.round}: {names[self.starter]} begins."
        return "\n".join([begun, *holdings(names, self.hands)])


class PilesOpened(Event, frozen=True, gc=False):
    """Cards from the draw pile lie open as new piles; `pile` is the number of the first of them."""

    cards: Cards
    pile: int

    def tell(self, names: Names) -> str:
        del names
        if len(self.cards) == 1:
            return f"{self.cards[0]} opens pile {self.pile}."
        piles = range(self.pile, self.pile + len(self.cards))
        return f"{' and '.join(map(str, self.cards))} open piles {' and '.join(map(str, piles))}."


class CardLaid(Event, frozen=True, gc=False):
    """A card lies on a pile and covers the card `on`."""

    seat: Seat
    card: int
    pile: int
    on: int
    rule: str

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} lays {self.card} on {self.on} (pile {self.pile})."


class TurnEnded(Event, frozen=True, gc=False):
    """A seat with bull cards has laid all that it wants to."""

    SECONDS = 0.0

    seat: Seat

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} lays no more."


class PileTaken(Event, frozen=True, gc=False):
    """A pile is in a hand now. All see how many cards it had, only the taker sees which."""

    seat: Seat
    pile: int
    top: int
    count: int
    cards: Cards | None
    rule: str

    def seen_by(self, seat: Seat | None) -> PileTaken:
        return self if seat == self.seat else PileTaken(self.seat, self.pile, self.top, self.count, None, self.rule)

    def taker(self) -> Seat | None:
        return self.seat

    def tell(self, names: Names) -> str:
        told = f"{names[self.seat]} takes pile {self.pile} with {self.top} on top: {count(self.count, 'card')}"
        if self.cards is None:
            return f"{told}."
        return f"{told}, {spaced(self.cards)} ({count(bulls(self.cards), 'bull')})."


class BullCardGained(Event, frozen=True, gc=False):
    """A bull card, from the supply or, when that is empty, from a player."""

    seat: Seat
    giver: Seat | None
    rule: str

    def tell(self, names: Names) -> str:
        origin = "" if self.giver is None else f" from {names[self.giver]}"
        return f"{names[self.seat]} gets a bull card{origin}."


class BullCardMissed(Event, frozen=True, gc=False):
    """No bull card is left in the supply and nobody else has as many as the taker."""

    SECONDS = 0.0

    seat: Seat
    rule: str

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} alone has the most bull cards and gets no other."


class HandsShown(Event, frozen=True, gc=False):
    """The round is over: what is left in the hands lies open and is counted."""

    SECONDS = 0.0

    hands: Rows
    bulls: Cards
    rule: str

    def tell(self, names: Names) -> str:
        done = [names[seat] for seat, hand in enumerate(self.hands) if not hand]
        why = f"{done[0]} has no card left" if done else "No pile is left"
        left = [
            f"{names[seat]} {spaced(hand)} ({count(self.bulls[seat], 'bull')})"
            for seat, hand in enumerate(self.hands)
            if hand
        ]
        return f"{why}; counted are {', '.join(left)}."

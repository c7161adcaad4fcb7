"""What lies on the table and what is hidden in 11 nimmt!"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from nimmt.rules.game import Cards, Rows, Seat, Value
from nimmt.rules.games.eleven.options import HIGHEST, Options

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
    where = {f"pile {pile}": cards for pile, cards in enumerate(state.piles, 1)}
    where |= {f"the hand of seat {seat}": hand for seat, hand in enumerate(state.hands)}
    return where | {"the draw pile": state.draw}

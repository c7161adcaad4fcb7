"""Small helpers for things that every seat has one of, and for refusing what a seat may not do."""

from __future__ import annotations

from typing import TypeVar

from nimmt.rules.game import Action, AnyGame, Cards, IllegalAction, Refusal, Seat, Value

T = TypeVar("T")


def at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The same tuple with another value at one place."""
    return (*values[:index], value, *values[index + 1 :])


def without(cards: Cards, card: int) -> Cards:
    """The cards with one of them gone."""
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def shown(number: int) -> str:
    """A number from outside in a sentence; Python refuses to write out enormous ones."""
    return str(number) if number in _SENSIBLE else "with such a number"


_SENSIBLE = range(-10_000, 10_000)


_SEATS = [range(seats) for seats in range(100)]
"""Made once: whether a seat exists is asked all the time."""


def check_seat(seat: Seat, seats: int) -> None:
    if seat not in _SEATS[seats]:
        raise IllegalAction(Refusal.NO_SUCH_SEAT, seat, f"There is no seat {shown(seat)}: seats are 0 to {seats - 1}.")


def out_of_place(game: AnyGame, state: Value, seat: Seat, action: Action) -> IllegalAction:
    """The refusal of an action that no rule has a use for now."""
    if game.outcome(state) is not None:
        return IllegalAction(Refusal.MATCH_OVER, seat, "The match is over.")
    if game.deal_request(state) is not None:
        return IllegalAction(Refusal.WAITING_FOR_DEAL, seat, "The cards of the next round are not dealt yet.")
    wanted = [decision.kind for decision in game.pending(state) if decision.seat == seat]
    if not wanted and not game.legal(state, seat):
        return IllegalAction(Refusal.NOT_YOUR_TURN, seat, "It is not your turn: others are being waited for.")
    asked = f" Now you {game.decisions[wanted[0]]}." if wanted else ""
    return IllegalAction(Refusal.WRONG_ACTION, seat, f"{type(action).__name__} is not possible now.{asked}")

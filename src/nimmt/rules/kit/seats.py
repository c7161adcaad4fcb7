"""Small helpers for things that every seat has one of, and for refusing what a seat may not do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized
from typing import Any, TypeVar

from nimmt.rules.game import (
    Action,
    AnyGame,
    Cards,
    IllegalAction,
    InvalidOptions,
    InvalidPosition,
    Refusal,
    Rows,
    Seat,
    Value,
)

# -- seats -------------------------------------------------------------------------------------------------------------

T = TypeVar("T")

SEAT_NAMES = ("Anna", "Ben", "Cleo", "Dario", "Ella", "Finn", "Greta", "Hugo", "Ida", "Jonas")
"""Who sits there when nobody says: enough for the largest table."""


def usual_seats(game: AnyGame) -> int:
    """A table of four where the game allows that."""
    return min(max(4, game.min_seats), game.max_seats)


def at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The same tuple with another value at one place."""
    changed = list(values)  # quicker than slices, and it is asked for all the time
    changed[index] = value
    return tuple(changed)


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


def check_seats(seats: int, least: int, most: int, hint: str = "") -> None:
    """Refuse a table that is too small or too large for the options."""
    if not least <= seats <= most:
        raise InvalidOptions(f"This takes {least} to {most} seats{hint}, not {seats}.")


# -- checks ------------------------------------------------------------------------------------------------------------
# What a position must obey in every game, wherever it came from.


def check_cards(places: Mapping[str, Cards], allowed: Iterable[int]) -> None:
    """Refuse a position in which a card is unknown or lies in two places."""
    known = frozenset(allowed)
    where: dict[int, str] = {}
    for place, cards in places.items():
        for card in cards:
            if card not in known:
                raise InvalidPosition(f"There is no card {card} ({place}).")
            if card in where:
                both = f"in {place} twice" if where[card] == place else f"in {where[card]} and in {place}"
                raise InvalidPosition(f"Card {card} lies {both}.")
            where[card] = place


def check_lengths(seats: int, most: int, **values: Sized) -> None:
    """Everything that each seat has one of must be there for each seat."""
    if not 1 <= seats <= most:
        raise InvalidPosition(f"seats must be from 1 to {most}, not {seats}.")
    for name, value in values.items():
        if len(value) != seats:
            raise InvalidPosition(f"{name} must have one entry for each of the {seats} seats, not {len(value)}.")


def check_ascending(hands: Rows) -> None:
    if any(tuple(sorted(hand)) != hand for hand in hands):
        raise InvalidPosition("Hands are written in ascending order.")


def check_common(
    state: Any, most: int, cards: Callable[[Any], Mapping[str, Cards]], deck: Cards, least: int = 0, **values: Sized
) -> None:
    """What is the same at all tables with a score: seats, rounds, and that each card of the deck is there once.

    `least` is the fewest points that a round can bring; `values` are further things that each seat has one of.
    """
    table = state.table
    check_lengths(table.seats, most, hands=state.hands, **values)
    _check_scores(table.seats, table.round, table.scores, over=table.phase == "over", least=least)
    check_cards(cards(state), deck)


def _check_scores(seats: int, round_number: int, scores: Rows, *, over: bool, least: int) -> None:
    """The points of each finished round, and of no other; none below the least that a round can bring."""
    if round_number < 1 or len(scores) != round_number - (not over):
        raise InvalidPosition(f"In round {round_number} scores must have one line for each finished round.")
    if any(len(points) != seats for points in scores):
        raise InvalidPosition("Each line of scores must have the points of each seat.")
    if any(point < least for points in scores for point in points):
        raise InvalidPosition(f"Nobody can have fewer than {least} points in a round.")

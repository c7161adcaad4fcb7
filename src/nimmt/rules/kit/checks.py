"""What a position must obey in every game, wherever it came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized

from nimmt.rules.game import Cards, InvalidPosition, Rows


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


def check_scores(seats: int, round_number: int, scores: Rows, *, over: bool, least: int = 0) -> None:
    """The points of each finished round, and of no other; none below the least that a round can bring."""
    if round_number < 1 or len(scores) != round_number - (not over):
        raise InvalidPosition(f"In round {round_number} scores must have one line for each finished round.")
    if any(len(points) != seats for points in scores):
        raise InvalidPosition("Each line of scores must have the points of each seat.")
    if any(point < least for points in scores for point in points):
        raise InvalidPosition(f"Nobody can have fewer than {least} points in a round.")

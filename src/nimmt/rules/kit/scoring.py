"""Points of several rounds, and who wins."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt.rules.game import Cards, Rows, Seat


def totals(rounds: Rows, seats: int) -> Cards:
    """Everybody's points in all, from the points of each round."""
    return tuple(sum(points[seat] for points in rounds) for seat in range(seats))


def fewest(points: Sequence[int]) -> tuple[Seat, ...]:
    """The seats with the fewest points share the win."""
    best = min(points)
    return tuple(seat for seat, total in enumerate(points) if total == best)


def most(points: Sequence[int]) -> tuple[Seat, ...]:
    """The seats with the most points share the win."""
    return fewest([-total for total in points])

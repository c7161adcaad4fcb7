"""Cards with a number and bulls, and what bulls add up to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from nimmt.rules.game import Cards, Deal, DealRequest, Foreseen, InvalidDeal, Rows, Seat

# -- cards -------------------------------------------------------------------------------------------------------------
# Numbered cards and the bulls printed on them.

HIGHEST = 104


def _printed_bulls(card: int) -> int:
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    return 2 if card % 5 == 0 else 1


BULLS: Cards = (0, *(_printed_bulls(card) for card in range(1, HIGHEST + 1)))
"""Bulls on each card of the numbered games, by its number; there is no card 0."""


def bulls(cards: Iterable[int]) -> int:
    return sum([BULLS[card] for card in cards])


def deck(highest: int) -> Cards:
    return tuple(range(1, highest + 1))


def check_deal(request: DealRequest | None, deal: Deal) -> None:
    """Refuse a deal that is not a rearrangement of exactly the decks that were asked for."""
    if request is None:
        raise InvalidDeal("No deal is due now.")
    if deal.decks.keys() != request.decks.keys():
        wanted = ", ".join(request.decks)
        raise InvalidDeal(f"The deal must have the decks: {wanted}; it has: {', '.join(deal.decks) or 'none'}.")
    for name, cards in request.decks.items():
        if sorted(deal.decks[name]) != sorted(cards):
            raise InvalidDeal(f"The deck {name!r} must hold its {len(cards)} cards once each.")


# -- scoring -----------------------------------------------------------------------------------------------------------
# Points of several rounds, and who wins.


def totals(rounds: Rows, seats: int) -> Cards:
    """Everybody's points in all, from the points of each round."""
    return tuple(sum(points[seat] for points in rounds) for seat in range(seats))


def points_so_far(table: Any, seats: int) -> Cards | None:
    """Everybody's points as all can see them: what a table has as `points`, or the rounds in its `scores`."""
    points: Cards | None = getattr(table, "points", None)
    rounds: Rows | None = getattr(table, "scores", None)
    return points if points is not None else None if rounds is None else totals(rounds, seats)


def fewest(points: Sequence[int]) -> tuple[Seat, ...]:
    """The seats with the fewest points share the win."""
    best = min(points)
    return tuple(seat for seat, total in enumerate(points) if total == best)


def most(points: Sequence[int]) -> tuple[Seat, ...]:
    """The seats with the most points share the win."""
    return fewest([-total for total in points])


def foresee_rows(
    rows: Rows, row: int | None, is_full: bool, open_rows: Sequence[int], rule: str
) -> tuple[Foreseen, ...]:
    """A card that goes to this row, for this reason if it takes nothing; None: its owner must choose an open one."""
    if row is None:
        return tuple(Foreseen(place, rows[place - 1], bulls(rows[place - 1]), "too-low") for place in open_rows)
    return (Foreseen(row, rows[row - 1], bulls(rows[row - 1]), "full-row") if is_full else Foreseen(row, (), 0, rule),)

"""Cards with a number and bulls, and what bulls add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import add
from typing import Any

from nimmt.rules.game import Cards, Deal, DealRequest, Foreseen, InvalidDeal, Rows, Seat, Standing

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


def deal_out(order: Cards, size: int, packs: int) -> tuple[Rows, Cards]:
    """So many packs of this size, the first from the top, and the rest of the deck."""
    return tuple([order[size * pack : size * (pack + 1)] for pack in range(packs)]), order[size * packs :]


def sorted_hands(packs: Sequence[Sequence[int]]) -> Rows:
    return tuple([tuple(sorted(pack)) for pack in packs])


def places(name: str, cards: Rows, first: int = 0) -> dict[str, Cards]:
    """What lies in places that are numbered: `row 1`, `row 2`, …"""
    return {f"{name} {number}": lying for number, lying in enumerate(cards, first)}


# -- rows --------------------------------------------------------------------------------------------------------------


def closest_row(rows: Sequence[Cards], card: int, is_open: Callable[[int], bool] | None = None) -> int | None:
    """Rules 1 and 2: of the (open) rows with a lower end the one with the highest, from 1; None if there is none."""
    closest, target = 0, None
    for row, cards in enumerate(rows, 1):
        end = cards[-1]
        if closest < end < card and (is_open is None or is_open(row)):
            closest, target = end, row
    return target


def foresee_rows(
    rows: Rows, row: int | None, is_full: bool, open_rows: Sequence[int], rule: str
) -> tuple[Foreseen, ...]:
    """A card that goes to this row, for this reason if it takes nothing; None: its owner must choose an open one."""
    if row is None:
        return tuple(foresee_taking(rows, place) for place in open_rows)
    return (foresee_taking(rows, row, "full-row") if is_full else Foreseen(row, (), 0, rule),)


def foresee_taking(rows: Rows, row: int, rule: str = "too-low") -> Foreseen:
    """A card that takes this row."""
    return Foreseen(row, rows[row - 1], bulls(rows[row - 1]), rule)


# -- scoring -----------------------------------------------------------------------------------------------------------
# Points of several rounds, and who wins.


def totals(rounds: Rows, seats: int) -> Cards:
    """Everybody's points in total, from the points of each round."""
    return tuple(sum(points[seat] for points in rounds) for seat in range(seats))


def points_so_far(table: Any, seats: int) -> Cards | None:
    """Everybody's points as all can see them: what a table has as `points`, or the rounds in its `scores`."""
    points: Cards | None = getattr(table, "points", None)
    rounds: Rows | None = getattr(table, "scores", None)
    return points if points is not None else None if rounds is None else totals(rounds, seats)


def standing(table: Any, current: Cards, rounds: int | None, *, high_wins: bool = False) -> Standing:
    """How a match of several rounds stands, with what `current` adds to them as long as the round is not counted."""
    points = totals(table.scores, table.seats)
    if len(table.scores) < table.round and table.phase != "deal":  # before that, it is still what was counted
        points = tuple(map(add, points, current))
    return Standing(table.round, rounds, points, high_wins)


def fewest(points: Sequence[int]) -> tuple[Seat, ...]:
    """The seats with the fewest points share the win."""
    best = min(points)
    return tuple(seat for seat, total in enumerate(points) if total == best)


def most(points: Sequence[int]) -> tuple[Seat, ...]:
    """The seats with the most points share the win."""
    return fewest([-total for total in points])

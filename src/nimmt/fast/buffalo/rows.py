"""Where a card goes in Beat the Buffalo: rows, piles, and what special cards at a row and empty rows change."""

from __future__ import annotations

from nimmt.fast.buffalo.state import BUFFALO, TEAM
from nimmt.fast.flat import BULLS, NOWHERE
from nimmt.fast.jit import Flat, part, wide
from nimmt.rules.games.buffalo.options import ROW_LIMIT, ROWS


@part
def limit(s: Flat, row: int) -> int:
    return ROW_LIMIT + (s.take7[row] != 0)


@part
def empty_row(s: Flat) -> int:
    """The row that must take the next card: of several the uppermost."""
    for row in range(ROWS):
        if s.lengths[row] == 0:
            return row
    return NOWHERE


@part
def target_row(s: Flat, card: int) -> int:
    """An empty row before all; else rules 1 and 2 among the open rows; NOWHERE if the card fits none."""
    empty = empty_row(s)
    if empty != NOWHERE:
        return empty
    closest, target = 0, NOWHERE
    for row in range(ROWS):
        if closest < s.ends[row] < card and s.stop[row] == 0:
            closest, target = s.ends[row], row
    return target


@part
def cheapest_row(s: Flat) -> int:
    """Rule 4 for the buffalo: the open row with the fewest bulls, of several the one with the highest end."""
    best, least = 0, 1 << 20
    for row in range(ROWS):
        cost = (s.worth[row] << 8) - s.ends[row]
        if s.stop[row] == 0 and cost < least:
            best, least = row, cost
    return best


@part
def recount(s: Flat, row: int) -> None:
    """Set what follows from the cards of a row."""
    s.worth[row] = 0
    for i in range(s.lengths[row]):
        s.worth[row] += BULLS[s.rows[row, i]]
    s.ends[row] = s.rows[row, s.lengths[row] - 1] if s.lengths[row] else 0


@part
def collect(s: Flat, row: int, count: int, by: int) -> None:
    """The first so many cards of a row go to a pile; what is left moves up. The row's Take 7! leaves the game."""
    for i in range(count):
        card = s.rows[row, i]
        s.owner[card] = by
        s.bulls[by - 1] += BULLS[card]
    for i in range(count, s.lengths[row]):
        s.rows[row, i - count] = s.rows[row, i]
    s.lengths[row] -= count
    s.rows_taken[by - 1] += 1
    s.used[s.take7[row]] = 1
    s.take7[row] = 0


@part
def place_at(s: Flat, row: int, card: int, owner: int, takes: bool) -> None:
    """The card lies at the end of the row, after its owner has taken what lay there, if so."""
    if takes:
        collect(s, row, wide(s.lengths[row]), wide(TEAM) if owner >= 0 else wide(BUFFALO))
    s.rows[row, s.lengths[row]] = card
    s.lengths[row] += 1
    recount(s, row)


@part
def squeeze(s: Flat, row: int, card: int) -> None:
    """A card comes anywhere into a row so that it ascends. From a full one the team takes all but the last card."""
    place = wide(s.lengths[row])
    is_full = place >= limit(s, row)
    while place > 0 and s.rows[row, place - 1] > card:
        s.rows[row, place] = s.rows[row, place - 1]
        place -= 1
    s.rows[row, place] = card
    s.lengths[row] += 1
    if is_full:
        collect(s, row, wide(s.lengths[row]) - 1, wide(TEAM))
    recount(s, row)


@part
def pull_out(s: Flat, row: int, card: int) -> None:
    """A card leaves its row, which may be empty then."""
    place = 0
    while s.rows[row, place] != card:
        place += 1
    s.lengths[row] -= 1
    for i in range(place, s.lengths[row]):
        s.rows[row, i] = s.rows[row, i + 1]
    recount(s, row)


@part
def row_of(s: Flat, card: int) -> int:
    for row in range(ROWS):
        for i in range(s.lengths[row]):
            if s.rows[row, i] == card:
                return row
    return NOWHERE

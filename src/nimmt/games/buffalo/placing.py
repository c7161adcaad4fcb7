"""Where a card goes: the rules of the rows, with what special cards and empty rows change."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from nimmt.games.buffalo.events import CardPlaced, SpecialRemoved
from nimmt.games.buffalo.types import BUFFALO, ROW_LIMIT, Kind, Play, State, Table, kind
from nimmt.rules.game import Cards, Event, Foreseen
from nimmt.rules.kit.cards import bulls, closest_row, foresee_rows
from nimmt.rules.kit.seats import at


def lies_at(table: Table, what: Kind, row: int) -> bool:
    beside = table.beside[row - 1]
    return bool(beside) and any(kind(special) == what for special in beside)


def is_open(table: Table, row: int) -> bool:
    return not lies_at(table, "Stop", row)


def open_rows(table: Table) -> list[int]:
    return [row for row in range(1, len(table.rows) + 1) if is_open(table, row)]


def limit(table: Table, row: int) -> int:
    return ROW_LIMIT + lies_at(table, "Take7", row)


def empty_row(table: Table) -> int | None:
    """The row that must take the next card: of several the uppermost."""
    return None if all(table.rows) else table.rows.index(()) + 1


def target_row(table: Table, card: int) -> int | None:
    """An empty row before all; else rules 1 and 2 among the open rows; None if the card fits none."""
    empty = empty_row(table)
    if empty is not None:
        return empty
    return closest_row(table.rows, card, lambda row: is_open(table, row))


def foresee(table: Table, card: int) -> tuple[Foreseen, ...]:
    row = target_row(table, card)
    is_full = row is not None and len(table.rows[row - 1]) >= limit(table, row)
    rule = "empty-row" if row is not None and not table.rows[row - 1] else "smallest-difference"
    return foresee_rows(table.rows, row, is_full, open_rows(table), rule)


def row_for_buffalo(table: Table) -> int:
    """Rule 4: the buffalo takes the open row with the fewest bulls, of several the one with the highest end."""

    def least(row: int) -> tuple[int, int]:
        cards = table.rows[row - 1]
        return bulls(cards), -cards[-1]

    return min(open_rows(table), key=least)


def place(state: State, play: Play, row: int, events: list[Event]) -> State:
    """The card goes to the row that rules 1 to 3, or an empty row, gave it."""
    cards = state.table.rows[row - 1]
    if len(cards) >= limit(state.table, row):
        return take(state, play, row, "full-row", events)
    rule = "smallest-difference" if cards else "empty-row"
    events.append(CardPlaced(play.seat, play.card, row, (), 0, rule))
    return lay(state, row, (*cards, play.card))


def take(state: State, play: Play, row: int, rule: str, events: list[Event]) -> State:
    """Rules 3 and 4: the row goes to its taker's pile, and the card starts it again."""
    taken = state.table.rows[row - 1]
    events.append(CardPlaced(play.seat, play.card, row, taken, bulls(taken), rule))
    return collect(lay(state, row, (play.card,)), row, taken, events, by_buffalo=play.seat == BUFFALO)


def squeeze(cards: Cards, card: int, most: int) -> tuple[Cards, Cards]:
    """A row that gets a card anywhere, and what is taken: if it was full, all but the last card."""
    row = tuple(sorted((*cards, card)))
    return (row, ()) if len(row) <= most else (row[-1:], row[:-1])


def lay(state: State, row: int, cards: Cards) -> State:
    return replace(state, table=replace(state.table, rows=at(state.table.rows, row - 1, cards)))


def collect(state: State, row: int, taken: Cards, events: list[Event], *, by_buffalo: bool = False) -> State:
    """Cards were taken from a row: they lie in the team's or the buffalo's pile, and the row's Take 7! leaves."""
    table = collected(state.table, taken, by_buffalo=by_buffalo)
    pile = state.buffalo_pile + taken if by_buffalo else state.buffalo_pile
    return remove(replace(state, table=table, buffalo_pile=pile), "Take7", row, events)


def collected(table: Table, taken: Cards, *, by_buffalo: bool = False) -> Table:
    everything, worth = table.taken + taken, bulls(taken)
    if by_buffalo:
        number = table.buffalo_taken + len(taken)
        return replace(table, taken=everything, buffalo_taken=number, buffalo_bulls=table.buffalo_bulls + worth)
    return replace(table, taken=everything, pile=table.pile + taken, bulls=table.bulls + worth)


def remove(state: State, what: Kind, row: int, events: list[Event]) -> State:
    """Special cards of this kind that lie at the row leave the game."""
    if not lies_at(state.table, what, row):
        return state
    events.append(SpecialRemoved(what, row))
    return replace(state, table=removed(state.table, what, row))


def removed(table: Table, what: Kind, row: int) -> Table:
    gone = _of_kind(table.beside[row - 1], what)
    rest = tuple(special for special in table.beside[row - 1] if special not in gone)
    return replace(table, beside=at(table.beside, row - 1, rest), used=table.used + gone)


def _of_kind(specials: Sequence[int], what: Kind) -> Cards:
    return tuple(special for special in specials if kind(special) == what)

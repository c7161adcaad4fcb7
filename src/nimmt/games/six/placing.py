"""Where a card goes: rules 1 to 4, with what the fan cards change."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from nimmt.games.six.fans import FANS, Board, FanCard, Loot
from nimmt.games.six.types import ROW_LIMIT, Fan, Markers, Play, Table
from nimmt.rules.game import Cards, Foreseen, Seat
from nimmt.rules.kit.cards import bulls, closest_row, foresee_rows
from nimmt.rules.kit.events import CardPlaced

Pieces = tuple[FanCard, ...]


@cache
def pieces(fans: tuple[Fan, ...]) -> Pieces:
    """The fan cards in play, in the order in which they act."""
    return tuple(piece for name, piece in FANS.items() if name in fans)


def target_row(fans: Pieces, markers: Markers, rows: Sequence[Cards], value: int) -> int | None:
    """Rules 1 and 2: of the rows that the value fits, the one whose end is closest; None if it fits none."""
    return _target_with_fans(fans, markers, rows, value) if fans else closest_row(rows, value)


def _target_with_fans(fans: Pieces, markers: Markers, rows: Sequence[Cards], value: int) -> int | None:
    best: tuple[int, bool, int] | None = None
    for row, cards in enumerate(rows, 1):
        end = cards[-1]
        descends = any(fan.descends(markers, row) for fan in fans)
        in_order = value < end if descends else value > end
        if in_order and all(fan.admits(markers, row, value) for fan in fans):
            # On a tie the descending row wins, as False sorts before True.
            candidate = (abs(value - end), not descends, row)
            best = candidate if best is None else min(best, candidate)
    return None if best is None else best[2]


def is_full(fans: Pieces, markers: Markers, rows: Sequence[Cards], row: int) -> bool:
    occupied = len(rows[row - 1])
    for fan in fans:
        occupied += fan.occupies(markers, row)
    return occupied >= ROW_LIMIT


def placing_order(play: Play) -> tuple[int, bool]:
    """From the lowest to the highest. Equal values only happen by twisting; the twister places first."""
    return play.value, not play.twisted


def place(fans: Pieces, board: Board, play: Play) -> bool:
    """Put a card where it belongs; False if it fits no row, so that its owner must choose one (rule 4)."""
    rows = board.rows
    row = target_row(fans, board.markers, rows, play.value)
    if row is None:
        return False
    if is_full(fans, board.markers, rows, row):
        take(fans, board, play.seat, play.card, row, "full-row")
    else:
        rows[row - 1] += (play.card,)
        board.events.append(CardPlaced(play.seat, play.card, row, (), 0, "smallest-difference"))
        if fans:
            _let_fans_act(fans, board, play.seat, row, 0)
    return True


def foresee(table: Table, play: Play) -> tuple[Foreseen, ...]:
    """Where the card would go if it were placed now; four rows if its owner would have to choose (rule 4)."""
    fans, rows = pieces(table.options.fan), table.rows
    if not fans:  # nothing follows from a placement
        row = target_row(fans, table.markers, rows, play.value)
        full = row is not None and is_full(fans, table.markers, rows, row)
        return foresee_rows(rows, row, full, range(1, len(rows) + 1), "smallest-difference")
    board = Board(rows, table.markers)
    if place(fans, board, play):
        return (_foreseen(board),)
    return tuple(foresee_taking(table, play, row) for row in range(1, len(rows) + 1))


def foresee_taking(table: Table, play: Play, row: int) -> Foreseen:
    board = Board(table.rows, table.markers)
    take(pieces(table.options.fan), board, play.seat, play.card, row, "too-low")
    return _foreseen(board)


def _foreseen(board: Board) -> Foreseen:
    """The first placement, with all that fan cards make its owner take besides."""
    placed = next(event for event in board.events if isinstance(event, CardPlaced))
    taken = tuple(card for loot in board.loot for card in loot.cards)
    return Foreseen(placed.row, taken, sum(loot.bulls for loot in board.loot), placed.rule)


def take(fans: Pieces, board: Board, seat: Seat, card: int, row: int, rule: str) -> None:
    """Rules 3 and 4: the seat takes the row, and its card starts it again."""
    taken = board.rows[row - 1]
    worth = bulls(taken)
    board.rows[row - 1] = (card,)
    board.loot.append(Loot(seat, taken, worth))
    board.events.append(CardPlaced(seat, card, row, taken, worth, rule))
    if fans:
        _let_fans_act(fans, board, seat, row, 1)


def _let_fans_act(fans: Pieces, board: Board, seat: Seat, row: int, takings: int) -> None:
    """After a placement the cow may jump, and take more; then the markers move once for each row taken."""
    before = len(board.loot)
    for fan in fans:
        fan.after_placing(board, seat, row)
    for _ in range(takings + len(board.loot) - before):
        for fan in fans:
            fan.after_taking(board)

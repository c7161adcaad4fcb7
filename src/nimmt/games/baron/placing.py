"""Where a card may lie and what it takes: colour joins colour, rules 1 to 3, and what the variants change."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt.games.baron.deck import Colour, Faces, faces
from nimmt.games.baron.types import ROW_LIMIT, CardPlaced, CardReturned, Play, Table
from nimmt.rules.game import Cards, Event, Foreseen, Rows


def fitting_rows(shown: Faces, rows: Sequence[Cards], card: int) -> list[int]:
    """The rows whose end shows a colour that the card shows."""
    colours, own = shown.colours, shown.colours[card]
    return [row for row, cards in enumerate(rows, 1) if colours[cards[-1]] & own]


class Board:
    """The table while cards are being placed: a scratch pad that never outlives the call it is made in."""

    def __init__(self, table: Table, draw_piles: Rows) -> None:
        self.options = table.options
        self.faces = faces(table.options.deck)
        self.rows = list(table.rows)
        self.bulls = list(table.bulls)
        self.piles = list(table.piles)
        self.returned = list(table.returned)
        self.draw_piles = list(draw_piles)
        self.placed = False
        """Has any card found a row?"""
        self.events: list[Event] = []


def place(board: Board, play: Play) -> bool:
    """Put a card where it must go; False if its owner has to choose."""
    fitting = fitting_rows(board.faces, board.rows, play.card)
    if len(fitting) == 1:
        add(board, play, fitting[0])
        return True
    if not fitting and board.options.bulls_are_good:
        _give_back(board, play)
        return True
    return False


def foresee(table: Table, card: int) -> tuple[Foreseen, ...]:
    """The rows that the card fits, and what it would take there; all rows if it must take one (rule 3)."""
    shown = faces(table.options.deck)
    fitting = fitting_rows(shown, table.rows, card)
    if fitting:
        return tuple(foresee_adding(table, card, row) for row in fitting)
    if table.options.bulls_are_good:
        return (Foreseen(None, (), 0, "returned"),)
    return tuple(Foreseen(row, cards, shown.worth(cards), "no-colour") for row, cards in enumerate(table.rows, 1))


def foresee_adding(table: Table, card: int, row: int) -> Foreseen:
    """In a row that the card fits."""
    board = Board(table, ())
    add(board, Play(0, card), row)
    placed = board.events[0]
    assert isinstance(placed, CardPlaced)
    return Foreseen(row, placed.taken, placed.bulls, placed.rule)


def add(board: Board, play: Play, row: int) -> None:
    """Add a card to a row that it fits. Rules 1 and 2, even both at once, are one taking."""
    cards = board.rows[row - 1]
    crowded = board.faces.crowded((*cards, play.card))
    if len(cards) >= ROW_LIMIT and not board.options.colour_counts:
        take(board, play, row, "sixth-card", crowded)
    elif crowded:
        take(board, play, row, "six-bulls", crowded)
    else:
        board.rows[row - 1] = (*cards, play.card)
        board.placed = True
        board.events.append(CardPlaced(play.seat, play.card, row, (), 0, "colour"))


def take(board: Board, play: Play, row: int, rule: str, crowded: tuple[Colour, ...] = ()) -> None:
    """The seat takes the row, and its card starts it again."""
    taken = board.rows[row - 1]
    bulls = board.faces.worth(taken)
    board.rows[row - 1] = (play.card,)
    board.piles[play.seat] += taken
    board.bulls[play.seat] += bulls
    board.placed = True
    board.events.append(CardPlaced(play.seat, play.card, row, taken, bulls, rule, crowded))


def _give_back(board: Board, play: Play) -> None:
    """Variant 2: the card goes under the draw pile. All have seen it and may remember."""
    board.draw_piles[play.seat] += (play.card,)
    board.returned[play.seat] += (play.card,)
    board.events.append(CardReturned(play.seat, play.card))

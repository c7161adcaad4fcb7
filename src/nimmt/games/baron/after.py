"""What each event of Baron Oxx does to a view, and what begins and ends with a game."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.games.baron.deck import faces
from nimmt.games.baron.placing import fitting_rows
from nimmt.games.baron.types import (
    HAND,
    CardPlaced,
    CardReturned,
    CardsDrawn,
    CardsRevealed,
    LeftCounted,
    Play,
    Table,
    View,
    bare_table,
    draw_pile_size,
)
from nimmt.rules.game import Cards, Event, Rows
from nimmt.rules.kit.events import CardChosen, RoundDealt, RoundEnded
from nimmt.rules.kit.seats import at
from nimmt.rules.kit.secret import chosen, dealt, grown, not_played, own_cards, placed, revealed


def after(view: View, event: Event) -> View:
    table = view.table
    match event:
        case RoundDealt(rows=rows, hands=hands):
            draw = draw_pile_size(table.seats) - HAND
            return replace(dealt(view, with_rows(table, rows), hands, HAND), draw_sizes=(draw,) * table.seats)
        case CardChosen(seat=seat, card=card):
            return chosen(view, seat, card)
        case CardsRevealed(plays=plays):
            return _revealed(view, plays)
        case CardPlaced():
            return placed(replace(view, table=_placed(table, event)))
        case CardReturned():
            return placed(_returned(view, event))
        case CardsDrawn(sizes=sizes, drawn=drawn):
            return _drawn(view, sizes, drawn)
        case LeftCounted(left=left):
            return replace(view, table=replace(table, left=left))
        case RoundEnded(points=points):
            nothing = (0,) * table.seats
            table = with_game_ended(table, points)
            return replace(view, table=table, hand=(), waiting=(), hand_sizes=nothing, draw_sizes=nothing)
    return view


# -- a game -------------------------------------------------------------------------------------------------


def with_rows(table: Table, rows: Rows) -> Table:
    """The table when a game begins."""
    bare = bare_table(table.options, table.seats)
    return replace(bare, phase="choose", round=table.round, rows=rows, scores=table.scores)


def with_game_ended(table: Table, points: Cards) -> Table:
    """All that was hidden is gathered: the match is over, or the next game is due."""
    nothing: Rows = ((),) * table.seats
    table = replace(table, returned=nothing, known=nothing, scores=(*table.scores, points))
    if table.round >= table.options.games:
        return replace(table, phase="over")
    return replace(table, phase="deal", round=table.round + 1)


def with_drawn(table: Table, draw_sizes: Cards) -> Table:
    """Variant 2: once the draw piles are this low, returned cards that came up are known to be in the hands."""
    if not any(table.returned):
        return table
    back = [cards[: max(0, len(cards) - size)] for cards, size in zip(table.returned, draw_sizes, strict=True)]
    known = tuple(tuple(sorted((*old, *new))) for old, new in zip(table.known, back, strict=True))
    returned = tuple(cards[len(new) :] for cards, new in zip(table.returned, back, strict=True))
    return replace(table, known=known, returned=returned)


# -- single steps -------------------------------------------------------------------------------------------


def _revealed(view: View, plays: tuple[Play, ...]) -> View:
    view = revealed(view, plays)
    table = view.table
    known = tuple(not_played(cards, plays) for cards in table.known)
    # The turn counts as idle until a card finds a row.
    return replace(view, table=_found(replace(table, known=known, idle=table.idle + 1)))


def _found(table: Table) -> Table:
    """Whether the next card will find a row; unless bulls are good every card does."""
    options = table.options
    if table.queue and not (options.bulls_are_good and not _fits(table)):
        return replace(table, idle=0)
    return table


def _fits(table: Table) -> bool:
    return bool(fitting_rows(faces(table.options.deck), table.rows, table.queue[0].card))


def _placed(table: Table, event: CardPlaced) -> Table:
    seat = event.seat
    return replace(
        table,
        rows=grown(table.rows, event.row, event.card, event.taken),
        queue=table.queue[1:],
        bulls=at(table.bulls, seat, table.bulls[seat] + event.bulls),
        piles=at(table.piles, seat, table.piles[seat] + event.taken),
        idle=0,
    )


def _returned(view: View, event: CardReturned) -> View:
    table, seat = view.table, event.seat
    returned = at(table.returned, seat, (*table.returned[seat], event.card))
    table = _found(replace(table, queue=table.queue[1:], returned=returned))
    return replace(view, table=table, draw_sizes=at(view.draw_sizes, seat, view.draw_sizes[seat] + 1))


def _drawn(view: View, sizes: Cards, drawn: tuple[Cards | None, ...]) -> View:
    left = tuple(size - new for size, new in zip(view.draw_sizes, sizes, strict=True))
    return replace(
        view,
        table=with_drawn(view.table, left),
        hand=own_cards(view.seat, drawn) or view.hand,
        hand_sizes=tuple(held + new for held, new in zip(view.hand_sizes, sizes, strict=True)),
        draw_sizes=left,
    )

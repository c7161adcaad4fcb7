"""A position of 11 nimmt! from where its cards lie, for tests and for settling a question at a table."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt.games.eleven.checks import check_state
from nimmt.games.eleven.types import BULL_CARDS, Options, State, Table
from nimmt.rules.game import Seat


def table_position(
    piles: Sequence[Sequence[int]],
    hands: Sequence[Sequence[int]],
    draw: Sequence[int] = (),
    bull_cards: Sequence[int] | None = None,
    turn: Seat = 0,
    options: Options | None = None,
) -> State:
    """The first round, at the beginning of a turn. Piles are written from the bottom to the top, the draw pile with
    its next card first; cards that are nowhere are out of the game. One seat is enough. Raises `InvalidPosition`."""
    options, seats = options or Options(), len(hands)
    owned = (0,) * seats if bull_cards is None else tuple(bull_cards)
    table = Table(
        options=options,
        seats=seats,
        phase="turn",
        round=1,
        starter=options.starter,
        turn=turn,
        tops=tuple(pile[-1] for pile in piles if pile),
        draw_left=len(draw),
        hand_sizes=tuple(map(len, hands)),
        bull_cards=owned,
        supply=BULL_CARDS - sum(owned),
        laid=(),
        seen=tuple(sorted(card for pile in piles for card in pile)),
        seen_in_hand=(0,) * seats,
        known=((),) * seats,
        shown=(),
        scores=(),
    )
    state = State(table, tuple(tuple(sorted(hand)) for hand in hands), tuple(map(tuple, piles)), tuple(draw))
    check_state(state)
    return state

"""A position of 11 nimmt! from where its cards lie, for tests and for settling a question at a table."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from nimmt.games.eleven.checks import check_state
from nimmt.games.eleven.types import BULL_CARDS, Options, State, bare_table
from nimmt.rules.game import Seat
from nimmt.rules.kit.cards import sorted_hands


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
    bare = bare_table(options or Options(), len(hands))
    owned = bare.bull_cards if bull_cards is None else tuple(bull_cards)
    table = replace(
        bare,
        phase="turn",
        turn=turn,
        tops=tuple(pile[-1] for pile in piles if pile),
        draw_left=len(draw),
        hand_sizes=tuple(map(len, hands)),
        bull_cards=owned,
        supply=BULL_CARDS - sum(owned),
        seen=tuple(sorted(card for pile in piles for card in pile)),
        shown=(),
    )
    state = State(table, sorted_hands(hands), tuple(map(tuple, piles)), tuple(draw))
    check_state(state)
    return state


def hidden_parts(rest: Sequence[int], size: int) -> dict[str, Sequence[int]]:
    """What nobody sees: all cards that are left are in the draw pile, however many somebody holds."""
    del size
    return {"draw": rest}

"""What everybody saw in a round of 6 nimmt! is kept for those who think about it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from nimmt.games.six.rules import SIX
from nimmt.games.six.types import ChooseRow, History, Options, Play, PlayCard
from nimmt.rules.game import Deal, InvalidPosition
from nimmt.rules.position import from_text, to_text


def dealt():
    """Seat 0 holds 1 to 10, seat 1 holds 11 to 20; the rows start with 21 to 24."""
    state = SIX.setup(Options(), 2)
    return SIX.deal(state, Deal({"numbers": tuple(range(1, 105))}))[0]


def play(state, *moves):
    for seat, action in moves:
        state, _ = SIX.apply(state, seat, action)
    return state


def test_a_round_begins_with_the_first_cards_only() -> None:
    assert dealt().table.history == History(starts=(21, 22, 23, 24))


def test_a_turn_is_remembered_from_the_moment_it_is_revealed() -> None:
    state = play(dealt(), (1, PlayCard(20)), (0, PlayCard(3)))
    assert state.table.phase == "row"
    assert state.table.history.turns == ((Play(0, 3), Play(1, 20)),)
    assert state.table.history.rows == ()


def test_chosen_rows_are_remembered_in_order() -> None:
    state = play(dealt(), (1, PlayCard(11)), (0, PlayCard(3)), (0, ChooseRow(2)))
    assert state.table.phase == "choose"
    assert state.table.history.rows == (2,)


def test_nothing_is_remembered_before_the_reveal() -> None:
    assert play(dealt(), (0, PlayCard(3))).table.history.turns == ()


def test_history_survives_as_text() -> None:
    state = play(dealt(), (1, PlayCard(11)), (0, PlayCard(3)), (0, ChooseRow(2)))
    assert "history: 21 22 23 24 | 0:3 1:11 ; 2\n" in to_text(SIX, state)
    assert from_text(to_text(SIX, state))[1] == state


@pytest.mark.parametrize(
    "history",
    [
        History(starts=(1, 2, 3)),
        History(starts=(1, 2, 3, 3)),
        History(starts=(1, 2, 3, 105)),
        History(rows=(5,)),
        History(turns=((Play(0, 7),),)),
        History(turns=((Play(0, 7), Play(2, 8)),)),
        History(turns=((Play(0, 7), Play(1, 7)),)),
    ],
)
def test_nonsense_is_refused(history: History) -> None:
    state = dealt()
    with pytest.raises(InvalidPosition, match="history"):
        SIX.check(replace(state, table=replace(state.table, history=history)))

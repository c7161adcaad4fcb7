"""Bots of Beat the Buffalo have manners, and no special card is spent on nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from nimmt.bots import get_bot
from nimmt.bots.bot import Bot
from nimmt.games.buffalo import GAME
from nimmt.games.buffalo.position import table_position
from nimmt.games.buffalo.search import MASTER, BuffaloBot
from nimmt.games.buffalo.types import Decline, First, Last, Options, Pass, PlayCard, Propose, Sort, State, Use
from nimmt.testing.random_play import play_match

LEVELS = ("newcomer", "casual", "club", "greedy", "worlds")
THINKING = ("club", "greedy", "worlds")
"""Those that see a good use whenever there is one."""
FEW_WORLDS = MASTER._replace(cards=MASTER.cards._replace(rounds=4), uses=MASTER.uses._replace(rounds=4))


def bot(level: str) -> Bot:
    return BuffaloBot(FEW_WORLDS) if level == "worlds" else get_bot(level, GAME)


def asked(decide: Any = "agree", face_up: str = "Last First") -> State:
    """100 would take row 4 with the next card of the buffalo behind it: as the last card it takes nothing."""
    rows, hands = [[10], [20], [30], [88, 90, 95, 98, 99]], [[100, 50], [11, 51], [12, 52]]
    cards = face_up.split()
    state = table_position(rows, hands, [103, 53], face_up=cards, options=Options(decide=decide))  # type: ignore[arg-type]
    for seat, card in enumerate((100, 11, 12)):
        state, _ = GAME.apply(state, seat, PlayCard(card))
    return state


def choice(level: str, state: State, seat: int, seed: int = 1) -> Any:
    legal = GAME.legal(state, seat)
    action = bot(level).choose(GAME.view(state, seat), legal, Random(seed))
    assert action in legal
    return action


def declined(state: State, seat: int, proposal: Propose) -> State:
    state, _ = GAME.apply(state, seat, proposal)
    return GAME.apply(state, (seat + 1) % 3, Decline())[0]


def next_window(state: State) -> State:
    while state.table.window is not None and not all(state.table.window.passed):
        queue = len(state.table.queue)
        state, _ = GAME.apply(state, state.table.window.passed.index(False), Pass())
        if len(state.table.queue) < queue:
            break
    assert state.table.phase == "window"
    return state


@pytest.mark.parametrize("level", ["club", "greedy"])
def test_a_bot_proposes_what_helps(level: str) -> None:
    assert choice(level, asked(), 1) == Propose(Last(0))


@pytest.mark.parametrize("level", THINKING)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_bot_proposes_what_helps_before_it_is_too_late(level: str, seat: int) -> None:
    """One that searches waits as long as waiting is as good: here until 100 is the next card."""
    state = next_window(next_window(asked()))
    assert [play.card for play in state.table.queue] == [100, 103]
    assert choice(level, state, seat) == Propose(Last(0))


@pytest.mark.parametrize("level", LEVELS)
def test_after_a_no_nobody_asks_again_in_this_window(level: str) -> None:
    state = declined(asked(), 1, Propose(Last(0)))
    for seed in range(40):
        assert choice(level, state, seed % 3, seed) == Pass()


@pytest.mark.parametrize("level", LEVELS)
def test_what_was_declined_is_not_proposed_again_in_this_turn(level: str) -> None:
    state = next_window(declined(asked(), 1, Propose(Last(0))))
    assert Propose(Last(0)) in GAME.legal(state, 1)
    assert all(choice(level, state, seed % 3, seed) != Propose(Last(0)) for seed in range(40))


@pytest.mark.parametrize("level", LEVELS)
def test_no_other_order_is_proposed_in_this_turn_once_a_sort_was_declined(level: str) -> None:
    state = next_window(declined(asked(face_up="Sort"), 1, Propose(Sort((1, 2, -1, 0)))))
    proposed = [choice(level, state, seed % 3, seed) for seed in range(40)]
    assert set(proposed) == {Pass()}


@pytest.mark.parametrize("level", ["club", "greedy"])
def test_in_the_next_turn_it_may_be_proposed_again(level: str) -> None:
    state = next_window(declined(asked(), 1, Propose(Last(0))))
    forgotten = replace(state, table=replace(state.table, declined=()))
    assert choice(level, forgotten, 1) == Propose(Last(0))


def changes_nothing(state: State, action: Any) -> bool:
    order = tuple(play.seat for play in state.table.queue)
    match getattr(action, "use", None):
        case First(seat=seat):
            return order[0] == seat
        case Last(seat=seat):
            return order[-1] == seat
        case Sort(order=wanted):
            return wanted == order
    return False


@pytest.mark.parametrize("level", THINKING)
@pytest.mark.parametrize("decide", ["agree", "anyone"])
def test_no_special_card_is_spent_on_what_changes_nothing(level: str, decide: Any) -> None:
    possible = 0
    for seed in range(4):
        for step in play_match(GAME, Options(decide=decide), 4, Random(seed)):
            state = step.state
            window = state.table.window
            if window is None or window.proposal is not None or window.passed[0]:
                continue
            if any(changes_nothing(state, action) for action in GAME.legal(state, 0)):
                possible += 1
                action = choice(level, state, 0, seed)
                assert isinstance(action, Pass | Propose | Use)
                assert not changes_nothing(state, action)
    assert possible > 10


@pytest.mark.parametrize("level", ["newcomer", "casual"])
def test_a_slip_wastes_no_special_card_that_nobody_has_to_agree_to(level: str) -> None:
    """Everybody slips in every window: special cards that slips spend on nothing are soon used up."""
    state = asked("anyone")
    uses = {action for action in GAME.legal(state, 1) if isinstance(action, Use)}
    assert len(uses) > 1
    chosen = {choice(level, state, 1, seed) for seed in range(60)}
    assert chosen == {Use(Last(0)), Pass()}, "the one that helps, or it is overlooked"

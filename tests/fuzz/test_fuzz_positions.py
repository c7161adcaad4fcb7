"""Whatever a position is made of: it is refused with a sentence, or the rules can go on from it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from nimmt.rules import registry
from nimmt.rules.game import AnyGame, InvalidPosition
from nimmt.rules.position import from_json, from_text, read_position, to_json, to_text
from nimmt.testing.conformance import cases_of
from nimmt.testing.corruption import small_changes, spoilt_json, spoilt_text
from nimmt.testing.laws import located, positions_survive, somebody_can_go_on, views_survive_json
from nimmt.testing.laws.play import viewers
from nimmt.testing.random_play import pick, play_match, play_on, some

TRIES = settings().max_examples * 10
"""Spoilt positions for each game."""

SMALL = settings().max_examples // 100
"""Positions for each game that are changed in every way a little."""

MAX_ROUND = 3_000
FOLLOWED = 300
"""After so many steps and two deals it is believed that a position can be played on."""


@pytest.mark.parametrize("game_id", registry.GAMES)
def test_a_spoilt_position_is_refused_or_can_be_played(game_id: str) -> None:
    """Spoilt positions that were accepted are spoilt again: so it gets further and further from real play."""
    game, rng = registry.get(game_id), Random(f"fuzz {game_id}")
    real, accepted = real_positions(game), []
    for _ in range(TRIES):
        state = pick(rng, accepted if accepted and rng.random() < 0.6 else real)
        reread = spoilt_and_read(game, state, rng)
        if reread is not None and reread != state:
            play_to_the_end(game, reread, rng)
            accepted.append(reread)
    assert accepted


def spoilt_and_read(game: AnyGame, state: Any, rng: Random) -> Any:
    """The position as text or JSON, spoilt and read again; None if it is refused, as it should be."""
    try:
        if rng.random() < 0.4:
            other, spoilt = from_text(spoilt_text(to_text(game, state), rng))
        else:
            other, spoilt = from_json(spoilt_json(to_json(game, state), rng))
    except InvalidPosition:
        return None
    return spoilt if other is game else None


@pytest.mark.parametrize("game_id", registry.GAMES)
def test_every_small_change_is_refused_or_can_be_played(game_id: str) -> None:
    game, rng = registry.get(game_id), Random(f"small {game_id}")
    for state in some(rng, real_positions(game), SMALL):
        for text in small_changes(to_text(game, state)):
            try:
                _, changed = from_text(text)
            except InvalidPosition:
                continue
            if changed != state:
                play_to_the_end(game, changed, rng)


@given(st.text())
def test_junk_is_refused(text: str) -> None:
    for read in (from_text, from_json, read_position):
        with pytest.raises(InvalidPosition):
            read(text)


@given(st.binary())
def test_binary_junk_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidPosition):
        from_json(data)


@pytest.mark.parametrize("game_id", registry.GAMES)
@given(lines=st.lists(st.text(max_size=20), max_size=5))
def test_junk_under_a_good_heading_is_refused(game_id: str, lines: list[str]) -> None:
    with pytest.raises(InvalidPosition):
        from_text("\n".join([f"nimmt position {game_id} 1", *lines]))


@pytest.mark.parametrize("depth", [100, 1_000, 100_000])
@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_deep_nesting_is_refused(bracket: str, depth: int) -> None:
    for text in (
        bracket * depth,
        f'{{"format":"nimmt-position","game":"six","rules_version":1,"state":{bracket * depth}',
        f"nimmt position six 1\nrows: {bracket * depth}",
    ):
        with pytest.raises(InvalidPosition):
            read_position(text)


# -- helpers ---------------------------------------------------------------------------------------------------------


def real_positions(game: AnyGame) -> list[Any]:
    """From a match of each variant, those before the first deal and after the last card included."""
    states: list[Any] = []
    for case in cases_of(game):
        if case.seats < 5:
            steps = list(play_match(game, case.options(), case.seats, Random(case.id), restless=0.1))
            states += [steps[0].before, *[step.state for step in steps]]
    return states


def play_to_the_end(game: AnyGame, state: Any, rng: Random) -> None:
    """Random play, and what everybody sees of it, without a single exception."""
    with located(game, state):
        look_around(game, state)
        state = without_history(state)
        rounds, steps = 0, 0
        for number, step in enumerate(play_on(game, state, rng)):
            steps += 1
            somebody_can_go_on(game, step.state)
            game.check(step.state)
            if step.seat is None:
                rounds, steps = rounds + 1, 0
            assert steps < MAX_ROUND, "The round does not end."
            if number > FOLLOWED and rounds > 1:
                return


def without_history(state: Any) -> Any:
    """In a spoilt one a card that somebody still holds may have been played: it is accepted, as nothing in the rules
    follows from it, but not once the card is played again."""
    if not hasattr(state.table, "history"):
        return state
    return replace(state, table=replace(state.table, history=type(state.table.history)()))


def look_around(game: AnyGame, state: Any) -> None:
    """What a server and a bot would do with the position before anybody acts."""
    positions_survive(game, state)
    somebody_can_go_on(game, state)
    views_survive_json(game, state)
    for viewer in viewers(state):
        view = game.view(state, viewer)
        imagined = game.imagine(view, game.unseen(view))
        assert game.pending(imagined) == game.pending(state)

"""Whatever a position is made of: it is refused with a sentence, or the rules can go on from it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimmt.rules import registry
from nimmt.rules.game import AnyGame, InvalidPosition
from nimmt.rules.position import from_json, from_text, read_position, to_json, to_text
from nimmt.testing.cases import cases_of
from nimmt.testing.laws import located, positions_survive, somebody_can_go_on, views_survive_json
from nimmt.testing.laws.basics import viewers
from nimmt.testing.playing import pick, play_match, play_on
from nimmt.testing.spoiling import spoilt_json, spoilt_text

TRIES = settings().max_examples * 8
"""Spoilt positions for each game and each form."""

LONGEST_ROUND = 3_000
FOLLOWED = 400
"""After so many steps it is believed that a position can be played on."""


@pytest.mark.parametrize("game_id", registry.GAMES)
def test_a_spoilt_text_is_refused_or_can_be_played(game_id: str) -> None:
    for seed in range(TRIES):
        rng = Random(f"{game_id} text {seed}")
        game, state = some_position(game_id, rng)
        text = spoilt_text(to_text(game, state), rng)
        try:
            accepted = from_text(text)
        except InvalidPosition as error:
            assert str(error)
            continue
        play_to_the_end(*accepted, rng)


@pytest.mark.parametrize("game_id", registry.GAMES)
def test_a_spoilt_json_is_refused_or_can_be_played(game_id: str) -> None:
    for seed in range(TRIES):
        rng = Random(f"{game_id} json {seed}")
        game, state = some_position(game_id, rng)
        data = spoilt_json(to_json(game, state), rng)
        try:
            accepted = from_json(data)
        except InvalidPosition as error:
            assert str(error)
            continue
        play_to_the_end(*accepted, rng)


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

_matches: dict[str, list[list[Any]]] = {}


def some_position(game_id: str, rng: Random) -> tuple[AnyGame, Any]:
    """A position from one of a few matches, those before the first deal and after the last card included."""
    game = registry.get(game_id)
    if game_id not in _matches:
        _matches[game_id] = [played(game, case.options(), case.seats) for case in cases_of(game) if case.seats < 5]
    return game, pick(rng, pick(rng, _matches[game_id]))


def played(game: AnyGame, options: Any, seats: int) -> list[Any]:
    steps = list(play_match(game, options, seats, Random(game.id), restless=0.1))
    return [steps[0].before, *[step.state for step in steps]]


def play_to_the_end(game: AnyGame, state: Any, rng: Random) -> None:
    """Random play, and what everybody sees of it, without a single exception."""
    with located(game, state):
        look_around(game, state)
        rounds, steps = 0, 0
        for number, step in enumerate(play_on(game, state, rng)):
            steps += 1
            somebody_can_go_on(game, step.state)
            if step.seat is None:
                rounds, steps = rounds + 1, 0
            assert steps < LONGEST_ROUND, "The round does not end."
            if number > FOLLOWED and rounds > 1:
                return


def look_around(game: AnyGame, state: Any) -> None:
    """What a server and a bot would do with the position before anybody acts."""
    positions_survive(game, state)
    somebody_can_go_on(game, state)
    views_survive_json(game, state)
    for viewer in viewers(state):
        view = game.view(state, viewer)
        imagined = game.imagine(view, game.unseen(view))
        assert game.pending(imagined) == game.pending(state)

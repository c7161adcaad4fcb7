"""Positions of the past can be read for ever: the files here are never written again, only added to."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import get_args, get_type_hints

import pytest
from msgspec.structs import replace

from nimmt.games.buffalo.types import Sort, Use
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, InvalidPosition
from nimmt.rules.position import from_json, from_text, to_text
from nimmt.testing.random_play import play_on

FOLDER = Path(__file__).parent / "positions"
TEXTS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
class TestAnOldPosition:
    def test_both_forms_are_read_alike(self, path: Path) -> None:
        assert from_text(path.read_text("utf-8")) == from_json(path.with_suffix(".json").read_bytes())

    def test_nothing_of_it_is_lost(self, path: Path) -> None:
        _, *lines = path.read_text("utf-8").splitlines()
        written = to_text(*from_text(path.read_text("utf-8"))).splitlines()
        assert [line for line in lines if line not in written] == []

    def test_the_match_can_go_on_to_its_end(self, path: Path) -> None:
        game, state = from_text(path.read_text("utf-8"))
        for step in play_on(game, state, Random(1)):
            state = step.state
        assert game.outcome(state) is not None

    def test_its_name_says_what_it_is(self, path: Path) -> None:
        _, _, game, version = path.read_text("utf-8").splitlines()[0].split()
        document = json.loads(path.with_suffix(".json").read_bytes())
        assert (document["game"], document["rules_version"]) == (game, int(version))
        assert path.stem.startswith(f"{game}-")
        assert path.stem.endswith(f"-v{version}")


@pytest.mark.parametrize("game", registry.all_games(), ids=lambda game: game.id)
def test_every_phase_of_every_game_is_in_the_archive(game: AnyGame) -> None:
    states = [state for of, state in (from_text(path.read_text("utf-8")) for path in TEXTS) if of.id == game.id]
    phases = get_args(get_type_hints(type(states[0].table))["phase"])
    assert {state.table.phase for state in states} == set(phases)


@pytest.mark.parametrize("name", ["buffalo-basic-window", "buffalo-anyone-window"])
def test_a_position_goes_on_under_the_rules_of_its_version(name: str) -> None:
    old, state = from_text((FOLDER / f"{name}-v1.txt").read_text("utf-8"))
    new, latest = from_text((FOLDER / f"{name}-v2.txt").read_text("utf-8"))
    assert (old.rules_version, new.rules_version) == (state.table.rules_version, latest.table.rules_version) == (1, 2)
    assert to_text(old, state).startswith("nimmt position buffalo 1\n")
    with pytest.raises(InvalidPosition, match="under version 1"):
        new.check(state)


def test_the_same_table_may_allow_more_under_newer_rules() -> None:
    game, state = from_text((FOLDER / "buffalo-anyone-window-v1.txt").read_text("utf-8"))
    queue, sort = state.table.queue, (15, 16)
    table = replace(state.table, face_up=sort[: len(state.table.face_up)])
    present = Use(Sort(tuple(play.seat for play in queue)))
    assert queue
    for version in (1, 2):
        legal = game.legal(replace(state, table=replace(table, rules_version=version)), 0)
        assert (present in legal) is (version == 2)


def test_what_was_added_later_may_be_missing_in_older_files() -> None:
    text = (FOLDER / "six-without-history-v1.txt").read_text("utf-8")
    assert "history" not in text
    assert "history: -" in to_text(*from_text(text))

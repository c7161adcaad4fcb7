"""The published schema accepts every record that is written, and refuses what is not one."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from nimmt.match.match import Match, verify
from nimmt.match.record import SeatInfo, write_record
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.kit.options import variant_options
from nimmt.testing.random_play import random_action

FILE = Path(__file__).resolve().parents[2] / "docs" / "record.schema.json"
VALIDATOR = Draft202012Validator(json.loads(FILE.read_text("utf-8")))
VARIANTS = [(game.id, variant.id) for game in registry.all_games() for variant in game.variants]


def simulated(game_id: str, variant: str, actions: int | None = None) -> Any:
    """The document of a match of random moves, or of its first actions."""
    game, rng = registry.get(game_id), Random(1)
    options = variant_options(game, variant, **({"target": 20} if game_id == "six" else {}))
    seats = max(game.min_seats, 2)
    infos = [SeatInfo(f"Bot {seat}", "random") for seat in range(seats)]
    match = Match(game, options, infos, Dealer(bytes(range(32)), [f"seat {seat}" for seat in range(seats)]))
    while match.outcome is None and (actions is None or len(match.moves) < actions):
        seat = game.pending(match.state)[0].seat
        match.act(seat, random_action(game, match.state, seat, rng))
    data = write_record(match.record())
    verify(data)
    return json.loads(data)


@pytest.fixture(scope="module")
def document() -> Any:
    return simulated("six", "twist")


def test_it_is_a_schema_that_names_no_host_of_ours() -> None:
    Draft202012Validator.check_schema(VALIDATOR.schema)
    assert VALIDATOR.schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert VALIDATOR.schema["$id"] == "record.schema.json"


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_records_of_every_variant_are_valid(game: str, variant: str) -> None:
    VALIDATOR.validate(simulated(game, variant))


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_record_of_a_match_that_goes_on_is_valid(game: str) -> None:
    VALIDATOR.validate(simulated(game, "basic", actions=3))


def _remove(document: Any, key: str) -> None:
    del document[key]


BREAKS: dict[str, Callable[[Any], Any]] = {
    "another format": lambda d: d.update(format="nimmt-record-9"),
    "an unknown game": lambda d: d.update(game="chess"),
    "another version of the rules": lambda d: d.update(rules_version=99),
    "an unknown field": lambda d: d.update(comment="hello"),
    "no actions": lambda d: _remove(d, "actions"),
    "no digest": lambda d: _remove(d, "digest"),
    "a digest that is none": lambda d: d.update(digest="abc"),
    "an unknown option": lambda d: d["options"].update(colour_counts=True),
    "an option out of range": lambda d: d["options"].update(target=0),
    "an unknown fan card": lambda d: d["options"].update(fan=["horse"]),
    "options that are a list": lambda d: d.update(options=[]),
    "too few seats": lambda d: d.update(seats=d["seats"][:1]),
    "a seat without a name": lambda d: d["seats"][0].update(name=""),
    "a negative seat": lambda d: d["actions"][0].update(seat=-1),
    "a seat that six does not have": lambda d: d["actions"][0].update(seat=10),
    "an action of another game": lambda d: d["actions"][0].update(action={"type": "EndTurn"}),
    "an action without a type": lambda d: d["actions"][0].update(action={"card": 5}),
    "an action with too much": lambda d: d["actions"][0]["action"].update(colour="red"),
    "a card that is a text": lambda d: d["actions"][0]["action"].update(card="5"),
    "a deck too short": lambda d: d["deals"][0]["decks"]["numbers"].pop(),
    "a card twice": lambda d: d["deals"][0]["decks"]["numbers"].__setitem__(0, d["deals"][0]["decks"]["numbers"][1]),
    "a deck of another game": lambda d: d["deals"][0]["decks"].update(specials=[1]),
    "a seed too short": lambda d: d["fairness"].update(server_seed="00"),
    "another way to shuffle": lambda d: d["fairness"].update(algorithm="dice"),
    "a contribution too long": lambda d: d["fairness"].update(contributions=["x" * 201, ""]),
    "a result without points": lambda d: _remove(d["result"], "points"),
    "a reason of another game": lambda d: d["result"].update(reason="buffalo"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_what_is_not_a_record_is_refused(document: Any, name: str) -> None:
    broken = copy.deepcopy(document)
    BREAKS[name](broken)
    assert VALIDATOR.is_valid(document)
    assert not VALIDATOR.is_valid(broken)


@pytest.mark.parametrize("value", [None, [], 1, "nimmt-record-1", {}])
def test_other_documents_are_refused(value: Any) -> None:
    assert not VALIDATOR.is_valid(value)

"""Whatever a record is made of: it is refused with the place and the reason, or it verifies."""

from __future__ import annotations

import contextlib
import json
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimmt.match.match import Match, Step, Verdict, game_of, replay, verify
from nimmt.match.record import RecordError, SeatInfo, digest, read_record, write_record
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import Outcome
from nimmt.testing.conformance import Case
from nimmt.testing.corruption import paths, put, spoilt_bytes, spoilt_json
from nimmt.testing.random_play import pick, random_action

TRIES = settings().max_examples * 4


@pytest.mark.parametrize("game_id", registry.GAMES)
def test_a_spoilt_record_is_refused_or_verifies(game_id: str) -> None:
    rng = Random(f"fuzz {game_id}")
    for _ in range(TRIES):
        data = pick(rng, records_of(game_id))
        spoilt = resealed(spoilt_json(data, rng))
        verdict = verdict_on(spoilt)
        if verdict is not None:
            assert verdict.outcome == outcome_by_the_rules(spoilt)


@pytest.mark.parametrize("game_id", registry.GAMES)
def test_changed_bytes_are_always_noticed(game_id: str) -> None:
    """The digest guards every byte that means something."""
    rng = Random(f"bytes {game_id}")
    for _ in range(TRIES):
        data = pick(rng, records_of(game_id))
        spoilt = spoilt_bytes(data, rng)
        if verdict_on(spoilt) is not None:
            assert json.loads(spoilt) == json.loads(data)


@pytest.mark.parametrize("game_id", registry.GAMES)
def test_every_value_of_a_record_may_be_of_a_wrong_type(game_id: str) -> None:
    document = json.loads(records_of(game_id)[0])
    shortened = {**document, "deals": document["deals"][:1], "actions": document["actions"][:3], "result": None}
    for path in paths(shortened):
        if "deals" in path and path[-1] not in ("deals", 0, "numbers"):
            continue
        for strange in (None, -1, 10**30, 0.5, "x", [], {}, [[[]]]):
            verdict_on(resealed(json.dumps(put(shortened, path, strange)).encode()))


@given(st.binary())
def test_junk_is_refused(data: bytes) -> None:
    assert verdict_on(data) is None


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=5))
def test_other_json_is_refused(value: object) -> None:
    for document in (value, {"format": "nimmt-record-1"}, {"format": "nimmt-record-1", "game": value}):
        assert verdict_on(json.dumps(document).encode()) is None


@pytest.mark.parametrize("depth", [100, 1_000, 100_000])
@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_deep_nesting_is_refused(bracket: str, depth: int) -> None:
    good = records_of("six")[0].decode()
    for text in (bracket * depth, good.replace('"actions": [', f'"actions": [{bracket * depth}', 1)):
        assert verdict_on(text.encode()) is None


@pytest.mark.parametrize("name", ["options", "actions"])
def test_deep_nesting_that_is_closed_again_is_refused(name: str) -> None:
    document = json.loads(records_of("six")[0])
    place = {"options": '"options": ', "actions": '"actions": '}[name]
    text = json.dumps({**document, name: None}).replace(f"{place}null", place + "[" * 5_000 + "]" * 5_000)
    assert verdict_on(text.encode()) is None


# -- helpers ---------------------------------------------------------------------------------------------------------


def verdict_on(data: bytes) -> Verdict | None:
    """None if the record is refused; any other error is a failure."""
    try:
        return verify(data)
    except RecordError:
        return None


def outcome_by_the_rules(data: bytes) -> Outcome | None:
    """What the rules say at the end of the steps in the document, whatever result it claims."""
    record = read_record(data)
    claimed = msgspec.structs.replace(record, result=None)
    steps: list[Step] = []
    with contextlib.suppress(RecordError):  # a result that is missing is noticed after the last step
        for step in replay(claimed):
            steps.append(step)  # noqa: PERF402
    return game_of(record).outcome(steps[-1].state) if steps else None


def resealed(data: bytes) -> bytes:
    """The same document with the right digest, so that everything else is checked too."""
    try:
        document = json.loads(data)
        return json.dumps({**document, "digest": digest(document)}).encode()
    except (ValueError, TypeError, AttributeError, RecursionError):
        return data


@cache
def records_of(game_id: str) -> list[bytes]:
    """A finished and an unfinished record of each variant, with few seats."""
    game = registry.get(game_id)
    cases = [Case(game, variant.id, 2) for variant in game.variants]
    return [record_of(case, length) for case in cases for length in (10_000, 20)]


def record_of(case: Case, length: int) -> bytes:
    shorter = {name: 1 for name in ("rounds", "games") if name in case.game.options_type.__struct_fields__}
    options: Any = case.options(**shorter)
    dealer = Dealer(sha256(case.id.encode()).digest(), [""] * case.seats)
    match, rng = Match(case.game, options, [SeatInfo("Anna"), SeatInfo("Ben", "greedy")], dealer), Random(case.id)
    while match.outcome is None and len(match.moves) < length:
        seat = pick(rng, case.game.pending(match.state)).seat
        match.act(seat, random_action(case.game, match.state, seat, rng))
    return write_record(match.record())

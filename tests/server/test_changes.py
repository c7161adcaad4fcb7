"""What an update says of each event: the changes lead from the old view to the new one, for every pair of eyes."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Union

import msgspec
import pytest

from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Game
from nimmt.server.tables import log_entries as e
from nimmt.server.tables import projection
from nimmt.server.tables.projection import Updates, changed, difference
from nimmt.server.tables.table import Draft, Table
from nimmt.testing.conformance import Case, all_cases
from nimmt.testing.random_play import pick_action
from nimmt.testing.servers import Json, play_on

CASES = json.loads((Path(__file__).parents[2] / "web/tests/changes.json").read_text("utf-8"))
"""The page's tests read the same."""


# -- single changes ---------------------------------------------------------------------------------------------------


@cache
def _shape(names: tuple[str, ...]) -> type[msgspec.Struct]:
    return msgspec.defstruct("Shape", names)


def _typed(value: Any) -> Any:
    """As views are made: structs and tuples."""
    match value:
        case dict():
            return _shape(tuple(value))(**{name: _typed(part) for name, part in value.items()})
        case list():
            return tuple(map(_typed, value))
    return value


def _in_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["what"])
def test_a_change_says_what_differs(case: Json) -> None:
    assert _in_json(difference(_typed(case["before"]), _typed(case["after"]))) == case["change"]
    assert changed(case["before"], case["change"]) == case["after"]


class Sparse(msgspec.Struct, frozen=True, omit_defaults=True):
    a: int = 0
    b: int = 0


class Listed(msgspec.Struct, frozen=True, array_like=True):
    a: int
    b: int


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (Sparse(1, 2), Sparse(0, 2)),
        (Listed(1, 2), Listed(1, 3)),
        ({1: "a"}, {1: "b"}),
        ([1, 2], [1]),
        (frozenset({1}), frozenset({2})),
        ((1, (2,)), ((1,), 2)),
        (Listed(1, 2), Sparse(3)),
        ("a", None),
    ],
)
def test_whatever_a_game_from_elsewhere_shows_can_be_changed(old: Any, new: Any) -> None:
    assert changed(_in_json({"x": old}), {"x": _in_json(difference(old, new))}) == _in_json({"x": new})


# -- whole matches ----------------------------------------------------------------------------------------------------


def folded(game: AnyGame, view: Any, event: Any) -> Any:
    """The view after an event by the game itself, from nothing but what was told."""
    event_type: Any = Union[game.event_types]  # noqa: UP007
    return _in_json(game.after(msgspec.convert(view, game.view_type), msgspec.convert(event, event_type)))


def check_story(game: AnyGame, updates: Iterable[Json]) -> int:
    """Follow what one pair of eyes was told; how many changes there were."""
    view, found = None, 0
    for update in updates:
        events, changes = update["events"], update.get("changes", [])
        if view is None:
            assert "changes" not in update
        else:
            assert len(changes) == max(0, len(events) - 1)
            for event, change in zip(events, changes, strict=False):
                before, view = view, changed(view, change)
                assert view == folded(game, before, event), (event, change)
                found += 1
        if view is not None and events:
            assert folded(game, view, events[-1]) == update["situation"]["view"]
        view = update["situation"]["view"]
    return found


def check_foresight(game: AnyGame, updates: Iterable[Json]) -> int:
    """What is said to be foreseen is what the game foresees from this seat's view, and only of what it may do."""
    found, action_type = 0, Union[game.action_types]  # noqa: UP007
    for update in updates:
        situation = update["situation"]
        told: dict[int, list[Json]] = {}
        for one in situation.get("foreseen", ()):
            for index in one["actions"]:
                told.setdefault(index, []).append({key: value for key, value in one.items() if key != "actions"})
        for index, action in enumerate(situation["legal"]):
            view: Any = msgspec.convert(situation["view"], game.view_type)
            for one in game.foresee(view, msgspec.convert(action, action_type)):
                shown: Json = {"place": one.place, "rule": one.rule}
                shown |= {"takes": list(one.takes)} if one.takes else {}
                shown |= {"bulls": one.bulls} if one.bulls else {}
                told.get(index, []).remove(shown)
                found += 1
        assert not any(told.values())
    return found


def begun(case: Case) -> Draft:
    options = json.loads(msgspec.json.encode(case.options()))
    opened = e.Opened(
        at=0, game=case.game.id, options=options, seats=case.seats, public=True, tempo=e.Live(30), host="0",
        server_seed="7" * 64, rules_version=case.game.rules_version,
    )  # fmt: skip
    draft = Draft(Table("t", opened))
    for seat in range(case.seats):
        draft.add(draft.after.join(str(seat), f"P{seat}", seat, "", 0))
    return draft.add(draft.after.start("0", 0))


def told_of(case: Case, most: int) -> dict[str | None, list[Json]]:
    """A match, or so many decisions of it, as sockets would tell it to some of the seats and to a spectator."""
    rng, draft, updates = Random(case.id), begun(case), Updates()
    readers = [*{"0", str(case.seats - 1)}, None]
    told: dict[str | None, list[Json]] = {reader: [] for reader in readers}
    table = draft.after

    def tell(n: int) -> None:
        for reader in readers:
            told[reader].append(msgspec.json.decode(updates.get(table, reader, n)))

    for n in range(1, table.version + 1):
        tell(n)
    while table.phase == "playing" and table.version < most:
        seat = rng.choice(table.waiting)
        action = pick_action(table.game.legal(table.moments[-1].state, seat), rng)
        draft.act(seat, action, table.at)
        tell(table.version)
    return told


SOME_SEATS = [pytest.param(case, id=case.id, marks=() if case.seats == 3 else pytest.mark.soak) for case in all_cases()]


@pytest.mark.parametrize("case", SOME_SEATS)
def test_changes_lead_from_view_to_view(case: Case) -> None:
    told = told_of(case, 400)
    assert all(check_story(case.game, updates) for updates in told.values())
    assert sum(check_foresight(case.game, updates) for updates in told.values())
    assert not check_foresight(case.game, told[None])


@pytest.mark.anyio
@pytest.mark.parametrize("game", registry.all_games(), ids=lambda game: game.id)
async def test_a_match_over_the_wire(come: Any, game: AnyGame) -> None:
    """Live, looked up later, and as a replay: the same changes, and they lead to the views."""
    anna, ben, nobody = await come("Anna", "Ben", "")
    short = {game.length_option: 1} if game.length_option else {}
    table = await anna.open_table(game.id, 2, options=short)
    async with anna.socket(table) as socket, nobody.socket(table) as watching:
        await ben.do(table, "join")
        await anna.do(table, "start")
        assert (await play_on([anna, ben], table, Random(4)))["phase"] == "over"
        last = (await anna.look(table))["n"]
        heard = {"0": await socket.until_number(last), None: await watching.until_number(last)}
    seen = {"0": await anna.updates(table), "1": await ben.updates(table), None: await nobody.updates(table)}
    for reader, updates in seen.items():
        assert check_story(game, updates)
        live = [message for message in heard.get(reader, ()) if message["type"] == "Update"]
        assert live == updates[len(updates) - len(live) :]
        steps = await nobody.get(f"/api/tables/{table}/steps{'' if reader is None else f'?seat={reader}'}")
        played = [update for update in updates if update["situation"]["view"] is not None]
        assert [step.get("changes") for step in steps] == [update.get("changes") for update in played[: len(steps)]]
        check_story(game, steps)


def test_a_game_that_does_not_fold_tells_no_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(case for case in all_cases() if case.game.id == "six")
    monkeypatch.setattr(type(case.game), "after", Game.after)
    told = told_of(case, 60)
    assert any(len(update["events"]) > 2 for update in told[None])
    assert not any("changes" in update for updates in told.values() for update in updates)


def test_what_is_foreseen_is_looked_up_once_while_others_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(case for case in all_cases() if case.game.id == "six" and case.seats == 3)
    honest, asked = projection.foresights, []

    def foresights(game: Any, view: Any, legal: Any) -> Any:
        asked.append(view.seat)
        return honest(game, view, legal)

    monkeypatch.setattr(projection, "foresights", foresights)
    table = begun(case).after
    for _ in range(3):
        for seat in range(3):
            projection.situation(table, table.moments[-1], seat, is_host=False)
    assert asked == [0, 1, 2]

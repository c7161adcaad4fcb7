"""The rules alone make a game playable everywhere: Calf, a folder with its rules and nothing else, goes the whole way.

What the page shows of it is in tests/web/test_any_game.py, what its bots are worth in
tests/bots/test_protocol_search.py.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import nimmt
from nimmt.bots.levels import LEVELS
from nimmt.match.match import verify
from nimmt.rules.game import AnyGame, Deal
from nimmt.rules.kit.notation import fields_of
from nimmt.rules.position import to_json, to_text
from nimmt.testing.servers import LiveServer, Person

SOURCES = str(Path(nimmt.__file__).parents[1])

Run = Callable[..., str]


@pytest.fixture
def run(calf_folder: Path) -> Run:
    """`run("play", "calf", given="1\\n")`: what a command prints; it must succeed."""

    def call(*words: object, given: str = "", code: int = 0) -> str:
        ran = subprocess.run(
            [sys.executable, "-m", "nimmt", *map(str, words)],
            env={**os.environ, "PYTHONPATH": SOURCES, "NIMMT_GAMES": str(calf_folder)},
            input=given,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=180,
        )
        assert ran.returncode == code, ran.stdout + ran.stderr
        return ran.stdout

    return call


@pytest.fixture
def dealt(calf: AnyGame) -> Any:
    """Three seats: 1 to 5, 6 to 10, 11 to 15 in their hands."""
    state = calf.setup(calf.options_type(), 3)
    request = calf.deal_request(state)
    assert request is not None
    return calf.deal(state, Deal(request.decks))[0]


def test_it_is_one_folder_with_at_most_two_hundred_lines(calf_folder: Path) -> None:
    files = [path.name for path in (calf_folder / "calf").iterdir() if path.is_file()]
    assert sorted(files) == ["RULES.md", "__init__.py"]
    code = (calf_folder / "calf" / "__init__.py").read_text("utf-8")
    assert len([line for line in code.splitlines() if line.strip()]) <= 200


# -- at the command line ----------------------------------------------------------------------------------------


def test_its_games_and_rules_pages(run: Run, calf_folder: Path) -> None:
    assert "--highest-takes" in run("games", "calf")
    assert run("rules", "calf") == (calf_folder / "calf" / "RULES.md").read_text("utf-8")


@pytest.mark.parametrize("bots", [["newcomer", "casual"], ["club", "expert", "master"]])
def test_it_is_simulated_recorded_verified_and_shown(run: Run, tmp_path: Path, bots: list[str]) -> None:
    words = ["--players", len(bots), "--bots", ",".join(bots), "--matches", 2, "--seed", 3]
    run("simulate", "calf", *words, "--out", tmp_path)
    records = sorted(tmp_path.glob("calf-*.json"))
    assert len(records) == 2
    assert "All 2 records are right." in run("verify", *records)
    story = run("show", records[0])
    assert "The cards are dealt." in story
    assert story.count("Revealed: ") == 3
    assert "The match is over: " in story


def test_it_is_played_at_a_terminal(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    typed = "nonsense\n9\n?\n\nrules\n\nscores\n\ntable\n\n1\n2\nauto\n\n"
    told = run("play", "calf", "--players", 3, "--seed", 4, "--plain", "--save", record, given=typed)
    assert "1) Play card" in told
    assert "Type the number in front of what you do, 1 to 5" in told
    assert told.count("Revealed: ") == 3
    assert "points 0" in told
    assert record.is_file()
    run("verify", record)


def test_a_label_is_an_answer_too(run: Run) -> None:
    first = run("play", "calf", "--players", 2, "--seed", 4, "--plain", given="1\n1\n1\n\n")
    card = first.partition("1) Play card ")[2].partition("\n")[0]
    again = run("play", "calf", "--players", 2, "--seed", 4, "--plain", given=f"play  CARD {card}\n1\n1\n\n")
    assert f"Revealed: {card} " in again


def test_people_at_one_screen_see_their_own_hand_only(run: Run) -> None:
    """Nobody is shown what others hold."""
    words = ("play", "calf", "--players", 2, "--humans", 2, "--seed", 4, "--plain")
    told = run(*words, given="\n1\n\n1\n\n1\n\n1\n\n1\n\n1\n\n")
    assert told.count("’s hand: ") >= 6
    parts = told.split("Anna’s hand: ")
    assert "Ben’s hand: " not in parts[1].partition("Anna, choose a card")[0]


def test_positions_of_it_are_checked_and_refereed(run: Run, calf: AnyGame, dealt: Any, tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_text(to_text(calf, dealt), "utf-8")
    (tmp_path / "table.json").write_bytes(to_json(calf, dealt))
    assert run("position", tmp_path / "table.json", "--to", "text") == to_text(calf, dealt)
    actions = [word for seat, card in ((1, 5), (2, 8), (3, 13)) for word in ("--action", played(seat, card))]
    told = run("referee", "calf", "--position", tmp_path / "table.txt", *actions)
    assert "Revealed: 5 8 13. P1 takes them (4 bulls)." in told
    assert "piles: 5 8 13 | . | ." in told
    data = json.loads(run("referee", "calf", "--position", tmp_path / "table.json", *actions, "--json"))
    assert data["position"]["state"]["table"]["points"] == [4, 0, 0]
    run("referee", "calf", "--position", tmp_path / "table.txt", "--action", played(1, 20), code=1)


def played(seat: int, card: int) -> str:
    return f'P{seat}:{{"type": "PlayCard", "card": {card}}}'


def test_the_referee_says_that_it_needs_a_position(run: Run) -> None:
    assert "--position" in run("referee", "calf", "--help")
    refused = json.loads(run("referee", "calf", "--json", code=2))
    assert "needs a whole position" in refused["error"]["message"]


def test_the_arena(run: Run) -> None:
    words = ["--players", 2, "--bots", "expert,random", "--deals", 20, "--duplicate", "--seed", 1, "--jobs", 1]
    report = json.loads(run("arena", "calf", *words, "--json"))
    assert report["plan"]["game"] == "calf"
    assert [bot["seats"] for bot in report["deals"]["bots"]] == [40, 40]


def test_an_engine_gets_ready_for_it(run: Run) -> None:
    """The protocol names the games that an engine plays."""
    hello = {"type": "hello", "protocol": 1, "program": "test", "game": "calf"}
    ready = json.loads(run("engine", "--games", "calf", given=f'{json.dumps(hello)}\n{{"type": "quit"}}\n'))
    assert ready["games"] == ["calf"]


# -- as an environment ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("calf")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
def test_the_environments_pass_the_tests_of_pettingzoo() -> None:
    tests = pytest.importorskip("pettingzoo.test")
    from nimmt.envs import env, parallel_env

    for seats in (2, 4):
        tests.api_test(env("calf", seats), num_cycles=100)
        tests.parallel_api_test(parallel_env("calf", seats), num_cycles=30)
    tests.seed_test(lambda: env("calf", 3), num_cycles=30)
    tests.parallel_seed_test(lambda: parallel_env("calf", 3), num_cycles=30)


def test_an_episode_pays_the_points(calf: AnyGame) -> None:
    pytest.importorskip("pettingzoo")
    from nimmt.envs import raw_env

    game, rng = raw_env("calf", 3), Random(1)
    game.reset(seed=5)
    codec, sums = game._table.codec, dict.fromkeys(game.possible_agents, 0)
    for agent in game.agent_iter():
        seen, reward, over, _, info = game.last()
        sums[agent] += reward
        assert seen["observation"].shape == (codec.size,)
        if over:
            assert sums[agent] == -info["points"]
            game.step(None)
        else:
            offered = [number for number, allowed in enumerate(seen["action_mask"]) if allowed]
            seat, state = game.possible_agents.index(agent), game._table._match.state
            view = calf.view(state, seat)
            assert [codec.decode(view, number) for number in offered] == list(calf.legal(state, seat))
            game.step(rng.choice(offered))
    with pytest.raises(ValueError, match="means nothing"):
        codec.decode(calf.view(game._table._match.state, 0), 200)


def test_what_may_be_done_follows_from_a_view(calf: AnyGame, dealt: Any) -> None:
    for seat in range(3):
        assert calf.legal_for(calf.view(dealt, seat)) == calf.legal(dealt, seat)
    assert calf.legal_for(calf.view(dealt, None)) == ()


def test_observations_say_all_that_a_view_says(calf: AnyGame, dealt: Any) -> None:
    pytest.importorskip("pettingzoo")
    from nimmt.envs import get_codec

    codec = get_codec(calf, calf.options_type(), 3)
    observed = {name.partition(".")[0] for name in codec.layout}
    assert observed == set(fields_of(calf.view_type))
    view = calf.view(dealt, 1)
    assert list(codec.observation(view)[codec.layout["hand"]][:6]) == pytest.approx([0.3, 0.35, 0.4, 0.45, 0.5, 0])


# -- on a server ------------------------------------------------------------------------------------------------


@pytest.fixture
def server(calf_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveServer]:
    monkeypatch.setenv("NIMMT_GAMES", str(calf_folder))
    with LiveServer() as running:
        yield running


def test_a_match_on_a_server(server: LiveServer, calf: AnyGame) -> None:
    asyncio.run(play_on(server.url, calf))


async def play_on(url: str, calf: AnyGame) -> None:
    async with Person(url) as anna, Person(url) as watcher:
        offered = {game["id"]: game for game in await anna.get("/api/games")}
        assert offered["calf"]["decisions"] == {"card": "choose a card"}
        assert list(LEVELS) == [bot["level"] for bot in await anna.get("/api/bots") if bot["level"] in LEVELS]
        await anna.come_in("Anna")
        for bots in (["newcomer", "casual", "club"], ["expert", "master"]):
            table = await anna.open_table("calf", len(bots) + 1, bots=bots, start=True, public=True)
            await finish(anna, table)
            await check_words(anna, watcher, table)
            assert verify(await anna.record(table)).deals_proven


async def finish(anna: Person, table: str) -> None:
    while (now := await anna.situation(table))["phase"] == "playing":
        if now["legal"] and any(waiting["seat"] == now["you"] for waiting in now["waiting"]):
            assert now["labels"] == [f"Play card {action['card']}" for action in now["legal"]]
            await anna.act(table, now["legal"][-1], now["decision"])


async def check_words(anna: Person, watcher: Person, table: str) -> None:
    """The page has no words for this game: the server sends its sentences, and no secret in them."""
    told = [sentence for update in await anna.updates(table) for sentence in update["told"]]
    assert any(sentence.startswith("The cards are dealt.\n{0} holds ") for sentence in told)
    assert told[-1].startswith("The match is over: {")
    public = [sentence for update in await watcher.updates(table) for sentence in update["told"]]
    assert "The cards are dealt." in public
    assert not any("holds" in sentence for sentence in public)
    chosen = {sentence for sentence in public if "chooses" in sentence}
    assert chosen <= {f"{{{seat}}} chooses a card." for seat in range(4)}


def test_other_games_cost_no_words(server: LiveServer) -> None:
    """The page has texts of its own for ours."""

    async def look() -> None:
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
            table = await anna.open_table("six", 2, bots=["random"], start=True)
            sent = msgspec.json.encode(await anna.updates(table))
            assert b'"told"' not in sent
            assert b'"labels"' not in sent

    asyncio.run(look())

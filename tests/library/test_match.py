"""`nimmt.Match` and `nimmt.verify`: a match as somebody would type it."""

import json
from pathlib import Path
from random import Random

import pytest

import nimmt
from nimmt.clients.cli.simulate import Simulation
from nimmt.match.match import Match as CoreMatch
from nimmt.match.record import write_record
from nimmt.rules import registry
from nimmt.rules.kit.options import option_fields


@pytest.fixture(scope="module")
def match() -> nimmt.Match:
    return nimmt.Match("x", bots=["greedy", "random"], seed=1).play()


def test_it_plays_to_the_end_and_proves_its_deals(match: nimmt.Match, tmp_path: Path) -> None:
    assert match.outcome is not None
    assert match.record.result == match.outcome
    path = match.save(tmp_path / "match.json")
    verdict = nimmt.verify(path)
    assert verdict == nimmt.verify(str(path)) == nimmt.verify(path.read_bytes())
    assert (verdict.game, verdict.seats, verdict.deals_proven, verdict.outcome) == ("x", 2, True, match.outcome)
    assert str(verdict) == f"X nimmt!, 2 seats, {verdict.actions} actions, 2 deals proven"
    assert [file.name for file in tmp_path.iterdir()] == ["match.json"]


def test_the_same_seed_plays_the_same(match: nimmt.Match) -> None:
    again = nimmt.Match("x", bots=["greedy", "random"], seed="1").play()
    assert again.record == match.record
    assert again.events == match.events
    assert nimmt.Match("x", bots=["greedy", "random"], seed=2).play().record != match.record
    assert nimmt.Match("x").seed != nimmt.Match("x").seed


def test_it_is_the_match_that_the_command_simulates() -> None:
    game = nimmt.game("x")
    simulated, events = Simulation(game, game.options_type(), ["greedy", "random"], "7").play(3)
    played = nimmt.Match("x", bots=["greedy", "random"], seed=7, number=3).play()
    assert played.record == simulated.record()
    assert list(played.events) == events


def test_it_prints_what_nimmt_show_tells(
    match: nimmt.Match, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from nimmt.clients.cli import main

    monkeypatch.setenv("COLUMNS", "80")
    main(["show", str(match.save(tmp_path / "match.json"))])
    shown, printed = capsys.readouterr().out.splitlines(), str(match).splitlines()
    body = printed[:-2]
    assert shown[: len(body)] == body
    assert (shown[-1], printed[-1]) == (printed[-1], "All rounds were played; fewest points win.")
    assert all(len(line) <= 80 for line in printed)


def test_it_says_shortly_what_it_is(match: nimmt.Match) -> None:
    assert repr(match) == "<match of x, seed 1: Anna (greedy), Ben (random); won by Anna and Ben>"
    assert repr(nimmt.Match("x", seats=2, seed=4)).endswith("Anna (random), Ben (random); not over>")
    assert str(nimmt.Match("x", seats=2, seed=4)).endswith("\nThe match is not over.")


@pytest.mark.parametrize("game", nimmt.list_games())
def test_every_game_is_played_by_default(game: str) -> None:
    match = nimmt.Match(game, seed=1).play()
    assert match.outcome is not None
    assert match.position.outcome == match.outcome
    assert str(match).startswith(f"{nimmt.game(game).name} ({game}), ")
    assert nimmt.verify(write_record(match.record)).outcome == match.outcome


def test_options_are_keywords_or_a_variant_or_both() -> None:
    assert nimmt.Match("six", rounds=2, fan=["cow"]).options == nimmt.Match("six", variant="cow", rounds=2).options
    assert nimmt.Match("six", options={"rounds": 2}, fan=["cow"]).options.fan == ("cow",)
    chosen = nimmt.game("six").options_type(draft=True)
    assert nimmt.Match("six", options=chosen).options is chosen


@pytest.mark.parametrize("game", nimmt.list_games())
def test_no_option_is_hidden_by_another_argument(game: str) -> None:
    import inspect

    taken = {*inspect.signature(nimmt.Match).parameters, *inspect.signature(nimmt.position).parameters}
    module = registry.part(game, "position")
    assert module is not None
    taken |= inspect.signature(module.table_position).parameters.keys()
    assert {field.name for field in option_fields(nimmt.game(game).options_type)} & taken == set()


class Lowest:
    """A bot of somebody's own."""

    def choose(self, view, legal, rng):
        return min(legal, key=repr)


def first(view, legal, rng):
    return legal[0]


def test_bots_may_be_objects_and_functions_that_see_a_view() -> None:
    seen = []

    def number(view, legal, rng):
        seen.append((view, rng))
        return legal[0].card if hasattr(legal[0], "card") else legal[0].row

    match = nimmt.Match("six", bots=[Lowest(), first, number], rounds=1, seed=1).play()
    assert [seat.player for seat in match.record.seats] == ["Lowest", "first", "number"]
    assert match.outcome is not None
    assert {view.seat for view, _ in seen} == {2}
    assert all(isinstance(rng, Random) for _, rng in seen)
    assert nimmt.verify(write_record(match.record)).deals_proven


def test_an_illegal_choice_of_a_bot_is_refused() -> None:
    match = nimmt.Match("six", bots=[lambda view, legal, rng: 105, "random"], seed=1)
    with pytest.raises(nimmt.IllegalAction, match="no card 105") as caught:
        match.play()
    assert caught.value.seat == 0
    assert match.record.actions == ()


def test_seats_without_a_bot_decide_from_outside() -> None:
    match = nimmt.Match("six", bots=[None, "greedy"], rounds=1, seed=3, names=["Mia", "Bot"])
    while match.play().outcome is None:
        assert [decision.seat for decision in match.position.pending] == [0]
        events = match.apply(0, match.position.legal(0)[0])
        assert match.position.events == events
    assert [seat.player for seat in match.record.seats] == ["person", "greedy"]
    assert match.names == ("Mia", "Bot")
    assert nimmt.verify(write_record(match.record)).deals_proven
    assert match.play().outcome == match.outcome  # twice is once


def test_nothing_is_told_of_deals_to_come() -> None:
    fairness = nimmt.Match("six", bots=None, seed=1).record.fairness
    assert fairness is not None
    assert fairness.server_seed is None


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"game": "chess"}, nimmt.UnknownGame, "There is no game 'chess'. The games are: six"),
        ({"game": "x", "bots": ["greedy"] * 5}, nimmt.InvalidOptions, "This takes 2 to 4 seats, not 5."),
        ({"game": "x", "bots": ["greedy"], "seats": 3}, nimmt.InvalidOptions, "There are 3 seats but 1 bot: give one"),
        ({"game": "x", "bots": "greddy"}, nimmt.UnknownBot, "There is no bot 'greddy'. The bots are: random"),
        ({"game": "x", "bots": 3}, nimmt.InvalidOptions, "3 cannot play: a bot is a name"),
        ({"game": "six", "names": ["Mia"]}, nimmt.InvalidOptions, "There are 4 seats but 1 name."),
        ({"game": "six", "seats": 2, "names": ["Mia", ""]}, nimmt.InvalidOptions, "A name has 1 to 100 characters"),
        ({"game": "six", "target": "many"}, nimmt.InvalidOptions, "target must be a whole number"),
        ({"game": "six", "tarket": 3}, nimmt.InvalidOptions, "There is no option 'tarket'. The options are: draft"),
        ({"game": "six", "variant": "cows"}, nimmt.InvalidOptions, "six has no variant 'cows'. The variants are"),
    ],
)
def test_a_match_that_cannot_be_is_refused_with_a_sentence(arguments, error, sentence) -> None:
    with pytest.raises(error) as caught:
        nimmt.Match(**arguments)
    assert str(caught.value).startswith(sentence)


def test_a_path_that_is_not_there_is_named(match: nimmt.Match, tmp_path: Path) -> None:
    for use in (nimmt.verify, match.save):
        with pytest.raises(FileNotFoundError) as caught:
            use(tmp_path / "none" / "match.json")
        assert caught.value.filename == str(tmp_path / "none" / "match.json")


def test_a_changed_record_is_refused_with_the_place(match: nimmt.Match, tmp_path: Path) -> None:
    document = json.loads(write_record(match.record))
    document["actions"][3]["action"]["card"] = 104
    path = tmp_path / "match.json"
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(nimmt.RecordError) as caught:
        nimmt.verify(path)
    assert caught.value.place.startswith("$.actions[")


def test_a_save_that_fails_leaves_what_was_there(
    match: nimmt.Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = match.save(tmp_path / "match.json")
    before = path.read_bytes()

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        nimmt.Match("x", seed=9).save(path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_parts_below_are_what_they_were() -> None:
    assert nimmt.Match is not CoreMatch
    assert repr(nimmt.game("six")) == "<game six: 6 nimmt!>"
    assert nimmt.list_games() == list(registry.GAMES)
    assert nimmt.list_bots().keys() >= {"random", "greedy", "master"}
    with pytest.raises(nimmt.UnknownGame):
        nimmt.game("chess")


def test_the_names_are_listed_and_there() -> None:
    listed = [name for name in dir(nimmt) if not name.startswith("_")]
    assert set(nimmt.__all__) <= {*listed, "__version__"}
    assert {"TYPE_CHECKING", "annotations"}.isdisjoint(listed)
    assert all(getattr(nimmt, name) for name in set(nimmt.__all__) - {"simulate"})
    with pytest.raises(AttributeError, match="no attribute 'matches'"):
        nimmt.matches  # noqa: B018


def test_every_error_of_the_page_is_a_name_of_the_package() -> None:
    import re

    page = (Path(__file__).resolve().parents[2] / "docs" / "errors.md").read_text("utf-8")
    classes = re.findall(r"^\| `(\w+)` \| `(nimmt[.\w]+)` \|", page, re.MULTILINE)
    assert len(classes) > 5
    for name, module in classes:
        if name != "UnknownVersion":
            assert getattr(nimmt, name).__module__ == module

"""Hypothesis tries the same examples every time, so that a test which passed here passes there.

`pytest --hypothesis-profile=long` searches for longer, and elsewhere each time; so does NIMMT_HYPOTHESIS=long.
`pytest --quick` leaves out what takes long, for trying a change at once: `python3 dev.py test --quick`.
`pytest --soak` tries everything with everything, where otherwise each thing is tried once, and more of what is random.

Tests that need PostgreSQL get one: `postgres_url` is the address of an empty database.

`calf_folder` is a folder with one more game, made from nothing but its rules; with `calf` this process knows it too.

Several processes share the work (`-n 4`). Kernels of a kind are compiled in one of them; the tests of a file, which
often share a server, stay together; long tests are handed out one by one.
"""

import contextlib
import gc
import os
import re
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import nimmt.games
from nimmt.rules import registry
from nimmt.rules.game import AnyGame
from nimmt.testing.postgres import PostgresServer

settings.register_profile(
    "ci", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "long", max_examples=2000, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("NIMMT_HYPOTHESIS", "ci"))

# What was started in the background ignores Ctrl-C, and so would all that tests start.
with contextlib.suppress(ValueError):
    signal.signal(signal.SIGINT, signal.default_int_handler)

COMPILING = ("tests/fast/", "tests/bots/", "tests/insight/", "tests/envs/")
ONE_BY_ONE = ("tests/web/", "tests/laws/test_laws.py")
LONG_ALONE = ("tests/server/test_death.py", "tests/simulation/", "tests/store/test_durability.py")
"""Handed out one by one too, but before those: they make event loops of their own."""


LONG_FILES = {
    "arena": "arena_command bridge cluster engines luck running",
    "cli": "coach play_online puzzles",
    "envs": "batch openspiel ppo",
    "laws": "counts",
    "server": "admin bad_input below_a_path bot_tables calls commitments connections costs death hosting leaks limits"
    " presence privacy proposals races reviews rules_versions tables time uploads watching your_matches",
    "store": "backup durability migrations postgres",
}
LONG = {f"tests/{folder}/test_{name}.py" for folder, names in LONG_FILES.items() for name in names.split()}
"""Files that `--quick` leaves out, beside tests that are marked slow."""


def group(test: str) -> str:
    """Tests of one group are run by one process."""
    for folder in COMPILING:
        if test.startswith(folder):
            return folder
    return test if test.startswith(ONE_BY_ONE + LONG_ALONE) else test.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

    return ByGroup(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="less of everything: for trying a change at once")
    parser.addoption("--soak", action="store_true", help="more of everything, and what is marked soak; takes long")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_long = collection_path.relative_to(config.rootpath).as_posix() in LONG
    return True if is_long and config.getoption("quick") else None


def is_left_out(item: pytest.Item, config: pytest.Config) -> bool:
    marks = ["slow"] * config.getoption("quick") + ["soak"] * (not config.getoption("soak"))
    return any(map(item.get_closest_marker, marks))


def more_than_once(items: list[pytest.Item]) -> set[pytest.Item]:
    """Of tests marked `each_once`, the combinations of parameters that show no value for the first time.

    The first values come together, then the second ones, and so on; where there are fewer, they begin again.
    """
    seen: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    """The values of each parameter of a test, in their order."""
    chosen = {}
    for item in items:
        if item.get_closest_marker("each_once"):
            values = {(item.nodeid.partition("[")[0], at): value for at, value in enumerate(parameters(item))}
            for parameter, value in values.items():
                if value not in seen[parameter]:
                    seen[parameter].append(value)
            chosen[item] = {parameter: seen[parameter].index(value) for parameter, value in values.items()}
    return {
        item
        for item, places in chosen.items()
        if any(place != max(places.values()) % len(seen[parameter]) for parameter, place in places.items())
    }


def out_of_turn(items: list[pytest.Item]) -> set[pytest.Item]:
    """Of tests marked `in_turn`, all but one of the values of the parameter that is named there: the first test of a
    file gets the first of them, the next one the second, and so on."""
    tests: defaultdict[tuple[Path, str], list[str]] = defaultdict(list)
    values: defaultdict[tuple[Path, str], list[Any]] = defaultdict(list)
    turns = []
    for item in items:
        mark, given = item.get_closest_marker("in_turn"), parameter_values(item)
        if mark and mark.args[0] in given:
            place, test, value = (item.path, mark.args[0]), item.nodeid.partition("[")[0], given[mark.args[0]]
            for seen, one in ((tests[place], test), (values[place], value)):
                if one not in seen:
                    seen.append(one)
            turns.append((item, place, test, value))
    return {
        item
        for item, place, test, value in turns
        if tests[place].index(test) % len(values[place]) != values[place].index(value)
    }


def parameter_values(item: pytest.Item) -> dict[str, Any]:
    return dict(item.callspec.params) if hasattr(item, "callspec") else {}


def parameters(item: pytest.Item) -> list[str]:
    """What each `parametrize` has given a test."""
    given = parameter_values(item)
    marks = [mark.args[0] for mark in item.iter_markers("parametrize")]
    every = [names.replace(" ", "").split(",") if isinstance(names, str) else names for names in marks]
    return [repr([given[name] for name in names]) for names in every]


def pytest_collection_finish() -> None:
    """Thousands of tests stay to the end: nobody need look through them for garbage again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session")
def soaking(pytestconfig: pytest.Config) -> bool:
    """May it take long?"""
    return bool(pytestconfig.getoption("soak"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests in the browser, which wait a lot, come last and alternate with laws, which never wait.

    Last, because the browser's driver keeps an event loop to the end of the process: no test after it may need another.
    """
    left_out = {item for item in items if is_left_out(item, config)}
    if not config.getoption("soak"):
        left_out |= more_than_once(items)
        left_out |= out_of_turn([item for item in items if item not in left_out])
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
    late = [[item for item in items if item.nodeid.startswith(folder)] for folder in ONE_BY_ONE]
    places = {item: place / len(part) for part in late for place, item in enumerate(part)}
    items.sort(key=lambda item: places.get(item, -1))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One server for all tests of this process. Whoever stops it starts it again."""
    with PostgresServer() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    url = postgres_server.new_database()
    yield url
    postgres_server.drop_database(url)


# -- a game from outside ----------------------------------------------------------------------------------------

ADDING_A_GAME = Path(__file__).resolve().parents[1] / "docs" / "adding-a-game.md"


def code_of_page(language: str) -> str:
    """All that stands on the page about adding a game in this language, as one text."""
    blocks = rf"^```{language}\n(.*?)^```$"
    return "\n".join(re.findall(blocks, ADDING_A_GAME.read_text("utf-8"), re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="session")
def calf_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `NIMMT_GAMES` may name: a folder with Calf in it, as the page about adding a game writes it."""
    folder = tmp_path_factory.mktemp("games")
    (folder / "calf").mkdir()
    (folder / "calf" / "__init__.py").write_text(code_of_page("python"), "utf-8")
    (folder / "calf" / "RULES.md").write_text(code_of_page("markdown"), "utf-8")
    return folder


@pytest.fixture
def calf(calf_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnyGame]:
    """As if this process had been started with `NIMMT_GAMES`, but for modules that have a copy of the list of games."""
    monkeypatch.setenv("NIMMT_GAMES", str(calf_folder))
    monkeypatch.setattr(nimmt.games, "__path__", [*nimmt.games.__path__, str(calf_folder)])
    monkeypatch.setattr(registry, "GAMES", (*registry.GAMES, "calf"))
    yield registry.get("calf")
    sys.modules.pop("nimmt.games.calf", None)
    registry.get.cache_clear()
    registry.has_part.cache_clear()

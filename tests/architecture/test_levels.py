"""Imports point downwards, rules stay pure, and games do not know each other.

The checkers take a mapping from a file's path below `src` to its source, so that the second half of this
file can show them small offenders.
"""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import nimmt

SRC = Path(__file__).resolve().parents[2] / "src"

LEVELS = {
    "rules": 0,
    "match": 1,
    "fast": 1,
    "drawing": 1,
    "bots": 2,
    "lessons": 2,
    "store": 2,
    "insight": 3,
    "library": 3,
    "theory": 3,
    "arena": 4,
    "envs": 3,
    "server": 4,
    "clients": 5,
}
GAME_FILES = {
    **dict.fromkeys(("types", "events", "placing", "fans", "specials", "deck", "turns", "after", "rules"), 0),
    "position": 0,
    **dict.fromkeys(
        ("kernels", "kernel_parts", "policies", "sight", "outlook", "picture", "lanes", "fast", "batch", "drawing"), 1
    ),
    **dict.fromkeys(("bot", "search"), 2),
    **dict.fromkeys(("env", "openspiel"), 3),
    **dict.fromkeys(("terminal", "referee"), 5),
}
"""A game is one folder: the level of a file in it follows from its name. The folder itself is its rules."""
TESTING_MAY_IMPORT = {"testing", "rules", "match", "bots", "store", "server"}

IMPURE_MODULES = {
    "random",
    "time",
    "datetime",
    "logging",
    "socket",
    "asyncio",
    "threading",
    "os",
    "sys",
    "pathlib",
    "subprocess",
    "secrets",
    "uuid",
    "io",
    "shutil",
    "tempfile",
    "signal",
    "multiprocessing",
    "concurrent",
    "http",
    "urllib",
    "ssl",
    "select",
    "importlib",
    "builtins",
}
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "__import__"}
HEAVY = {"rich", "numpy", "numba", "textual", "litestar"}

Sources = dict[str, str]


class Import(NamedTuple):
    path: str
    line: int
    importer: str
    target: str
    for_types: bool = False
    """Whether only type checkers follow it."""

    def broken(self, law: str) -> str:
        return f"{self.path}:{self.line}: {self.importer} imports {self.target}: {law}"


def module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def part_of(module: str) -> str:
    """The package directly below nimmt, or nothing for nimmt itself."""
    return module.partition(".")[2].partition(".")[0]


def game_of(module: str) -> str | None:
    match module.split("."):
        case ["nimmt", "games", game, *_]:
            return game
    return None


def level_of(module: str) -> int | None:
    """None if nobody has thought about it yet."""
    match module.split("."):
        case ["nimmt", "games"] | ["nimmt", "games", _]:
            return 0
        case ["nimmt", "games", _, file, *_]:
            return GAME_FILES.get(file)
    return LEVELS.get(part_of(module))


def is_pure(path: str) -> bool:
    return path.startswith(("nimmt/rules/", "nimmt/games/")) and level_of(module_name(path)) == 0


def is_within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def absolute(path: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    # The package of a.b is a, and the package of a.b/__init__ is a.b: both are the folder it lies in.
    folders = path.split("/")[:-1]
    return ".".join(folders[: len(folders) - node.level + 1] + ([node.module] if node.module else []))


def is_known(sources: Sources, module: str) -> bool:
    """A file, or a folder with or without an __init__."""
    stem = module.replace(".", "/")
    return f"{stem}.py" in sources or any(path.startswith(stem + "/") for path in sources)


def targets(sources: Sources, path: str, node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(names=names):
            base = absolute(path, node)
            for alias in names:
                full = f"{base}.{alias.name}"
                # `from nimmt import rules` means the package; so does `from importlib import resources`. Names of the
                # front door lead to high levels: inside the package they are imported from where they stand.
                front_door = base == "nimmt" and alias.name != "__version__"
                submodule = is_known(sources, full) or full == "importlib.resources" or front_door
                yield full if submodule else base
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[ast.Constant(value=str(target)), *_]):
            if name in {"import_module", "__import__"}:
                yield target


parsed = cache(ast.parse)


def imports(sources: Sources) -> Iterator[Import]:
    """All imports, those inside functions and under TYPE_CHECKING included."""
    for path, source in sources.items():
        tree = parsed(source, path)
        for_types = {inner for node in ast.walk(tree) if is_for_types(node) for inner in ast.walk(node)}
        for node in ast.walk(tree):
            for target in targets(sources, path, node):
                yield Import(path, getattr(node, "lineno", 0), module_name(path), target, node in for_types)


def is_for_types(node: ast.AST) -> bool:
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=[]):
            return True
    return False


def level_violations(sources: Sources) -> list[str]:
    # The top package names what it offers to type checkers, whatever the level; it must not load it.
    seen = (edge for edge in imports(sources) if not (edge.importer == "nimmt" and edge.for_types))
    found = ((edge, broken_level(edge.importer, edge.target)) for edge in seen)
    return [edge.broken(law) for edge, law in found if law]


def broken_level(importer: str, target: str) -> str | None:
    if not is_within(target, "nimmt") or target == "nimmt" or importer == "nimmt.__main__":
        return None
    if importer == "nimmt":
        return "the top package stays light"
    source, goal = part_of(importer), part_of(target)
    if goal == "testing":
        return None if source == "testing" else "nothing shipped needs testing"
    above, below = level_of(importer), level_of(target)
    if source == "testing":
        is_fine = goal in TESTING_MAY_IMPORT or (goal == "games" and below in {0, 2})
        return None if is_fine else "testing may import rules, games, match, bots, store and server"
    if source == goal != "games":
        return None
    if above is None or below is None:
        return f"{importer if above is None else target} has no level yet"
    # A file of a game stands on its level beside what games share: both may use each other there.
    is_fine = below <= above if "games" in {source, goal} else below < above
    return None if is_fine else "only lower levels may be imported"


def unplaced_packages(sources: Sources) -> list[str]:
    excused = {"", "testing", "__main__"}
    modules = (module for module in map(module_name, sources) if part_of(module) not in excused)
    return sorted(module for module in modules if level_of(module) is None)


def third_party_violations(sources: Sources) -> list[str]:
    return [
        edge.broken(f"{part_of(edge.importer)} needs the standard library and msgspec only")
        for edge in imports(sources)
        if (is_pure(edge.path) or part_of(edge.importer) == "match")
        and edge.target.split(".")[0] not in {"nimmt", "msgspec", *sys.stdlib_module_names}
    ]


def purity_violations(sources: Sources) -> list[str]:
    rules = {path: source for path, source in sources.items() if is_pure(path)}
    impure = [
        edge.broken("rules are pure")
        for edge in imports(rules)
        if edge.target.split(".")[0] in IMPURE_MODULES and not is_excused(edge)
    ]
    return impure + [text for path, source in rules.items() for text in impure_calls(path, source)]


def is_excused(edge: Import) -> bool:
    match edge.path.split("/"):
        case ["nimmt", "games", _, "deck.py"]:  # a deck that is no formula is a file next to its game
            return is_within(edge.target, "importlib.resources")
        case ["nimmt", "rules", "registry.py"]:  # loads a game when it is asked for
            return edge.target in {"importlib", "importlib.util"}
        case ["nimmt", "games", "__init__.py"]:  # looks for games outside
            return edge.target == "os"
    return False


def impure_calls(path: str, source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source, path)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield f"{path}:{node.lineno}: {name}(): rules are pure"


def game_violations(sources: Sources) -> list[str]:
    found = ((edge, broken_isolation(edge.importer, edge.target)) for edge in imports(sources))
    return [edge.broken(law) for edge, law in found if law]


ABOVE_THE_GAMES = {"nimmt.games", "nimmt.rules", "nimmt.rules.registry", "nimmt.rules.position"}
"""Modules of the rules that serve all games: they may look a game up by its id."""


def broken_isolation(importer: str, target: str) -> str | None:
    game = game_of(importer)
    if game and game_of(target) not in {None, game}:
        return "games do not know each other"
    if level_of(importer) != 0 or importer in ABOVE_THE_GAMES:
        return None
    if is_within(target, "nimmt.rules.registry"):
        return "below the registry nobody knows which games there are"
    return "shared code knows no game" if is_within(target, "nimmt.games") and not game else None


# --- the project itself


@pytest.fixture(scope="module")
def project() -> Sources:
    sources = {path.relative_to(SRC).as_posix(): path.read_text("utf-8") for path in SRC.rglob("*.py")}
    assert "nimmt/__init__.py" in sources
    return sources


def test_imports_point_downwards(project: Sources) -> None:
    assert level_violations(project) == []


def test_every_package_has_a_level(project: Sources) -> None:
    assert unplaced_packages(project) == []


def test_rules_and_match_need_no_libraries_but_msgspec(project: Sources) -> None:
    assert third_party_violations(project) == []


def test_rules_are_pure(project: Sources) -> None:
    assert purity_violations(project) == []


def test_games_do_not_know_each_other(project: Sources) -> None:
    assert game_violations(project) == []


def test_importing_the_package_is_cheap() -> None:
    code = "import sys, nimmt; dir(nimmt); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    loaded = set(out.split())
    assert {name for name in loaded if is_within(name, "nimmt")} == {"nimmt"}
    assert {name.split(".")[0] for name in loaded} & HEAVY == set()


@pytest.mark.parametrize("name", sorted(set(nimmt.__all__) - {"simulate", "review", "hint"}))
def test_what_it_offers_loads_nothing_heavy(name: str) -> None:
    code = f"import sys, nimmt; nimmt.{name}; print(*{{name.split('.')[0] for name in sys.modules}})"
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert set(out.split()) & HEAVY == set()


def test_processes_of_bots_load_nothing_else_of_the_server() -> None:
    """A server starts several of them, and people wait for the first."""
    code = "import sys, nimmt.server.jobs, nimmt.server.worker_pool; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    of_the_server = {name for name in out.split() if is_within(name, "nimmt.server")}
    assert of_the_server == {"nimmt.server", "nimmt.server.jobs", "nimmt.server.worker_pool"}
    assert {name.split(".")[0] for name in out.split()} & HEAVY == set()


# --- the checkers

# Present in every example, so that names can be told from modules.
EMPTY = dict.fromkeys(
    (
        "nimmt/__init__.py",
        "nimmt/rules/__init__.py",
        "nimmt/rules/kit/rows.py",
        "nimmt/rules/registry.py",
        "nimmt/games/__init__.py",
        "nimmt/games/six/rules.py",
        "nimmt/games/six/kernels.py",
        "nimmt/games/x/rules.py",
        "nimmt/match/__init__.py",
        "nimmt/fast/__init__.py",
        "nimmt/bots/__init__.py",
        "nimmt/store/__init__.py",
        "nimmt/server/__init__.py",
        "nimmt/clients/__init__.py",
        "nimmt/testing/__init__.py",
    ),
    "",
)

Checker = Callable[[Sources], list[str]]


def check(checker: Checker, path: str, source: str) -> list[str]:
    return checker({**EMPTY, path: source})


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("nimmt/rules/game.py", "import nimmt.match"),
        ("nimmt/rules/game.py", "from nimmt import match"),
        ("nimmt/rules/game.py", "from ..match import record"),
        ("nimmt/rules/kit/__init__.py", "from ...match import record"),
        ("nimmt/rules/game.py", "from .. import match"),
        ("nimmt/rules/game.py", "def f():\n    from nimmt.bots.simple import Greedy"),
        ("nimmt/rules/game.py", "if TYPE_CHECKING:\n    from nimmt.bots import Greedy"),
        ("nimmt/match/match.py", "from nimmt.fast import kernels"),
        ("nimmt/bots/simple.py", "import nimmt.store"),
        ("nimmt/server/app.py", "from nimmt.clients import cli"),
        ("nimmt/server/app.py", "import importlib\nimportlib.import_module('nimmt.clients.cli')"),
        ("nimmt/server/app.py", "from nimmt.arena import ratings"),
        ("nimmt/clients/cli.py", "from nimmt.testing import builders"),
        ("nimmt/clients/cli.py", "from nimmt.novelty import thing"),
        ("nimmt/testing/kit.py", "from nimmt.clients import cli"),
        ("nimmt/__init__.py", "from nimmt.rules import registry"),
        ("nimmt/games/six/rules.py", "from nimmt.games.six import kernels"),
        ("nimmt/games/six/rules.py", "from nimmt.fast import kernels"),
        ("nimmt/games/six/bot.py", "from nimmt.games.six.terminal import Terminal"),
        ("nimmt/games/six/kernels.py", "from nimmt.bots import bot"),
        ("nimmt/match/match.py", "from nimmt.games.six.bot import cost"),
        ("nimmt/__init__.py", "from .rules import registry"),
        ("nimmt/__init__.py", "if TYPE_CHECKING:\n    pass\nelse:\n    from nimmt.rules import registry"),
        ("nimmt/match/match.py", "from nimmt import Match"),
        ("nimmt/rules/game.py", "from .. import position"),
        ("nimmt/bots/simple.py", "from nimmt.library.match import Match"),
    ],
)
def test_an_import_upwards_or_sideways_is_found(path: str, source: str) -> None:
    assert len(check(level_violations, path, source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        (
            "nimmt/rules/kit/cards.py",
            "from . import rows\nfrom .rows import Row\nfrom nimmt.rules import kit",
        ),
        ("nimmt/match/match.py", "from nimmt.rules.game import Game\nfrom nimmt import rules, __version__"),
        ("nimmt/clients/cli.py", "import nimmt.server, nimmt.bots, rich"),
        ("nimmt/testing/kit.py", "from nimmt.bots import greedy\nfrom nimmt.match import replay"),
        ("nimmt/testing/stores.py", "from nimmt.store import Store"),
        ("nimmt/__main__.py", "from nimmt.clients.cli import main"),
        (
            "nimmt/games/six/terminal.py",
            "from nimmt.games.six.rules import SIX\nfrom nimmt.clients.terminal import face",
        ),
        ("nimmt/games/six/kernels.py", "from nimmt.fast import kernels\nfrom nimmt.games.six.types import HAND"),
        ("nimmt/clients/cli.py", "from nimmt.games.six.referee import settle"),
        ("nimmt/__init__.py", "if TYPE_CHECKING:\n    from nimmt.library.match import Match"),
        ("nimmt/library/match.py", "from nimmt.bots import get_bot\nfrom nimmt.drawing import pictures"),
    ],
)
def test_an_import_downwards_is_fine(path: str, source: str) -> None:
    assert check(level_violations, path, source) == []


def test_a_violation_says_where_it_is() -> None:
    (text,) = check(level_violations, "nimmt/rules/game.py", "import math\nimport nimmt.match")
    assert text.startswith("nimmt/rules/game.py:2: nimmt.rules.game imports nimmt.match")


def test_a_package_without_a_level_is_found() -> None:
    assert check(unplaced_packages, "nimmt/utils.py", "") == ["nimmt.utils"]
    assert check(unplaced_packages, "nimmt/games/six/utils.py", "") == ["nimmt.games.six.utils"]
    assert check(unplaced_packages, "nimmt/__main__.py", "") == []


@pytest.mark.parametrize(
    ("path", "source", "count"),
    [
        ("nimmt/rules/game.py", "import rich", 1),
        ("nimmt/match/record.py", "from numpy.random import default_rng", 1),
        ("nimmt/match/record.py", "from __future__ import annotations\nimport hashlib, msgspec.json", 0),
        ("nimmt/match/record.py", "from . import replay\nfrom nimmt.rules import game", 0),
        ("nimmt/clients/cli.py", "import rich", 0),
    ],
)
def test_a_library_in_rules_or_match_is_found(path: str, source: str, count: int) -> None:
    assert len(check(third_party_violations, path, source)) == count


@pytest.mark.parametrize(
    ("path", "source", "count"),
    [
        ("nimmt/rules/kit/cards.py", "import random", 1),
        ("nimmt/rules/kit/cards.py", "from os.path import join", 1),
        ("nimmt/rules/kit/cards.py", "def f():\n    import time as t", 1),
        ("nimmt/rules/kit/cards.py", "import datetime, uuid", 2),
        ("nimmt/rules/kit/cards.py", "print(1)", 1),
        ("nimmt/rules/kit/cards.py", "def f():\n    with open('x') as g: return g", 1),
        ("nimmt/rules/kit/cards.py", "from importlib import resources", 1),
        ("nimmt/games/baron/rules.py", "import importlib.resources", 1),
        ("nimmt/games/baron/deck.py", "import importlib.resources", 0),
        ("nimmt/games/baron/deck.py", "from importlib import resources", 0),
        ("nimmt/games/baron/deck.py", "from importlib.resources import files", 0),
        ("nimmt/games/baron/deck.py", "from importlib import import_module", 1),
        ("nimmt/games/baron/deck.py", "import os", 1),
        ("nimmt/rules/registry.py", "from importlib import import_module", 0),
        ("nimmt/rules/registry.py", "from importlib import resources", 1),
        ("nimmt/rules/registry.py", "import os", 1),
        ("nimmt/games/__init__.py", "import os", 0),
        ("nimmt/games/six/__init__.py", "import os", 1),
        ("nimmt/rules/game.py", "from importlib import import_module", 1),
        ("nimmt/rules/kit/cards.py", "import math, enum, dataclasses\nlegal.open(3)", 0),
        ("nimmt/match/deal.py", "import secrets\nprint(1)", 0),
    ],
)
def test_an_impurity_in_rules_is_found(path: str, source: str, count: int) -> None:
    assert len(check(purity_violations, path, source)) == count


@pytest.mark.parametrize(
    ("path", "source", "count"),
    [
        ("nimmt/games/six/rules.py", "from nimmt.games.x import rules", 1),
        ("nimmt/games/six/rules.py", "from ..x.rules import X", 1),
        ("nimmt/games/six/rules.py", "from nimmt.games import x", 1),
        ("nimmt/games/six/rules.py", "from nimmt.rules import registry", 1),
        (
            "nimmt/games/six/rules.py",
            "from .types import Options\nfrom nimmt.rules.kit import rows",
            0,
        ),
        ("nimmt/rules/kit/rows.py", "from nimmt.games.six import rules", 1),
        ("nimmt/rules/kit/rows.py", "from nimmt import games", 1),
        ("nimmt/rules/game.py", "from ..games import six", 1),
        ("nimmt/rules/game.py", "from nimmt.rules import registry", 1),
        ("nimmt/rules/position.py", "from nimmt.rules import registry", 0),
        ("nimmt/rules/registry.py", "from nimmt.games import six, x", 0),
        ("nimmt/games/__init__.py", "from . import six, x", 0),
        ("nimmt/match/match.py", "from nimmt.games.six import rules", 0),
    ],
)
def test_a_game_known_where_it_should_not_be_is_found(path: str, source: str, count: int) -> None:
    assert len(check(game_violations, path, source)) == count

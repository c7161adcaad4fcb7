"""Writes the files that are made from the code again: `python3 dev.py generate [PART …] [--check]`.

With --check nothing is written: what differs is shown, and the exit code is 1. Files that belong to a part and are no
longer made go. What is taken from the running page is a little different each time: it is made only by name and cannot
be checked.
"""

from __future__ import annotations

import argparse
import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SHOWN = 60
"""Lines of a difference that are shown."""

Texts = dict[Path, str]


class Part(NamedTuple):
    about: str
    made: Callable[[], Texts]
    """The files as they are to be; those that are right may be left out, unless they belong to `folder`."""
    folder: str = ""
    """A pattern of files that are all made by this part."""

    def changes(self) -> dict[Path, str | None]:
        """What is to be in the files that differ; None for those that are to go."""
        made = self.made()
        there = set(ROOT.glob(self.folder)) if self.folder else set()
        differing: dict[Path, str | None] = {path: text for path, text in made.items() if read(path) != text}
        return differing | dict.fromkeys(sorted(there - made.keys()))


def read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


# -- the parts -------------------------------------------------------------------------------------------------------


def types() -> Texts:
    from nimmt.server.http.page_types import typescript

    return {ROOT / "web/src/lib/types.ts": typescript()}


def schema() -> Texts:
    from nimmt.match.record import record_schema, to_text

    return {ROOT / "docs/record.schema.json": to_text(record_schema())}


def protocol() -> Texts:
    from nimmt.match.protocol import engine_schema, game_schema
    from nimmt.match.record import to_text
    from nimmt.rules import registry
    from nimmt.testing.samples import samples

    folder, made = ROOT / "docs/protocol", {"engine.schema.json": engine_schema()}
    for game in registry.all_games():
        made |= {f"{game.id}.schema.json": game_schema(game), f"{game.id}.samples.json": samples(game)}
    return {folder / name: to_text(content) for name, content in made.items()}


def golden() -> Texts:
    from nimmt.testing.playthrough import playthroughs, write

    return {ROOT / f"tests/golden/{one.name}.txt": write(one) for one in playthroughs()}


def pictures() -> Texts:
    from nimmt.lessons.pictures import draw, pictures

    return {ROOT / f"docs/pictures/{name}.svg": draw(plate) for name, plate in pictures().items()}


def plots() -> Texts:
    made: Texts = runpy.run_path(str(ROOT / "benches/plot_results.py"))["plots"]()
    return made


def settings() -> Texts:
    import make_settings

    return {make_settings.PAGE: make_settings.page()}


def examples() -> Texts:
    import make_examples

    return make_examples.outdated()


PARTS = {
    "types": Part("the page's types of the server's messages", types),
    "schema": Part("the JSON schema of match records", schema),
    "protocol": Part("schemas and samples of views, actions and events", protocol, "docs/protocol/*.json"),
    "golden": Part("the golden playthroughs", golden, "tests/golden/*.txt"),
    "pictures": Part("the drawings of the documentation", pictures, "docs/pictures/*.svg"),
    "plots": Part("the plots of benches/results.md", plots, "benches/plots/*.svg"),
    "settings": Part("the table of settings", settings),
    # The last one, as its commands may read what the others write.
    "examples": Part("output of commands, positions and tables in the documentation", examples),
}


def screenshots() -> int:
    import make_page_pictures

    return make_page_pictures.main()


def kept() -> int:
    """The test that compares them takes them."""
    command = [sys.executable, "-m", "pytest", "-q", "tests/web/test_pictures.py"]
    return subprocess.run(command, cwd=ROOT, env=os.environ | {"NIMMT_RENEW_PICTURES": "1"}, check=False).returncode


FROM_THE_PAGE: dict[str, tuple[str, Callable[[], int]]] = {
    "screenshots": ("the pictures of the page in docs/images", screenshots),
    "kept": ("the screens in tests/web/kept that tests compare with", kept),
}


# -- the command -----------------------------------------------------------------------------------------------------


def difference(path: Path, text: str | None) -> str:
    """What would change in a file, cut where it gets long."""
    name, old = path.relative_to(ROOT).as_posix(), read(path)
    if text is None:
        return f"{name} is made by nothing."
    if old is None:
        return f"{name} is missing."
    lines = list(
        unified_diff(old.splitlines(), text.splitlines(), f"{name} as it is", "as it is made now", lineterm="")
    )
    more = [f"… and {len(lines) - SHOWN} lines more"] if len(lines) > SHOWN else []
    return "\n".join([f"{name} differs:", *lines[:SHOWN], *more])


def write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")


def check(names: Sequence[str]) -> int:
    changes = {name: found for name in names if (found := PARTS[name].changes())}
    for path, text in (change for found in changes.values() for change in found.items()):
        print(difference(path, text))
    advice = f"If the changes are meant: python3 dev.py generate {' '.join(changes)}"
    print(advice if changes else "Everything that was checked is current.")
    return 1 if changes else 0


def generate(names: Sequence[str]) -> int:
    for name in names:
        if name in FROM_THE_PAGE:
            if code := FROM_THE_PAGE[name][1]():
                return code
            continue
        changes = PARTS[name].changes()
        for path, text in changes.items():
            write(path, text)
            print(f"{path.relative_to(ROOT).as_posix()} is {'removed' if text is None else 'written'}.")
        print(f"{name}: {f'{len(changes)} changed' if changes else 'current'}")
    return 0


def part(name: str) -> str:
    """Not `choices`: before Python 3.12 argparse refuses no part at all then."""
    if name not in {**PARTS, **FROM_THE_PAGE}:
        raise argparse.ArgumentTypeError(f"there is no {name!r}, choose from {', '.join([*PARTS, *FROM_THE_PAGE])}")
    return name


def parser() -> argparse.ArgumentParser:
    abouts = {name: part.about for name, part in PARTS.items()}
    taken = {name: f"{about}; only by name" for name, (about, _) in FROM_THE_PAGE.items()}
    lines = [f"  {name:<12} {about}" for name, about in (abouts | taken).items()]
    made = argparse.ArgumentParser(
        prog="python3 dev.py generate",
        description="Write the files that are made from the code again.",
        epilog="\n".join(["parts:", *lines]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("parts", nargs="*", metavar="PART", type=part, help="by default all")
    made.add_argument(
        "--check", action="store_true", help="write nothing, show what differs, and fail if anything does"
    )
    return made


def main(arguments: list[str]) -> int:
    given = parser().parse_args(arguments)
    if given.check and (wrong := [name for name in given.parts if name in FROM_THE_PAGE]):
        parser().error(f"{', '.join(wrong)} cannot be checked: taken from the running page, it differs each time")
    code = check(given.parts or list(PARTS)) if given.check else generate(given.parts or list(PARTS))
    if not given.parts:
        print(f"Left out, as they are taken from the running page: {', '.join(FROM_THE_PAGE)}.")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

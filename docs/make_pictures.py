"""Draws the pictures of the documentation: `python3 dev.py pictures`. With --check it only names the outdated ones."""

from __future__ import annotations

import sys
from pathlib import Path

from drawing.pictures import draw
from drawing.story import descriptions

FOLDER = Path(__file__).resolve().parent / "pictures"


def pictures() -> dict[str, str]:
    """All pictures by their file name."""
    return {f"{name}.svg": draw(description) for name, description in descriptions().items()}


def outdated(drawn: dict[str, str]) -> list[str]:
    """Files that differ from what would be drawn now, and files that nobody draws."""
    there = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.svg")}
    return sorted(name for name in drawn.keys() | there.keys() if drawn.get(name) != there.get(name))


def write(drawn: dict[str, str]) -> None:
    for name in outdated(drawn):
        if name in drawn:
            (FOLDER / name).write_text(drawn[name], "utf-8", newline="\n")
        else:
            (FOLDER / name).unlink()


def main(arguments: list[str]) -> int:
    drawn = pictures()
    changed = outdated(drawn)
    if arguments == ["--check"]:
        print("\n".join(changed) or "All pictures are current.")
        return 1 if changed else 0
    write(drawn)
    print(f"{len(drawn)} pictures, {len(changed)} of them changed.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

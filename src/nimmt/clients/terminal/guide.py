"""The help page, and the rules to read during a match."""

from __future__ import annotations

from importlib.resources import files
from io import StringIO
from typing import Any

from rich.console import Console
from rich.markdown import Markdown

from nimmt.clients.terminal.face import Face, Look
from nimmt.clients.terminal.pieces import BULL
from nimmt.rules.game import AnyGame

WISHES = (
    ("?", "this page"),
    ("rules", "the rules of the game"),
    ("scores", "the points of all rounds"),
    ("table", "what else lies open or may be remembered"),
    ("auto", "let a bot decide for you, this once"),
    ("quit", "leave the match (it asks before it does)"),
)


def help_page(face: Face[Any], look: Look[Any]) -> list[str]:
    asked = face.question(look)
    return [
        f"Now: {asked}.",
        face.possible(look),
        "",
        "You can always type",
        *(f"  {word:<8} {meaning}" for word, meaning in WISHES),
        "",
        "What the signs mean",
        f"  {BULL} a bull: a point that nobody wants",
        "  … being waited for; ► the next one; ■ has chosen in secret",
        *(f"  {line}" for line in face.legend),
    ]


def rules_page(game: AnyGame, width: int) -> list[str]:
    """The game's own page, or, where there is none, a sentence for each rule."""
    page = files(f"nimmt.rules.games.{game.id}") / "RULES.md"
    if page.is_file():
        writer = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
        with writer.capture() as capture:
            writer.print(Markdown(page.read_text("utf-8")))
        return [line.rstrip() for line in capture.get().splitlines()]
    return [game.summary, "", *game.rules.values(), "", *game.ends.values()]

"""What can be read at a table: the help page, and the rules."""

from __future__ import annotations

from io import StringIO
from typing import Any

from rich.console import Console
from rich.markdown import Markdown

from nimmt.clients.terminal.face import Face, Look
from nimmt.clients.terminal.pieces import BULL
from nimmt.clients.terminal.words import language, tr
from nimmt.lessons.rulebook import rulebook
from nimmt.rules.game import AnyGame

WISHES = ("?", "rules", "scores", "table", "auto", "quit")


def help_page(face: Face[Any], look: Look[Any]) -> list[str]:
    asked = face.question(look).rstrip(".")
    meanings = (
        tr("this page"),
        tr("the rules of the game"),
        tr("the points of all rounds"),
        tr("what else lies open or may be remembered"),
        tr("let a bot decide for you, this once"),
        tr("leave the match (it asks before it does)"),
    )
    return [
        tr("Now: {asked}.", asked=asked),
        face.possible(look),
        "",
        tr("You can always type"),
        *(f"  {word:<8} {meaning}" for word, meaning in zip(WISHES, meanings, strict=True)),
        "",
        tr("What the signs mean"),
        f"  {BULL} {tr('a bull: a point that nobody wants')}",
        f"  {tr('… being waited for; ► the next one; ■ has chosen in secret')}",
        *(f"  {line}" for line in face.legend()),
    ]


def rules_page(game: AnyGame, width: int) -> list[str]:
    """The rules as lines."""
    writer = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    with writer.capture() as capture:
        writer.print(Markdown(rulebook(game.id, language()).markdown()))
    return [line.rstrip() for line in capture.get().splitlines()]

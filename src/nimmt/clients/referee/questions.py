"""What can be said about a table of a game: each game with a `referee.py` declares it there as `QUESTION`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from nimmt.rules import registry
from nimmt.rules.game import AnyGame

if TYPE_CHECKING:
    from nimmt.clients.referee.rulings import Ruling


class Flag(NamedTuple):
    """One thing that can be said."""

    name: str
    """Without dashes in front."""
    metavar: str
    meaning: str
    kind: Literal["text", "words", "switch", "json"] = "text"
    """One text; words, also of several flags; yes or no; or a file with JSON, which is read."""
    parameter: str = ""
    """The parameter of `settle` that gets it, unless it is called like the flag."""

    @property
    def dest(self) -> str:
        return self.parameter or self.name.replace("-", "_")


class Question(NamedTuple):
    """How a game is asked about: what can be said, what settles it, and some examples."""

    flags: tuple[Flag, ...]
    settle: Callable[..., Ruling]
    examples: str

    def ask(self, said: dict[str, Any]) -> Ruling:
        return self.settle(**{flag.dest: said[flag.dest] for flag in self.flags})


def question_about(game: AnyGame) -> Question | None:
    """None for a game that can be asked about by whole positions only."""
    found: Question | None = getattr(registry.part(game.id, "referee"), "QUESTION", None)
    return found


def words_said(name: str, metavar: str, meaning: str, parameter: str = "") -> Flag:
    return Flag(name, metavar, meaning, "words", parameter)


def rows_and_plays(rows: str, play: str) -> tuple[Flag, ...]:
    """What games with rows have in common, with examples."""
    return (
        Flag("rows", "ROWS", f'the rows from the top, with | between them: "{rows}"'),
        words_said("play", "PLAY", f'the cards played: "{play}"; without names the seats are P1, P2, …'),
        words_said("choose", "SEAT:ROW", "the row that a seat chooses; repeatable, used in order"),
    )

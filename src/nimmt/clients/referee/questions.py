"""What can be said about a table, and reading what people write about it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Cards, Rows, RulesError, Seat

# -- questions ---------------------------------------------------------------------------------------------------------
# What can be said about a table of a game: each game with a `referee.py` declares it there as `QUESTION`.

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


# -- reading -----------------------------------------------------------------------------------------------------------
# Reading what people write about a table: rows, who plays what, and what they choose.

Texts = Sequence[str]

_NUMBER = re.compile(r"[0-9]{1,9}")
_MAX_NAME_LENGTH = 30


class UnclearQuestion(RulesError):
    """What was said about the table cannot be understood, or something is missing."""


def words(texts: Texts) -> list[str]:
    """The words of one or several texts; `A: 3` and `A:3` are the same, and a comma is a space."""
    return re.sub(r"\s*:\s*", ":", " ".join(texts).replace(",", " ")).split()


def read_number(word: str, what: str = "a card") -> int:
    if not _NUMBER.fullmatch(word):
        raise UnclearQuestion(f"{word!r:.40} is not {what}: a number is needed.")
    return int(word)


def read_cards(text: str) -> Cards:
    return tuple(read_number(word) for word in words([text]))


def read_rows(text: str | None, flag: str, example: str) -> Rows:
    """Rows or piles with `|` between them; one without cards may be written as a dot."""
    if text is None or not text.strip():
        raise UnclearQuestion(f'What lies on the table? Say it with {flag} "{example}".')
    return tuple(() if part.strip() == "." else read_cards(part) for part in text.split("|"))


def check_rows(rows: Rows, number: int, cards: Iterable[int]) -> None:
    """So many rows, none empty, and no card in two places: said here in the words of the question."""
    if len(rows) != number:
        raise UnclearQuestion(f"There must be {number} rows with | between them, not {len(rows)}.")
    for row, lying in enumerate(rows, 1):
        if not lying:
            raise UnclearQuestion(f"Row {row} has no card.")
    check_once(rows, cards)


def check_once(rows: Iterable[Cards], cards: Iterable[int]) -> None:
    seen: set[int] = set()
    for card in (*(card for row in rows for card in row), *cards):
        if card in seen:
            raise UnclearQuestion(f"Card {card} is named twice: each card is there once.")
        seen.add(card)


# -- seats ------------------------------------------------------------------------------------------------------


class Seats:
    """The names of those who sit at the table, in order."""

    def __init__(self, game: AnyGame, names: Sequence[str]) -> None:
        self.names = tuple(names)
        for name in names:
            check_name(name)
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise UnclearQuestion(f"There are two seats called {twice}: names may not repeat.")
        if len(names) > game.max_seats:
            raise UnclearQuestion(f"{game.name} has at most {game.max_seats} seats, not {len(names)}.")

    def __len__(self) -> int:
        return len(self.names)

    def find(self, name: str) -> Seat:
        """The seat with this name; it need not be said where there is only one."""
        if name in self.names:
            return self.names.index(name)
        if not name and len(self.names) == 1:
            return 0
        called = f"called {name!r:.40}" if name else "without a name"
        raise UnclearQuestion(f"There is no seat {called}. The seats: {', '.join(self.names)}.")


def check_name(name: str) -> None:
    if not name or len(name) > _MAX_NAME_LENGTH or not name.isprintable() or re.search(r"[\s:,|@=]", name):
        raise UnclearQuestion(
            f"{name!r:.40} cannot be a name: one word of up to {_MAX_NAME_LENGTH} characters is needed."
        )


def read_plays(texts: Texts, example: str) -> tuple[list[str], list[str]]:
    """Who plays and what: `A:3`, or just `3` by a seat that is called P1, P2, … by its place."""
    names, cards = [], []
    for place, word in enumerate(words(texts), 1):
        name, colon, card = word.partition(":")
        names.append(name if colon else f"P{place}")
        cards.append(card if colon else name)
    if not cards:
        raise UnclearQuestion(f'Which cards are played? Say it with --play "{example}".')
    return names, cards


def read_groups(texts: Texts) -> list[tuple[str, list[str]]]:
    """`A: 3 9 B: 7`: a name and what follows it, as often as it is named."""
    groups: list[tuple[str, list[str]]] = []
    for word in words(texts):
        name, colon, rest = word.partition(":")
        if colon:
            groups.append((name, [rest] if rest else []))
        elif groups:
            groups[-1][1].append(word)
        else:
            groups.append(("", [word]))
    return groups


def read_holdings(texts: Texts, seats: Seats) -> list[Cards]:
    """`A: 3 9 B: 7` as the cards of each seat."""
    held: list[Cards] = [()] * len(seats)
    for name, cards in read_groups(texts):
        held[seats.find(name)] += tuple(map(read_number, cards))
    return held


# -- choices ----------------------------------------------------------------------------------------------------


class Choices:
    """What seats choose, by flag: several choices of one seat are used in their order."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats
        self._left: dict[tuple[str, Seat], deque[tuple[int, str]]] = {}

    def read(self, flag: str, texts: Texts, what: str) -> None:
        """`SEAT:NUMBER`, or `NUMBER` where there is one seat."""
        for seat, word in self.pairs(texts, what):
            self.add(flag, seat, read_number(word, f"a {what}"), word)

    def pairs(self, texts: Texts, what: str) -> Iterator[tuple[Seat, str]]:
        for word in words(texts):
            name, colon, chosen = word.partition(":") if ":" in word else ("", "", word)
            if not chosen or (colon and not name):
                raise UnclearQuestion(f"{word!r:.40} is not a choice: write SEAT:{what.upper()}.")
            yield self._seats.find(name), chosen

    def add(self, flag: str, seat: Seat, number: int, word: str) -> None:
        self._left.setdefault((flag, seat), deque()).append((number, word))

    def next(self, flag: str, seat: Seat) -> int | None:
        left = self._left.get((flag, seat))
        return left.popleft()[0] if left else None

    def warnings(self) -> list[str]:
        """About what was said and never needed."""
        return [
            f"--{flag} {self._seats.names[seat]}:{word} was not needed."
            for (flag, seat), left in self._left.items()
            for _, word in left
        ]

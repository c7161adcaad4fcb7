"""Understanding what a person types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nimmt.rules.game import Seat

_TOKEN = re.compile(r"\d+|[^\W\d]+|[^\w\s,;:!]")
LONGEST_NUMBER = 6
YES = frozenset(("y", "yes", "yeah", "ok", "agree", "a"))
NO = frozenset(("n", "no", "decline", "d"))


class Unclear(Exception):
    """An answer that nothing can be made of; the text is a sentence for the person."""


def words(text: str) -> list[str]:
    """Numbers, words and signs; `24~` is two of them. What only separates is left out."""
    return _TOKEN.findall(text.casefold())


def number(word: str) -> int | None:
    return int(word) if word.isdecimal() and len(word) <= LONGEST_NUMBER else None


def numbers(given: Iterable[str]) -> list[int]:
    return [value for word in given if (value := number(word)) is not None]


def only_number(text: str, noise: Sequence[str] = ()) -> int | None:
    """The number if that, and perhaps a word like "row", is all there is."""
    left = [word for word in words(text) if word not in noise]
    return number(left[0]) if len(left) == 1 else None


def find_name(names: Sequence[str], text: str, seats: Iterable[Seat]) -> Seat | None:
    """The seat whose name begins like this, if there is only one among these."""
    text = " ".join(text.casefold().split())
    if not text:
        return None
    exact = [seat for seat in seats if names[seat].casefold() == text]
    found = exact or [seat for seat in seats if names[seat].casefold().startswith(text)]
    return found[0] if len(found) == 1 else None

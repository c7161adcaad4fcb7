"""What the terminal says, in the languages of the page.

In the code stands English. Its translations stand beside it: in `words.json`, and for a game in `words.json` in its
folder. Where the page says the same thing, the page's own text is named there instead, so that it is written once. The
texts of the page come from the page as it was built (`server/static/texts`); without it the terminal speaks English.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import msgspec

from nimmt.lessons.lesson import LANGUAGES, Language
from nimmt.rules.game import Event, Seat
from nimmt.rules.registry import GAMES

Text: TypeAlias = str | Mapping[str, str]
"""A text, or one for each plural form."""
SHARED = "shared"
"""The area of the page's texts that all its screens share; games have areas of their own."""

_PLACE = re.compile(r"\{(\w+)\}")
_state: dict[str, Language] = {"language": "en"}


def language() -> Language:
    return _state["language"]


def speak(wanted: Language) -> None:
    """From now on, as far as there are texts."""
    _state["language"] = wanted


def system_language() -> Language:
    """That of the system, if we speak it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if spoken := os.environ.get(name, "")[:2].lower():
            return next((known for known in LANGUAGES if known == spoken), "en")
    return "en"


# -- plural forms ------------------------------------------------------------------------------------------------------


def _slavic(number: int, one: bool) -> str:
    if one:
        return "one"
    return "few" if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else "many"


PLURALS: dict[Language, Callable[[int], str]] = {
    "en": lambda number: "one" if number == 1 else "other",
    "de": lambda number: "one" if number == 1 else "other",
    "pl": lambda number: _slavic(number, number == 1),
    "ru": lambda number: _slavic(number, number % 10 == 1 and number % 100 != 11),
}
"""The plural rules of Unicode for whole numbers, which browsers follow too."""


def filled(text: Text, params: Mapping[str, object], spoken: Language) -> str:
    """The text with its places filled; `count` chooses the plural form."""
    if not isinstance(text, str):
        form = PLURALS[spoken](abs(int(str(params.get("count", 0)))))
        text = text.get(form) or text.get("other") or ""
    return _PLACE.sub(lambda place: str(params.get(place[1], place[0])), text)


# -- texts -------------------------------------------------------------------------------------------------------------


@cache
def page_texts(spoken: Language) -> Mapping[str, Any]:
    """All texts of the page in a language, by area; none if the page was not built."""
    path = files("nimmt") / "server" / "static" / "texts" / f"{spoken}.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


@cache
def _own_words() -> Mapping[str, Any]:
    """What stands in the code, with its translations or the name of the page's text."""
    found: dict[str, Any] = {}
    for area in (SHARED, *GAMES):
        path = files("nimmt").joinpath(*(("clients", "terminal") if area == SHARED else ("games", area)), "words.json")
        if path.is_file():
            found |= json.loads(path.read_text("utf-8"))
    return found


def page_text(key: str, **params: object) -> str | None:
    """A text of the page, `six:log.dealt` or `over`, in the language that is spoken; None if there is none."""
    area, _, name = key.rpartition(":")
    text = page_texts(language()).get(area or SHARED, {}).get(name)
    return None if text is None else filled(text, params, language())


def tr(english: str | Mapping[str, str], **params: object) -> str:
    """The same in the language that is spoken. With plural forms the one for `count` is taken."""
    spoken = language()
    if spoken != "en":
        key = english if isinstance(english, str) else english["other"]
        meant = _own_words().get(key)
        text = page_text(meant, **params) if isinstance(meant, str) else None
        if text is not None:
            return text
        if isinstance(meant, dict) and spoken in meant:
            return filled(meant[spoken], params, spoken)
    return filled(english, params, "en")


def bulls_told(number: int) -> str:
    return tr({"one": "{count} bull", "other": "{count} bulls"}, count=number)


def cards_told(number: int) -> str:
    return tr({"one": "{count} card", "other": "{count} cards"}, count=number)


def level_name(level: str) -> str:
    """A bot in words; in English it is called what one types."""
    return (page_text(f"level.{level}") if language() != "en" else None) or level


def either(items: Iterable[object]) -> str:
    """`1, 3 or 4`."""
    return _listed(items, tr("or"))


def both(items: Iterable[object]) -> str:
    """`Anna, Ben and Cleo`."""
    return _listed(items, tr("and"))


def _listed(items: Iterable[object], last: str) -> str:
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


# -- events in words ---------------------------------------------------------------------------------------------------

_PATH = re.compile(r"\{([^}]+)\}")


def narrate(game: str, event: Event, names: Sequence[str]) -> str | None:
    """The event in the language that is spoken, empty if it needs no words; None if the page has none for this game."""
    known = page_texts(language()).get("narration", {})
    if game not in known:
        return None
    told = msgspec.to_builtins(event)
    telling = {**known["common"], **known[game]["events"]}.get(told["type"])
    return None if telling is None else _Teller(game, known[game].get("nobody"), told, names).param(telling)


def _is_there(value: Any) -> bool:
    """A missing value, false and an empty list are nothing; 0 is a seat."""
    return value is not None and value is not False and value not in ([], ())


class _Teller:
    def __init__(self, game: str, nobody: str | None, event: Any, names: Sequence[str]) -> None:
        self.game, self.nobody, self.event, self.names = game, nobody, event, names

    def param(self, param: Any, place: int | None = None) -> str:
        if isinstance(param, str):
            return self._path(param, place)
        if isinstance(param, list):
            return " ".join(filter(None, (self.param(part, place) for part in param)))
        if "each" in param:
            items = self._at(param["each"].split("."), self.event, None) or ()
            said = [self.param(param["say"], index) for index in range(len(items))]
            return both(said) if param.get("join") == "listed" else param.get("join", ", ").join(said)
        return self._said(param, place)

    def _said(self, said: Mapping[str, Any], place: int | None) -> str:
        if not all(self._holds(path, wanted, place) for path, wanted in said.get("when", {}).items()):
            return ""
        params = {name: self.param(param, place) for name, param in said.get("with", {}).items()}
        key = _PATH.sub(lambda found: self._path(found[1], place), said.get("text") or said["shared"])
        area = f"{self.game}:" if "text" in said else ""
        return page_text(f"{area}{key}", **params) or ""

    def _holds(self, path: str, wanted: bool | str, place: int | None) -> bool:
        value = self._at(path.split("."), self.event, place)
        if isinstance(wanted, bool):
            return _is_there(value) == wanted
        return bool(value != wanted[1:]) if wanted.startswith("!") else bool(value == wanted)

    def _at(self, steps: Sequence[str], value: Any, place: int | None) -> Any:
        if not steps or value is None:
            return value
        step, rest = steps[0], steps[1:]
        if isinstance(value, Mapping):
            return self._at(rest, value.get(step), place)
        if step == "*" and place is None:
            return [self._at(rest, item, None) for item in value]
        index = place if step == "*" and place is not None else int(step)
        return self._at(rest, value[index], place) if -len(value) <= index < len(value) else None

    def _path(self, said: str, place: int | None) -> str:
        path, _, how = said.partition("|")
        value: Any = place if path == "*" else self._at(path.split("."), self.event, place)
        if not _is_there(value):
            return ""
        match how:
            case "name":
                return self._name(value)
            case "names":
                return both(map(self._name, value))
            case "listed":
                return both(value)
            case "commas":
                return ", ".join(map(str, value))
            case "bulls":
                return bulls_told(value)
            case "bracketed":
                return f"({value})"
            case "digits":
                return str(int(f"{value:02}"[::-1]))
        return str(value)

    def _name(self, seat: Seat) -> str:
        if seat < 0 and self.nobody:
            return page_text(f"{self.game}:{self.nobody}") or ""
        return self.names[seat] if seat < len(self.names) else ""

"""Events in words, by what the page says about them: its `tellings.ts`, read as data.

What stands there, and what it means, is written in `web/src/games/tellings.ts`; this is `narration.ts` once more, as
short as the language allows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from nimmt.clients.terminal.words import both, bulls_told, language, page_text, page_texts
from nimmt.rules.game import Event, Seat

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

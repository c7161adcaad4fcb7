"""The markers of the fan cards as a flag takes them: `4:odd`, `3:up`, `2`, or with names `even-odd=4:odd cow=2`."""

from __future__ import annotations

from typing import Any

import msgspec

from nimmt.clients.referee.reading import Texts, UnclearQuestion, read_number, words
from nimmt.rules.game import Rows
from nimmt.rules.games.six.options import Options
from nimmt.rules.games.six.state import Markers, MountainMarker, ParityMarker

FIELDS = {"even-odd": "even_odd", "mountain": "mountain", "cow": "cow"}
"""The fan cards that lie at a row, and where their markers are kept."""

_FORMS = {"even-odd": "ROW:even or ROW:odd", "mountain": "ROW:up or ROW:down", "cow": "ROW"}
_EXAMPLES = {"even-odd": "even-odd=4:odd", "mountain": "mountain=4:up", "cow": "cow=4"}
_SHOWN = {"even": "even-odd", "odd": "even-odd", "up": "mountain", "down": "mountain", "": "cow"}


def read_markers(options: Options, rows: Rows, texts: Texts) -> tuple[Markers, list[str]]:
    """The markers given. Others lie as at the start of a round, if this can be one, and a note says so."""
    given: dict[str, Any] = {}
    for word in words(texts):
        fan, form = _fan_of(word, options)
        if fan in given:
            raise UnclearQuestion(f"The marker of {fan} is given twice.")
        given[fan] = read_marker(fan, form)
    missing = [fan for fan in options.fan if fan in FIELDS and fan not in given]
    if missing and any(len(cards) > 1 for cards in rows):
        fan = missing[0]
        raise UnclearQuestion(
            f"Where does the marker of {fan} lie? Say it with --marker, for example {_EXAMPLES[fan]}."
        )
    notes = [f"No marker of {fan} was given: it lies as at the start of a round." for fan in missing]
    return Markers(**{FIELDS[fan]: value for fan, value in given.items()}), notes


def _fan_of(word: str, options: Options) -> tuple[str, str]:
    """Whose marker it is: the name says it, or the form."""
    name, _, form = word.rpartition("=")
    fan = name or _SHOWN.get(form.partition(":")[2], "")
    if fan not in FIELDS:
        forms = "; ".join(f"{form} for {fan}" for fan, form in _FORMS.items())
        raise UnclearQuestion(f"{word!r:.40} is not a marker. Write {forms}.")
    if fan not in options.fan:
        raise UnclearQuestion(f"{word!r:.40} is a marker of {fan}, which is not in play: add --fan {fan}.")
    return fan, form


def read_marker(fan: str, form: str) -> ParityMarker | MountainMarker | int:
    row, _, shown = form.partition(":")
    if _SHOWN.get(shown) != fan:
        raise UnclearQuestion(f"{form!r:.40} is not a marker of {fan}: write {_FORMS[fan]}.")
    number = read_number(row, "a row")
    if fan == "even-odd":
        return msgspec.convert({"row": number, "parity": shown}, ParityMarker)
    return msgspec.convert({"row": number, "arrows": shown}, MountainMarker) if fan == "mountain" else number


def marker_facts(markers: Markers) -> dict[str, Any]:
    """For programs, as the flag takes them: the only one bare, several with their names."""
    lying = {fan: getattr(markers, field) for fan, field in FIELDS.items()}
    forms = {
        fan: str(marker) if isinstance(marker, int) else marker.to_text()
        for fan, marker in lying.items()
        if marker is not None
    }
    if not forms:
        return {}
    line = " ".join(f"{fan}={form}" for fan, form in forms.items())
    return {"marker": line if len(forms) > 1 else next(iter(forms.values())), "markers": forms}


def remarks(markers: Markers, row: int) -> tuple[str, ...]:
    """What lies at this row, for people."""
    told = []
    if markers.cow == row:
        told.append("the cow")
    if markers.even_odd and markers.even_odd.row == row:
        told.append(f"only {markers.even_odd.parity} numbers")
    if markers.mountain and markers.mountain.row == row:
        told.append(f"descends, arrows {markers.mountain.arrows}")
    return tuple(told)

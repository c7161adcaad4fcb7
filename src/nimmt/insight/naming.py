"""What actions are called in sentences."""

from __future__ import annotations

from typing import Any

import msgspec

from nimmt.rules.game import Action


def name_of(action: Action) -> str:
    """A card is its number, a row is a row; anything else says itself."""
    fields: dict[str, Any] = msgspec.structs.asdict(action)
    if set(fields) <= {"card", "twisted"} and "card" in fields:
        return f"{fields['card']}{'↻' if fields.get('twisted') else ''}"
    if set(fields) in ({"row"}, {"pile"}):
        place = next(iter(fields))
        return f"{place} {fields[place]}"
    if set(fields) == {"card", "pile"}:
        return f"{fields['card']} → pile {fields['pile']}"
    return action.label()

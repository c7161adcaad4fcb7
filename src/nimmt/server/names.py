"""Names that people go by: what a nickname may look like, when two look alike, and what bots are called."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from itertools import count

from nimmt.server.refusals import Code, Refused

LONGEST_NAME = 30
MOST_MARKS = 2
"""So many accents one letter may carry: some writing systems need two, towers of them only cover other lines."""
HERD = ("Alma", "Bruno", "Cleo", "Dario", "Elsa", "Ferdi", "Greta", "Hugo", "Ida", "Jasper", "Kira", "Leo")
"""Bots go by names of good-natured cattle; their level is told apart from the name."""

_JOINER = "\u200d"
_BLANKS = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks by their category, of which nothing can be seen."""
_EMOJI_STYLE = "\ufe0f"
_LOOK_ALIKES = str.maketrans(
    # Cyrillic, Greek and a few others on the left of each pair, what they pass for on the right.
    "АВЕЗКМНОРСТУХЅІЈԚԜаеорсухѕіјԛԝһԁӏҮүΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχϲϳıɑɡℓ０",
    "ABE3KMHOPCTYXSIJQWaeopcyxsijqwhdlYyABEZHIKMNOPTYXaikvoptuxcjiagl0",
)
_STROKES = str.maketrans("1i|0", "lllo")


def clean_name(name: str) -> str:
    """A nickname that can be shown anywhere; raises `Refused`."""
    composed = unicodedata.normalize("NFC", name)
    visible = "".join([sign if _is_shown(composed, place) else " " for place, sign in enumerate(composed)])
    cleaned = " ".join(visible.split())
    if not 1 <= len(cleaned) <= LONGEST_NAME or not any(map(_has_ink, cleaned)) or _is_towering(cleaned):
        raise Refused(Code.BAD_NAME, f"A nickname has 1 to {LONGEST_NAME} visible characters.")
    return cleaned


def _is_shown(text: str, place: int) -> bool:
    sign = text[place]
    if sign == _JOINER:  # one picture of several: a family, a flag
        return 0 < place < len(text) - 1 and _is_picture(text[place - 1]) and _is_picture(text[place + 1])
    if unicodedata.name(sign, "").startswith("VARIATION SELECTOR"):
        return (
            sign == _EMOJI_STYLE and place > 0 and (_is_picture(text[place - 1]) or text[place - 1] in "0123456789#*")
        )
    return unicodedata.category(sign)[0] != "C" and sign not in _BLANKS


def _is_picture(sign: str) -> bool:
    return sign == _EMOJI_STYLE or unicodedata.category(sign) in ("So", "Sk") or sign in "♀♂⚕⚖✈❤"


def _has_ink(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LNPS"


def _is_towering(text: str) -> bool:
    marks = 0
    for sign in unicodedata.normalize("NFD", text):
        marks = marks + 1 if unicodedata.combining(sign) else 0
        if marks > MOST_MARKS:
            return True
    return False


def looks(name: str) -> str:
    """The same for names that people could take for each other: other alphabets, accents, capitals, l and I."""
    plain = unicodedata.normalize("NFKD", name.translate(_LOOK_ALIKES))
    letters = "".join([sign for sign in plain if not unicodedata.combining(sign) and sign not in (_EMOJI_STYLE, " ")])
    return letters.translate(_LOOK_ALIKES).casefold().translate(_STROKES).replace("rn", "m").replace("vv", "w")


def distinct(name: str, others: Iterable[str]) -> str:
    """The name, with a number behind it if somebody is called so already or nearly so."""
    taken = {looks(other) for other in others}
    if looks(name) not in taken:
        return name
    marked = (f"{name} ({number})" for number in count(2))
    return next(candidate for candidate in marked if looks(candidate) not in taken)


def herd_name(seat: int, others: Collection[str]) -> str:
    """What a bot on this seat is called: nobody else at the table is."""
    taken = {looks(other) for other in others}
    turned = HERD[seat % len(HERD) :] + HERD[: seat % len(HERD)]
    return next((name for name in turned if looks(name) not in taken), None) or distinct(turned[0], others)

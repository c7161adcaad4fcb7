"""Names that people go by: what a nickname may look like, when two look alike, and what bots are called."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import cache
from itertools import chain, count

from nimmt.server.http.errors import Code, Refused

# -- lookalikes --------------------------------------------------------------------------------------------------------
# Letters that pass for others: what a name looks like to somebody who does not look closely.

# Pairs: what is drawn nearly like it in one alphabet, and the letter that it passes for.
_PAIRS = (
    # Cyrillic
    ("АВЕЗКМНОРСТУХЅІЈԚԜԌѴӀЅ", "ABE3KMHOPCTYXSIJQWGVlS"),
    ("аеорсухѕіјԛԝһԁӏҮүөѳгпѵ", "aeopcyxsijqwhdlYyoornv"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺ", "ABEZHIKMNOPTYXCM"),
    ("αικνορτυχϲϳηεω", "aikvoptuxcjnew"),
    # Armenian, Coptic
    ("ՍՕՏԼԱոսհցյզօլռւգ", "UOSLUnuhgjqolnlq"),
    ("ⲀⲂⲈⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬⲟⲣⲥⲩⲭ", "ABEHIKMNOPCTYXopcyx"),
    # Cherokee, Lisu, Canadian syllabics
    ("ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃ", "ABCDEGHIJKLMPRSTVWYZ"),
    ("ᎭᏔᏎ", "FW4"),
    ("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ"),
    ("ᗅᗷᑕᗞᖴᕼᒍᒪᗰᑎᑭᖇᔕᑌᐯᗯ", "ABCDFHJLMNPRSUVW"),
    # Strokes, and Latin letters that nothing tells apart from others
    ("ǀ∣⏐ⵏاן׀ו", "llllllll"),
    ("ıɑɡℓɩƅƄƽɐ", "iaglibb5a"),
    ("⍺∂", "aa"),
)
_LIGATURES = {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "🅰": "A", "🅱": "B"}
_SHAPES = {ord(letter): plain for letters, plains in _PAIRS for letter, plain in zip(letters, plains, strict=True)}
_SHAPES |= {ord(letter): plain for letter, plain in _LIGATURES.items()}
# Letters in boxes and in circles, white on black, and those that flags are made of.
for _first in (0x1F150, 0x1F170, 0x1F1E6):
    _SHAPES |= {_first + place: chr(ord("A") + place) for place in range(26)}
_STROKES = str.maketrans("1i|0", "lllo")


def looks(name: str) -> frozenset[str]:
    """Whatever a name may be taken for; names with something in common could be taken for each other.

    As it is written, and with all letters small or large: the small Cyrillic в is unlike a Latin B, the large one not.
    """
    return frozenset({_shape(name), _shape(name.casefold()), _shape(name.upper())})


def _shape(name: str) -> str:
    """The same for all names that are drawn nearly alike: without accents, blanks and punctuation."""
    plain = unicodedata.normalize("NFKD", name.translate(_SHAPES))
    drawn = "".join([_plain(sign) for sign in plain if unicodedata.category(sign)[0] not in "CMZP"])
    folded = drawn.translate(_SHAPES).casefold().translate(_STROKES)
    return folded.replace("rn", "m").replace("vv", "w") or name


@cache
def _plain(sign: str) -> str:
    """A letter without its stroke or tail, a digit of any script as ours."""
    if unicodedata.category(sign) == "Nd":
        return str(unicodedata.digit(sign))
    called = unicodedata.name(sign, "").replace("LETTER SMALL CAPITAL", "SMALL LETTER")
    if called.startswith("MODIFIER LETTER") or called == "ARABIC TATWEEL":  # apostrophes; a line that stretches a word
        return ""
    try:
        return unicodedata.lookup(called.split(" WITH ")[0])
    except KeyError:
        return sign


def alphabet(letter: str) -> str | None:
    """The alphabet of a letter or digit, None for what belongs to all."""
    if unicodedata.category(letter) not in ("Lu", "Ll", "Lt", "Lo", "Nd"):
        return None
    first = unicodedata.name(letter, "").removeprefix("EXTENDED ").replace("-", " ").split(" ")[0]
    return None if first in ("DIGIT", "") else first


# -- names -------------------------------------------------------------------------------------------------------------

MAX_NAME_LENGTH = 30
MAX_MARKS, MAX_OWN_MARKS = 2, 4
"""So many accents one letter may carry, and so many signs of its own script: towers of them only cover other lines."""
HERD = ("Alma", "Bruno", "Cleo", "Dario", "Elsa", "Ferdi", "Greta", "Hugo", "Ida", "Jasper", "Kira", "Leo")
"""Bots go by names of good-natured cattle; their level is told apart from the name."""

RESERVED = (
    "You",
    "Du",
    "Ты",
    "Вы",
    "Bot",
    "Бот",
    "Host",
    "Admin",
    "Administrator",
    "Moderator",
    "Server",
    "System",
    "nimmt",
)
"""What the page and the server themselves are called: nobody speaks for them."""

_JOINER, _NON_JOINER = "\u200d", "\u200c"
_EMOJI_STYLE, _KEYCAP = "\ufe0f", "\u20e3"
_VIRAMA = 9
"""The combining class of signs after which the joiners decide how a letter is written."""
_BLANKS = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159")
"""Letters, marks and signs by their category, of which nothing can be seen."""
_FLAG = re.compile("(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)")
"""The flags of England, Scotland, Wales and the like: letters of which nothing is seen, but their flag."""
_TOGETHER = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
_EUROPEAN = frozenset({"LATIN", "CYRILLIC", "GREEK"})
"""Alphabets of which one word may have several: what looks alike in these is known."""


def clean_label(name: str, what: str = "name") -> str:
    """A name that can be shown anywhere; raises `Refused`."""
    cleaned = visible(name)
    length = max(len(cleaned), len(unicodedata.normalize("NFKC", cleaned)))
    if not 1 <= length <= MAX_NAME_LENGTH or not any(map(_has_ink, cleaned)) or _is_towering(cleaned):
        raise Refused(Code.BAD_NAME, f"A {what} has 1 to {MAX_NAME_LENGTH} visible characters.")
    return cleaned


def clean_name(name: str) -> str:
    """A nickname that nobody takes for anything but a player; raises `Refused`."""
    cleaned = clean_label(name, "nickname")
    if _is_mixed(cleaned):
        raise Refused(Code.BAD_NAME, "Each word of a nickname is written in one alphabet.")
    if _is_like(cleaned, RESERVED):
        raise Refused(Code.BAD_NAME, "This nickname could be mistaken for something other than a player.")
    return cleaned


def visible(text: str) -> str:
    """What can be seen of a text, in one line: nothing in it can turn or hide the rest."""
    parts = _FLAG.split(unicodedata.normalize("NFC", text))
    shown = [part if place % 2 else _shown(part) for place, part in enumerate(parts)]
    return " ".join("".join(shown).split())


def _shown(text: str) -> str:
    return "".join([_instead(text, place) for place in range(len(text))])


def _instead(text: str, place: int) -> str:
    """The sign at this place, a blank for what is as wide as one, nothing for what is not there."""
    sign, before, after = text[place], text[:place], text[place + 1 :]
    category = unicodedata.category(sign)
    if category in ("Cc", "Zl", "Zp") or sign in _BLANKS:
        return " "
    if sign in (_JOINER, _NON_JOINER):
        return sign if before and after and _joins(sign, before[-1], after[0]) else ""
    if sign == _EMOJI_STYLE:
        return sign if before and (_is_picture(before[-1]) or before[-1] in "0123456789#*") else ""
    if "VARIATION SELECTOR" in unicodedata.name(sign, ""):
        return ""
    if category == "Me":  # rings around letters; digits on keys are pictures
        return sign if sign == _KEYCAP and before and before[-1] in "0123456789#*" + _EMOJI_STYLE else ""
    return "" if category[0] == "C" and not _is_picture(sign) else sign


def _joins(joiner: str, before: str, after: str) -> bool:
    """One picture of several (a family, a flag), or the writing of India and Persia."""
    if unicodedata.combining(before) == _VIRAMA:
        return unicodedata.category(after) == "Lo"
    if joiner == _JOINER:
        return _is_picture(before) and _is_picture(after)
    return unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"


def _is_picture(sign: str) -> bool:
    """Also one of those that are younger than the tables of this Python."""
    young = unicodedata.category(sign) == "Cn" and 0x1F300 <= ord(sign) <= 0x1FAFF
    return young or sign == _EMOJI_STYLE or unicodedata.category(sign) in ("So", "Sk") or sign in "♀♂⚕⚖✈❤"


def _has_ink(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LNPS" or _is_picture(sign)


def _is_towering(text: str) -> bool:
    """Marks upon marks: some writing needs several of its own, none so many of those that go with any letter."""
    marks = anywhere = 0
    for sign in unicodedata.normalize("NFD", text):
        is_mark = unicodedata.category(sign) == "Mn" and sign != _EMOJI_STYLE
        is_general = is_mark and unicodedata.name(sign, "").startswith("COMBINING")
        marks, anywhere = (marks + 1, anywhere + is_general) if is_mark else (0, 0)
        if anywhere > MAX_MARKS or marks > MAX_OWN_MARKS:
            return True
    return False


def _is_mixed(text: str) -> bool:
    """Does a word borrow letters from another alphabet, as nobody does who does not want to be taken for another?"""
    for word in unicodedata.normalize("NFKD", text).split():
        found = {kind for kind in map(alphabet, word) if kind}
        if len(found) > 1 and not found <= _TOGETHER and not found <= _EUROPEAN:
            return True
    return False


def _is_like(name: str, others: Iterable[str]) -> bool:
    look = looks(name)
    return any(look & looks(other) for other in others)


def distinct(name: str, others: Iterable[str]) -> str:
    """The name, with a number behind it if somebody is called so already or nearly so."""
    taken = list(others)
    marked = (f"{name} ({number})" for number in count(2))
    return next(candidate for candidate in chain([name], marked) if not _is_like(candidate, taken))


def herd_name(seat: int, others: Collection[str]) -> str:
    """What a bot on this seat is called: nobody else at the table is."""
    turned = HERD[seat % len(HERD) :] + HERD[: seat % len(HERD)]
    return next((name for name in turned if not _is_like(name, others)), None) or distinct(turned[0], others)

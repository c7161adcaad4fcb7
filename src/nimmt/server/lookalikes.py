"""Letters that pass for others: what a name looks like to somebody who does not look closely."""

from __future__ import annotations

import unicodedata
from functools import cache

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

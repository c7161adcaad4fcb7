"""Letters for pictures that are drawn where nobody knows what fonts there are: one font, Latin and Cyrillic, that is
always there; how wide words are in it; and pictures as PNG."""

from __future__ import annotations

import struct
import unicodedata
from functools import cache
from pathlib import Path

FONT = Path(__file__).with_name("lettering.ttf")
"""Part of DejaVu Sans Condensed Bold: see `lettering.LICENSE`."""
FAMILY = "DejaVu Sans Condensed"
UNKNOWN = "\N{MIDDLE DOT}"


@cache
def _advances() -> dict[str, float]:
    """How wide each letter of the font is, in units of its size."""
    data = FONT.read_bytes()
    tables = _tables(data)
    (units,) = struct.unpack_from(">H", data, tables["head"] + 18)
    (long_metrics,) = struct.unpack_from(">H", data, tables["hhea"] + 34)
    advances = {}
    for code, glyph in _characters(data, tables["cmap"]):
        (advance,) = struct.unpack_from(">H", data, tables["hmtx"] + 4 * min(glyph, long_metrics - 1))
        advances[chr(code)] = advance / units
    return advances


def _tables(data: bytes) -> dict[str, int]:
    """Where each table of the font begins."""
    (count,) = struct.unpack_from(">H", data, 4)
    records = [struct.unpack_from(">4sLLL", data, 12 + 16 * number) for number in range(count)]
    return {name.decode("ascii"): start for name, _, start, _ in records}


def _characters(data: bytes, start: int) -> list[tuple[int, int]]:
    """Characters and their glyphs, from the segments of a format 4 table."""
    (count,) = struct.unpack_from(">H", data, start + 2)
    subtables = [start + struct.unpack_from(">HHL", data, start + 4 + 8 * number)[2] for number in range(count)]
    table = next(place for place in subtables if struct.unpack_from(">H", data, place)[0] == 4)
    (twice,) = struct.unpack_from(">H", data, table + 6)
    segments = twice // 2
    ends, starts, deltas, offsets = (table + 14, table + 16 + twice, table + 16 + 2 * twice, table + 16 + 3 * twice)
    found = []
    for number in range(segments):
        last, first, delta, offset = (
            struct.unpack_from(">H", data, place + 2 * number)[0] for place in (ends, starts, deltas, offsets)
        )
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if offset:
                (glyph,) = struct.unpack_from(">H", data, offsets + 2 * number + offset + 2 * (code - first))
            glyph = (glyph + delta) % 65536 if glyph or not offset else 0
            if glyph:
                found.append((code, glyph))
    return found


def drawable(words: str) -> str:
    """The words with a dot for whatever the font does not have: an emoji, a letter of another script."""
    signs = unicodedata.normalize("NFC", words)
    shown = [sign if sign in _advances() else UNKNOWN for sign in signs if unicodedata.category(sign)[0] not in "CM"]
    return "".join(shown)


def width_of(words: str, size: float) -> float:
    advances = _advances()
    return size * sum(advances.get(sign, 1.0) for sign in words)


def fitted(words: str, size: float, width: float) -> str:
    """The words, or their beginning with an ellipsis."""
    if width_of(words, size) <= width:
        return words
    while words and width_of(f"{words}…", size) > width:
        words = words[:-1]
    return f"{words.rstrip()}…"


def in_lines(words: str, size: float, width: float, most: int) -> list[str]:
    """Broken between words into so many lines at most; what does not fit then ends with an ellipsis."""
    lines: list[str] = []
    rest = words.split()
    while rest and len(lines) < most - 1:
        count = 1
        while count < len(rest) and width_of(" ".join(rest[: count + 1]), size) <= width:
            count += 1
        lines.append(fitted(" ".join(rest[:count]), size, width))
        rest = rest[count:]
    return [*lines, fitted(" ".join(rest), size, width)] if rest else lines


def as_png(svg: str) -> bytes:
    """The picture as it looks everywhere: fonts of the machine are not asked for."""
    from resvg_py import svg_to_bytes

    return bytes(
        svg_to_bytes(
            svg_string=svg,
            skip_system_fonts=True,
            font_files=[str(FONT)],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )

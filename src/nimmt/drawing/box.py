"""Boxes of SVG that are put beside and above each other, so that no picture needs a coordinate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Literal

Align = Literal["start", "middle", "end"]
_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}


@dataclass(frozen=True)
class Box:
    width: float
    height: float
    svg: str = ""


def number(value: float) -> str:
    """Short and the same everywhere: one decimal, no trailing zero."""
    return f"{value:.1f}".removesuffix(".0")


def tag(name: str, content: str = "", **attributes: object) -> str:
    """An element; `stroke_width=2` is written as `stroke-width`, numbers are shortened."""
    parts = [f" {key.rstrip('_').replace('_', '-')}={_quoted(value)}" for key, value in attributes.items()]
    return f"<{name}{''.join(parts)}>{content}</{name}>" if content else f"<{name}{''.join(parts)}/>"


def _quoted(value: object) -> str:
    return f'"{number(value) if isinstance(value, float | int) else escape(str(value))}"'


def at(box: Box, x: float, y: float) -> str:
    if not box.svg or (x == 0 and y == 0):
        return box.svg
    return f'<g transform="translate({number(x)} {number(y)})">{box.svg}</g>'


def space(width: float, height: float = 0) -> Box:
    return Box(width, height)


def beside(boxes: Iterable[Box], gap: float = 6, align: Align = "middle") -> Box:
    parts = list(boxes)
    height = max((box.height for box in parts), default=0)
    x, drawn = 0.0, []
    for box in parts:
        drawn.append(at(box, x, (height - box.height) * _SHARE[align]))
        x += box.width + gap
    return Box(max(x - gap, 0), height, "".join(drawn))


def above(boxes: Iterable[Box], gap: float = 6, align: Align = "start") -> Box:
    parts = list(boxes)
    width = max((box.width for box in parts), default=0)
    y, drawn = 0.0, []
    for box in parts:
        drawn.append(at(box, (width - box.width) * _SHARE[align], y))
        y += box.height + gap
    return Box(width, max(y - gap, 0), "".join(drawn))


def over(*boxes: Box) -> Box:
    """On top of each other, the last one uppermost; all start at the same corner."""
    return Box(max(box.width for box in boxes), max(box.height for box in boxes), "".join(box.svg for box in boxes))


def padded(box: Box, x: float, y: float | None = None) -> Box:
    y = x if y is None else y
    return Box(box.width + 2 * x, box.height + 2 * y, at(box, x, y))


def text(words: str, size: float, width: float, style: str = "", align: Align = "middle") -> Box:
    """A line of text in a box of a known width; how wide the letters are depends on the reader's fonts."""
    height = round(size * 1.25, 1)
    x, y = width * _SHARE[align], height * 0.78
    anchor = {} if align == "start" else {"text_anchor": align}
    classes = {"class_": style} if style else {}
    return Box(width, height, tag("text", escape(words), **classes, **anchor, x=x, y=y, font_size=size))

"""What pictures are made of: boxes, symbols, and what lies on a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

# -- box ---------------------------------------------------------------------------------------------------------------
# Boxes of SVG that are put beside and above each other, so that no picture needs a coordinate.

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


# -- symbols -----------------------------------------------------------------------------------------------------------
# Symbols that a picture draws once and uses often: heads of cattle and faces of cards.

CARD_W, CARD_H = 48, 68


IVORY, GOLD = "#fffaf0", "#ffd25e"
BULL_COLOURS = {1: "#46556b", 2: "#17786b", 3: "#a86200", 5: "#c2341d", 7: "#8b2f97"}
"""More bulls, warmer colour. The heads can be counted, so nothing depends on it."""

STYLE = (
    'text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;fill:#e9f2ea}'
    ".c{fill:currentColor;font-weight:700}.w{font-weight:700}.d{fill:#bcd6c5}.k{fill:#2b2a33;font-weight:600}"
)

_HORNS = (
    '<path opacity=".8" d="M3.2.6C.2 3.7.9 8 5.6 8.4l1.5-2.6C4.6 5.6 3.3 3.7 3.2.6z'
    'M16.8.6c3 3.1 2.3 7.4-2.4 7.8l-1.5-2.6c2.5-.2 3.8-2.1 3.9-5.2z"/>'
)
_FACE = (
    '<path d="M6.6 5.2Q10 3.4 13.4 5.2l.6 2.7 3.3-.3q.3 2.7-3.5 3.1l-.5 3.6q-.7 3.3-3.3 3.3t-3.3-3.3l-.5-3.6'
    'Q2.4 10.3 2.7 7.6l3.3.3z"/>'
)
_EYES = (
    f'<path d="M8 9.6v.7m4-.7v.7M8.7 14.6v.4m2.6-.4v.4" stroke="{IVORY}" stroke-width="1.5" stroke-linecap="round"/>'
)
SHAPES = {
    "blue": "M10 1a9 9 0 1 0 .01 0Z",
    "yellow": "M10 1.5 19 17.5H1Z",
    "green": "M7 1h6v6h6v6h-6v6H7v-6H1V7h6Z",
    "red": "M10 .5 19.5 10 10 19.5.5 10Z",
    "black": "M10 .5l2.9 6.3 6.6.8-4.9 4.6 1.3 6.8L10 15.7 4.1 19l1.3-6.8L.5 7.6l6.6-.8Z",
    "white": "M5.5 2.2h9L19 10l-4.5 7.8h-9L1 10Z",
}
"""Colour is never the only sign: each has a shape of its own, 20 × 20, the same as on the page (`faces.ts`)."""
FIELDS = {
    "blue": "#2766c4",
    "yellow": "#f4c531",
    "green": "#2c7d3c",
    "red": "#c9342e",
    "black": "#211d1b",
    "white": "#fff",
}
_PAPER = 'fill="#fffdf6"'
_PAINTS = {"yellow": 'fill="#3a2a00"', "white": 'fill="#dfe3ea" stroke="#2b2118" stroke-width="2.2"'}


def _shape(colour: str) -> str:
    return f'<path d="{SHAPES[colour]}" {_PAINTS.get(colour, _PAPER)}/>'


def _card_face(edge: str, fill: str) -> str:
    shadow = f'<rect x="1" y="2.5" width="{CARD_W}" height="{CARD_H}" rx="6" opacity=".3"/>'
    return f'{shadow}<rect width="{CARD_W}" height="{CARD_H}" rx="6" fill="{fill}" stroke="{edge}"/>'


HEADS: dict[str, str] = {
    "bull": f'<g fill="currentColor">{_HORNS}{_FACE}</g>{_EYES}',
    "cow": (
        f'<g fill="#d8c7ac" stroke="#5b4a3a" stroke-width=".5">{_HORNS}</g>'
        f'<g fill="#fff" stroke="#5b4a3a" stroke-width=".6">{_FACE}</g>'
        '<path d="M7 5.3q1.8-.9 2.9-.9-.2 3.6-3.3 4.3zM13.2 9.5l.5-2q1.5.6 2.7.5-.3 1.5-2.5 1.7z" fill="#5b4a3a"/>'
        '<ellipse cx="10" cy="14.8" rx="2.9" ry="2.2" fill="#f0a6a0"/>'
        '<path d="M8 9.7v.6m4-.6v.6M9 14.6v.4m2-.4v.4" stroke="#2b2a33" stroke-width="1.3" stroke-linecap="round"/>'
    ),
    "buffalo": (
        '<g fill="currentColor"><path opacity=".8" d="M6.5 6Q1.5 6 .7 1-1 9.3 6 9.6zm7 0q5 0 5.8-5 1.7 8.3-5.3 8.6z"/>'
        '<path d="M5 6.5Q6 3 10 3t5 3.5l-1.2 5.5Q13 17.6 10 17.6T6.2 12z"/></g>'
        '<path d="M8 8.8v.7m4-.7v.7M8.8 14.6v.3m2.4-.3v.3" stroke="#fff" stroke-width="1.5" stroke-linecap="round"/>'
    ),
}
"""Heads are 20 wide and 18 high, and scale."""

FACES: dict[str, str] = {
    "card": _card_face("#c9b889", IVORY),
    "back": (
        _card_face("#20324f", "#2f4a75")
        + f'<rect x="4" y="4" width="{CARD_W - 8}" height="{CARD_H - 8}" rx="4" fill="none" stroke="#7f9bc9"/>'
        + '<path d="M4 22l20-18 20 18M4 46l20 18 20-18" fill="none" stroke="#7f9bc9" opacity=".6"/>'
        + f'<g fill="#a9c0e6" transform="translate(14 25)">{_HORNS}{_FACE}</g>'
    ),
    "slot": (
        f'<rect x=".5" y=".5" width="{CARD_W - 1}" height="{CARD_H - 1}" rx="6" fill="none" stroke="#fff"'
        ' stroke-opacity=".22" stroke-dasharray="4 4"/>'
    ),
    "beyond": f'<g fill="#0c2e22" opacity=".3" transform="translate(9 20) scale(1.5)">{_HORNS}{_FACE}</g>',
}


def definitions(drawn: str) -> str:
    """The symbols that a picture uses, the style and the felt."""
    heads = [
        f'<symbol id="{name}" viewBox="0 0 20 18">{head}</symbol>' for name, head in HEADS.items() if _uses(drawn, name)
    ]
    faces = [f'<g id="{name}">{face}</g>' for name, face in FACES.items() if _uses(drawn, name)]
    faces += [f'<g id="{colour}">{_shape(colour)}</g>' for colour in SHAPES if _uses(drawn, colour)]
    if "url(#round)" in drawn:
        faces.append(f'<clipPath id="round"><rect width="{CARD_W}" height="{CARD_H}" rx="6"/></clipPath>')
    felt = (
        '<radialGradient id="felt" cx=".5" cy=".4" r=".9">'
        '<stop stop-color="#2e7358"/><stop offset="1" stop-color="#1c4f3d"/></radialGradient>'
    )
    return f"<style>{STYLE}</style><defs>{felt}{''.join(heads + faces)}</defs>"


def _uses(drawn: str, name: str) -> bool:
    return f'href="#{name}"' in drawn


# -- things ------------------------------------------------------------------------------------------------------------
# What lies on a table: cards, their backs, markers, special cards, signs.

GAP = 6
FAN_COLOUR, SPECIAL_COLOUR = "#2d6a8e", "#7a3b1d"

_HEADS_IN_LINES = {1: (1,), 2: (2,), 3: (3,), 5: (3, 2), 7: (4, 3)}
_HEAD_SIZES = {1: 15.0, 2: 14.0, 3: 13.0, 5: 12.0, 7: 10.0}


def head(name: str, width: float, colour: str | None = None) -> Box:
    height = width * 0.9
    paint = {"color": colour} if colour else {}
    return Box(width, height, tag("use", href=f"#{name}", width=width, height=height, **paint))


def face(name: str) -> Box:
    return Box(CARD_W, CARD_H, tag("use", href=f"#{name}"))


def framed(box: Box, colour: str = GOLD) -> Box:
    """A ring around a card that has just been moved."""
    ring = tag(
        "rect",
        x=-2,
        y=-2,
        width=box.width + 4,
        height=box.height + 4,
        rx=8,
        fill="none",
        stroke=colour,
        stroke_width=3,
    )
    return Box(box.width, box.height, box.svg + ring)


def scaled(box: Box, factor: float) -> Box:
    return Box(box.width * factor, box.height * factor, f'<g transform="scale({factor:g})">{box.svg}</g>')


def centred(box: Box, width: float, y: float) -> str:
    return at(box, (width - box.width) / 2, y)


# -- cards --------------------------------------------------------------------------------------------------------


def card(value: int, bulls: int) -> Box:
    """A numbered card with its bulls."""
    colour = BULL_COLOURS[bulls]
    lines, size = _HEADS_IN_LINES[bulls], _HEAD_SIZES[bulls]
    heads = above([beside([head("bull", size)] * count, gap=1) for count in lines], gap=1, align="middle")
    digits = text(str(value), 25 if value < 100 else 22, CARD_W, "c")
    drawn = at(digits, 0, 7) + centred(heads, CARD_W, 51 - heads.height / 2)
    return Box(CARD_W, CARD_H, face("card").svg + f'<g color="{colour}">{drawn}</g>')


def plain_card(value: int) -> Box:
    """A card of which nothing is known but its number."""
    digits = text(str(value), 25 if value < 100 else 22, CARD_W, "c")
    drawn = at(digits, 0, (CARD_H - digits.height) / 2)
    return Box(CARD_W, CARD_H, face("card").svg + f'<g color="{BULL_COLOURS[1]}">{drawn}</g>')


BAND, CROWNED = 21.0, 16.0
"""How wide the band of colours is, and how high the number stands above more of them."""
_CROWN = '<path d="M4 12.5 2.6 5.3l3.8 2.9 3.4-4.8 3.4 4.8 3.8-2.9-1.4 7.2z" fill="#6d2149"/>'


def baron_card(value: int, colours: Sequence[str]) -> Box:
    """A card whose bulls are fields of colours, as on the page: up to three are a band at its left edge, more of them
    fill the card below its number. A card with all colours is noble."""
    named = sorted(colours, key=list(SHAPES).index)
    many, noble = len(named) > 3, set(SHAPES) <= set(named)
    columns, top = (2, CROWNED) if many else (1, 0.0)
    high = (CARD_H - top) / -(-len(named) // columns)
    drawn = [tag("rect", width=CARD_W, height=CARD_H, fill="#f3d27a" if noble else IVORY)]
    if not many:
        drawn.append(f'<g color="#7a6a52" opacity=".25">{at(head("bull", 20.0), BAND + 3.5, 43)}</g>')
    for index, colour in enumerate(named):
        alone = columns == 1 or (index == len(named) - 1 and index % 2 == 0)
        wide = BAND if columns == 1 else CARD_W / (1 if alone else 2)
        drawn.append(at(_field(colour, wide, high), CARD_W / 2 * (index % columns), top + index // columns * high))
    size = 12.0 if many else (16.0 if value < 100 else 12.0)
    left, line = ((17.0 if noble else 0.0), 0.5) if many else (BAND, 10.0)
    drawn += [_CROWN if noble else "", at(text(str(value), size, CARD_W - left, "k w"), left, line)]
    edge = tag("rect", width=CARD_W, height=CARD_H, rx=6, fill="none", stroke="#6b5f4d")
    face = f'<g clip-path="url(#round)">{"".join(drawn)}</g>'
    return Box(CARD_W, CARD_H, face + edge)


def _field(colour: str, width: float, height: float) -> Box:
    size = min(16.0, height - 2, width - 2)
    shape = f'<g transform="scale({size / 20:g})"><use href="#{colour}"/></g>'
    field = tag("rect", width=width, height=height, fill=FIELDS[colour], stroke="#000", stroke_opacity=".25")
    return Box(width, height, field + at(Box(size, size, shape), (width - size) / 2, (height - size) / 2))


def back() -> Box:
    return face("back")


def bull_card() -> Box:
    """A bull card of 11 nimmt!"""
    drawn = centred(head("bull", 38.0, "#7a3b1d"), CARD_W, 16)
    return Box(CARD_W, CARD_H, face("card").svg + drawn)


def pile(top: Box) -> Box:
    """Cards that lie exactly on each other: how many cannot be told."""
    edges = [
        tag("rect", x=shift, y=shift, width=CARD_W, height=CARD_H, rx=6, fill="#e8dfc8", stroke="#b5a06c")
        for shift in (5, 2.5)
    ]
    return Box(CARD_W + 5, CARD_H + 5, "".join(edges) + top.svg)


def slot() -> Box:
    """An empty place of a row."""
    return face("slot")


def beyond() -> Box:
    """The place behind the last one: a card that comes here takes the row."""
    return face("beyond")


# -- special cards ------------------------------------------------------------------------------------------------

_LINE = 'fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"'
_MINI = '<rect x="{}" y="{}" width="9" height="13" rx="2" fill="{}" stroke="currentColor" stroke-width="1.5"/>'

ICONS = {
    "even": '<g fill="currentColor">'
    + "".join(f'<circle cx="{x}" cy="{y}" r="4"/>' for x in (11, 25) for y in (8, 18, 28))
    + "</g>",
    "odd": '<g fill="currentColor">'
    + "".join(f'<circle cx="{x}" cy="{y}" r="4"/>' for x, y in ((11, 8), (25, 8), (18, 18), (11, 28), (25, 28)))
    + "</g>",
    "up": f'<path d="M1 34 14 10l6 9 4-5 11 20z" fill="#8fa7b8"/><path d="M14 10l-5 9 4-2 2 3 4-3z" fill="#fff"/>'
    f'<path {_LINE} d="M28 10V1m-4 4 4-4 4 4"/>',
    "down": f'<path d="M1 34 14 10l6 9 4-5 11 20z" fill="#8fa7b8"/><path d="M14 10l-5 9 4-2 2 3 4-3z" fill="#fff"/>'
    f'<path {_LINE} d="M28 1v9m-4-4 4 4 4-4"/>',
    "twist": f'<path {_LINE} d="M6 14A13 13 0 0 1 29 11m1-7v8h-8M30 22A13 13 0 0 1 7 25m-1 7v-8h8"/>',
    "take-7": '<text class="c" x="18" y="32" text-anchor="middle" font-size="38">7</text>',
    "stop": '<path d="M12 3h12l9 9v12l-9 9H12l-9-9V12z" fill="#c9291c"/><path d="M9 15h18v6H9z" fill="#fff"/>',
    "swap": f'<path {_LINE} d="M4 12h26m-7-7 7 7-7 7M32 25H6m7-7-7 7 7 7"/>',
    "insert": _MINI.format(2, 18, "none")
    + _MINI.format(25, 18, "none")
    + _MINI.format(13.5, 18, "#ffd25e")
    + f'<path {_LINE} d="M18 2v10m-4-4 4 4 4-4"/>',
    "push": _MINI.format(3, 20, "#ffd25e") + f'<path {_LINE} d="M14 18 30 5m-9-1 9 1-1 9"/>',
    "first": f'<path {_LINE} d="M4 6v24M32 18H12m8-8-8 8 8 8"/>',
    "last": f'<path {_LINE} d="M32 6v24M4 18h20m-8-8 8 8-8 8"/>',
    "sort": f'<path {_LINE} d="M5 30v-7M13 30V17M21 30V11M29 30V5"/>',
}


def special(title: str, icon: str, colour: str) -> Box:
    """A card without a number: a picture and its name."""
    frame = tag("rect", x=3, y=3, width=CARD_W - 6, height=CARD_H - 6, rx=4, fill="none", stroke=colour, stroke_width=2)
    drawn = f'<g color="{colour}" transform="translate(6 9)">{icon}</g>'
    size = 8.5 if len(title) < 9 else 7.5
    return Box(CARD_W, CARD_H, face("card").svg + frame + drawn + at(text(title, size, CARD_W, "k"), 0, 50))


def cow_card() -> Box:
    return special("cow", head("cow", 36.0).svg, "#8a6a3f")


def sign(words: str) -> Box:
    """The sign at the left of a row: its number, or how many cards it takes."""
    return text(words, 14, 16, "d")


def wooden_sign(words: str) -> Box:
    """A row card of X nimmt!: the number and an arrow."""
    board = tag("path", d="M1 16h30l11 18-11 18H1z", fill="#8b5e34", stroke="#5d3d20", stroke_width=1.5)
    return Box(44, CARD_H, board + at(text(words, 24, 34, "w"), 0, 19))


# -- around the table ---------------------------------------------------------------------------------------------


def pill(words: str, width: float = CARD_W) -> Box:
    """A name below a card, cut where it would not fit."""
    room = int(width / 5)
    words = words if len(words) <= room else f"{words[: room - 1]}…"
    plate = tag("rect", width=width, height=15, rx=7.5, fill="#0f3327", fill_opacity=".75")
    return over(Box(width, 15, plate), text(words, 10.5, width, "w"))


def captioned(box: Box, words: str, width: float = CARD_W) -> Box:
    return above([box, pill(words, max(width, box.width))], gap=5, align="middle")


def of_the_buffalo(box: Box) -> Box:
    """A card with the buffalo's head in its corner."""
    badge = tag("circle", cx=CARD_W - 4, cy=5, r=11, fill=IVORY, stroke=SPECIAL_COLOUR, stroke_width=2)
    return Box(box.width, box.height, box.svg + badge + at(head("buffalo", 15.0, SPECIAL_COLOUR), CARD_W - 11.5, -2))


def arrow() -> Box:
    drawn = tag("path", d="M2 16h24v-10l20 18-20 18v-10H2z", fill="#e9f2ea", fill_opacity=".85")
    return Box(48, 48, drawn)


def arrow_down() -> Box:
    return Box(48, 48, f'<g transform="rotate(90 24 24)">{arrow().svg}</g>')


def heading(words: str) -> Box:
    return text(words, 13, 60, "d", "start")


def line(width: float) -> Box:
    drawn = tag("path", d=f"M0 1h{number(width)}", stroke="#fff", stroke_opacity=".2")
    return Box(width, 2, drawn)


def row_of(cards: Iterable[Box]) -> Box:
    return beside(cards, gap=GAP)


def bull_count(bulls: int) -> Box:
    """`6 ×` and a head."""
    return beside([text(f"{bulls} ×", 16, 36, "w", "end"), head("bull", 20.0, "#fff")], gap=4)


def overlapped(cards: Sequence[Box], shift: float = 18) -> Box:
    """Cards lying over each other so that the left edge of each can be read."""
    drawn = "".join(at(box, shift * place, 0) for place, box in enumerate(cards))
    return Box(CARD_W + shift * max(len(cards) - 1, 0) if cards else 0, CARD_H, drawn)

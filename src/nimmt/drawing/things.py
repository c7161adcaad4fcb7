"""What lies on a table: cards, their backs, markers, special cards, signs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nimmt.drawing.box import Box, above, at, beside, number, over, tag, text
from nimmt.drawing.symbols import BULL_COLOURS, CARD_H, CARD_W, GOLD, IVORY

GAP = 6
FAN_COLOUR, SPECIAL_COLOUR = "#2d6a8e", "#7a3b1d"

_HEADS_IN_LINES = {1: (1,), 2: (2,), 3: (3,), 5: (3, 2), 6: (3, 3), 7: (4, 3)}
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


def baron_card(value: int, colours: Sequence[str]) -> Box:
    """A card whose bulls have colours, and faces of different shapes."""
    size = {1: 22.0, 2: 19.0}.get(len(colours), 14.0)
    per_line = 3 if len(colours) > 3 else len(colours)
    lines = [colours[start : start + per_line] for start in range(0, len(colours), per_line)]
    heads = above([beside([head(name, size) for name in line], gap=1) for line in lines], gap=1, align="middle")
    digits = text(str(value), 22, CARD_W, "c")
    drawn = at(digits, 0, 5) + centred(heads, CARD_W, 48 - heads.height / 2)
    return Box(CARD_W, CARD_H, face("card").svg + f'<g color="#2b2a33">{drawn}</g>')


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

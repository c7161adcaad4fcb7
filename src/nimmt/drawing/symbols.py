"""Symbols that a picture draws once and uses often: heads of cattle and faces of cards."""

from __future__ import annotations

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
_SHAPES = {
    "blue": '<circle cx="10" cy="11.4" r="5.9"/>',
    "yellow": '<path d="M3.4 6.4h13.2L10 17.7z"/>',
    "green": '<path d="M4.6 6.3h10.8v10.8H4.6z"/>',
    "red": '<path d="M10 4.4l6.7 6.8-6.7 6.7-6.7-6.7z"/>',
    "black": '<path d="M7.7 5.4h4.6v3.7H16v4.6h-3.7v3.9H7.7v-3.9H4V9.1h3.7z"/>',
    "white": '<path d="M10 4.3l2 4.7 5.1.4-3.9 3.3 1.2 5-4.4-2.7-4.4 2.7 1.2-5-3.9-3.3L8 9z"/>',
}
_COLOURS = {
    "blue": "#2f6fd6",
    "yellow": "#e6b400",
    "green": "#3a9a3f",
    "red": "#d23b2f",
    "black": "#23232b",
    "white": "#fdfdfd",
}


def _coloured_head(colour: str) -> str:
    """A head whose face is a shape of its own for each colour, for those who do not tell colours apart."""
    edge = "#4a4a55" if colour == "white" else "#23232b"
    paint = f'fill="{_COLOURS[colour]}" stroke="{edge}" stroke-width=".8" stroke-linejoin="round"'
    return f'<g fill="#6b5a48">{_HORNS}</g><g {paint}>{_SHAPES[colour]}</g>'


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
    **{colour: _coloured_head(colour) for colour in _SHAPES},
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
    felt = (
        '<radialGradient id="felt" cx=".5" cy=".4" r=".9">'
        '<stop stop-color="#2e7358"/><stop offset="1" stop-color="#1c4f3d"/></radialGradient>'
    )
    return f"<style>{STYLE}</style><defs>{felt}{''.join(heads + faces)}</defs>"


def _uses(drawn: str, name: str) -> bool:
    return f'href="#{name}"' in drawn

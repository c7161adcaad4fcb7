"""The picture that a link shows: 1200 × 630, drawn from the same words as its title and text."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from hashlib import sha256

from nimmt.drawing.lettering import as_png, fitted, in_lines, width_of
from nimmt.drawing.pictures import Artist
from nimmt.drawing.things import Box, at, definitions, head, plain_card, scaled, tag
from nimmt.rules import registry
from nimmt.rules.game import RulesError
from nimmt.server.limits import in_thread
from nimmt.server.share import PICTURE_HEIGHT, PICTURE_WIDTH, Shared, Standing, picture_words

MAX_CACHED = 100
"""So many pictures are remembered; each has some tens of kilobytes."""
EDGE = 64
ROOM = 580
"""For words beside the cards."""
IN_A_COLUMN = 5
FAN = (22, 55, 30)
"""Cards that every game has."""
INK, DIM, GOLD = "#fdf6e6", "#cfe3d4", "#ffd97a"


class Pictures:
    """Pictures as PNG, each drawn once as long as it is remembered, one after the other."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    async def png(self, svg: str) -> bytes:
        key = etag(svg)
        if (known := self._known.get(key)) is not None:
            self._known.move_to_end(key)
            return known
        async with self._drawing:
            if key not in self._known:
                self._known[key] = await in_thread(lambda: as_png(svg))
                while len(self._known) > MAX_CACHED:
                    self._known.popitem(last=False)
            return self._known[key]


def etag(svg: str) -> str:
    return f'"{sha256(svg.encode()).hexdigest()[:32]}"'


def draw(shared: Shared) -> str:
    shared = picture_words(shared)
    has_columns = len(shared.people) > IN_A_COLUMN
    parts = [_ground(), _brand()]
    if not has_columns:
        parts.append(_fan(shared.game))
    parts += _words(shared, PICTURE_WIDTH - 2 * EDGE if has_columns else ROOM)
    drawn = "".join(parts)
    size = f'width="{PICTURE_WIDTH}" height="{PICTURE_HEIGHT}" viewBox="0 0 {PICTURE_WIDTH} {PICTURE_HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{definitions(drawn)}{drawn}</svg>'


def _ground() -> str:
    felt = tag("rect", width=PICTURE_WIDTH, height=PICTURE_HEIGHT, fill="url(#felt)")
    frame = {"fill": "none", "stroke": "#fff", "stroke_opacity": ".16", "stroke_width": "3"}
    return felt + tag("rect", x=22, y=22, width=PICTURE_WIDTH - 44, height=PICTURE_HEIGHT - 44, rx=28, **frame)


def _line(words: str, size: float, x: float, y: float, colour: str = INK, anchor: str = "start") -> str:
    placed = {"x": x, "y": y, "font_size": size, "font_weight": "700", "text_anchor": anchor}
    # As a style: that of pictures says another colour for all texts.
    return tag("text", _escaped(words), **placed, style=f"fill:{colour}")


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _brand() -> str:
    return at(head("bull", 52.0, GOLD), EDGE, 56) + _line("nimmt", 44, EDGE + 68, 98, GOLD)


def _fan(game_id: str | None) -> str:
    """Some cards of the game, held in a hand."""
    cards = []
    for place, value in enumerate(FAN):
        turn = 17 * (place - (len(FAN) - 1) / 2)
        box = scaled(_face(game_id, value), 4)
        cards.append(f'<g transform="translate(945 860) rotate({turn:g}) translate(-96 -670)">{box.svg}</g>')
    return "".join(cards)


def _face(game_id: str | None, value: int) -> Box:
    try:
        game = registry.get(game_id or next(iter(registry.GAMES)))
        artist: type[Artist] = getattr(registry.part(game.id, "drawing"), "TableArtist", Artist)
        return artist(game.options_type(), ()).face(value)
    except (RulesError, LookupError):
        return plain_card(value)


def _words(shared: Shared, room: float) -> list[str]:
    kicker = "" if shared.kicker == "nimmt" else fitted(shared.kicker, 40, room)
    parts, y = [_line(kicker, 40, EDGE, 172, DIM)] if kicker else [], 230.0
    size, lines = _title(shared.title, room)
    for line in lines:
        parts.append(_line(line, size, EDGE, y + 20))
        y += size * 1.16
    if any(one.points is not None for one in shared.people):
        return parts + _standings(shared.people, y + 22, room)
    for line in in_lines(shared.text, 32, room, 4):
        parts.append(_line(line, 32, EDGE, y + 30, DIM))
        y += 44
    return parts


def _title(words: str, room: float) -> tuple[float, list[str]]:
    """As large as it fits; a long name makes it smaller."""
    for size, most in ((62.0, 2), (46.0, 3)):
        lines = in_lines(words, size, room, most)
        if " ".join(lines) == " ".join(words.split()):
            return size, lines
    return size, lines


def _standings(people: tuple[Standing, ...], top: float, room: float) -> list[str]:
    columns = 2 if len(people) > IN_A_COLUMN else 1
    each = (room - (columns - 1) * 40) / columns
    step = min(56.0, (PICTURE_HEIGHT - 44 - top) / min(len(people), IN_A_COLUMN))
    parts = []
    for place, one in enumerate(people[: columns * IN_A_COLUMN]):
        x, y = EDGE + (place // IN_A_COLUMN) * (each + 40), top + (place % IN_A_COLUMN) * step
        parts.append(_standing(one, x, y, each, step))
    return parts


def _standing(one: Standing, x: float, y: float, width: float, step: float) -> str:
    size, points = step * 0.58, str(one.points)
    plate = tag("rect", x=x, y=y, width=width, height=step - 8, rx=12, fill="#0c2e22", fill_opacity=".5")
    name = fitted(one.name, size, width - width_of(points, size) - 60)
    base, colour = y + (step - 8) * 0.5 + size * 0.36, GOLD if one.won else INK
    return plate + _line(name, size, x + 20, base, colour) + _line(points, size, x + width - 20, base, colour, "end")

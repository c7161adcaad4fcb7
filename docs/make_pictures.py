"""The drawings that `pictures/pictures.toml` describes: a part of `python3 dev.py generate`."""

from __future__ import annotations

from picture_stories import Description, tell

from nimmt.drawing.pictures import Picture, artist_of, moment, turn
from nimmt.drawing.things import above, beside, captioned
from nimmt.games.buffalo.drawing import special_card
from nimmt.rules import registry

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fay")


def draw(description: Description) -> str:
    """The SVG document."""
    picture = gallery(description) if "cards" in description else table(description)
    return picture.svg(description["title"])


def table(description: Description) -> Picture:
    """A position, or a turn where there are moves."""
    story = tell(description)
    if story.events:
        return turn(story.game, story.before, story.events, story.after, NAMES)
    return moment(story.game, story.before, NAMES, description.get("hands", ()))


def gallery(description: Description) -> Picture:
    """Cards side by side, each with words below."""
    game = registry.get(description["game"])
    artist = artist_of(game, game.setup(game.options_type(), game.max_seats).table, NAMES)
    lines, told = [], []
    for shown in description["cards"]:
        boxes = []
        for value, words in shown:
            box = special_card(value) if isinstance(value, str) else artist.face(value)
            boxes.append(captioned(box, words, 60))
            told.append(f"{value}: {words}")
        lines.append(beside(boxes, gap=10, align="start"))
    return Picture(above(lines, gap=16), f"{'; '.join(told)}.")

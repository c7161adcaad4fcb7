"""What a link shows in a messenger: tags in the real page, a picture that is one, and no more than a stranger sees."""

import io
import re
from collections.abc import AsyncIterator, Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest

from nimmt.drawing import lettering
from nimmt.drawing.things import definitions
from nimmt.rules import registry
from nimmt.server import share
from nimmt.server.http.web import STATIC
from nimmt.server.share_picture import Pictures, draw
from nimmt.store import Listing, Unavailable
from nimmt.testing.servers import Person, ThreadServer, play_on

Image = pytest.importorskip("PIL.Image")
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the page has not been built"),
]
PUBLIC = "https://example.org/games/nimmt"
WEB = Path(__file__).resolve().parents[2] / "web"


@pytest.fixture(scope="module")
def house() -> Iterator[ThreadServer]:
    with ThreadServer(public_url=PUBLIC) as server:
        yield server


@pytest.fixture
async def anna(house: ThreadServer) -> AsyncIterator[Person]:
    async with Person(house.url) as person:
        # The server is known by HTTPS: its cookie would not come back by HTTP.
        answer = await person.ask("POST", "/api/guests", {"name": "Anna & <Bo>"})
        person.id = answer.json()["id"]
        person.http.headers["cookie"] = answer.headers["set-cookie"].partition(";")[0]
        yield person


class Head(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: dict[str, str] = {}
        self.title = ""
        self._in_title = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self._in_title = tag == "title"
        if tag == "meta" and (name := told.get("property") or told.get("name")):
            assert name == "theme-color" or name not in self.tags, f"{name} stands there twice"
            self.tags[name] = told.get("content") or ""

    def handle_data(self, data: str) -> None:
        self.title += data if self._in_title else ""


async def head_of(person: Person, path: str, **headers: str) -> Head:
    answer = await person.ask("GET", path, accept="text/html", **headers)
    assert answer.status_code == 200
    return Head(answer.text)


def colours(png: bytes) -> int:
    """How many different ones there are in it: a blank picture has one."""
    picture = Image.open(io.BytesIO(png))
    assert (picture.format, picture.size) == ("PNG", (1200, 630))
    return len(picture.convert("RGB").getcolors(1 << 20))


# -- tags --------------------------------------------------------------------------------------------------------------


async def test_an_invitation_names_the_game_and_who_sits_there(anna: Person) -> None:
    table = await anna.open_table("six", 4, bots=["random"])
    head = await head_of(anna, f"/t/{table}")
    assert head.tags["og:title"] == "6 nimmt!: Anna & <Bo> invites you to play" == head.title.strip()
    assert head.tags["og:description"] == head.tags["description"]
    assert "Free seats: 2 of 4" in head.tags["og:description"]
    assert head.tags["og:url"] == f"{PUBLIC}/t/{table}"
    assert head.tags["og:image"].startswith(f"{PUBLIC}/api/tables/{table}/picture?lang=en&v=")
    assert (head.tags["twitter:card"], head.tags["robots"]) == ("summary_large_image", "noindex")
    assert head.tags["nimmt-home"] == "/games/nimmt/"


@pytest.mark.parametrize(
    ("path", "accepted", "title"),
    [
        ("/", "", "nimmt: Don’t take the bulls!"),
        ("/", "fr, de-AT;q=0.8, en;q=0.5", "nimmt: Nimm bloß keine Hornochsen!"),
        ("/?lang=pl", "de", "nimmt: Tylko nie bierz byków!"),
        ("/?lang=xx", "ru;q=0, pl;q=oops, en", "nimmt: Don’t take the bulls!"),
        ("/learn", "de", "nimmt: Spielen lernen"),
        ("/learn/six/no-such-lesson", "", "nimmt: Learn to play"),
        ("/rules/baron", "pl", "Byczy Baron"),
        ("/t/no-such-table", "", "nimmt: Don’t take the bulls!"),
        ("/t/no-such-table/replay", "", "nimmt: Don’t take the bulls!"),
    ],
)
async def test_every_place_has_words_in_the_language_of_the_reader(
    anna: Person, path: str, accepted: str, title: str
) -> None:
    head = await head_of(anna, path, accept_language=accepted)
    assert head.tags["og:title"] == title
    assert head.tags["og:image"].startswith(f"{PUBLIC}/api/picture")


async def test_a_lesson_is_called_by_its_name(anna: Person) -> None:
    lesson = (await anna.get("/api/lessons"))[0]
    head = await head_of(anna, f"/learn/{lesson['game']}/{lesson['id']}", accept_language="ru")
    assert head.tags["og:title"] == f"6-ой берёт!: {lesson['title']['ru']}"


async def test_head_says_the_same_without_a_body(anna: Person) -> None:
    table = await anna.open_table("six", 2)
    for path in (f"/t/{table}", "/", f"/api/tables/{table}/picture"):
        whole, head = await anna.ask("GET", path), await anna.ask("HEAD", path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["etag"] == whole.headers["etag"]
        assert (await anna.ask("GET", path, if_none_match=whole.headers["etag"])).status_code == 304


async def test_the_page_comes_up_while_the_store_does_not(
    anna: Person, house: ThreadServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(table: str) -> None:
        raise Unavailable(table)

    monkeypatch.setattr(house.platform.store, "listing", gone)
    assert (await head_of(anna, "/t/any")).tags["og:site_name"] == "nimmt"


async def test_all_places_are_one_build_of_the_page(anna: Person) -> None:
    """The service worker goes by it: other words in the head are no other version."""
    table = await anna.open_table("six", 2)
    answers = [await anna.ask("GET", path) for path in ("/", f"/t/{table}", "/?lang=de")]
    assert len({answer.headers["nimmt-page"] for answer in answers}) == 1
    assert len({answer.headers["etag"] for answer in answers}) == 3


# -- results and secrets -----------------------------------------------------------------------------------------------


async def test_a_result_is_told_best_first(anna: Person) -> None:
    table = await anna.open_table("six", 2, options={"rounds": 1}, bots=["random"], start=True)
    await play_on([anna], table, Random(1))
    outcome = (await anna.situation(table))["outcome"]
    head = await head_of(anna, f"/t/{table}/replay")
    named = [int(points) for points in re.findall(r" (\d+)(?: ·|\.)", head.tags["og:description"])]
    assert named == sorted(outcome["points"])
    assert "Watch the replay" in head.tags["og:description"]


async def test_a_running_match_tells_nothing_but_who_plays(anna: Person, house: ThreadServer) -> None:
    """Another match of the same players, with other cards, shows the same words and the same picture."""
    tables = [await anna.open_table("six", 2, bots=["random"], start=True) for _ in range(2)]
    hands = [(await anna.situation(table))["view"]["hand"] for table in tables]
    shown = [share.of_table(table, house.run(_listing(house, table)), "en") for table in tables]
    assert hands[0] != hands[1]
    one, other = (draw(shared) for shared in shown if shared is not None)
    assert one == other
    assert anna.id not in one


async def _listing(server: ThreadServer, table: str) -> Listing:
    listing = await server.platform.store.listing(table)
    assert listing is not None
    return listing


# -- pictures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [None, *sorted(registry.GAMES)])
async def test_a_picture_shows_something(anna: Person, game: str | None) -> None:
    answer = await anna.ask("GET", f"/api/picture?lang=de{f'&game={game}' if game else ''}")
    assert answer.headers["content-type"] == "image/png"
    assert colours(answer.content) > 100


async def test_a_picture_that_does_not_exist_is_refused(anna: Person) -> None:
    for path in ("/api/tables/nope/picture", "/api/picture?game=chess"):
        answer = await anna.ask("GET", path)
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/json")


def test_letters_and_digits_appear_without_any_font_of_the_machine() -> None:
    """Each of the words leaves its traces: no two pictures are alike, and none is like the one without words."""
    blank = _picture("")
    for word in ("a", "Ж", "ł", "ß", "7", "104", "Ё!"):
        assert _picture(word) != blank, word
    assert _picture("Анна 12") != _picture("Анна 13")


def _picture(word: str) -> bytes:
    text = f'<text x="5" y="45" font-size="40">{word}</text>'
    size = 'xmlns="http://www.w3.org/2000/svg" width="200" height="60"'
    return lettering.as_png(f"<svg {size}>{definitions(text)}{text}</svg>")


def test_what_the_font_does_not_have_is_left_out() -> None:
    assert lettering.drawable("Zoe\u0308 漢🎉 Жук\u0000") == "Zoë ·· Жук"


def test_the_font_has_all_words_of_pictures() -> None:
    words = [text for texts in share.TEXTS.values() for text in texts.values()]
    words += [share.game_name(game.id, language) for game in registry.all_games() for language in share.LANGUAGES]
    assert [word for word in words if lettering.drawable(word) != word] == []


def test_long_names_are_cut_where_they_would_not_fit() -> None:
    cut = lettering.fitted("W" * 100, 40, 300)
    assert cut.endswith("…")
    assert lettering.width_of(cut, 40) <= 300
    lines = lettering.in_lines("one two three four five six", 40, 150, 2)
    assert len(lines) == 2
    assert all(lettering.width_of(line, 40) <= 150 for line in lines)


def test_the_widths_are_those_of_the_font() -> None:
    ttx = pytest.importorskip("fontTools.ttLib")
    font = ttx.TTFont(lettering.FONT)
    widths, units = font["hmtx"], font["head"].unitsPerEm
    for code, glyph in font.getBestCmap().items():
        assert lettering.width_of(chr(code), units) == pytest.approx(widths[glyph][0])


async def test_a_picture_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr("nimmt.server.share_picture.as_png", lambda svg: drawn.append(svg) or b"png")
    pictures, svg = Pictures(), draw(share.home("en"))
    assert [await pictures.png(svg) for _ in range(3)] == [b"png"] * 3
    assert drawn == [svg]
    for number in range(200):
        await pictures.png(str(number))
    assert len(pictures._known) == 100


def test_names_of_games_are_those_of_the_page() -> None:
    for game in registry.all_games():
        about = (WEB / f"src/games/{game.id}/about.ts").read_text("utf-8")
        for language in share.LANGUAGES:
            assert f"name: '{share.game_name(game.id, language)}'" in about, (game.id, language)

"""What a link shows in a messenger: title, text and a picture. All of it comes from a table's listing, which has what
anybody who knows the link may see on the table's page, and never a card of a hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import msgspec

from nimmt.drawing.lettering import drawable
from nimmt.rules import registry
from nimmt.rules.game import RulesError, Seat
from nimmt.rules.kit.options import read_options
from nimmt.server.lessons import catalogue
from nimmt.server.tables import messages as m
from nimmt.server.tables.summary import Summary
from nimmt.store import Listing

LANGUAGES = ("en", "de", "pl", "ru")
LOCALES = {"en": "en_GB", "de": "de_DE", "pl": "pl_PL", "ru": "ru_RU"}

TEXTS = {
    "about": {
        "en": "The 6 nimmt! family of card games, with friends over a link and against bots. No account needed.",
        "de": "Die Kartenspiele der 6-nimmt!-Familie, mit Freunden über einen Link und gegen Bots. Ohne Konto.",
        "pl": "Gry karciane z rodziny 6. bierze!, ze znajomymi przez link i z botami. Bez konta.",
        "ru": "Карточные игры семейства «6-ой берёт!»: с друзьями по ссылке и с ботами. Без регистрации.",
    },
    "home": {
        "en": "Don’t take the bulls!",
        "de": "Nimm bloß keine Hornochsen!",
        "pl": "Tylko nie bierz byków!",
        "ru": "Только не бери быков!",
    },
    "invites": {
        "en": "{name} invites you to play",
        "de": "{name} lädt dich zum Spielen ein",
        "pl": "{name} zaprasza cię do gry",
        "ru": "{name} зовёт тебя играть",
    },
    "come": {
        "en": "Come and play",
        "de": "Komm und spiel mit",
        "pl": "Chodź zagrać",
        "ru": "Приходи играть",
    },
    "free": {
        "en": "Free seats: {free} of {seats}. Open the link, choose a name, play. No account needed.",
        "de": "Freie Plätze: {free} von {seats}. Link öffnen, Namen wählen, spielen. Ohne Konto.",
        "pl": "Wolne miejsca: {free} z {seats}. Otwórz link, wybierz imię i graj. Bez konta.",
        "ru": "Свободных мест: {free} из {seats}. Открой ссылку, выбери имя и играй. Без регистрации.",
    },
    "full": {
        "en": "All seats are taken: come and watch.",
        "de": "Alle Plätze sind besetzt: komm und schau zu.",
        "pl": "Wszystkie miejsca są zajęte: chodź popatrzeć.",
        "ru": "Все места заняты: приходи посмотреть.",
    },
    "playing": {
        "en": "The match is on",
        "de": "Die Partie läuft",
        "pl": "Partia trwa",
        "ru": "Партия идёт",
    },
    "watch": {
        "en": "{names}. Watch live.",
        "de": "{names}. Schau live zu.",
        "pl": "{names}. Oglądaj na żywo.",
        "ru": "{names}. Смотри вживую.",
    },
    "wins": {"en": "{name} wins", "de": "{name} gewinnt", "pl": "{name} wygrywa", "ru": "{name} побеждает"},
    "shared": {
        "en": "{names} share the win",
        "de": "{names} gewinnen gemeinsam",
        "pl": "{names} dzielą się wygraną",
        "ru": "{names} делят победу",
    },
    "together": {
        "en": "Won together!",
        "de": "Zusammen gewonnen!",
        "pl": "Wspólna wygrana!",
        "ru": "Общая победа!",
    },
    "lost": {
        "en": "Lost together",
        "de": "Zusammen verloren",
        "pl": "Wspólna przegrana",
        "ru": "Общее поражение",
    },
    "nobody": {"en": "Nobody wins", "de": "Niemand gewinnt", "pl": "Nikt nie wygrywa", "ru": "Никто не побеждает"},
    "replay": {
        "en": "Watch the replay.",
        "de": "Sieh dir die Wiederholung an.",
        "pl": "Obejrzyj powtórkę.",
        "ru": "Посмотри повтор.",
    },
    "over": {"en": "The match is over", "de": "Die Partie ist zu Ende", "pl": "Koniec partii", "ru": "Партия окончена"},
    "learn": {
        "en": "Learn to play",
        "de": "Spielen lernen",
        "pl": "Nauka gry",
        "ru": "Научись играть",
    },
    "puzzles": {"en": "Puzzle of the day", "de": "Rätsel des Tages", "pl": "Zagadka dnia", "ru": "Задача дня"},
    "puzzling": {
        "en": "One move is clearly best. Do you see it?",
        "de": "Ein Zug ist klar der beste. Siehst du ihn?",
        "pl": "Jeden ruch jest wyraźnie najlepszy. Widzisz go?",
        "ru": "Один ход явно лучший. Видишь его?",
    },
    "learning": {
        "en": "In a few minutes, by playing: short lessons at a real table.",
        "de": "In wenigen Minuten, indem du spielst: kurze Lektionen am echten Tisch.",
        "pl": "W kilka minut, grając: krótkie lekcje przy prawdziwym stole.",
        "ru": "За несколько минут, прямо в игре: короткие уроки за настоящим столом.",
    },
}


_QUALITY = re.compile(r"[01](\.[0-9]{0,3})?")


def language_of(wanted: str | None, accepted: str) -> str:
    """The one that is asked for by name, or the first that a browser accepts and we speak."""
    if wanted in LANGUAGES:
        return str(wanted)
    offers = [(_quality(offer), -place, offer.strip()[:2].lower()) for place, offer in enumerate(accepted.split(","))]
    return next((tag for quality, _, tag in sorted(offers, reverse=True) if quality > 0 and tag in LANGUAGES), "en")


def _quality(offer: str) -> float:
    _, marked, quality = offer.replace(" ", "").partition(";q=")
    if not marked:
        return 1.0
    return float(quality) if _QUALITY.fullmatch(quality) else 0.0


def say(key: str, language: str, **parts: object) -> str:
    return TEXTS[key][language].format(**parts)


class Standing(NamedTuple):
    """Somebody at the table, and how it ended for them."""

    name: str
    points: int | None
    won: bool


class Shared(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to show about a place of the program."""

    title: str
    text: str
    language: str
    game: str | None = None
    kicker: str = ""
    """What stands above the title in the picture."""
    people: tuple[Standing, ...] = ()
    picture: str = "/api/picture"
    """Where it is, with what it depends on."""
    private: bool = False
    """Nothing that search engines should list."""

    @property
    def headline(self) -> str:
        return f"{self.kicker}: {self.title}" if self.kicker else self.title


def home(language: str) -> Shared:
    title, text = say("home", language), say("about", language)
    return Shared(title=title, text=text, language=language, kicker="nimmt", picture=f"/api/picture?lang={language}")


def learning(language: str, game_id: str | None = None, lesson_id: str | None = None) -> Shared:
    title, text, name = say("learn", language), say("learning", language), "nimmt"
    picture = f"/api/picture?lang={language}"
    lesson = next((one for one in catalogue() if (one.game, one.id) == (game_id, lesson_id)), None)
    if lesson is None:
        return Shared(title=title, text=text, language=language, kicker=name, picture=picture)
    told: dict[str, str] = msgspec.to_builtins(lesson.title)
    return Shared(
        title=told.get(language, title),
        text=text,
        language=language,
        kicker=game_name(lesson.game, language),
        game=lesson.game,
        picture=f"{picture}&game={lesson.game}",
    )


def puzzling(language: str, game_id: str | None = None, which: str | None = None) -> Shared:
    """Nothing about the position: whoever follows the link is to see it first."""
    del which
    title, text = say("puzzles", language), say("puzzling", language)
    picture = f"/api/picture?lang={language}"
    if game_id not in registry.GAMES:
        return Shared(title=title, text=text, language=language, kicker="nimmt", picture=picture)
    name = game_name(str(game_id), language)
    return Shared(
        title=title, text=text, language=language, kicker=name, game=game_id, picture=f"{picture}&game={game_id}"
    )


def of_game(game_id: str, language: str) -> Shared:
    name, game = game_name(game_id, language), registry.get(game_id)
    text = game.summary if language == "en" else say("learning", language)
    picture = f"/api/picture?lang={language}&game={game_id}"
    return Shared(title=name, text=text, language=language, game=game_id, picture=picture)


def game_name(game_id: str, language: str) -> str:
    try:
        game = registry.get(game_id)
    except RulesError:
        return game_id
    return game.names.get(language, game.name)


# -- tables ------------------------------------------------------------------------------------------------------------


def of_table(table_id: str, listing: Listing, language: str) -> Shared | None:
    """What a table's link shows; None where there is nothing to see any more."""
    if listing.phase not in ("waiting", "playing", "over"):
        return None
    card = m.read_card(listing.card)
    title, text, people = _told(listing.phase, card, language)
    return Shared(
        title=title,
        text=text,
        language=language,
        game=card.game,
        kicker=game_name(card.game, language),
        people=people,
        picture=f"/api/tables/{table_id}/picture?lang={language}&v={listing.updated}",
        private=True,
    )


def _told(phase: str, card: m.StoredCard, language: str) -> tuple[str, str, tuple[Standing, ...]]:
    seated = [chair for chair in card.chairs if chair.kind != "empty"]
    if phase == "over" and card.summary is not None:
        return _result(card, card.summary, language)
    people = tuple(Standing(chair.name, None, False) for chair in seated)
    names = ", ".join(chair.name for chair in seated)
    if phase != "waiting":
        title = say("playing" if phase == "playing" else "over", language)
        text = say("watch", language, names=names) if phase == "playing" else f"{names}. {say('replay', language)}"
        return title, text, people
    host = next((chair.name for chair in seated if chair.kind == "person"), None)
    title = say("invites", language, name=host) if host else say("come", language)
    free = len(card.chairs) - len(seated)
    text = say("free", language, free=free, seats=len(card.chairs)) if free else say("full", language)
    return title, text, people


def _result(card: m.StoredCard, summary: Summary, language: str) -> tuple[str, str, tuple[Standing, ...]]:
    high_wins, together = _terms(card)
    order = sorted(range(len(card.chairs)), key=lambda seat: _rank(seat, summary, high_wins))
    people = tuple(Standing(card.chairs[s].name, summary.points[s], s in summary.winners) for s in order)
    winners = [one.name for one in people if one.won]
    if together:
        title = say("together" if winners else "lost", language)
        told = f"{', '.join(one.name for one in people)}: {summary.points[0]}"
    else:
        title = _winning(winners, language)
        told = " · ".join(f"{one.name} {one.points}" for one in people)
    return title, f"{told}. {say('replay', language)}", people


def _winning(winners: Sequence[str], language: str) -> str:
    if not winners:
        return say("nobody", language)
    return say("wins", language, name=winners[0]) if len(winners) == 1 else say(
        "shared", language, names=" & ".join(winners)
    )  # fmt: skip


def _rank(seat: Seat, summary: Summary, high_wins: bool) -> tuple[bool, int, int]:
    points = summary.points[seat]
    return seat not in summary.winners, -points if high_wins else points, seat


def _terms(card: m.StoredCard) -> tuple[bool, bool]:
    """Whether many points are good, and whether all win or lose together."""
    try:
        game = registry.get(card.game)
        return game.high_score_wins(read_options(game.options_type, card.options)), game.cooperative
    except RulesError:
        return False, False


# -- the page ----------------------------------------------------------------------------------------------------------

PICTURE_WIDTH, PICTURE_HEIGHT = 1200, 630


def tags(shared: Shared, base: str, path: str) -> str:
    """For the head of the page; `base` is where people reach the server, without a slash at its end."""
    picture = base + shared.picture
    named = {"description": shared.text} | ({"robots": "noindex"} if shared.private else {})
    named |= {"twitter:card": "summary_large_image"}
    properties = {
        "og:site_name": "nimmt",
        "og:type": "website",
        "og:url": base + path,
        "og:locale": LOCALES[shared.language],
        "og:title": shared.headline,
        "og:description": shared.text,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(PICTURE_WIDTH),
        "og:image:height": str(PICTURE_HEIGHT),
        "og:image:alt": shared.headline,
    }
    lines = [f"<title>{escape(shared.headline)}</title>"]
    lines += [f'<meta name="{name}" content="{escape(value)}" />' for name, value in named.items()]
    lines += [f'<meta property="{name}" content="{escape(value)}" />' for name, value in properties.items()]
    return "\n    ".join(lines)


def picture_words(shared: Shared) -> Shared:
    """With nothing in it that the font of pictures cannot show."""
    return msgspec.structs.replace(
        shared,
        title=drawable(shared.title),
        text=drawable(shared.text),
        kicker=drawable(shared.kicker),
        people=tuple(one._replace(name=drawable(one.name)) for one in shared.people),
    )

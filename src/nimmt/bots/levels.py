"""The levels at which people can ask a bot to play, and what plays at each level of each game."""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """Its name and how it thinks, in the languages of the platform."""

    names: dict[str, str]
    thinks: dict[str, str]


LEVELS = {
    "newcomer": Level(
        {"en": "Newcomer", "de": "Neuling", "pl": "Nowicjusz", "ru": "Новичок"},
        {
            "en": "Mostly plays whatever comes to hand and looks at the table only now and then.",
            "de": "Spielt meist, was gerade in die Hand kommt, und schaut nur ab und zu auf den Tisch.",
            "pl": "Zwykle gra tym, co wpadnie w rękę, i tylko czasem patrzy na stół.",
            "ru": "Чаще играет тем, что попалось под руку, и лишь изредка смотрит на стол.",
        },
    ),
    "casual": Level(
        {"en": "Casual", "de": "Gelegenheitsspieler", "pl": "Okazjonalny", "ru": "Любитель"},
        {
            "en": "Avoids what would cost something at once, but is often absent-minded.",
            "de": "Meidet, was sofort etwas kosten würde, ist aber oft zerstreut.",
            "pl": "Unika tego, co od razu by kosztowało, ale bywa roztargniony.",
            "ru": "Избегает того, что сразу чего-то стоит, но часто рассеян.",
        },
    ),
    "club": Level(
        {"en": "Club", "de": "Vereinsspieler", "pl": "Klubowy", "ru": "Клубный игрок"},
        {
            "en": "Has a feeling for the game and plays by it, without calculating.",
            "de": "Hat ein Gefühl für das Spiel und folgt ihm, ohne zu rechnen.",
            "pl": "Ma wyczucie gry i kieruje się nim, bez liczenia.",
            "ru": "Чувствует игру и доверяет чутью, не считая.",
        },
    ),
    "expert": Level(
        {"en": "Expert", "de": "Experte", "pl": "Ekspert", "ru": "Знаток"},
        {
            "en": "Imagines how the cards may lie and plays many rounds in thought before every move.",
            "de": "Stellt sich vor, wie die Karten liegen können, und spielt vor jedem Zug viele Runden im Kopf.",
            "pl": "Wyobraża sobie możliwe układy kart i przed każdym ruchem rozgrywa w myślach wiele rund.",
            "ru": "Представляет возможные расклады и перед каждым ходом мысленно разыгрывает множество раундов.",
        },
    ),
    "master": Level(
        {"en": "Master", "de": "Meister", "pl": "Mistrz", "ru": "Мастер"},
        {
            "en": "Plays through far more of them, minds the standings, and in 6 nimmt! reads hands from plays.",
            "de": "Spielt noch weit mehr davon durch, achtet auf den Stand und liest bei 6 nimmt! aus deinen Zügen.",
            "pl": "Rozgrywa ich znacznie więcej, pilnuje wyniku, a w 6 nimmt! czyta twoją rękę z zagrań.",
            "ru": "Разыгрывает их гораздо больше, следит за счётом, а в 6 nimmt! угадывает карты по вашим ходам.",
        },
    ),
}

_SIMPLE = {
    "newcomer": "nimmt.bots.mixed:newcomer",
    "casual": "nimmt.bots.mixed:casual",
    "club": "nimmt.bots.mixed:club",
}
_WORLDS = _SIMPLE | {
    "expert": "nimmt.bots.worlds.levels:expert",
    "master": "nimmt.bots.worlds.levels:master",
}

ENGINES: dict[str, dict[str, str]] = {
    "six": _SIMPLE
    | {
        "club": "nimmt.bots.search.six_levels:club",
        "expert": "nimmt.bots.search.six_levels:expert",
        "master": "nimmt.bots.search.six_levels:master",
    },
    "buffalo": _SIMPLE
    | {
        "expert": "nimmt.bots.worlds.buffalo:expert",
        "master": "nimmt.bots.worlds.buffalo:master",
    },
    "x": _WORLDS,
    "eleven": _WORLDS,
    "baron": _WORLDS,
}
"""For each game what makes the bot of each level: the module and its function, which gets the game."""

WARM_UPS: dict[str, str] = {
    "six": "nimmt.bots.search.six_levels:warm_up",
    "x": "nimmt.bots.worlds.levels:warm_up_x",
    "eleven": "nimmt.bots.worlds.levels:warm_up_eleven",
    "baron": "nimmt.bots.worlds.levels:warm_up_baron",
    "buffalo": "nimmt.bots.worlds.buffalo:warm_up",
}
"""Games whose bots need machine code that takes a while to compile or load."""

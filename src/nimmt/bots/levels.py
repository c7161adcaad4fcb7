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
            "de": "Spielt meist, was gerade zur Hand ist, und schaut nur ab und zu auf den Tisch.",
            "pl": "Zwykle gra tym, co wpadnie w rękę, i tylko czasem patrzy na stół.",
            "ru": "Обычно играет что под руку попадётся и лишь изредка смотрит на стол.",
        },
    ),
    "casual": Level(
        {"en": "Casual", "de": "Gelegenheitsspieler", "pl": "Amator", "ru": "Любитель"},
        {
            "en": "Avoids what would cost something at once, but is often absent-minded.",
            "de": "Meidet, was sofort etwas kosten würde, ist aber oft zerstreut.",
            "pl": "Unika tego, co od razu by kosztowało, ale często jest roztargniony.",
            "ru": "Избегает немедленных потерь, но часто бывает рассеян.",
        },
    ),
    "club": Level(
        {"en": "Club", "de": "Vereinsspieler", "pl": "Gracz klubowy", "ru": "Клубный игрок"},
        {
            "en": "Has a feeling for the game and plays by it, without calculating much.",
            "de": "Hat ein Gefühl für das Spiel und folgt ihm, ohne viel zu rechnen.",
            "pl": "Ma wyczucie gry i kieruje się nim, niewiele licząc.",
            "ru": "Чувствует игру и доверяет чутью, а не расчётам.",
        },
    ),
    "expert": Level(
        {"en": "Expert", "de": "Experte", "pl": "Ekspert", "ru": "Знаток"},
        {
            "en": "Imagines how the cards may lie and plays many rounds in thought before every move.",
            "de": "Stellt sich vor, wie die Karten liegen können, und spielt vor jedem Zug viele Runden im Kopf durch.",
            "pl": "Wyobraża sobie możliwe układy kart i przed każdym ruchem rozgrywa w myślach wiele rund.",
            "ru": "Представляет возможные расклады и перед каждым ходом мысленно разыгрывает множество раундов.",
        },
    ),
    "master": Level(
        {"en": "Master", "de": "Meister", "pl": "Mistrz", "ru": "Мастер"},
        {
            "en": "Plays through far more rounds, minds the standings, and in 6 nimmt! reads hands from plays.",
            "de": "Spielt weit mehr Runden durch, achtet auf den Stand und errät bei 6 nimmt! Karten aus den Zügen.",
            "pl": "Rozgrywa w myślach znacznie więcej rund, pilnuje wyniku, a w „6. bierze!” z zagrań odgaduje karty.",
            "ru": "Разыгрывает в уме гораздо больше раундов, следит за счётом, в «6-ой берёт!» угадывает чужие карты.",
        },
    ),
}

_SIMPLE = {
    "newcomer": "nimmt.bots.simple:newcomer",
    "casual": "nimmt.bots.simple:casual",
    "club": "nimmt.bots.simple:club",
}
_WORLDS = _SIMPLE | {
    "expert": "nimmt.bots.worlds:expert",
    "master": "nimmt.bots.worlds:master",
}

ENGINES: dict[str, dict[str, str]] = {
    "six": _SIMPLE
    | {
        "club": "nimmt.games.six.search.levels:club",
        "expert": "nimmt.games.six.search.levels:expert",
        "master": "nimmt.games.six.search.levels:master",
    },
    "buffalo": _SIMPLE
    | {
        "expert": "nimmt.games.buffalo.search:expert",
        "master": "nimmt.games.buffalo.search:master",
    },
    "x": _WORLDS | {"club": "nimmt.bots.worlds:club"},
    "eleven": _WORLDS,
    "baron": _WORLDS,
}
"""For each game what makes the bot of each level: the module and its function, which gets the game."""

WARM_UPS: dict[str, str] = {
    "six": "nimmt.games.six.search.levels:warm_up",
    "x": "nimmt.bots.worlds:warm_up_x",
    "eleven": "nimmt.bots.worlds:warm_up_eleven",
    "baron": "nimmt.bots.worlds:warm_up_baron",
    "buffalo": "nimmt.games.buffalo.search:warm_up",
}
"""Games whose bots need machine code that takes a while to compile or load."""

"""The levels at which people can ask a bot to play, and what plays at each level of each game."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from nimmt.rules import registry
from nimmt.rules.game import AnyGame


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


class Slips(NamedTuple):
    """How often the lower levels play just anything."""

    newcomer: float
    casual: float
    club: float


class Thought(NamedTuple):
    """How a level that searches thinks before a decision."""

    rounds: int
    """So many rounds are played in thought, about."""
    turns: int = 0
    """So many turns of them, as long as the round goes on for more; 0: to its end. What comes long after a decision is
    mostly luck, and in a long round there is much of it."""
    policy: str = "careless"
    """What the imagined players go by."""
    outlook: bool = False
    """Whether a network is asked how rounds are likely to end (a game's `outlook.py`), so many turns after the one that
    is going on."""


class Strength(NamedTuple):
    """How strong the levels of a game are. A game declares it as `STRENGTH` in its `bot.py`; `benches/results.md` has
    what comes of it."""

    slips: Slips = Slips(0.7, 0.3, 0.1)
    """Where the cost at once says less, levels must be further apart to be told apart."""
    club_rounds: int = 0
    """Rounds that the club player plays in thought for a decision; 0: it goes by the cost at once."""
    expert: Thought = Thought(200)
    master: Thought = Thought(6000)
    careless: float = 10.0
    """How many decisions of a hundred the imagined players take without looking."""
    spread: float = 14.0
    """How far a round drives the standings apart, in points: rough experience."""
    engines: Mapping[str, str] = MappingProxyType({})
    """Levels that the game plays by code of its own: the module and its function, which gets the game."""
    puzzle_engines: Mapping[str, str] = MappingProxyType({})
    """Levels that think otherwise since the game's puzzles were found: what played their matches."""
    warm_up: str = "nimmt.bots.worlds:warm_up"
    pieces: int = 90
    """So many functions are compiled for its bots, about: whoever waits for the compiler is told how far it is."""
    judge: str = "nimmt.bots.judge:KernelJudge"
    """What reviews go by."""
    alike: bool = False
    """Whether all seats may expect the same before a deal, in every round of a match."""


def strength_of(game: AnyGame) -> Strength:
    found: Strength = getattr(registry.part(game.id, "bot"), "STRENGTH", Strength())
    return found


def engine_of(level: str, game: AnyGame) -> str:
    """What makes the bot of a level: the module and its function, which gets the game."""
    strength = strength_of(game)
    if level in strength.engines:
        return strength.engines[level]
    if level in {"newcomer", "casual"} or (level == "club" and not strength.club_rounds):
        return f"nimmt.bots.simple:{level}"
    return f"nimmt.bots.{'worlds' if is_fast(game) else 'protocol_search'}:{level}"


def is_fast(game: AnyGame) -> bool:
    """Whether the game has kernels: then its upper levels search on them."""
    return registry.has_part(game.id, "fast")


def fast_games() -> tuple[str, ...]:
    """Games whose bots need machine code that takes a while to compile or load."""
    return tuple(game.id for game in registry.all_games() if is_fast(game))

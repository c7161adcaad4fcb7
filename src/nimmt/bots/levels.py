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
    """How often the lower levels play at random."""

    newcomer: float
    casual: float
    club: float


class Thought(NamedTuple):
    """Search settings of a level."""

    rounds: int
    """Rollouts per decision, roughly."""
    turns: int = 0
    """Truncate rollouts after this many turns; 0: play to the end of the round. In long rounds, what happens much later
    is mostly noise."""
    policy: str = "careless"
    """Rollout policy."""
    outlook: bool = False
    """Whether truncated rollouts are scored by the game's value network (`outlook.py`)."""


class Strength(NamedTuple):
    """Settings of a game's levels, declared as `STRENGTH` in its `bot.py`; measured in `benches/results.md`."""

    slips: Slips = Slips(0.7, 0.3, 0.1)
    """The less the immediate cost of an action says, the further apart levels must be to be distinguishable."""
    club_rounds: int = 0
    """Rollouts per decision of the Club player; 0: it goes by immediate cost."""
    expert: Thought = Thought(200)
    master: Thought = Thought(6000)
    careless: float = 10.0
    """Percentage of random actions in the rollout policy."""
    spread: float = 14.0
    """How far a typical round drives the scores apart, in points; a rough figure."""
    engines: Mapping[str, str] = MappingProxyType({})
    """Levels with an engine of their own: `module:function`; the function is called with the game."""
    puzzle_engines: Mapping[str, str] = MappingProxyType({})
    """Engines that played the matches of the game's puzzles, for levels that have changed since."""
    warm_up: str = "nimmt.bots.worlds:warm_up"
    pieces: int = 90
    """Roughly how many functions are compiled for its bots; progress is measured against this."""
    judge: str = "nimmt.bots.judge:KernelJudge"
    """The judge used by reviews."""
    alike: bool = False
    """Whether all seats have the same expectation before a deal, in every round of a match."""


def strength_of(game: AnyGame) -> Strength:
    found: Strength = getattr(registry.part(game.id, "bot"), "STRENGTH", Strength())
    return found


def engine_of(level: str, game: AnyGame) -> str:
    """The factory of a level's bot: `module:function`; the function is called with the game."""
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
    """Games with kernels, which take a while to compile or load."""
    return tuple(game.id for game in registry.all_games() if is_fast(game))

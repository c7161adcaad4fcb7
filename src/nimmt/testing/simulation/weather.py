"""What can go wrong in a world, and how often: drawn from its seed. After every storm there is a calm."""

from __future__ import annotations

from random import Random

import msgspec

DISASTERS = ("crash", "stop", "outage", "slow disk", "clock", "cut")
"""What happens now and then to a process, the database or the network."""
ANNOYANCES = ("store fails", "store is unsure", "word is lost", "word is late", "word comes twice", "requests are lost",
              "answers are lost", "bots fail", "readers are slow")  # fmt: skip
"""What happens every so often to single messages."""


class Climate(msgspec.Struct, frozen=True):
    """What a world is like. Not everything goes wrong in each: what never meets its like would hide the rest."""

    tempo: str
    limit: float
    """Seconds for a decision; where there is no clock, what people take for one."""
    processes: int
    watched_file: bool
    """Processes learn of each other's changes by watching the database, as with SQLite; else they are told."""
    disasters: tuple[str, ...]
    annoyances: dict[str, float]
    skew: float
    """So many seconds the clock of a process is off at most."""
    tick: float
    look: float
    heartbeat: float

    @property
    def grace(self) -> float:
        """Seconds within which in calm weather everything must have happened that should."""
        return 30 + 3 * self.tick + 2 * self.skew

    @property
    def news(self) -> float:
        """Seconds after which everybody who is connected knows what has happened, also if word of it was lost."""
        return self.grace + 1.5 * self.heartbeat


def climate_of(rng: Random) -> Climate:
    tempo = rng.choice(("live", "turns", "turns", "turns", "none"))
    by_turns = tempo == "turns"
    look = 900.0 if by_turns else 2.0
    limit = 3600.0 * rng.choice((2, 6, 12, 24, 48)) if by_turns else float(rng.choice((5, 10, 20)))
    some = [name for name in ANNOYANCES if rng.random() < 0.5]
    return Climate(
        tempo=tempo,
        limit=limit,
        processes=rng.choice((1, 2, 2, 3)),
        watched_file=rng.random() < 0.25,
        disasters=tuple(name for name in DISASTERS if rng.random() < 0.6),
        annoyances={name: rng.choice((0.02, 0.1, 0.3)) for name in some},
        # Where clocks are further apart than that, processes take each other for dead, and presence cannot be right.
        skew=min(rng.choice((0.0, 0.02, 0.1)) * limit, 2.5 * look),
        tick=600.0 if by_turns else 0.5,
        look=look,
        heartbeat=7200.0 if by_turns else 20.0,
    )


class Weather:
    """How things are at the moment."""

    def __init__(self, climate: Climate, rng: Random) -> None:
        self.climate, self.rng = climate, rng
        self.is_storm = False
        self.outage = False
        self.slow = 0.0
        """Seconds that the disk takes in addition, at most."""

    def happens(self, name: str) -> bool:
        return self.is_storm and self.rng.random() < self.climate.annoyances.get(name, 0.0)

    def calm_down(self) -> None:
        self.is_storm = self.outage = False
        self.slow = 0.0

    def disk(self, writes: bool) -> tuple[float, float]:
        """Seconds until the database does something, and until it has said so."""
        if not self.slow and not writes and self.rng.random() < 0.7:
            return 0.0, 0.0
        usual = self.rng.expovariate(500)
        return usual + self.slow * self.rng.random(), self.rng.expovariate(1000) + self.slow * self.rng.random()

    def way(self) -> float:
        """Seconds that a message takes."""
        return 0.002 + self.rng.expovariate(50)

    def word(self) -> float:
        """Seconds until another process hears of a change."""
        late = self.climate.heartbeat * self.rng.random() if self.happens("word is late") else 0.0
        return self.rng.expovariate(300) + late

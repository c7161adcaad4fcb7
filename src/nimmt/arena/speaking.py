"""The other side of the protocol: a bot of ours as an engine, for whoever speaks it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import IO

import msgspec

from nimmt.arena import protocol as p
from nimmt.bots import Bot, get_bot, is_compiled, warm_up
from nimmt.match.record import decode_action
from nimmt.rules import registry
from nimmt.rules.game import AnyGame

_DECODER: msgspec.json.Decoder[p.ToEngine] = msgspec.json.Decoder(p.ToEngine)


class Speaker:
    """Answers message by message. Wrong input raises: whoever runs an engine wants to know."""

    def __init__(self, level: str, games: Sequence[str] | None = None) -> None:
        """`games` are those it plays; None for all."""
        self.level, self.games = level, games
        self._game: AnyGame | None = None
        self._bot: Bot | None = None
        self._rng = Random()

    def answer(self, line: bytes) -> p.FromEngine | None:
        match message := _DECODER.decode(line):
            case p.Hello():
                return self._ready(message)
            case p.New():
                self._game = registry.get(message.game)
                self._bot = get_bot(self.level, self._game)
                get_ready(self.level, self._game.id)
                self._rng = Random(message.seed) if message.seed else Random()
            case p.Decide():
                return self._decide(line, message)
        return None

    def _ready(self, hello: p.Hello) -> p.Ready:
        """Thinking is clocked, this is not. A hello that names no game may mean any of `games`."""
        expected = self.games or () if hello.game is None else (hello.game,)
        for game in expected:
            if game in (self.games or registry.GAMES):
                get_ready(self.level, game)
        games = None if self.games is None else tuple(self.games)
        return p.Ready(protocol=p.PROTOCOL, name=f"nimmt {self.level}", games=games)

    def _decide(self, line: bytes, asked: p.Decide) -> p.Act:
        if self._game is None or self._bot is None:
            raise ValueError("A decision was asked for before a match began.")
        game = self._game
        raw = msgspec.json.decode(line, type=_Asked)
        view = msgspec.json.decode(raw.view, type=game.view_type)
        if asked.all_listed:
            legal = [decode_action(game, action) for action in raw.legal]
        else:
            # What a seat may do depends on nothing that it does not know.
            legal = list(game.legal(game.imagine(view, game.unseen(view)), view.seat))
        action = self._bot.choose(view, legal, self._rng)
        return p.Act(action=msgspec.Raw(msgspec.json.encode(action)), decision=asked.decision)


@cache
def get_ready(level: str, game: str) -> None:
    """Load what this bot thinks with, if it needs any such thing."""
    if is_compiled(level, game):
        warm_up(game)


class _Asked(msgspec.Struct):
    view: msgspec.Raw
    legal: list[msgspec.Raw]


def speak(level: str, lines: Iterable[bytes], out: IO[bytes], games: Sequence[str] | None = None) -> None:
    """Until told to quit, or nobody is there any more."""
    speaker = Speaker(level, games)
    for line in lines:
        if not line.strip():
            continue
        answer = speaker.answer(line)
        if answer is not None:
            out.write(msgspec.json.encode(answer) + b"\n")
            out.flush()
        elif _DECODER.decode(line) == p.Quit():
            return

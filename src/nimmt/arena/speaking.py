"""The other side of the protocol: a bot of ours as an engine, for whoever speaks it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import IO

import msgspec

from nimmt.arena import protocol as p
from nimmt.bots import SIMPLE, Bot, get_bot, warm_up
from nimmt.match.record import decode_action
from nimmt.rules import registry
from nimmt.rules.game import AnyGame

_DECODER: msgspec.json.Decoder[p.ToEngine] = msgspec.json.Decoder(p.ToEngine)


class Speaker:
    """Answers message by message. Wrong input raises: whoever runs an engine wants to know."""

    def __init__(self, level: str, games: Sequence[str] | None = None) -> None:
        """`games` are got ready before the hello is answered; None for all, each when it is first played."""
        self.level, self.games = level, games
        self._game: AnyGame | None = None
        self._bot: Bot | None = None
        self._rng = Random()

    def answer(self, line: bytes) -> p.FromEngine | None:
        match message := _DECODER.decode(line):
            case p.Hello():
                return self._ready()
            case p.New():
                self._game = registry.get(message.game)
                self._bot = get_bot(self.level, self._game)
                self._rng = Random(message.seed) if message.seed else Random()
            case p.Decide():
                return self._decide(line, message)
        return None

    def _ready(self) -> p.Ready:
        for game in self.games or ():
            if self.level not in SIMPLE:
                warm_up(game)
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

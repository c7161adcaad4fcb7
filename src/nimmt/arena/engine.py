"""Engines: programs that play. The protocol they speak, running one, and being one."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from queue import Empty, Queue
from random import Random
from time import monotonic
from typing import IO, Any, Literal, TypeAlias

import msgspec

from nimmt.bots import Bot, get_bot, is_compiled, warm_up
from nimmt.match.record import decode_action
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Seat

# -- protocol ----------------------------------------------------------------------------------------------------------
# What an engine and whoever runs it say to each other: a message a line. `docs/engine-protocol.md` explains it.

PROTOCOL = 1
"""Changes when an engine that was written before could not play any more. New fields may appear at any time."""

MAX_LINE_LENGTH = 1_000_000
LISTED_ACTIONS = 100
"""So many legal actions of one family are told at most; the rules accept all of them."""


class Message(msgspec.Struct, frozen=True, kw_only=True, tag=str.lower, tag_field="type"):
    """Base of all messages. Unknown fields are ignored, so that both sides can grow."""


# -- to the engine ----------------------------------------------------------------------------------------------


class Hello(Message, frozen=True, kw_only=True):
    """The first line. The engine answers `Ready`, as soon as it is: what takes long to load is loaded before."""

    protocol: int = PROTOCOL
    program: str = "nimmt"
    game: str | None = None
    """What will be played, if that is known already."""


class New(Message, frozen=True, kw_only=True):
    """A match begins; whatever came before is over. Not answered."""

    game: str
    options: dict[str, Any]
    seats: int
    seat: Seat
    time_ms: int
    seed: str = ""
    """For an engine's own chance: the same seed should play the same match."""


class Decide(Message, frozen=True, kw_only=True):
    """The seat is asked. The engine answers `Act` within the time."""

    decision: int
    kind: str
    view: Any
    legal: tuple[Any, ...]
    all_listed: bool = True
    """False if some family of actions has too many members to be listed."""
    events: tuple[Any, ...] = ()
    """What happened since the last decision, as this seat may see it."""
    time_ms: int


class Over(Message, frozen=True, kw_only=True):
    """The match has ended. Not answered."""

    outcome: Any
    events: tuple[Any, ...] = ()


class Quit(Message, frozen=True, kw_only=True):
    """The last line; standard input ends after it."""


ToEngine: TypeAlias = Hello | New | Decide | Over | Quit


# -- from the engine --------------------------------------------------------------------------------------------


class Ready(Message, frozen=True, kw_only=True):
    protocol: int
    name: str = ""
    games: tuple[str, ...] | None = None
    """The games it plays; None for all."""


class Act(Message, frozen=True, kw_only=True):
    action: msgspec.Raw
    decision: int | None = None
    """Which decision this answers; may be left out."""


class Info(Message, frozen=True, kw_only=True):
    """Anything the engine likes to say, at any time. Nobody has to listen."""

    text: str = ""


FromEngine: TypeAlias = Ready | Act | Info


# -- engine ------------------------------------------------------------------------------------------------------------
# A program that plays: started, asked, timed, and never trusted.

START_SECONDS = 300.0
"""An engine may have much to load, or even to compile, before it says that it is ready."""
QUIT_SECONDS = 2.0
LOOK_SECONDS = 0.2
"""How often to look whether it is still there."""
LAST_WORDS_SECONDS = 2.0
"""How long a line of an engine that has ended may be on its way."""
SHOWN = 120
MAX_LINES = 100
"""An engine that says more than anybody listens to has to wait."""

Reason: TypeAlias = Literal["start", "time", "crash", "nonsense", "illegal"]

_ENCODER = msgspec.json.Encoder()
_FROM_ENGINE: msgspec.json.Decoder[FromEngine] = msgspec.json.Decoder(FromEngine)


class EngineFailed(Exception):
    """The engine did something that ends its match: why, and a sentence with what it said last."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason: Reason = reason


class Engine:
    """One process for one seat. After a failure it is dead; `start` makes a new one."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.name = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._said: Queue[bytes | None] = Queue()
        self._heard: Queue[bytes | None] = Queue(MAX_LINES)
        self._errors: deque[bytes] = deque(maxlen=5)
        self._overhearing: threading.Thread | None = None

    @property
    def running(self) -> bool:
        return self._process is not None

    def start(self, game: AnyGame | None = None, seconds: float = START_SECONDS) -> None:
        """Start it and shake hands; raises `EngineFailed`."""
        self.kill()
        pipe = subprocess.PIPE
        try:
            # A session of its own: what it starts can be ended with it, and Ctrl-C is ours to handle.
            self._process = process = subprocess.Popen(
                self.command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise EngineFailed("start", f"It cannot be started: {error}.") from None
        self._said, self._heard, self._errors = Queue(), Queue(MAX_LINES), deque(maxlen=5)
        _in_background(_say, process.stdin, self._said)
        _in_background(_hear, process.stdout, self._heard)
        self._overhearing = _in_background(_overhear, process.stderr, self._errors)
        self.tell(Hello(game=None if game is None else game.id))
        self._greet(self._answer(seconds, "start"), game)

    def _greet(self, answer: FromEngine, game: AnyGame | None) -> None:
        if not isinstance(answer, Ready):
            raise self._failed("nonsense", "It did not answer the hello with ready.")
        if answer.protocol != PROTOCOL:
            raise self._failed("start", f"It speaks protocol {answer.protocol}, not {PROTOCOL}.")
        if game is not None and answer.games is not None and game.id not in answer.games:
            raise self._failed("start", f"It does not play {game.id}.")
        self.name = answer.name

    def tell(self, message: ToEngine) -> None:
        """Say something. Whether it listens shows when an answer is due."""
        self._said.put(_ENCODER.encode(message) + b"\n")

    def decide(self, game: AnyGame, asked: Decide) -> Action:
        """Its answer, which need not be legal; raises `EngineFailed`."""
        self.tell(asked)
        answer = self._answer(asked.time_ms / 1000, "time")
        if not isinstance(answer, Act):
            raise self._failed("nonsense", f"It said {type(answer).__name__.lower()} where an act was asked for.")
        if answer.decision is not None and answer.decision != asked.decision:
            raise self._failed("nonsense", f"It answered decision {answer.decision}, not {asked.decision}.")
        try:
            return decode_action(game, answer.action)
        except msgspec.MsgspecError as error:
            raise self._failed("nonsense", f"{_shown(bytes(answer.action))} is no action: {error}.") from None

    def refuse(self, action: Action, why: str) -> EngineFailed:
        """The answer was not legal: that ends it too."""
        return self._failed("illegal", f"{_shown(_ENCODER.encode(action))}: {why}")

    def quit(self) -> None:
        """Ask it to go, and see to it that it does."""
        if self._process is not None:
            self.tell(Quit())
            self._said.put(None)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(QUIT_SECONDS)
        self.kill()

    def kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        _end(process)
        process.wait()
        self._said.put(None)
        with contextlib.suppress(Empty):  # whoever reads from it may be waiting for room
            while self._heard.get(timeout=0.2) is not None:
                pass
        self._heard.put(None)

    # -- listening ----------------------------------------------------------------------------------------------

    def _answer(self, seconds: float, too_late: Reason) -> FromEngine:
        """The next line that is an answer."""
        deadline = monotonic() + seconds
        while (left := deadline - monotonic()) > 0:
            try:
                line = self._next_line(left)
            except Empty:
                continue
            if line is None:
                raise self._failed("start" if too_late == "start" else "crash", self._how_it_ended())
            if not line.strip():
                continue
            try:
                answer = _FROM_ENGINE.decode(line)
            except msgspec.MsgspecError as error:
                raise self._failed("nonsense", f"{_shown(line)} is no message: {error}.") from None
            if not isinstance(answer, Info):
                return answer
        raise self._failed(too_late, f"It did not answer within {seconds:g} s.")

    def _next_line(self, seconds: float) -> bytes | None:
        """None if it has ended: its output may be kept open by something that it has started. Raises `Empty`."""
        ended = self._process is None or self._process.poll() is not None
        try:
            line = self._heard.get(timeout=LAST_WORDS_SECONDS if ended else min(seconds, LOOK_SECONDS))
        except Empty:
            if not ended:
                raise
            return None
        if line is None:
            self._heard.put(None)
        return line

    def _how_it_ended(self) -> str:
        if self._process is None:
            return "It is not running."
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.returncode
        return "It closed its output." if code is None else f"It ended with exit code {code}."

    def _failed(self, reason: Reason, sentence: str) -> EngineFailed:
        """Whatever went wrong, the process is of no more use."""
        self.kill()
        if self._overhearing is not None:
            self._overhearing.join(1)  # its last words may still be on their way
        last = [_shown(line) for line in self._errors if line.strip()][-1:]
        said = f" Its last words: {last[0]}" if last else ""
        return EngineFailed(reason, sentence + said)


# -- what goes on in the background: neither a full pipe nor an endless wait may stop the arena -----------------------


def _in_background(work: Callable[[Any, Any], None], stream: IO[bytes] | None, box: object) -> threading.Thread:
    thread = threading.Thread(target=work, args=(stream, box), daemon=True)
    thread.start()
    return thread


def _say(stream: IO[bytes], messages: Queue[bytes | None]) -> None:
    # Closing writes what is left, too.
    with contextlib.suppress(OSError), stream:
        while (message := messages.get()) is not None:
            stream.write(message)
            stream.flush()


def _hear(stream: IO[bytes], lines: Queue[bytes | None]) -> None:
    """A line without end is cut: it is nonsense anyway."""
    with stream:
        while line := stream.readline(MAX_LINE_LENGTH):
            lines.put(line)
    lines.put(None)


def _overhear(stream: IO[bytes], errors: deque[bytes]) -> None:
    with stream:
        while line := stream.readline(MAX_LINE_LENGTH):
            errors.append(line)


def _end(process: subprocess.Popen[bytes]) -> None:
    """It, and what it has started, which may still be there when it has ended itself."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _shown(line: bytes) -> str:
    text = line[: 4 * SHOWN].decode("utf-8", "replace").strip()
    text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


# -- speaking ----------------------------------------------------------------------------------------------------------
# The other side of the protocol: a bot of ours as an engine, for whoever speaks it.

_TO_ENGINE: msgspec.json.Decoder[ToEngine] = msgspec.json.Decoder(ToEngine)


class Speaker:
    """Answers message by message. Wrong input raises: whoever runs an engine wants to know."""

    def __init__(self, level: str, games: Sequence[str] | None = None) -> None:
        """`games` are those it plays; None for all."""
        self.level, self.games = level, games
        self._game: AnyGame | None = None
        self._bot: Bot | None = None
        self._rng = Random()

    def answer(self, line: bytes) -> FromEngine | None:
        match message := _TO_ENGINE.decode(line):
            case Hello():
                return self._ready(message)
            case New():
                self._game = registry.get(message.game)
                self._bot = get_bot(self.level, self._game)
                get_ready(self.level, self._game.id)
                self._rng = Random(message.seed) if message.seed else Random()
            case Decide():
                return self._decide(line, message)
        return None

    def _ready(self, hello: Hello) -> Ready:
        """Thinking is clocked, this is not. A hello that names no game may mean any of `games`."""
        expected = self.games or () if hello.game is None else (hello.game,)
        for game in expected:
            if game in (self.games or registry.GAMES):
                get_ready(self.level, game)
        games = None if self.games is None else tuple(self.games)
        return Ready(protocol=PROTOCOL, name=f"nimmt {self.level}", games=games)

    def _decide(self, line: bytes, asked: Decide) -> Act:
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
        return Act(action=msgspec.Raw(msgspec.json.encode(action)), decision=asked.decision)


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
        elif _TO_ENGINE.decode(line) == Quit():
            return

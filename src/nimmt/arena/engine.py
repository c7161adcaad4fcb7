"""A program that plays: started, asked, timed, and never trusted."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence
from queue import Empty, Queue
from time import monotonic
from typing import IO, Any, Literal, TypeAlias

import msgspec

from nimmt.arena import protocol as p
from nimmt.match.record import decode_action
from nimmt.rules.game import Action, AnyGame

START_SECONDS = 300.0
"""An engine may have much to load, or even to compile, before it says that it is ready."""
QUIT_SECONDS = 2.0
LOOK_SECONDS = 0.2
"""How often to look whether it is still there."""
LAST_WORDS_SECONDS = 2.0
"""How long a line of an engine that has ended may be on its way."""
SHOWN = 120
MOST_LINES = 100
"""An engine that says more than anybody listens to has to wait."""

Reason: TypeAlias = Literal["start", "time", "crash", "nonsense", "illegal"]

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[p.FromEngine] = msgspec.json.Decoder(p.FromEngine)


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
        self._heard: Queue[bytes | None] = Queue(MOST_LINES)
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
        self._said, self._heard, self._errors = Queue(), Queue(MOST_LINES), deque(maxlen=5)
        _in_background(_say, process.stdin, self._said)
        _in_background(_hear, process.stdout, self._heard)
        self._overhearing = _in_background(_overhear, process.stderr, self._errors)
        self.tell(p.Hello(game=None if game is None else game.id))
        self._greet(self._answer(seconds, "start"), game)

    def _greet(self, answer: p.FromEngine, game: AnyGame | None) -> None:
        if not isinstance(answer, p.Ready):
            raise self._failed("nonsense", "It did not answer the hello with ready.")
        if answer.protocol != p.PROTOCOL:
            raise self._failed("start", f"It speaks protocol {answer.protocol}, not {p.PROTOCOL}.")
        if game is not None and answer.games is not None and game.id not in answer.games:
            raise self._failed("start", f"It does not play {game.id}.")
        self.name = answer.name

    def tell(self, message: p.ToEngine) -> None:
        """Say something. Whether it listens shows when an answer is due."""
        self._said.put(_ENCODER.encode(message) + b"\n")

    def decide(self, game: AnyGame, asked: p.Decide) -> Action:
        """Its answer, which need not be legal; raises `EngineFailed`."""
        self.tell(asked)
        answer = self._answer(asked.time_ms / 1000, "time")
        if not isinstance(answer, p.Act):
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
            self.tell(p.Quit())
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

    def _answer(self, seconds: float, too_late: Reason) -> p.FromEngine:
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
                answer = _DECODER.decode(line)
            except msgspec.MsgspecError as error:
                raise self._failed("nonsense", f"{_shown(line)} is no message: {error}.") from None
            if not isinstance(answer, p.Info):
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
        while line := stream.readline(p.LONGEST_LINE):
            lines.put(line)
    lines.put(None)


def _overhear(stream: IO[bytes], errors: deque[bytes]) -> None:
    with stream:
        while line := stream.readline(p.LONGEST_LINE):
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

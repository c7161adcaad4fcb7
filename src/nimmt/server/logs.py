"""What the server logs: one line a message, causes in plain words, no secrets and no floods."""

from __future__ import annotations

import logging
import sys
import time
import traceback
from collections.abc import Callable

import msgspec

from nimmt.server.settings import Settings
from nimmt.store import StoreError

log = logging.getLogger("nimmt.server")

SAME_LINES = 5
"""So many lines that say the same are written within a window; the rest is counted."""
WINDOW = 60.0
"""Seconds."""
MAX_CAUSE_LENGTH = 200


def cause(error: BaseException) -> str:
    """Why something failed. Only what a store says of itself is quoted: other texts may hold what somebody sent."""
    said = str(error).partition("\n")[0] if isinstance(error, StoreError) else ""
    return said[:MAX_CAUSE_LENGTH] or type(error).__name__


class Repetition(logging.Filter):
    """Lets the first few lines that say the same pass, and says later how many others there were."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._windows: dict[tuple[str, str], tuple[float, int]] = {}
        """When the window of a line began, and how many of its kind there were since."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:  # whoever wants every request to be told gets it
            return True
        kind, now = (record.name, str(record.msg)), self._clock()
        began, count = self._windows.get(kind, (now, 0))
        if now - began >= WINDOW:
            if count > SAME_LINES:
                record.__dict__["left_out"] = count - SAME_LINES
            began, count = now, 0
        self._windows[kind] = (began, count + 1)
        return count < SAME_LINES

    def overdue(self) -> list[tuple[str, str, int]]:
        """Lines that were left out in windows that have ended; asking answers for good."""
        now, told = self._clock(), []
        for (name, said), (began, count) in [*self._windows.items()]:
            if now - began >= WINDOW:
                del self._windows[name, said]
                if count > SAME_LINES:
                    told.append((name, said, count - SAME_LINES))
        return told


class Handler(logging.StreamHandler):  # type: ignore[type-arg]
    """Standard error, without repetition."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self.repetition = Repetition()
        self.addFilter(self.repetition)

    def emit(self, record: logging.LogRecord) -> None:
        self.tell_left_out()
        super().emit(record)

    def tell_left_out(self) -> None:
        for name, said, count in self.repetition.overdue():
            fields = {"name": name, "levelno": logging.WARNING, "levelname": "WARNING", "msg": said, "left_out": count}
            super().emit(logging.makeLogRecord(fields))


class JsonFormatter(logging.Formatter):
    """One JSON object a line, with the fields that a message was given. Requests' contents are never among them."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {key: str(value) for key, value in _extra(record).items()}
        line = {"at": int(record.created * 1000), "level": record.levelname.lower(), "logger": record.name}
        if origin := _origin(record):
            fields["error"], fields["where"] = cause(origin), _where(origin)
        return msgspec.json.encode({**line, "message": record.getMessage(), **fields}).decode()


class PlainFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        words = " ".join(f"{key}={value}" for key, value in _extra(record).items())
        line = f"{self.formatTime(record, '%H:%M:%S')} {record.levelname.lower():7} {record.getMessage()} {words}"
        if origin := _origin(record):
            line = f"{line.rstrip()} {cause(origin)} at {_where(origin)}"
        return line.rstrip()


_STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}


def _extra(record: logging.LogRecord) -> dict[str, object]:
    return {key: value for key, value in record.__dict__.items() if key not in _STANDARD}


def _origin(record: logging.LogRecord) -> BaseException | None:
    """What was raised first: frameworks wrap errors in their own, which say nothing of the cause."""
    error = record.exc_info[1] if record.exc_info else None
    while error is not None and error.__cause__ is not None:
        error = error.__cause__
    return error


def _where(error: BaseException) -> str:
    """File and line of an error, without the values that an exception's text may quote."""
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join(f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}" for frame in reversed(frames[-5:]))


def is_our_fault(record: logging.LogRecord) -> bool:
    """Nonsense in a socket is its sender's fault, and so is hanging up in the middle of an answer, which the transport
    refuses to write then: nobody should be able to fill our log with it."""
    origin = _origin(record)
    if isinstance(origin, RuntimeError) and origin.__traceback__:
        return not traceback.extract_tb(origin.__traceback__)[-1].name.endswith("_ensure_alive")
    return not isinstance(origin, UnicodeDecodeError)


def set_up_logging(settings: Settings) -> None:
    handler = Handler()
    handler.setFormatter(JsonFormatter() if settings.log_json else PlainFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    for name in ("asyncio", "numba", "httpx"):  # their details are no concern of whoever runs a server
        logging.getLogger(name).setLevel("WARNING")
    uvicorn_log = logging.getLogger("uvicorn.error")
    uvicorn_log.setLevel("WARNING")
    uvicorn_log.addFilter(is_our_fault)


def tell_left_out() -> None:
    """Say what was left out, though nothing of the kind comes any more."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, Handler):
            handler.tell_left_out()

"""Whatever goes wrong is answered alike: a code for programs, a sentence for people, and nothing about the inside."""

from __future__ import annotations

import logging
from enum import StrEnum
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap

from nimmt.rules.game import IllegalAction
from nimmt.store import StoreError

# -- refusals ----------------------------------------------------------------------------------------------------------
# What the server refuses, with stable codes. The games' own refusals (`nimmt.rules.game.Refusal`) pass through.


class Code(StrEnum):
    BAD_REQUEST = "bad_request"
    NOT_JSON = "not_json"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    NOT_SIGNED_IN = "not_signed_in"
    BAD_TOKEN = "bad_token"
    TOKEN_EXPIRED = "token_expired"
    LOGGED_OUT = "logged_out"
    FORBIDDEN = "forbidden"
    FOREIGN_ORIGIN = "foreign_origin"
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_LINK = "no_such_link"
    NO_SUCH_MESSAGE = "no_such_message"
    TABLE_CLOSED = "table_closed"
    NOT_WAITING = "not_waiting"
    NOT_PLAYING = "not_playing"
    NOT_OVER = "not_over"
    NOT_HOST = "not_host"
    NOT_SEATED = "not_seated"
    NOT_ABSENT = "not_absent"
    NOT_ALONE = "not_alone"
    ALREADY_SEATED = "already_seated"
    SEAT_TAKEN = "seat_taken"
    NO_SUCH_SEAT = "no_such_seat"
    TABLE_FULL = "table_full"
    SEATS_EMPTY = "seats_empty"
    REMOVED = "removed"
    BLOCKED = "blocked"
    BANNED = "banned"
    YOURSELF = "yourself"
    UNKNOWN_LEVEL = "unknown_level"
    BAD_NAME = "bad_name"
    BAD_OPTIONS = "bad_options"
    BAD_ACTION = "bad_action"
    BAD_SUBSCRIPTION = "bad_subscription"
    NO_CALLS = "no_calls"
    STALE_DECISION = "stale_decision"
    STALE_VERSION = "stale_version"
    KEY_REUSED = "key_reused"
    NOT_PRACTICE = "not_practice"
    NO_HINT = "no_hint"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    NOT_A_RECORD = "not_a_record"
    BAD_RECORD = "bad_record"
    UNKNOWN_RULES = "unknown_rules"
    NOT_PROVEN = "not_proven"
    CHAT_CLOSED = "chat_closed"
    NOTHING_TO_SAY = "nothing_to_say"
    TOO_MANY = "too_many"
    TOO_LARGE = "too_large"
    BUSY = "busy"
    UNAVAILABLE = "unavailable"
    SERVER_ERROR = "server_error"


STATUS = {
    Code.NOT_SIGNED_IN: 401,
    Code.BAD_TOKEN: 401,
    Code.TOKEN_EXPIRED: 401,
    Code.LOGGED_OUT: 401,
    Code.FORBIDDEN: 403,
    Code.FOREIGN_ORIGIN: 403,
    Code.NOT_HOST: 403,
    Code.NOT_SEATED: 403,
    Code.REMOVED: 403,
    Code.BLOCKED: 403,
    Code.BANNED: 403,
    Code.NOT_FOUND: 404,
    Code.NO_SUCH_TABLE: 404,
    Code.NO_SUCH_LINK: 404,
    Code.NO_SUCH_MESSAGE: 404,
    Code.METHOD_NOT_ALLOWED: 405,
    Code.TABLE_CLOSED: 410,
    Code.TOO_LARGE: 413,
    Code.NOT_JSON: 415,
    Code.TOO_MANY: 429,
    Code.BAD_REQUEST: 400,
    Code.BAD_NAME: 422,
    Code.BAD_OPTIONS: 422,
    Code.BAD_ACTION: 422,
    Code.BAD_SUBSCRIPTION: 422,
    Code.NOT_A_RECORD: 422,
    Code.BAD_RECORD: 422,
    Code.UNKNOWN_RULES: 422,
    Code.NOT_PROVEN: 422,
    Code.NO_SUCH_SEAT: 422,
    Code.UNKNOWN_LEVEL: 422,
    Code.NOTHING_TO_SAY: 422,
    Code.YOURSELF: 422,
    Code.KEY_REUSED: 422,
    Code.SERVER_ERROR: 500,
    Code.BUSY: 503,
    Code.UNAVAILABLE: 503,
}
"""HTTP status of a code; all others are 409: the request is fine, but not as things are."""

_STATUS_BY_WORD = {str(code): status for code, status in STATUS.items()}


class Refused(Exception):
    """The server does not do this; everything stays as it was. `str(error)` is a sentence for people."""

    def __init__(self, code: str, sentence: str, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.code = str(code)
        self.retry_after = retry_after

    @property
    def status(self) -> int:
        return _STATUS_BY_WORD.get(self.code, 409)


def refused(error: IllegalAction) -> Refused:
    """A refusal by the rules of the game."""
    return Refused(error.refusal, str(error))


# -- errors ------------------------------------------------------------------------------------------------------------

log = logging.getLogger("nimmt.server")

AnyRequest = Request[Any, Any, State]


class ErrorBody(msgspec.Struct, frozen=True, omit_defaults=True):
    code: str
    message: str
    retry_after: float | None = None


class ErrorAnswer(msgspec.Struct, frozen=True):
    """Every error looks like this. The codes are stable; `retry_after` are seconds."""

    error: ErrorBody


def _answer(refused: Refused, headers: dict[str, str] | None = None) -> Response[ErrorAnswer]:
    wait = refused.retry_after
    headers = {**(headers or {}), **({"retry-after": str(int(wait))} if wait else {})}
    body = ErrorAnswer(ErrorBody(refused.code, str(refused), wait))
    return Response(body, status_code=refused.status, headers=headers, media_type="application/json")


def on_refused(_: AnyRequest, error: Refused) -> Response[ErrorAnswer]:
    return _answer(error)


def _on_store_error(request: AnyRequest, error: StoreError) -> Response[ErrorAnswer]:
    request.app.state.platform.health.failed(error)
    return _answer(Refused(Code.UNAVAILABLE, "The server cannot reach its database at the moment.", 2))


def _on_validation(_: AnyRequest, error: ValidationException) -> Response[ErrorAnswer]:
    """A parameter that is wrong, or a body that is missing."""
    details = [f"{item.get('key')}: {item.get('message')}" for item in error.extra or () if isinstance(item, dict)]
    if details == ["data: 'data'"]:
        details = ["The request needs a body: a JSON object."]
    return _answer(Refused(Code.BAD_REQUEST, "; ".join(details) or "Invalid request."))


_CODES = {404: Code.NOT_FOUND, 405: Code.METHOD_NOT_ALLOWED, 413: Code.TOO_LARGE}
_SENTENCES = {
    Code.NOT_FOUND: "There is nothing at this address.",
    Code.METHOD_NOT_ALLOWED: "This cannot be done at this address.",
    Code.TOO_LARGE: "The body is too large.",
    Code.BAD_REQUEST: "Invalid request.",
    Code.SERVER_ERROR: "Something went wrong on the server.",
}


def _on_http(_: AnyRequest, error: HTTPException) -> Response[ErrorAnswer]:
    code = _CODES.get(error.status_code, Code.BAD_REQUEST if error.status_code < 500 else Code.SERVER_ERROR)
    # Only the one that says what can be done at an address.
    return _answer(Refused(code, _SENTENCES[code]), error.headers if code == Code.METHOD_NOT_ALLOWED else None)


def _on_anything(request: AnyRequest, error: Exception) -> Response[ErrorAnswer]:
    # The request's content may hold secrets: only where it happened is logged.
    log.error("unexpected error", extra={"path": request.scope.get("path_template", "")}, exc_info=error)
    return _answer(Refused(Code.SERVER_ERROR, _SENTENCES[Code.SERVER_ERROR]))


HANDLERS: ExceptionHandlersMap = {
    Refused: on_refused,
    StoreError: _on_store_error,
    ValidationException: _on_validation,
    HTTPException: _on_http,
    Exception: _on_anything,
}

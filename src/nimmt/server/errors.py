"""Whatever goes wrong is answered alike: a code for programs, a sentence for people, and nothing about the inside."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap

from nimmt.server.refusals import Code, Refused
from nimmt.store import StoreError

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
    return _answer(Refused(Code.BAD_REQUEST, "; ".join(details) or "The request is not as it should be."))


_CODES = {404: Code.NOT_FOUND, 405: Code.METHOD_NOT_ALLOWED, 413: Code.TOO_LARGE}
_SENTENCES = {
    Code.NOT_FOUND: "There is nothing at this address.",
    Code.METHOD_NOT_ALLOWED: "This cannot be done at this address.",
    Code.TOO_LARGE: "The body is too large.",
    Code.BAD_REQUEST: "The request is not as it should be.",
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

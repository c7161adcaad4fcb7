"""The OpenAPI description: what the framework knows of the routes, with the exact schemas of all messages, the errors
and an example for every body."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Server

from nimmt import __version__
from nimmt.insight.advice import Hint
from nimmt.match.record import Record
from nimmt.match.shuffle import CommitmentList
from nimmt.server.calls.caller import WaitingTable
from nimmt.server.calls.subscriptions import SubscriptionInfo
from nimmt.server.http import bodies as b
from nimmt.server.http.errors import ErrorAnswer
from nimmt.server.http.security import COOKIE, public_path
from nimmt.server.lessons import LessonInfo, LessonScript, RulesPage
from nimmt.server.people.guests import DeviceInfo
from nimmt.server.people.matches import OwnMatches, OwnStatistics
from nimmt.server.people.moderation import Shunned
from nimmt.server.people.privacy import OwnData
from nimmt.server.puzzles import PuzzleAnswer, PuzzleDay, PuzzleSheet
from nimmt.server.reviews import OwnMistakes, ReviewStatus
from nimmt.server.settings import Settings
from nimmt.server.tables import messages as m
from nimmt.server.warm_up import WarmUpStatus

ANYBODY: list[dict[str, list[str]]] = [{}]
SPECTATOR: list[dict[str, list[str]]] = [{}, {"cookie": []}, {"token": []}]
PERSON: list[dict[str, list[str]]] = [{"cookie": []}]
SIGNED_IN: list[dict[str, list[str]]] = [{"cookie": []}, {"token": []}]

RECORDS = "/api/records"
"""Where a record is sent to: what is wrong with it is said by those who read it, not by the type of the body."""
REFERENCE = "#/components/schemas/{name}"
READING = (400, 401, 403, 404, 409, 422, 429, 503)
ERRORS = {"get": READING, "head": READING, "delete": (401, 403, 415, 429, 503)}
ERRORS_OF_COMMANDS = (400, 401, 403, 404, 409, 410, 413, 415, 422, 429, 503)


class ExactDescription(JsonRenderPlugin):
    """Renders the description, once."""

    def __init__(self) -> None:
        super().__init__(path="/openapi.json")
        self._rendered = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        del request
        if not self._rendered:
            self._rendered = msgspec.json.encode(exact(openapi_schema))
        return self._rendered


def exact(description: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(description))
    for path in described["paths"].values():
        for method, operation in path.items():
            _describe(method, operation)
    described["paths"][RECORDS]["post"]["requestBody"] = _content("Record") | {"required": True}
    _, schemas = msgspec.json.schema_components(_spoken(), ref_template=REFERENCE)
    for body in filter(lambda body: issubclass(body, b.AboutSomebody), _bodies()):
        schemas[body.__name__]["oneOf"] = [_only("n", "seat"), _only("seat", "n")]
    described["components"]["schemas"] = schemas
    return described


def _content(name: str) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"$ref": REFERENCE.format(name=name)}}}}


def _only(given: str, other: str) -> dict[str, Any]:
    """One of the two fields has a value, the other none: types cannot say that."""
    return {"required": [given], "properties": {given: {"type": "integer"}, other: {"type": "null"}}}


def _describe(method: str, operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    answers.pop("400", None)
    answers.get("204", {}).pop("content", None)  # there is none, whatever else an answer may bring
    for status in ERRORS.get(method, ERRORS_OF_COMMANDS):
        answers[str(status)] = {
            "description": HTTPStatus(status).phrase,
            **_content("ErrorAnswer"),
        }
    answers["429"]["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}}
    for media_type in operation.get("requestBody", {}).get("content", {}).values():
        name = media_type["schema"]["$ref"].rpartition("/")[2]
        media_type["example"] = next(body.EXAMPLE for body in _bodies() if body.__name__ == name)


def _bodies(kind: type[b.Body] = b.Body) -> Iterator[type[b.Body]]:
    for each in kind.__subclasses__():
        yield each
        yield from _bodies(each)


def _spoken() -> list[Any]:
    """All that is said, by clients and to them."""
    answers = [b.Me, b.FreshToken, b.GameInfo, b.BotInfo, b.Address, b.Done, b.OpenedTable, DeviceInfo, OwnData]
    answers += [Shunned, OwnMatches, OwnStatistics, OwnMistakes, LessonInfo, LessonScript, RulesPage, ReviewStatus]
    answers += [PuzzleDay, PuzzleSheet, PuzzleAnswer, Hint, b.BroughtMatch]
    answers += [b.CallsInfo, SubscriptionInfo, WaitingTable, WarmUpStatus]
    return [*_bodies(), *answers, m.TableCard, m.Snapshot, m.Update, m.OpenHands, CommitmentList, Record, ErrorAnswer]


def openapi(settings: Settings) -> OpenAPIConfig:
    return OpenAPIConfig(
        title="nimmt",
        version=__version__,
        description="Tables of the 6 nimmt! family of card games. Commands by HTTP, news by socket or stream.",
        path="/api/schema",
        servers=[Server(url=public_path(settings) or "/")],
        use_handler_docstrings=True,
        render_plugins=[ExactDescription()],
        components=Components(
            security_schemes={
                "cookie": SecurityScheme(
                    type="apiKey",
                    name=COOKIE,
                    security_scheme_in="cookie",
                    description=f"Set when a guest comes in. By HTTPS its name is __Host-{COOKIE}, below a path "
                    f"__Secure-{COOKIE}.",
                ),
                "token": SecurityScheme(type="http", scheme="bearer", description="For programs; see /api/tokens."),
            }
        ),
    )

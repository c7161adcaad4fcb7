"""A client for programs: open tables, follow them and decide, through the server's bot interface.

>>> client = Client("http://localhost:8666", token="nimmt_…")  # doctest: +SKIP
>>> for message in client.follow(table_id):  # doctest: +SKIP
...     print(message["n"], message["situation"]["waiting"])
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import httpx
import msgspec

Json: TypeAlias = dict[str, Any]
Choose: TypeAlias = Callable[[Json], Json]
"""Gets a situation (its `view` and `legal` are what a person would see) and returns one of the legal actions."""

PATIENCE = 60.0
SILENCE = 30.0
"""A stream says something every few seconds; after so many seconds of silence the connection is dead."""


class Refused(Exception):
    """The server refused a command; `code` is stable, the text is a sentence for people."""

    def __init__(self, code: str, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.code, self.status = code, status


class Client:
    """Waits for a server that is away; `report` is told a sentence for people when that begins."""

    def __init__(self, url: str, token: str | None = None, report: Callable[[str], None] = lambda _: None) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        timeout = httpx.Timeout(10, read=SILENCE)
        self.url = url
        self._report, self._away = report, False
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout, follow_redirects=False)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- who I am -----------------------------------------------------------------------------------------

    def come_in(self, name: str) -> Json:
        """Be a new guest; the cookie is kept."""
        return self._object("POST", "/api/guests", {"name": name})

    def me(self) -> Json:
        return self._object("GET", "/api/me")

    def make_token(self, name: str, scopes: tuple[str, ...] = ("read", "play", "tables")) -> str:
        token: str = self._call("POST", "/api/tokens", {"name": name, "scopes": list(scopes)})["token"]
        return token

    # -- tables -------------------------------------------------------------------------------------------

    def open_table(self, game: str, seats: int, **settings: Any) -> str:
        table_id: str = self._call("POST", "/api/tables/", {"game": game, "seats": seats, **settings})["id"]
        return table_id

    def look(self, table: str) -> Json:
        return self._object("GET", f"/api/tables/{table}")

    def join(self, table: str, seat: int | None = None) -> None:
        self._call("POST", f"/api/tables/{table}/join", {"seat": seat, "contribution": secrets.token_hex(8)})

    def leave(self, table: str) -> None:
        self._call("POST", f"/api/tables/{table}/leave")

    def start(self, table: str) -> None:
        self._call("POST", f"/api/tables/{table}/start", {})

    def act(self, table: str, action: Json, decision: int | None = None) -> None:
        self._call("POST", f"/api/tables/{table}/act", {"action": action, "decision": decision})

    def say(self, table: str, text: str) -> None:
        self._call("POST", f"/api/tables/{table}/say", {"text": text})

    def record(self, table: str) -> bytes:
        return self._answer("GET", f"/api/tables/{table}/record", None, {}).content

    # -- streams ------------------------------------------------------------------------------------------

    def events(self) -> Iterator[Json]:
        """My matches as they begin and end. Goes on through broken connections, without end."""
        known: set[tuple[str, str]] = set()
        for event in self._lines("/api/stream/events", {}):
            if (event["type"], event["table"]) not in known:
                known.add((event["type"], event["table"]))
                yield event

    def follow(self, table: str) -> Iterator[Json]:
        """Everything that happens at a table until the match is over; nothing is missed or told twice."""
        parameters: Json = {}
        for message in self._lines(f"/api/stream/tables/{table}", parameters):
            parameters["after"] = message["n"]
            yield message
            if message["situation"]["phase"] in ("over", "closed"):
                return

    def play(self, choose: Choose, matches: int | None = None) -> None:
        """Decide in all my matches, each in a thread of its own; return after so many have ended."""
        threads: list[threading.Thread] = []
        for event in self.events():
            if event["type"] == "MatchBegun":
                threads.append(threading.Thread(target=self.play_table, args=(event["table"], choose), daemon=True))
                threads[-1].start()
                if len(threads) == matches:
                    break
        for thread in threads:
            thread.join()

    def play_table(self, table: str, choose: Choose) -> None:
        answered = None
        for message in self.follow(table):
            situation = message["situation"]
            asked = {waiting["seat"] for waiting in situation["waiting"]}
            # What others did meanwhile may still show a decision that is made already.
            if situation["you"] in asked and situation["legal"] and situation["decision"] != answered:
                answered = situation["decision"]
                try:
                    self.act(table, choose(situation), situation["decision"])
                except Refused as error:
                    if error.status != 409:  # something else has happened since: the next message tells
                        raise

    # -- calling --------------------------------------------------------------------------------------------

    def _object(self, method: str, path: str, body: Json | None = None) -> Json:
        found: Json = self._call(method, path, body)
        return found

    def _call(self, method: str, path: str, body: Json | None = None) -> Any:
        key = {"idempotency-key": secrets.token_hex(16)} if method == "POST" else {}
        return msgspec.json.decode(self._answer(method, path, body, key).content)

    def _answer(self, method: str, path: str, body: Json | None, headers: dict[str, str]) -> httpx.Response:
        """Tries again while the server is away, busy or asks to wait; the key makes that safe."""
        deadline = time.monotonic() + PATIENCE
        while True:
            wait = 0.5
            try:
                answer = self._http.request(method, path, json=body, headers=headers)
                self._away = False
                if answer.is_success:
                    return answer
                error = _refusal(answer)
                if answer.status_code not in (429, 503):
                    raise error
                wait = float(answer.headers.get("retry-after", 1))
            except httpx.TransportError as broken:
                self._missed(broken)
                error = Refused("unreachable", f"The server cannot be reached: {broken}", 503)
            if time.monotonic() + wait > deadline:
                raise error
            time.sleep(wait)

    def _lines(self, path: str, parameters: Json) -> Iterator[Json]:
        """The lines of a stream, taken up again where it broke off: the parameters are read at each connection."""
        while True:
            try:
                with self._http.stream("GET", path, params=parameters) as answer:
                    self._away = False
                    if not answer.is_success:
                        answer.read()
                        if answer.status_code not in (429, 503):
                            raise _refusal(answer)
                        time.sleep(float(answer.headers.get("retry-after", 1)))
                        continue
                    for line in answer.iter_lines():
                        if line.strip():
                            yield msgspec.json.decode(line)
            except httpx.TransportError as broken:
                self._missed(broken)
                time.sleep(0.5)

    def _missed(self, broken: httpx.TransportError) -> None:
        """A stream that breaks off is no news; that nobody answers is, once."""
        if isinstance(broken, httpx.ConnectError | httpx.ConnectTimeout) and not self._away:
            self._away = True
            self._report(f"Waiting for the server: {broken}")


def _refusal(answer: httpx.Response) -> Refused:
    try:
        error = msgspec.json.decode(answer.content)["error"]
        return Refused(error["code"], error["message"], answer.status_code)
    except (msgspec.DecodeError, KeyError, TypeError):
        return Refused("unexpected", f"The server answered {answer.status_code}.", answer.status_code)

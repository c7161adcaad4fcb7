"""A client for programs: open tables, follow them and decide, through the server's bot interface.

>>> client = Client("http://localhost:8666", token="nimmt_…")  # doctest: +SKIP
>>> for message in client.follow(table_id):  # doctest: +SKIP
...     print(message["n"], message["situation"]["waiting"])
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from queue import Queue
from typing import Any, TypeAlias

import httpx
import msgspec

from nimmt.clients.cli.common import CommandError

Json: TypeAlias = dict[str, Any]
Choose: TypeAlias = Callable[[Json], Json]
"""Gets a situation (its `view` and `legal` are what a person would see) and returns one of the legal actions."""

TIMEOUT = 60.0
"""For so many seconds a server that is away, busy or asks to wait is asked again."""
SILENCE_TIMEOUT = 30.0
"""A stream says something every few seconds; after so many seconds of silence the connection is dead."""
LATER = (429, 502, 503, 504)
"""Asking again a little later may help: too much was asked, or the server or its database is away."""
STALE = "stale_decision"
CHANGED = (409, 410)
"""The command is fine, but not as things are."""


class Refused(Exception):
    """The server refused a command; `code` is stable, `sentence` is for people."""

    def __init__(self, code: str, sentence: str, status: int) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code, self.sentence, self.status = code, sentence, status


class Streams:
    """Streams that are ended together, even while threads wait for their next lines."""

    def __init__(self) -> None:
        self._open: set[httpx.Response] = set()
        self._lock = threading.Lock()
        self._ended = threading.Event()

    def have_ended(self) -> bool:
        return self._ended.is_set()

    def wait(self, seconds: float) -> None:
        """So long, or until the streams are ended."""
        self._ended.wait(seconds)

    @contextmanager
    def listening(self, answer: httpx.Response) -> Iterator[None]:
        with self._lock:
            self._open.add(answer)
        if self.have_ended():  # just now
            _hang_up(answer)
        try:
            yield
        finally:
            with self._lock:
                self._open.discard(answer)

    def end(self) -> None:
        self._ended.set()
        with self._lock:
            for answer in self._open:
                _hang_up(answer)


class Client:
    """Waits for a server that is away; `report` is told a sentence for people when that begins.

    After `patience` seconds (by default a minute) it waits no longer and raises `Refused`.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        report: Callable[[str], None] = lambda _: None,
        patience: float | None = None,
        cookie: str | None = None,
    ) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {"cookie": cookie} if cookie else {}
        timeout = httpx.Timeout(10, read=SILENCE_TIMEOUT)
        self.url = url
        self.patience = TIMEOUT if patience is None else patience
        self.report, self._away = report, False
        # Every table that is followed keeps a connection.
        limits = httpx.Limits(max_connections=None)
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout, limits=limits, follow_redirects=False)

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

    def rename(self, name: str) -> Json:
        return self._object("POST", "/api/me", {"name": name})

    @property
    def cookie(self) -> str | None:
        """By which the server knows a guest again, if it has given one or renewed the one we had."""
        renewed = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._http.cookies.jar)
        return renewed or self._http.headers.get("cookie")

    def make_token(self, name: str, scopes: tuple[str, ...] = ("read", "play", "tables")) -> str:
        token: str = self._call("POST", "/api/tokens", {"name": name, "scopes": list(scopes)})["token"]
        return token

    # -- tables -------------------------------------------------------------------------------------------

    def tables(self, mine: bool = False) -> list[Json]:
        """Those that are open to all, or those where I sit."""
        found: list[Json] = self._call("GET", f"/api/tables/{'mine' if mine else ''}")
        return found

    def address(self) -> str | None:
        """Where people at other machines reach the server, if it knows."""
        url: str | None = self._call("GET", "/api/address")["url"]
        return url

    def command(self, table: str, name: str, **body: Any) -> Any:
        """Anything else that can be done at a table: `back`, `rematch`, `seat-bot` and so on."""
        return self._call("POST", f"/api/tables/{table}/{name}", body)

    def open_table(self, game: str, seats: int, **settings: Any) -> str:
        table_id: str = self._call("POST", "/api/tables/", {"game": game, "seats": seats, **settings})["id"]
        return table_id

    def look(self, table: str) -> Json:
        return self._object("GET", f"/api/tables/{table}")

    def join(self, table: str, seat: int | None = None, pace: str | None = None) -> None:
        """Sit down, and add something random to the shuffle: the commitment of the table is there already."""
        body = {"seat": seat, "contribution": secrets.token_hex(16), "pace": pace}
        self._call("POST", f"/api/tables/{table}/join", body)

    def contribute(self, table: str, contribution: str | None = None) -> None:
        """Add to the shuffle, before the start; by default something random. Look at the table's commitment first."""
        text = secrets.token_hex(16) if contribution is None else contribution
        self._call("POST", f"/api/tables/{table}/contribute", {"contribution": text})

    def commitments(self, after: int = 0) -> bytes:
        """A part of the server's list of commitments."""
        return self._answer("GET", f"/api/commitments?after={after}", None, {}).content

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

    def events(self, streams: Streams | None = None) -> Generator[Json]:
        """My matches as they begin and end. Goes on through broken connections, without end."""
        known: set[tuple[str, str]] = set()
        for event in self._lines("/api/stream/events", {}, streams):
            if (event["type"], event["table"]) not in known:
                known.add((event["type"], event["table"]))
                yield event

    def follow(self, table: str, streams: Streams | None = None) -> Generator[Json]:
        """Everything that happens at a table until the match is over; nothing is missed or told twice."""
        parameters: Json = {}
        for message in self._lines(f"/api/stream/tables/{table}", parameters, streams):
            parameters["after"] = message["n"]
            yield message
            if message["situation"]["phase"] in ("over", "closed"):
                return

    # -- playing ------------------------------------------------------------------------------------------

    def play(self, choose: Choose, matches: int | None = None) -> None:
        """Decide in all my matches, each in a thread of its own; return after so many have ended.

        Whatever `choose` raises, or the server refuses, ends this and is raised here.
        """
        self.play_each(lambda table, streams: self.play_table(table, choose, streams), matches)

    def play_each(
        self, play: Callable[[str, Streams], None], matches: int | None = None, games: Collection[str] | None = None
    ) -> None:
        """`play` all my matches, or those of some games, as they begin; the first error ends all of them."""
        streams, news = Streams(), Queue[str | BaseException | None]()

        def watch() -> None:
            for event in self.events(streams):
                if event["type"] == "MatchBegun" and (games is None or event["game"] in games):
                    news.put(event["table"])

        def start(job: Callable[..., None], *arguments: object) -> None:
            threading.Thread(target=_tell_the_end, args=(news, job, *arguments), daemon=True).start()

        begun = ended = 0
        start(watch)
        try:
            while matches is None or ended < matches:
                told = news.get()
                if isinstance(told, BaseException):
                    raise told
                if told is None:
                    ended += 1
                elif matches is None or begun < matches:
                    begun += 1
                    start(play, told, streams)
        finally:
            streams.end()

    def play_table(
        self,
        table: str,
        choose: Choose,
        streams: Streams | None = None,
        hear: Callable[[Json], None] = lambda _: None,
    ) -> None:
        """Decide at one table until the match is over; `hear` gets every message."""
        made, current = None, 0
        with closing(self.follow(table, streams)) as messages:
            for message in messages:
                hear(message)
                situation, is_news = message["situation"], message["n"] >= current
                # What others did meanwhile may still show a decision that is made already.
                if is_news and _is_asked(situation) and situation["decision"] != made:
                    overtaken = self._decide(table, message, choose(situation))
                    made, current = (situation["decision"], 0) if overtaken is None else (None, overtaken)

    def _decide(self, table: str, message: Json, action: Json) -> int | None:
        """Act as a message asks. If something else has happened since, which may make it impossible, that is no
        mistake: then this is the number of the message that tells of it, and asks again if there is still something
        to decide. Raises `Refused` if the action is refused as things are."""
        try:
            self.act(table, action, message["situation"]["decision"])
        except Refused as error:
            if error.code == STALE:
                return None
            if error.status in CHANGED and (latest := self._latest(table)) > message["n"]:
                return latest
            raise
        return None

    def _latest(self, table: str) -> int:
        n: int = self.look(table)["n"]
        return n

    # -- calling --------------------------------------------------------------------------------------------

    def _object(self, method: str, path: str, body: Json | None = None) -> Json:
        found: Json = self._call(method, path, body)
        return found

    def _call(self, method: str, path: str, body: Json | None = None) -> Any:
        key = {"idempotency-key": secrets.token_hex(16)} if method == "POST" else {}
        content = self._answer(method, path, body, key).content
        return msgspec.json.decode(content) if content else None

    def _answer(self, method: str, path: str, body: Json | None, headers: dict[str, str]) -> httpx.Response:
        """Tries again while the server is away, busy or asks to wait; the key makes that safe."""
        deadline = time.monotonic() + self.patience
        while True:
            wait = 0.5
            try:
                answer = self._http.request(method, path, json=body, headers=headers)
                self._away = False
                if answer.is_success:
                    return answer
                error, wait = _refusal(answer)
            except httpx.TransportError as broken:
                error = self._missed(broken)
            if error.status not in LATER or time.monotonic() + wait > deadline:
                raise error
            time.sleep(wait)

    def _lines(self, path: str, parameters: Json, streams: Streams | None) -> Generator[Json]:
        """The lines of a stream, taken up again where it broke off: the parameters are read at each connection."""
        streams = streams or Streams()
        deadline = time.monotonic() + self.patience
        while not streams.have_ended():
            error: Refused | None = None
            wait = 0.5
            try:
                with self._http.stream("GET", path, params=parameters) as answer, streams.listening(answer):
                    self._away = False
                    if not answer.is_success:
                        answer.read()
                        error, wait = _refusal(answer)
                    for line in answer.iter_lines() if error is None else ():
                        if streams.have_ended():
                            return
                        deadline = time.monotonic() + self.patience
                        if line.strip():
                            yield msgspec.json.decode(line)
            except httpx.TransportError as broken:
                error = self._missed(broken)
            late = time.monotonic() + wait > deadline
            if error and not streams.have_ended() and (late or error.status not in LATER):
                raise error
            streams.wait(wait)

    def _missed(self, broken: httpx.TransportError) -> Refused:
        """A stream that breaks off is no news; that nobody answers is, once."""
        if isinstance(broken, httpx.ConnectError | httpx.ConnectTimeout) and not self._away:
            self._away = True
            self.report(f"Waiting for the server: {broken}")
        return Refused("unreachable", f"The server cannot be reached: {broken}", 503)


def _is_asked(situation: Json) -> bool:
    """Whether the reader of this situation has something to decide."""
    return bool(situation["legal"]) and situation["you"] in {waiting["seat"] for waiting in situation["waiting"]}


def _tell_the_end(news: Queue[str | BaseException | None], job: Callable[..., None], *arguments: object) -> None:
    """Do it; say that it is done, or why not."""
    try:
        job(*arguments)
        news.put(None)
    except BaseException as error:  # whatever it is, somebody is waiting for it
        news.put(error)


def _hang_up(answer: httpx.Response) -> None:
    """Wake whoever waits for the next line: there will be none."""
    stream = answer.extensions.get("network_stream")
    connection = stream.get_extra_info("socket") if stream else None
    if connection is not None:
        with suppress(OSError):  # it is closed already
            connection.shutdown(socket.SHUT_RDWR)


def _refusal(answer: httpx.Response) -> tuple[Refused, float]:
    """What the server said, and after how many seconds it may be asked again."""
    header = answer.headers.get("retry-after", "")
    wait = float(header) if header.isdecimal() else 1.0
    try:
        error = msgspec.json.decode(answer.content)["error"]
        return Refused(error["code"], error["message"], answer.status_code), wait
    except (msgspec.DecodeError, KeyError, TypeError):
        sentence = f"The server answered {answer.status_code}."
        return Refused("unexpected", sentence, answer.status_code), wait


# -- links to tables ---------------------------------------------------------------------------------------------------

_TABLE = re.compile(r"[\w-]+", re.ASCII)
_LINK = re.compile(r"(?P<server>https?://[^?#\s]+)/t/(?P<table>[\w-]+)(/replay)?/?([?#].*)?", re.ASCII)
"""As the page's own links look, to a table or its replay."""


def read_link(word: str) -> tuple[str | None, str]:
    """The server and the id of a table from its link, `https://SERVER/t/TABLE`, or from the id alone."""
    if _TABLE.fullmatch(word):
        return None, word
    link = _LINK.fullmatch(word.strip())
    if link is None:
        raise CommandError(
            f"--join takes the link to a table, such as http://localhost:8666/t/…, or its id; not {word!r:.80}."
        )
    return link["server"], link["table"]


def where(connect: str | None, tables: Sequence[str]) -> tuple[str | None, list[str]]:
    """The server, and the ids of the tables there: they may be given as links, which name their server."""
    if connect is not None and not connect.startswith(("http://", "https://")):
        raise CommandError(f"{connect!r:.80} is not a server address, such as http://localhost:8666.")
    server, found = connect and connect.rstrip("/"), list[str]()
    for word in tables:
        there, table = read_link(word)
        if there and server and there != server:
            raise CommandError(
                f"{word} leads to {there}, not to {server}. Leave out --connect, or name the table by its id, {table}."
                if connect
                else f"{word} leads to {there}, and another one to {server}: an engine plays on one server."
            )
        server = server or there
        found.append(table)
    return server, found


# -- who we are at which server ----------------------------------------------------------------------------------------

VARIABLE = "NIMMT_GUESTS"
"""Where the file is, if not in its usual place."""


class Kept(msgspec.Struct, frozen=True):
    name: str
    cookie: str


def guests_file() -> Path:
    if named := os.environ.get(VARIABLE):
        return Path(named)
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "nimmt" / "guests.json"


def guest_at(server: str, file: Path | None = None) -> Kept | None:
    """Who we were there; nobody if that was not kept, or cannot be read."""
    return _read(file or guests_file()).get(server)


def keep_guest(server: str, kept: Kept, file: Path | None = None) -> None:
    """For the next time; raises `OSError`."""
    file = file or guests_file()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    known = {**_read(file), server: kept}
    new = file.with_name(f".{file.name}.{os.getpid()}")
    # Made for the owner alone from the first byte on: whoever has the cookie sits on the owner's seats.
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as writing:
        writing.write(msgspec.json.format(msgspec.json.encode(known), indent=2))
    new.replace(file)


def _read(file: Path) -> dict[str, Kept]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Kept])
    except (OSError, msgspec.MsgspecError):
        return {}

"""A running server and a real browser for the tests of the page: one of each for all tests of a process."""

from __future__ import annotations

import itertools
import json
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from nimmt.server.http import web as page_files
from nimmt.server.tables import commands as table_commands
from nimmt.testing.servers import NO_TLS, ThreadServer
from nimmt.testing.web import find_browser, settle, wait_until

playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: python3 dev.py setup")

PATIENCE = 30_000
"""Milliseconds for whatever should happen in a page: the machine may have a lot else to do."""
playwright_api.expect.set_options(timeout=PATIENCE)

# What Playwright switches off too: only the last list that the browser is given counts. The popups of the address bar,
# which nobody sees here, would be loaded for every window, and take longer than many a test.
WITHOUT = [
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
]
FLAGS = [
    f"--disable-features={','.join(WITHOUT)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
]
ROOM = 2**30
"""Bytes of shared memory that are enough for many pages. In a container there is often less, and Playwright goes by
way of files, which takes a tenth more of everything."""
PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}
# The browser reports the answer to the first question, whether the server knows us; and the answer to somebody who acts
# when somebody else was faster, which the page explains.
EXPECTED_ERRORS = ("401 (Unauthorized)", "409 (Conflict)")

# All that axe-core found to be in order would be many times as much, and is read by nobody.
FIND_VIOLATIONS = """async ([rules, preload]) =>
  (await axe.run(document, { runOnly: rules, resultTypes: ['violations'], preload })).violations"""


def default_flags_without() -> list[str]:
    """What Playwright would say to every browser, and ours need not be told."""
    place = Path("/dev/shm")
    return ["--disable-dev-shm-usage"] if place.is_dir() and shutil.disk_usage(place).free >= ROOM else []


@pytest.fixture(scope="package")
def playwright() -> Iterator[Any]:
    if not (page_files.STATIC / "index.html").is_file():
        pytest.skip("the page has not been built: python3 dev.py build")
    with playwright_api.sync_playwright() as started:
        yield started


@contextmanager
def running(playwright: Any, path: str | None) -> Iterator[Any]:
    if path is None:
        pytest.skip("no Chromium: install it (Debian: apt install chromium) or name one in NIMMT_CHROMIUM")
    chromium = playwright.chromium.launch(executable_path=path, args=FLAGS, ignore_default_args=default_flags_without())
    yield chromium
    chromium.close()


@pytest.fixture(scope="package")
def browser(playwright: Any) -> Iterator[Any]:
    with running(playwright, find_browser()) as chromium:
        yield chromium


@pytest.fixture(scope="package")
def whole_browser(playwright: Any) -> Iterator[Any]:
    """With what the headless shell does without: notifications."""
    with running(playwright, find_browser(whole=True)) as chromium:
        yield chromium


@pytest.fixture(scope="package")
def server() -> Iterator[ThreadServer]:
    with ThreadServer(log_level="warning") as running:
        yield running


NewPage = Callable[..., Any]
SPARE = 4
"""Browsers that are kept for the next test: each is a process."""


class Spares:
    """Browsers that the next tests may use, without anything in them of those before: a page opens there in a third
    of the time that it takes in a new one, which knows nothing of it yet."""

    def __init__(self) -> None:
        self._idle: list[tuple[str, Any]] = []

    def take(self, kind: str) -> Any | None:
        place = next((place for place, (one, _) in enumerate(self._idle) if one == kind), None)
        return None if place is None else self._idle.pop(place)[1]

    def keep(self, kind: str, page: Any) -> None:
        place = urlsplit(page.url)
        origin = f"{place.scheme}://{place.netloc}"
        for tab in page.context.pages:
            if tab != page:
                tab.close()
        page.unroute_all()
        page.goto(f"{origin}/icon.svg")  # for a page of another origin the browser begins another process
        page.context.clear_cookies()
        session = page.context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        session.detach()
        self._idle.append((kind, page))
        if len(self._idle) > SPARE:
            self._idle.pop(0)[1].context.close()


@pytest.fixture(scope="package")
def spares() -> Spares:
    return Spares()


@pytest.fixture
def new_page(browser: Any, spares: Spares, server: ThreadServer, request: pytest.FixtureRequest) -> Iterator[NewPage]:
    """Makes pages: each a browser of its own, as `new_page(viewport=DESK, speed="fast", locale="de")`.

    Who does with one what is not undone by itself, listening or adding scripts, says so: `page.spent = True`. Who needs
    one that has never been used, as nothing may have been fetched before, asks for a `fresh` one. The service worker,
    which takes a tenth of all time, is at work where it is asked for: `service_workers="allow"`.

    Whatever goes wrong inside a page, a violation of the Content-Security-Policy included, fails the test.
    """
    made: list[tuple[str, Any]] = []
    complaints: list[str] = []

    def note(message: Any) -> None:
        if message.type == "error" and not any(text in message.text for text in page_expects(message.page)):
            complaints.append(f"{message.text} {message.location['url']}")

    def page_expects(page: Any) -> tuple[str, ...]:
        return (*EXPECTED_ERRORS, *getattr(page, "expected", ()))

    def fail(error: Any) -> None:
        complaints.append(str(error))

    def watch(page: Any) -> None:
        page.on("console", note)
        page.on("pageerror", fail)

    def unwatch(page: Any) -> None:
        page.context.remove_listener("page", watch)
        page.remove_listener("console", note)
        page.remove_listener("pageerror", fail)

    def make(
        viewport: Any = None,
        speed: str = "instant",
        locale: str = "en-GB",
        settings: Any = None,
        fresh: bool = False,
        color_scheme: Any = "light",
        reduced_motion: Any = "no-preference",
        **more: Any,
    ) -> Any:
        # Who sees no card fly sees nothing else move either: it would be drawn sixty times in a second, for ever.
        motion = "reduced" if speed == "instant" else "auto"
        usual = {"speed": speed, "motion": motion, "sound": False, "remarks": False}
        kept = json.dumps({**usual, **(settings or {})})
        options = {"base_url": server.url, "locale": locale, "service_workers": "block", **more}
        kind = json.dumps([id(browser), "pretend" in request.fixturenames, kept, options], sort_keys=True)
        page = None if fresh else spares.take(kind)
        if page is None:
            context = browser.new_context(**options)
            context.set_default_timeout(PATIENCE)
            context.add_init_script(f"if (location.host) localStorage['nimmt.settings'] ??= {kept!r}")
            page = context.new_page()
        page.expected = ()
        if hasattr(page, "pretended"):
            page.pretended = None
        page.spent = fresh or options["service_workers"] == "allow" or options["base_url"] != server.url
        page.set_viewport_size(viewport or PHONE)
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        page.context.on("page", watch)
        watch(page)
        made.append((kind, page))
        return page

    yield make
    for kind, page in made:
        if page.spent or not page.url.startswith("http"):
            page.context.close()
        else:
            unwatch(page)
            spares.keep(kind, page)
    assert complaints == []


@pytest.fixture
def page(new_page: NewPage) -> Any:
    return new_page()


@pytest.fixture
def axe(soaking: bool) -> Callable[..., list[str]]:
    """What axe-core finds wrong with a page, in short. It reads the style sheets itself, which takes as long as all
    else, for one rule: whether a screen can be turned. That has time."""
    source = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
    if not source.is_file():
        pytest.skip("axe-core is not installed: python3 dev.py web")
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

    def run(page: Any, *rules: str) -> list[str]:
        wait_until(page, "!document.querySelector('.toast')")  # it lies over other things for a moment
        settle(page)
        if not page.evaluate("'axe' in window"):
            page.evaluate(source.read_text("utf-8"))
        found = page.evaluate(FIND_VIOLATIONS, [rules or tags, soaking])
        return [
            f"{item['id']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}"
            for item in found
            for node in item["nodes"]
        ]

    return run


@pytest.fixture
def axe_in_turns(axe: Any, soaking: bool) -> Callable[..., list[str]]:
    """The same in light colours, then in dark ones, and so on: for a test that looks at much. With `--soak` in both."""
    turns = itertools.cycle(("light", "dark"))

    def run(page: Any, *rules: str) -> list[str]:
        found = []
        for scheme in ("light", "dark") if soaking else (next(turns),):
            page.emulate_media(color_scheme=scheme)
            found += [f"{scheme}: {one}" for one in axe(page, *rules)]
        return found

    return run


@pytest.fixture
def open_table(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Opens a table as the guest of a page and goes there: `open_table(page, "six", seats=3, options={…})`.

    With a seed the cards and what the bots do are always the same.
    """

    def make(
        page: Any, game: str, *, name: str = "Anna", bots: Any = "greedy", seed: int | None = None, **more: Any
    ) -> str:
        if seed is not None:
            fixed = SimpleNamespace(
                token_hex=lambda size: seed.to_bytes(size, "big").hex(), token_urlsafe=secrets.token_urlsafe
            )
            monkeypatch.setattr(table_commands, "secrets", fixed)
        seats = more.setdefault("seats", 4)
        levels = [bots] * (seats - 1) if isinstance(bots, str) else bots
        body = {"game": game, "bots": levels, "start": True, "pace": "instant", **more}
        api = page.context.request
        if api.get("/api/me").status == 401:
            assert api.post("/api/guests", data={"name": name}).ok
        answer = api.post("/api/tables/", data=body)
        assert answer.ok, answer.text()
        table: str = answer.json()["id"]
        page.goto(f"/t/{table}")
        return table

    return make


@pytest.fixture
def pretend() -> Callable[[Any, Callable[[Any], None]], None]:
    """Lets a page see every table otherwise than it is, and nothing of what happens: for what comes up rarely."""

    def make(page: Any, change: Callable[[Any], None]) -> None:
        def answer(socket: Any) -> None:
            def pass_on(text: str) -> None:
                message = json.loads(text)
                if message["type"] == "Snapshot":
                    page.pretended(message["situation"])
                    socket.send(json.dumps(message))

            beyond = socket.connect_to_server()
            if page.pretended:
                beyond.on_message(pass_on)

        if not hasattr(page, "pretended"):
            page.route_web_socket("**/*", answer)
        page.pretended = change

    return make


class Hands:
    """Who plays at a page, without it: what need not be seen takes a fraction of the time so."""

    def __init__(self, page: Any, table: str) -> None:
        place = urlsplit(page.url)
        below, at_a_table, _ = place.path.partition("/t/")
        cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
        url = f"{place.scheme}://{place.netloc}{below if at_a_table else ''}/api/tables/{table}"
        verify = NO_TLS if place.scheme == "http" else False  # nobody has signed for the proxies of tests
        self._http = httpx.Client(base_url=url, cookies=cookies, timeout=PATIENCE / 1000, verify=verify)

    def look(self) -> Any:
        """How things stand at the table."""
        return self._http.get("").raise_for_status().json()["situation"]

    def act(self, now: Any, action: Any) -> httpx.Response:
        return self._http.post("/act", json={"action": action, "decision": now["decision"]})

    def __enter__(self) -> Hands:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()


def asked(now: Any) -> list[int]:
    """The seats that are waited for."""
    return [waiting["seat"] for waiting in now["waiting"]]


@pytest.fixture
def finish() -> Callable[..., None]:
    """Plays a match to its end without the page; the pages of all who play are needed for that."""

    def make(page: Any, table: str, *others: Any) -> None:
        with ExitStack() as stack:
            everybody = [stack.enter_context(Hands(one, table)) for one in (page, *others)]
            for hands in itertools.cycle(everybody):
                now = hands.look()
                if now["phase"] != "playing":
                    return
                if now["you"] in asked(now):
                    hands.act(now, now["legal"][-1])
                else:
                    time.sleep(0.01)

    return make


@pytest.fixture
def decide() -> Callable[..., None]:
    """Makes decisions without the page, each when nobody else is waited for: always the same from the same seed."""

    def make(page: Any, table: str, count: int) -> None:
        def our_turn() -> Any:
            while asked(now := hands.look()) != [now["you"]]:
                time.sleep(0.01)
            return now

        with Hands(page, table) as hands:
            for _ in range(count):
                now = our_turn()
                hands.act(now, now["legal"][-1]).raise_for_status()
            our_turn()

    return make


@pytest.fixture
def decide_until() -> Callable[[Any, str, str], bool]:
    """Makes decisions without the page until one of this kind is asked: the lowest card, later a pile. Says whether it
    came to that: who of two is faster is chance, and bots go on from there."""

    def make(page: Any, table: str, kind: str) -> bool:
        with Hands(page, table) as hands:
            for turn in range(1000):
                while (now := hands.look())["you"] not in asked(now):
                    if now["phase"] != "playing":
                        return False
                    time.sleep(0.01)
                if kind in [one["kind"] for one in now["waiting"] if one["seat"] == now["you"]]:
                    return True
                takes = [action for action in now["legal"] if action["type"] == "TakePile" and turn]
                answer = hands.act(now, (takes or now["legal"])[0])
                assert answer.is_success or answer.status_code == 409, answer.text  # somebody else was faster
        return False

    return make

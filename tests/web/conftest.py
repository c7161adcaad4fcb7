"""A running server and a real browser for the tests of the page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import nimmt.server.web

playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: python3 dev.py setup")

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MANY = "100000"
PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}
# The browser reports this for the first question, whether the server knows us.
EXPECTED_ERRORS = ("401 (Unauthorized)",)


def find_browser() -> str | None:
    named = os.environ.get("NIMMT_CHROMIUM")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = find_browser()
    if path is None:
        pytest.skip("no Chromium: install it (Debian: apt install chromium) or name one in NIMMT_CHROMIUM")
    if not (nimmt.server.web.STATIC / "index.html").is_file():
        pytest.skip("the page has not been built: python3 dev.py build")
    with playwright_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


class Server:
    """`nimmt serve` in a process of its own; it can be stopped and started again at the same place."""

    def __init__(self, folder: Path) -> None:
        self._database = folder / "web.db"
        self._port = "0"
        self._process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "nimmt", "serve", "--port", self._port, "--database", str(self._database)]
        for limit in ("tables", "guests", "requests", "sockets"):
            command += [f"--{limit}-per-address", MANY]
        command += ["--requests-per-guest", MANY, "--log-level", "warning"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        self.url = next(word for word in line.split() if word.startswith("http"))
        self._port = self.url.rsplit(":", 1)[1]

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        self._process.wait(20)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("web"))
    yield running
    running.stop()


NewPage = Callable[..., Any]


@pytest.fixture
def new_page(browser: Any, server: Server) -> Iterator[NewPage]:
    """Makes pages: each a browser of its own, as `new_page(viewport=DESK, speed="fast", locale="de")`.

    Whatever goes wrong inside a page, a violation of the Content-Security-Policy included, fails the test.
    """
    contexts, complaints = [], []

    def note(message: Any) -> None:
        if message.type == "error" and not any(text in message.text for text in EXPECTED_ERRORS):
            complaints.append(message.text)

    def make(viewport: Any = None, speed: str = "instant", locale: str = "en-GB", **more: Any) -> Any:
        context = browser.new_context(
            base_url=server.url, viewport=viewport or PHONE, locale=locale, reduced_motion="no-preference", **more
        )
        context.set_default_timeout(15_000)
        settings = json.dumps({"speed": speed, "sound": False})
        context.add_init_script(
            f"if (!localStorage.getItem('nimmt.settings')) localStorage.setItem('nimmt.settings', {settings!r})"
        )
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.complaints = complaints
        contexts.append(context)
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(new_page: NewPage) -> Any:
    return new_page()


@pytest.fixture
def axe() -> Callable[[Any], list[str]]:
    """What axe-core finds wrong with a page, in short."""
    source = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
    if not source.is_file():
        pytest.skip("axe-core is not installed: python3 dev.py web")
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

    def run(page: Any) -> list[str]:
        page.evaluate(source.read_text("utf-8"))
        found = page.evaluate("tags => axe.run(document, { runOnly: tags })", tags)
        return [
            f"{item['id']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}"
            for item in found["violations"]
            for node in item["nodes"]
        ]

    return run


@pytest.fixture
def open_table() -> Callable[..., str]:
    """Opens a table as the guest of a page and goes there: `open_table(page, "six", seats=3, options={…})`."""

    def make(page: Any, game: str, *, name: str = "Anna", bots: str = "greedy", **more: Any) -> str:
        page.goto("/")
        seats = more.setdefault("seats", 4)
        body = {"game": game, "bots": [bots] * (seats - 1), "start": True, **more}
        api = page.context.request
        if api.get("/api/me").status == 401:
            assert api.post("/api/guests", data={"name": name}).ok
        answer = api.post("/api/tables/", data=body)
        assert answer.ok, answer.text()
        table: str = answer.json()["id"]
        page.goto(f"/t/{table}")
        return table

    return make

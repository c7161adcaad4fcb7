"""The page: how much is loaded first, and how smoothly a turn of ten players is played out on a slow phone.

Needs Chromium and the built page. A long task is a stretch of more than 50 ms in which the page could not have answered
a touch, on a processor that is four times slower: the processor's time of each task is taken four times. The browser
can slow itself down too, but does so by the clock on the wall, and then counts whatever else this machine is doing.
With a name of a file, a trace of what the page did is written there for the developer tools of Chromium.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import nimmt.server.web
from nimmt.testing.servers import LiveServer

STATIC = nimmt.server.web.STATIC
PHONE: Any = {"width": 360, "height": 640}
ALLOWED_FIRST_LOAD = 100_000
ALLOWED_TASK = 50
SLOWER = 4
TURNS = 2
WATCHED = ["toplevel", "devtools.timeline", "blink.user_timing"]
PROFILER = "disabled-by-default-v8.cpu_profiler"
"""Says where the time goes, and costs some itself."""


def chromium() -> str | None:
    named = os.environ.get("NIMMT_CHROMIUM")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def loaded(page: Any, url: str, ready: str) -> tuple[int, int]:
    """Scripts that a page needs before something can be done, and their bytes, compressed with gzip."""
    names: list[str] = []
    page.on("request", lambda request: names.append(request.url))
    page.goto(url)
    page.wait_for_selector(ready)
    page.wait_for_load_state("networkidle") if ready.startswith("h1") else page.wait_for_timeout(500)
    scripts = {match[0] for name in names if (match := re.search(r"assets/[^/]+\.js$", name))}
    return len(scripts), sum(len(gzip.compress((STATIC / script).read_bytes(), 9)) for script in scripts)


def open_table(page: Any, url: str) -> str:
    request = page.context.request
    request.post(f"{url}/api/guests", data={"name": "Anna"})
    table = {"game": "six", "seats": 10, "bots": ["greedy"] * 9, "start": True}
    return f"{url}/t/{request.post(f'{url}/api/tables/', data=table).json()['id']}"


def touch(page: Any, target: Any) -> None:
    """As a finger does: a click by Playwright looks for what lies there while the page is answering it."""
    box = target.bounding_box()
    if box:
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(150)  # two touches of a program would be one task, those of a finger are two


def play_turns(page: Any) -> None:
    """Whole turns, shown at normal speed: ten cards revealed, placed one after another, rows taken."""
    card, row = "[data-hand][aria-disabled=false][aria-pressed=false]", page.locator("[data-choose-row]")
    for _ in range(TURNS):
        page.wait_for_selector(card, timeout=60_000)
        touch(page, page.locator(card).last)
        touch(page, page.locator("[data-hand][aria-pressed=true]"))
        page.wait_for_timeout(500)
        while not page.locator(card).count():
            if row.count():
                touch(page, row.first)
            page.wait_for_timeout(100)


def tasks_of(browser: Any, page: Any, table: str, trace: str | None) -> list[float]:
    """Milliseconds that the page of a slow phone would be busy at a stretch, the longest first."""
    page.goto(table)
    page.wait_for_selector("[data-hand]")
    for _ in range(2):  # nobody comes to a table without a touch, and with the first one the browser turns on sound
        page.touchscreen.tap(2, 2)
        page.wait_for_timeout(500)
    browser.start_tracing(page=page, categories=WATCHED + ([PROFILER] if trace else []))
    page.evaluate("performance.mark('turns')")  # beginning to trace takes a while by itself
    play_turns(page)
    written = browser.stop_tracing()
    if trace:
        Path(trace).write_bytes(written)
    events = json.loads(written)["traceEvents"]
    begun, process = next((event["ts"], event["pid"]) for event in events if event["name"] == "turns")
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name" and e["pid"] == process}
    busy = [
        SLOWER * event["tdur"] / 1000
        for event in events
        if event["name"] == "ThreadControllerImpl::RunTask"
        and event["pid"] == process
        and names.get(event["tid"]) == "CrRendererMain"
        and event["ts"] > begun
        and "tdur" in event
    ]
    return sorted((round(ms, 1) for ms in busy), reverse=True)


def report(lobby: tuple[int, int], table: tuple[int, int], tasks: list[float]) -> None:
    most = f"{ALLOWED_FIRST_LOAD // 1000} kB"
    long = [ms for ms in tasks if ms > ALLOWED_TASK]
    print("| what | figure | allowed |")
    print("|---|---:|---:|")
    print(f"| JavaScript of the lobby, gzip ({lobby[0]} files) | {lobby[1] / 1000:.1f} kB | {most} |")
    print(f"| the same for a table of `six` ({table[0]} files) | {table[1] / 1000:.1f} kB | {most} |")
    print(
        f"| longest task in {TURNS} turns of ten players, {SLOWER} × slower | {tasks[0]:.0f} ms | {ALLOWED_TASK} ms |"
    )
    print(f"| tasks that are longer | {len(long)} | 0 |")
    print(f"\nThe longest ones, in ms: {tasks[:8]}")


def main(arguments: list[str]) -> int:
    path = chromium()
    if path is None or not (STATIC / "index.html").is_file():
        print("Needs Chromium (NIMMT_CHROMIUM names one) and the built page (python3 dev.py build).")
        return 0
    from playwright.sync_api import sync_playwright

    with LiveServer(log_level="warning") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        first = browser.new_page()
        lobby = loaded(first, server.url, "h1")
        first.close()
        page = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True).new_page()
        table = open_table(page, server.url)
        whole = loaded(page, table, "[data-hand]")
        tasks = tasks_of(browser, page, table, arguments[0] if arguments else None)
        browser.close()
    report(lobby, whole, tasks)
    return 0 if max(lobby[1], whole[1]) < ALLOWED_FIRST_LOAD and tasks[0] <= ALLOWED_TASK else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

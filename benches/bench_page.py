"""The page: how much is loaded first, and how smoothly a turn of ten players is played out on a slow phone.

Needs Chromium and the built page. A long task is a stretch of more than 50 ms in which the page could not have answered
a touch, on a processor that is four times slower: the processor's time of each task is taken four times. The browser
can slow itself down too, but does so by the clock on the wall, and then counts whatever else this machine is doing.

Where a virtual machine shares its processors with others, even the processor's time of a task is now and then far too
long. So the turns are played several times, the median counts, and after each run another page does one and the same
small thing for as long: what is longer there has nothing to do with our page. A trace can be looked at with the
developer tools of Chromium.

    python benches/bench_page.py --runs 20
    python benches/bench_page.py --runs 1 --trace turns.json

How long a turn takes to watch at normal speed is measured with `--turns`, on one table of four and one of ten for each
run: from the moment in which the cards are turned over until the next card can be played, whatever happens in between.
Turns in which we have to choose a row ourselves do not count: nobody knows how long we think about it.

    python benches/bench_page.py --turns --runs 4
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

from rich.console import Console
from rich.progress import track

from nimmt.server.http import web as page_files
from nimmt.testing.servers import LiveServer
from nimmt.testing.web import find_browser

Sizes: TypeAlias = tuple[int, int]

STATIC = page_files.STATIC
PHONE: Any = {"width": 360, "height": 640}
ALLOWED_FIRST_LOAD = 100_000
ALLOWED_TASK = 50
SLOWER = 4
TURNS = 2
WATCHED = ["toplevel", "devtools.timeline", "blink.user_timing"]
PROFILER = "disabled-by-default-v8.cpu_profiler"
"""Says where the time goes, and costs some itself."""
CONTROL_MS = 20_000
ALLOWED_TURN = {4: 4000, 10: 7000}
"""Milliseconds at normal speed, by the number of players."""
WATCHED_TURNS = 8
# Resolves when the turn is over: with its milliseconds, or with nothing where we are asked for something else.
WATCH = """() => new Promise((done) => {
  const cards = () => [...document.querySelectorAll('[data-hand]')];
  const [held, tapped] = [cards().length, performance.now()];
  let begun = null;
  const look = () => {
    const now = performance.now();
    if (begun === null && document.querySelector('.lineup')) begun = now;
    const ms = now - (begun ?? tapped);
    if (document.querySelector('[data-choose-row], dialog[open]') || ms > 60000) done(null);
    else if (cards().length < held && cards().some((card) => card.ariaDisabled === 'false')) done(ms);
    else requestAnimationFrame(look);
  };
  document.querySelector('[data-hand][aria-pressed=true]').click();
  look();
})"""
SAME_AGAIN = """() => setInterval(() => {
  document.body.textContent = '';
  for (let i = 0; i < 220; i++) document.body.append(Object.assign(document.createElement('p'), { textContent: i }));
  document.body.getBoundingClientRect();
}, 100)"""


def loaded(page: Any, url: str, ready: str) -> Sizes:
    """Scripts that a page needs before something can be done, and their bytes, compressed with gzip."""
    names: list[str] = []
    page.on("request", lambda request: names.append(request.url))
    page.goto(url)
    page.wait_for_selector(ready)
    page.wait_for_load_state("networkidle") if ready.startswith("h1") else page.wait_for_timeout(500)
    scripts = {match[0] for name in names if (match := re.search(r"assets/[^/]+\.js$", name))}
    return len(scripts), sum(len(gzip.compress((STATIC / script).read_bytes(), 9)) for script in scripts)


def open_table(page: Any, url: str, seats: int = 10) -> str:
    request = page.context.request
    request.post(f"{url}/api/guests", data={"name": "Anna"})
    table = {"game": "six", "seats": seats, "bots": ["greedy"] * (seats - 1), "start": True}
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


def tasks_of(browser: Any, page: Any, act: Callable[[], None], trace: str | None = None) -> list[float]:
    """Milliseconds that the page of a slow phone would be busy at a stretch while `act` goes on, the longest first."""
    browser.start_tracing(page=page, categories=WATCHED + ([PROFILER] if trace else []))
    page.evaluate("performance.mark('begun')")  # beginning to trace takes a while by itself
    act()
    written = browser.stop_tracing()
    if trace:
        Path(trace).write_bytes(written)
    events = json.loads(written)["traceEvents"]
    begun, process = next((event["ts"], event["pid"]) for event in events if event["name"] == "begun")
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


def turns(browser: Any, table: str, phone: Any, trace: str | None) -> list[float]:
    phone.goto(table)
    phone.wait_for_selector("[data-hand]")
    for _ in range(2):  # nobody comes to a table without a touch, and with the first one the browser turns on sound
        phone.touchscreen.tap(2, 2)
        phone.wait_for_timeout(500)
    return tasks_of(browser, phone, lambda: play_turns(phone), trace)


def same_again(browser: Any) -> list[float]:
    """A page without anything of ours that does one and the same thing all the time: it can't take longer now and then
    but because of the machine."""
    page = browser.new_page(viewport=PHONE)
    page.evaluate(SAME_AGAIN)
    page.wait_for_timeout(1000)  # until its code is compiled
    tasks = tasks_of(browser, page, lambda: page.wait_for_timeout(CONTROL_MS))
    page.close()
    return tasks


def report(lobby: Sizes, table: Sizes, runs: list[list[float]], controls: list[list[float]]) -> None:
    most, longest = f"{ALLOWED_FIRST_LOAD // 1000} kB", [tasks[0] for tasks in runs]
    told = f"longest task in {TURNS} turns of ten players, {SLOWER} × slower"
    print("| what | figure | allowed |")
    print("|---|---:|---:|")
    print(f"| JavaScript of the lobby, gzip ({lobby[0]} files) | {lobby[1] / 1000:.1f} kB | {most} |")
    print(f"| the same for a table of `six` ({table[0]} files) | {table[1] / 1000:.1f} kB | {most} |")
    print(f"| {told}, median of {len(runs)} runs | {median(longest):.0f} ms | {ALLOWED_TASK} ms |")
    print(f"| runs in which a task was longer | {over(longest)} | |")
    print(f"| the same for a page that always does the same | {over(tasks[0] for tasks in controls)} | |")
    for name, all_tasks in (("turns", runs), ("always the same", controls)):
        print(f"\nThe longest ones of each run, in ms, {name}:")
        for tasks in all_tasks:
            print(f"  {tasks[:6]}")


def over(longest: Iterable[float]) -> int:
    return sum(ms > ALLOWED_TASK for ms in longest)


def watched(page: Any, url: str, seats: int) -> list[float]:
    """Milliseconds that the turns of a round take to watch."""
    page.goto(open_table(page, url, seats))
    found: list[float | None] = []
    for _ in range(WATCHED_TURNS):
        page.wait_for_selector("[data-hand][aria-disabled=false]", timeout=60_000)
        page.locator("[data-hand][aria-disabled=false]").last.click()
        page.wait_for_selector("[data-hand][aria-pressed=true]")
        found.append(page.evaluate(WATCH))
        while page.locator("[data-choose-row]").count():
            touch(page, page.locator("[data-choose-row]").first)
    return [ms for ms in found if ms is not None]


def watch_turns(path: str, runs: int) -> int:
    from playwright.sync_api import sync_playwright

    times: dict[int, list[float]] = {seats: [] for seats in ALLOWED_TURN}
    for _ in track(range(runs), "Watching turns", console=Console(stderr=True), transient=True):
        with LiveServer(log_level="warning") as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            for seats, found in times.items():
                phone = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True).new_page()
                found.extend(watched(phone, server.url, seats))
                phone.close()
            browser.close()
    print("| players | turns | median | longest | allowed |")
    print("|---:|---:|---:|---:|---:|")
    for seats, found in times.items():
        figures = [f"{ms / 1000:.1f} s" for ms in (median(found), max(found), ALLOWED_TURN[seats])]
        print(f"| {seats} | {len(found)} | {' | '.join(figures)} |")
    return 0 if all(max(found) <= ALLOWED_TURN[seats] for seats, found in times.items()) else 1


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="each takes most of a minute")
    parser.add_argument("--trace", help="write what the page did in the last run to this file")
    parser.add_argument("--turns", action="store_true", help="measure how long turns take to watch, nothing else")
    args = parser.parse_args(argv)
    path = find_browser(whole=True)
    if path is None or not (STATIC / "index.html").is_file():
        print("Needs Chromium (NIMMT_CHROMIUM names one) and the built page (python3 dev.py build).")
        return 0
    if args.turns:
        return watch_turns(path, args.runs)
    from playwright.sync_api import sync_playwright

    runs, controls = [], []
    for run in track(range(args.runs), "Playing turns", console=Console(stderr=True), transient=True):
        with LiveServer(log_level="warning") as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            first = browser.new_page()
            lobby = loaded(first, server.url, "h1")
            first.close()
            phone = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True).new_page()
            table = open_table(phone, server.url)
            whole = loaded(phone, table, "[data-hand]")
            runs.append(turns(browser, table, phone, args.trace if run == args.runs - 1 else None))
            phone.close()
            controls.append(same_again(browser))
            browser.close()
    report(lobby, whole, runs, controls)
    small = max(lobby[1], whole[1]) < ALLOWED_FIRST_LOAD
    return 0 if small and median(tasks[0] for tasks in runs) <= ALLOWED_TASK else 1


if __name__ == "__main__":
    sys.exit(main())

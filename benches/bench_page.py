"""The page: how much is loaded first, and how smoothly a turn of ten players is played out on a slow phone.

Needs Chromium and the built page. The turn is watched with the processor slowed down four times; a long task is a
stretch of more than 50 ms in which the page could not have answered a touch.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any

import nimmt.server.web

STATIC = nimmt.server.web.STATIC
ALLOWED_FIRST_LOAD = 100_000
SLOWER = 4
TURNS = 5
WATCH = """
window.longTasks = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) window.longTasks.push(Math.round(entry.duration));
}).observe({ type: 'longtask', buffered: true });
"""


def chromium() -> str | None:
    named = os.environ.get("NIMMT_CHROMIUM")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def start_server(folder: str) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "nimmt", "serve", "--port", "0", "--database", f"{folder}/bench.db"]
    process = subprocess.Popen([*command, "--log-level", "warning"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    url = next(word for word in process.stdout.readline().split() if word.startswith("http"))
    return process, url


def loaded(page: Any, url: str) -> int:
    """Bytes of JavaScript, compressed with gzip, that a page needs before it is at rest."""
    names: list[str] = []
    page.on("request", lambda request: names.append(request.url))
    page.goto(url)
    page.wait_for_timeout(2500)
    scripts = {match[0] for name in names if (match := re.search(r"assets/[^/]+\.js$", name))}
    return sum(len(gzip.compress((STATIC / script).read_bytes(), 9)) for script in scripts)


def open_table(page: Any, url: str) -> str:
    page.goto(url)
    request = page.context.request
    request.post(f"{url}/api/guests", data={"name": "Anna"})
    table = {"game": "six", "seats": 10, "bots": ["greedy"] * 9, "start": True}
    answer = request.post(f"{url}/api/tables/", data=table)
    return f"{url}/t/{answer.json()['id']}"


def play_turns(page: Any) -> None:
    for _ in range(TURNS):
        page.wait_for_selector("[data-hand]:not(.idle)", timeout=60_000)
        page.locator("[data-hand]:not(.idle)").last.dblclick()
        page.wait_for_timeout(300)
        row = page.locator("[data-choose-row]")
        while not page.locator("[data-hand]:not(.idle):not(.chosen)").count():
            if row.count():
                row.first.click()
            page.wait_for_timeout(100)


def main() -> int:
    path = chromium()
    if path is None or not (STATIC / "index.html").is_file():
        print("Needs Chromium (NIMMT_CHROMIUM names one) and the built page (python3 dev.py build).")
        return 0
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        process, url = start_server(folder)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            first = loaded(browser.new_page(), url)
            context = browser.new_context(viewport={"width": 360, "height": 640}, device_scale_factor=2)
            page = context.new_page()
            table = open_table(page, url)
            whole = loaded(page, table)
            print(f"JavaScript, gzip: lobby {first / 1000:.1f} kB, table of six {whole / 1000:.1f} kB")
            page.add_init_script(WATCH)
            page.goto(table)
            page.wait_for_selector("[data-hand]")
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            page.evaluate("window.longTasks.length = 0")
            play_turns(page)
            tasks = page.evaluate("window.longTasks")
            print(f"{TURNS} turns of ten players, {SLOWER} x slower: {len(tasks)} long tasks {sorted(tasks)[-10:]} ms")
        finally:
            browser.close()
            process.terminate()
            process.wait(20)
    return 0 if max(first, whole) < ALLOWED_FIRST_LOAD else 1


if __name__ == "__main__":
    sys.exit(main())

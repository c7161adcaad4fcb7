"""Takes the pictures of the page for the README from the running program: `python3 dev.py generate screenshots`.

A real server, a real browser, a table of 6 nimmt! with three bots: some turns are played, then `table.png` is taken
and the next turn becomes `turn.webp`. The cards are always the same; what a turn shows is what the page plays out.
"""

from __future__ import annotations

import io
import secrets
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PIL import Image

from nimmt.server.tables import commands as table_commands
from nimmt.testing.servers import ThreadServer
from nimmt.testing.web import find_browser

FOLDER = Path(__file__).resolve().parent / "images"
SEED = 23
PLAYED = 5
TABLE = {"width": 1100, "height": 700}
TURN = {"width": 480, "height": 700}
FRAME = 0.09
"""Seconds between two pictures of the turn."""
CARD = "[data-hand][aria-disabled=false][aria-pressed=false]"


def chromium() -> str:
    return find_browser(whole=True) or sys.exit("Needs Chromium; NIMMT_CHROMIUM names one.")


def open_table(browser: Any, server: ThreadServer, viewport: Any, scale: float) -> Any:
    """A page with a table whose cards are always the same, at instant speed so far."""
    fixed = SimpleNamespace(
        token_hex=lambda size: SEED.to_bytes(size, "big").hex(), token_urlsafe=secrets.token_urlsafe
    )
    setattr(table_commands, "secrets", fixed)  # noqa: B010
    context = browser.new_context(
        base_url=server.url, viewport=viewport, device_scale_factor=scale, locale="en-GB", color_scheme="light"
    )
    context.add_init_script("""if (location.host) localStorage['nimmt.settings'] ??= '{"speed":"instant"}'""")
    page = context.new_page()
    assert context.request.post("/api/guests", data={"name": "Anna"}).ok
    table = {"game": "six", "seats": 4, "bots": ["greedy"] * 3, "start": True}
    answer = context.request.post("/api/tables/", data=table)
    page.goto(f"/t/{answer.json()['id']}")
    return page


def play(page: Any) -> None:
    """A turn: the middle card, and the first row if one has to be chosen."""
    page.wait_for_selector(CARD)
    before = page.locator("[data-hand]").count()
    page.locator("[data-hand]").nth(before // 2).dblclick()
    while page.locator("[data-hand]").count() == before or not page.locator(CARD).count():
        if page.locator("[data-choose-row]").count():
            page.locator("[data-choose-row]").first.click()
        page.wait_for_timeout(50)


def picture(page: Any) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def film(page: Any) -> list[tuple[Image.Image, int]]:
    """The next turn, as pictures and the milliseconds that each is shown."""
    speed = "dispatchEvent(new StorageEvent('storage', { key: 'nimmt.settings', newValue: '{\"speed\":\"slow\"}' }))"
    page.evaluate(speed)
    page.mouse.move(5, 5)
    frames = [(picture(page), 900)]
    page.locator("[data-hand]").nth(3).click()
    page.wait_for_timeout(200)
    frames.append((picture(page), 900))
    page.get_by_role("button", name="Play", exact=False).click()
    page.locator(".asked").wait_for(state="detached")
    while not page.locator(".asked").count():
        started = time.monotonic()
        frames.append((picture(page), round(1000 * FRAME)))
        time.sleep(max(0, FRAME - (time.monotonic() - started)))
    return [*frames, (picture(page), 1600)]


def merged(frames: list[tuple[Image.Image, int]]) -> list[tuple[Image.Image, int]]:
    """Without pictures that are the same as the one before."""
    kept = frames[:1]
    for image, shown in frames[1:]:
        if image.tobytes() == kept[-1][0].tobytes():
            kept[-1] = (kept[-1][0], min(kept[-1][1] + shown, 1600))
        else:
            kept.append((image, shown))
    return kept


def main() -> int:
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    with ThreadServer(log_level="warning") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        page = open_table(browser, server, TABLE, 1.5)
        for _ in range(PLAYED):
            play(page)
        page.locator("[data-hand]").nth(2).click()
        page.wait_for_timeout(400)
        picture(page).quantize(256, kmeans=2).save(FOLDER / "table.png", optimize=True)
        page = open_table(browser, server, TURN, 1)
        for _ in range(PLAYED):
            play(page)
        frames = merged(film(page))
        browser.close()
    first, *others = [image for image, _ in frames]
    durations = [shown for _, shown in frames]
    first.save(
        FOLDER / "turn.webp", save_all=True, append_images=others, duration=durations, loop=0, quality=62, method=6
    )
    for file in sorted(FOLDER.glob("*.*")):
        print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

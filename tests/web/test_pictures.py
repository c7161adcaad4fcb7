"""The page looks as it is meant to: screens in a fixed position compared with kept pictures, on phone and desk.

After a change that is meant: `python3 dev.py generate kept`, and look at them.

The kept pictures are small. They are compared in patches, so that another version of Chromium, which draws edges a
little differently, does no harm, but a thing that is missing or elsewhere does. Where the main things lie is compared
to the pixel, or nearly. The page uses the font of the system: the pictures were made with Debian's default, DejaVu
Sans; where letters have another width than there, nothing can be compared.
"""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat
from playwright.sync_api import expect

from nimmt.rules.registry import GAMES
from nimmt.testing.web import two_frames

KEPT = Path(__file__).parent / "kept"
RENEW = bool(os.environ.get("NIMMT_RENEW_PICTURES"))
SIZES = {"phone": (360, 640), "desk": (1280, 800)}
KEPT_WIDTH = {"phone": 360, "desk": 640}
PATCH = 20
"""Pixels of a kept picture that are compared as one."""
MEAN, WORST = 1.5, 14.0
"""Differences out of 255 that are tolerated: on average, and in the worst patch."""
NEAR = 3
"""Pixels by which a thing may lie elsewhere."""
LANDMARKS = (
    "header, h1, main, aside, .hero, form, fieldset, [data-anchor^=seat], [data-anchor^=row], .prompt, [data-hand]"
)
WIDTH_OF_LETTERS = """() => {
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.font = getComputedStyle(document.body).font;
  return canvas.measureText('Don’t take the bulls! 0123456789').width / parseFloat(canvas.font.match(/([0-9.]+)px/)[1]);
}"""
BOXES = """selector => [...document.querySelectorAll(selector)].filter(node => node.checkVisibility()).map(node => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})"""
SCREENS = ("lobby", "new", *GAMES)
OPTIONS = {"six": {"fan": ["even-odd", "mountain", "cow", "twist"]}}
DECISIONS = {"six": 4, "buffalo": 3, "x": 3, "eleven": 2, "baron": 3}


@pytest.mark.parametrize("screen", SCREENS)
def test_the_page_looks_the_same(new_page: Any, open_table: Any, decide: Any, screen: str) -> None:
    page = new_page(reduced_motion="reduce", color_scheme="light")
    show(page, screen, open_table, decide)
    for device, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        if device == "desk" and screen in GAMES:  # what stands beside the table is loaded when there is room for it
            page.get_by_role("region", name="Log").get_by_text("The match begins.").wait_for()
        two_frames(page)  # the cards take their size when the page has been laid out
        compare(page, f"{screen}-{device}", KEPT_WIDTH[device])


def show(page: Any, screen: str, open_table: Any, decide: Any) -> None:
    if screen == "lobby":
        page.route("**/api/tables/", lambda route: route.fulfill(json=[]))
        page.goto("/")
        expect(page.get_by_text("Nobody is looking for players", exact=False)).to_be_visible()
    elif screen == "new":
        page.goto("/new/six")
        page.get_by_text("Change", exact=True).click()
        expect(page.get_by_role("radio", name="Basic game", exact=False).first).to_be_visible()
    else:
        table = open_table(page, screen, seats=4, seed=2, options=OPTIONS.get(screen, {}))
        decide(page, table, DECISIONS[screen])
        page.reload()
        page.locator("[data-hand]").first.wait_for()
    page.evaluate("document.fonts.ready")


def compare(page: Any, name: str, kept_width: int) -> None:
    picture = taken(page, kept_width)
    boxes: list[list[int]] = page.evaluate(BOXES, LANDMARKS)
    letters = round(page.evaluate(WIDTH_OF_LETTERS), 2)
    if RENEW:
        keep(name, picture, {"letters": letters, "boxes": boxes})
        return
    plan = json.loads((KEPT / f"{name}.json").read_text("utf-8"))
    if abs(plan["letters"] / letters - 1) > 0.01:
        pytest.skip("the system's default font is not the one of the kept pictures (Debian's DejaVu Sans)")
    assert moved(plan["boxes"], boxes) == []
    mean, worst, where = difference(Image.open(KEPT / f"{name}.png").convert("RGB"), picture)
    if mean > MEAN or worst > WORST:
        folder = Path(os.environ.get("NIMMT_FAILED_PICTURES", KEPT.parent / "failed"))
        folder.mkdir(exist_ok=True)
        picture.save(folder / f"{name}.png")
        pytest.fail(f"looks different: {mean:.1f} on average, {worst:.1f} around {where}; see {folder.name}/{name}.png")


def taken(page: Any, width: int) -> Image.Image:
    full = Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="hide"))).convert("RGB")
    return full.resize((width, full.height * width // full.width), Image.Resampling.BOX)


def keep(name: str, picture: Image.Image, plan: dict[str, Any]) -> None:
    KEPT.mkdir(exist_ok=True)
    picture.quantize(256, kmeans=3, dither=Image.Dither.NONE).save(KEPT / f"{name}.png", optimize=True)
    (KEPT / f"{name}.json").write_text(json.dumps(plan, separators=(",", ":")) + "\n", "utf-8")


def moved(kept: list[list[int]], now: list[list[int]]) -> list[str]:
    """What lies elsewhere, has another size, or is not there."""
    if len(kept) != len(now):
        return [f"{len(now)} things, not {len(kept)}"]
    pairs = zip(kept, now, strict=True)
    return [f"{one} is {two}" for one, two in pairs if max(abs(a - b) for a, b in zip(one, two, strict=True)) > NEAR]


def difference(one: Image.Image, other: Image.Image) -> tuple[float, float, tuple[int, int]]:
    """On average, and in the patch that differs most, and where that is."""
    assert one.size == other.size
    # What is left of an edge that was drawn differently is little, once it is spread over a patch.
    apart = ImageChops.difference(blurred(one), blurred(other)).convert("L")
    pixels = {(x, y): float(apart.getpixel((x, y))) for x in range(apart.width) for y in range(apart.height)}  # type: ignore[arg-type]
    where = max(pixels, key=pixels.__getitem__)
    return float(ImageStat.Stat(apart).mean[0]), pixels[where], (where[0] * PATCH, where[1] * PATCH)


def test_the_comparison_tells_what_matters() -> None:
    kept = Image.open(KEPT / "six-phone.png").convert("RGB")
    softer = kept.filter(ImageFilter.GaussianBlur(0.8))  # worse than what another version draws
    mean, worst, _ = difference(kept, softer)
    assert mean < MEAN
    assert worst < WORST
    without_a_card, moved_a_little = kept.copy(), ImageChops.offset(kept, 0, 8)
    x, y, width, height = json.loads((KEPT / "six-phone.json").read_text("utf-8"))["boxes"][-1]
    without_a_card.paste((40, 100, 70), (x, y, x + width, y + height))
    for spoiled in (without_a_card, moved_a_little):
        mean, worst, _ = difference(kept, spoiled)
        assert mean > MEAN or worst > WORST
    assert moved([[0, 0, 10, 10]], [[0, 0, 10, 14]])
    assert moved([[0, 0, 10, 10]], [])


def blurred(picture: Image.Image) -> Image.Image:
    return picture.resize((picture.width // PATCH, picture.height // PATCH), Image.Resampling.BOX)

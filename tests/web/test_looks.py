"""What the table is made of, and whether people who see colours otherwise can tell apart what they must."""

from __future__ import annotations

import base64
from collections import defaultdict
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import expect

LOOKS = ["felt", "wood", "night", "linen"]
DEFICIENCIES = ["achromatopsia", "deuteranopia", "protanopia", "tritanopia"]
# The luminance of each pixel in parts of a picture, from 0 to 1, stretched so that the darkest is 0 and the lightest 1;
# and the contrast between those two, as WCAG counts it.
PIXELS = """async ([png, size, scale, clips]) => {
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
  const canvas = new OffscreenCanvas(size, size).getContext('2d', { willReadFrequently: true });
  const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return clips.map((clip) => {
    canvas.drawImage(image, ...clip.map((one) => Math.round(one * scale)), 0, 0, size, size);
    const { data } = canvas.getImageData(0, 0, size, size);
    const all = [];
    for (let i = 0; i < data.length; i += 4)
      all.push(0.2126 * linear(data[i]) + 0.7152 * linear(data[i + 1]) + 0.0722 * linear(data[i + 2]));
    const sorted = all.toSorted((a, b) => a - b);
    const [low, high] = [0.02, 0.98].map((part) => sorted[Math.floor(part * (all.length - 1))]);
    const stretched = all.map((one) => Math.min(1, Math.max(0, (one - low) / (high - low || 1))));
    return { stretched, contrast: (high + 0.05) / (low + 0.05) };
  });
}"""
SIZE, SCALE = 40, 3
WHOLE = (0, 1)


@pytest.fixture
def blank(browser: Any) -> Any:
    """A page without a policy, to look at pictures with."""
    page = browser.new_page()
    yield page
    page.close()


def seen(page: Any, blank: Any, targets: list[Any], *parts: tuple[float, float]) -> list[list[Any]]:
    """Pictures of things, for each of these parts of their height, as the eyes see them that the page pretends to have.

    All come from one picture, as small as can be: to draw as others see takes long.
    """
    boxes = [target.bounding_box() for target in targets]
    left, top = (min(box[side] for box in boxes) for side in "xy")
    right, bottom = (max(box[side] + box[size] for box in boxes) for side, size in (("x", "width"), ("y", "height")))
    png = page.screenshot(clip={"x": left, "y": top, "width": right - left, "height": bottom - top})
    clips = [
        [box["x"] - left + 2, box["y"] - top + begin * box["height"], box["width"] - 4, (end - begin) * box["height"]]
        for begin, end in parts
        for box in boxes
    ]
    found = blank.evaluate(PIXELS, [base64.b64encode(png).decode(), SIZE, SCALE, clips])
    return [found[at : at + len(boxes)] for at in range(0, len(found), len(boxes))]


def difference(one: Any, other: Any) -> float:
    """How much of two pictures differs in shape, from 0 to 1, however light or dark they are."""
    pairs = list(zip(one["stretched"], other["stretched"], strict=True))
    return sum(abs(a - b) for a, b in pairs) / len(pairs)


@pytest.fixture
def each_deficiency(soaking: bool) -> Any:
    """Without any colours and as most see who do not see all of them; where it may take long, as everybody."""

    def make(page: Any) -> Any:
        page.spent = True
        devtools = page.context.new_cdp_session(page)
        for kind in DEFICIENCIES if soaking else DEFICIENCIES[:2]:
            devtools.send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
            yield kind

    return make


def test_bulls_are_told_apart_without_colours(
    new_page: Any, open_table: Any, pretend: Any, blank: Any, each_deficiency: Any
) -> None:
    """How many bulls a card has is printed on it: the numbers, and as many bulls as can be told from another count."""

    def deal(situation: Any) -> None:
        situation["view"]["hand"] = [1, 5, 10, 11, 55]  # 1, 2, 3, 5 and 7 bulls

    page = new_page(viewport={"width": 390, "height": 844}, device_scale_factor=SCALE)
    pretend(page, deal)
    open_table(page, "six", seed=3)
    expect(page.locator("[data-hand]")).to_have_count(5)
    for kind in each_deficiency(page):
        cards = [page.locator(f"[data-hand='{card}']") for card in (1, 5, 10, 11, 55)]
        bands, faces = seen(page, blank, cards, (0.8, 0.97), (0.05, 0.75))
        assert min(band["contrast"] for band in bands) >= 3, f"{kind}: bulls cannot be seen in their band"
        assert min(face["contrast"] for face in faces) >= 4.5, f"{kind}: a number cannot be read"
        apart = [difference(*pair) for pair in combinations(bands, 2)]
        assert min(apart) > 0.12, f"{kind}: two cards have the same bulls, as it seems: {apart}"


def test_colours_of_baron_are_told_apart_without_colours(
    new_page: Any, open_table: Any, pretend: Any, blank: Any, each_deficiency: Any
) -> None:
    """In Baron Oxx colour is the game: each has a shape of its own, on the cards and where bulls are counted."""
    rows = {"blue": 1, "yellow": 36, "green": 20, "red": 4, "black": 39}  # one bull each

    def deal(situation: Any) -> None:
        situation["view"]["table"]["rows"] = [[card] for card in rows.values()]
        situation["view"]["table"]["rows"][0].append(23)

    page = new_page(viewport={"width": 390, "height": 844}, device_scale_factor=SCALE)
    pretend(page, deal)
    open_table(page, "baron", seed=4)
    lying = page.locator("[data-anchor^=row] [data-card]")
    expect(lying).to_have_count(6)
    for kind in each_deficiency(page):
        cards = [page.locator(f"[data-card='{card}'] svg g path").first for card in (*rows.values(), 23)]
        counted = [page.locator(f"[data-count={colour}] svg g path").first for colour in (*rows, "white")]
        for places in (cards, counted):
            (shapes,) = seen(page, blank, places, WHOLE)
            contrasts = [round(shape["contrast"], 1) for shape in shapes]
            assert min(contrasts) >= 3, f"{kind}: a shape cannot be seen on its colour: {contrasts}"
            apart = [round(difference(*pair), 3) for pair in combinations(shapes, 2)]
            assert min(apart) > 0.1, f"{kind}: two colours look the same: {apart}"


def test_markers_are_told_apart_without_colours(
    new_page: Any, open_table: Any, pretend: Any, blank: Any, each_deficiency: Any
) -> None:
    rows = [
        {"even_odd": {"row": 1, "parity": parity}, "mountain": {"row": 2, "arrows": "up"}, "cow": 3}
        for parity in ("even", "odd")
    ]
    pictures: defaultdict[str, list[Any]] = defaultdict(list)
    for markers in rows:
        page = new_page(viewport={"width": 390, "height": 844}, device_scale_factor=SCALE)
        pretend(page, lambda situation, markers=markers: situation["view"]["table"].update(markers=markers))
        open_table(page, "six", seed=3, options={"fan": ["even-odd", "mountain", "cow"]})
        expect(page.locator(".marker")).to_have_count(2)
        for kind in each_deficiency(page):
            pictures[kind] += seen(page, blank, page.locator(".marker").all(), WHOLE)[0]
    for kind, (even, mountain, odd, _) in pictures.items():
        for one, other in combinations((even, odd, mountain), 2):
            assert difference(one, other) > 0.05, kind


def test_every_table_can_be_read(page: Any, open_table: Any, axe_in_turns: Any) -> None:
    """axe measures what is written on the table against it, textures left out; each has card backs of its own."""
    open_table(page, "six", seed=3)
    expect(page.locator("[data-hand]")).to_have_count(10)
    backs = set()
    for look in LOOKS:
        page.get_by_role("button", name="Settings").click()
        page.locator(f"input[name=table][value={look}]").check(force=True)
        page.keyboard.press("Escape")
        expect(page.locator("html")).to_have_attribute("data-table", look)
        assert axe_in_turns(page, "color-contrast") == [], look
        back = page.locator("[data-anchor=seat-1] .back")
        expect(back).to_be_visible()
        backs.add(back.screenshot())
    assert len(backs) == len(LOOKS)
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-table", LOOKS[-1])

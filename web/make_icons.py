"""Draw the PNG icons from public/icon.svg with the browser that the tests use: `python web/make_icons.py`."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from nimmt.testing.web import find_browser

PUBLIC = Path(__file__).parent / "public"
SIZES = {"icon-192.png": (192, 1.0), "icon-512.png": (512, 1.0), "icon-maskable-512.png": (512, 0.8)}
"""A maskable icon keeps its picture inside the middle, whatever shape a system cuts out."""


def main() -> None:
    svg = (PUBLIC / "icon.svg").read_text("utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(whole=True), args=["--no-sandbox"])
        for name, (size, scale) in SIZES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            background = "transparent" if scale == 1 else "#1f4a3a"
            page.set_content(
                f"<style>body{{margin:0;background:{background};display:grid;place-content:center;height:100vh}}"
                f"svg{{width:{size * scale}px;display:block}}</style>{svg}"
            )
            page.screenshot(path=PUBLIC / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()

"""The page's types are those of the server's messages."""

from pathlib import Path

from nimmt.server.http.page_types import typescript

FILE = Path(__file__).resolve().parents[2] / "web" / "src" / "lib" / "types.ts"


def test_the_types_of_the_page_are_current() -> None:
    assert FILE.read_text("utf-8") == typescript(), "run: python3 dev.py types"


def test_a_game_has_its_own_types() -> None:
    text = typescript()
    assert "export interface SixView {" in text
    assert "readonly type: 'PlayCard';" in text
    assert "export type BaronEvent =" in text

"""The page's types are those of the server's messages."""

from nimmt.server.http.page_types import typescript


def test_a_game_has_its_own_types() -> None:
    text = typescript()
    assert "export interface SixView {" in text
    assert "readonly type: 'PlayCard';" in text
    assert "export type BaronEvent =" in text

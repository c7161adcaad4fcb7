"""Matches of every game and variant, played through the page: by mouse, by touch and by keyboard.

One is played to its end on the page in each way; that of 11 nimmt! is in test_eleven_page.py. Of the others the first
decisions are: the rest of the match has nothing that the page has not shown before, and is played without it, up to the
result. With `--soak` all are whole, and every variant and every game in every way are among them.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.match.match import verify
from nimmt.rules.registry import all_games
from nimmt.testing.web import Player, Way

WAYS: tuple[Way, ...] = ("mouse", "touch", "keyboard")
DEVICES: dict[Way, dict[str, Any]] = {
    "mouse": {"viewport": {"width": 1024, "height": 700}, "settings": {"motion": "full"}},
    "touch": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
    "keyboard": {"viewport": {"width": 1024, "height": 700}},
}
SHORT = {"six": {"rounds": 1}, "eleven": {"rounds": 1}, "x": {"rounds": 1}}
"""A match is complete with its first round."""
FIRST = 6
"""So many things are done on the page in a match that is not played to its end there."""
SEATS = {"six": (2, 3, 4), "buffalo": (2, 3, 1), "x": (2, 3, 4), "eleven": (3, 2, 2), "baron": (10, 8)}
"""With many players the cards of Baron Oxx are soon used up."""


WHOLE = {"six", "x", "baron"}
"""Their basic games are played to the end: by mouse, by keyboard and by touch."""
SEEN_ELSEWHERE = {"2007", "draft", "draft-2007", "even-odd", "mountain", "cow", "twist"}
SEEN_ELSEWHERE |= {"colour-counts", "bulls-are-good", "both"}
"""What these show on the page is in the basic game, with all fan cards, or in test_accessibility.py, test_room.py (the
draft) and test_baron_page.py."""


def plan() -> list[Any]:
    """Every variant at least once, every game in every way; the whole matches in all ways too."""
    planned = []
    for number, game in enumerate(all_games()):
        variants, seats = game.variants, SEATS[game.id]
        for index in range(max(len(variants), len(WAYS))):
            variant, way = variants[index % len(variants)], WAYS[(index + number) % len(WAYS)]
            case = (
                game.id,
                variant,
                way,
                seats[(index + index // len(WAYS)) % len(seats)],
                index == 0 and game.id in WHOLE,
            )
            is_seen_elsewhere = variant.id in SEEN_ELSEWHERE or game.id in ("x", "eleven") or index >= len(variants)
            marks = pytest.mark.soak if is_seen_elsewhere else ()
            planned.append(pytest.param(*case, id=f"{game.id}-{variant.id}-{way}", marks=marks))
    return planned


@pytest.mark.parametrize(("game", "variant", "way", "seats", "whole"), plan())
def test_a_match(
    new_page: Any,
    open_table: Any,
    finish: Any,
    game: str,
    variant: Any,
    way: Way,
    seats: int,
    whole: bool,
    soaking: bool,
) -> None:
    page = new_page(**DEVICES[way])
    table = open_table(page, game, seats=seats, seed=seats, options={**variant.options, **SHORT.get(game, {})})
    player = Player(page, way, seed=seats)
    if whole or soaking:
        player.play()
    else:
        begin(player)
        finish(page, table)
        expect(page.locator("dialog[data-kind=results]")).to_be_visible()
    assert player.covered == []
    results = page.get_by_role("dialog")
    if game == "buffalo":
        check_the_buffalo(page, table)
    else:
        expect(results.get_by_role("row")).to_have_count(seats + 1)
        expect(results).to_contain_text("Anna")
    verdict = verify(page.context.request.get(f"/api/tables/{table}/record").body())
    assert verdict.deals_proven or (verdict.deals_proven is None and "draft" in variant.options)
    assert verdict.outcome is not None


def begin(player: Player) -> None:
    """Do the first things that can be done; the match may be over before that."""
    while len(player.done) < FIRST and not player.step():
        pass


def check_the_buffalo(page: Any, table: str) -> None:
    """The team and the buffalo are told apart, and who won by how much: in the result and among the scores."""
    situation = page.context.request.get(f"/api/tables/{table}").json()["situation"]
    counted, seats = situation["view"]["table"], len(situation["chairs"])
    team, buffalo = counted["bulls"] * (2 if seats <= 2 else 1), counted["buffalo_bulls"]
    by = f"by {abs(team - buffalo)} bull"
    verdict = f"You beat the buffalo {by}" if team < buffalo else f"The buffalo wins {by}"
    lines = [re.compile(rf"\bTeam\b.* {team}\b"), re.compile(rf"\bBuffalo\b.* {buffalo}\b")]
    results = page.get_by_role("dialog")
    expect(results.get_by_role("heading")).to_contain_text("A tie" if team == buffalo else verdict)
    expect(results.locator("tbody tr")).to_have_count(2)
    for line in lines:
        expect(results.get_by_role("row", name=line)).to_have_count(1)
    expect(results.get_by_role("columnheader", name="Now")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Scores").or_(page.get_by_role("button", name="Scores")).click()
    for line in lines:
        expect(page.get_by_role("row", name=line)).to_have_count(1)

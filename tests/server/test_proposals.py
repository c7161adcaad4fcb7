"""Bots of Beat the Buffalo take no for an answer: a person who declines is not asked the same again."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from nimmt.testing.servers import Json, Overtaken, Person, asks

pytestmark = pytest.mark.anyio

BOTS = ["newcomer", "casual", "club", "newcomer", "greedy"]


async def decline_everything(person: Person, table: str) -> None:
    """Play any card, take any row, agree to nothing and wish for nothing."""
    while (situation := await person.situation(table))["phase"] == "playing":
        if not asks(situation):
            await asyncio.sleep(0.01)
            continue
        wanted = ("Decline", "Pass")
        legal = situation["legal"]
        action = next((action for action in legal if action["type"] in wanted), legal[0])
        with suppress(Overtaken):
            await person.act(table, action, situation["decision"])


def same(use: Json, declined: list[Json]) -> bool:
    return any(use == other or use["type"] == other["type"] == "Sort" for other in declined)


def check_manners(events: list[Json]) -> int:
    """After a no nobody proposes anything before the next placement, nor the same thing in this turn; how often
    somebody said no."""
    in_turn: list[Json] = []
    proposed, asked_again, times = None, True, 0
    for event in events:
        match event["type"]:
            case "CardsRevealed":
                in_turn, asked_again = [], True
            case "CardPlaced" | "SpecialUsed":
                asked_again = True
            case "SpecialProposed":
                assert asked_again, "somebody has just said no"
                assert not same(event["use"], in_turn), f"{event['use']} was declined in this turn"
                proposed = event["use"]
            case "ProposalDeclined":
                assert proposed is not None
                in_turn.append(proposed)
                asked_again, times = False, times + 1
    return times


@pytest.mark.soak
async def test_bots_do_not_propose_again_what_a_person_declined(come: Any) -> None:
    (anna,) = await come("Anna")
    declined = 0
    for _ in range(3):
        table = await anna.open_table("buffalo", 6, bots=BOTS, start=True)
        await decline_everything(anna, table)
        updates = await anna.updates(table)
        declined += check_manners([event for update in updates for event in update["events"]])
        if declined > 10:
            break
    assert declined > 10


def test_the_test_finds_bad_manners() -> None:
    propose, no = {"type": "SpecialProposed", "use": {"type": "Stop", "row": 2}}, {"type": "ProposalDeclined"}
    placed, other = {"type": "CardPlaced"}, {"type": "SpecialProposed", "use": {"type": "Stop", "row": 3}}
    assert check_manners([propose, no, placed, other, no, {"type": "CardsRevealed"}, propose, no]) == 3
    for impolite in ([propose, no, propose], [propose, no, other], [propose, no, placed, propose]):
        with pytest.raises(AssertionError):
            check_manners(impolite)

"""The game that docs/adding-a-game.md builds is a real one: it obeys all laws and can be played."""

import sys

import pytest

from nimmt.match.match import Match, verify
from nimmt.match.record import SeatInfo, write_record
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import AnyGame
from nimmt.testing.conformance import Case, obey_all_laws
from nimmt.testing.laws import Hooks


@pytest.mark.usefixtures("calf")
@pytest.mark.parametrize("variant", ["basic", "upside-down"])
@pytest.mark.parametrize("seats", [2, 4])
def test_it_obeys_all_laws(variant: str, seats: int) -> None:
    for seed in range(2):
        obey_all_laws(Case(registry.get("calf"), variant, seats), seed, Hooks())


def test_the_lowest_card_takes(calf: AnyGame) -> None:
    code = sys.modules["nimmt.games.calf"]
    table = code.Table(code.Options(), 2, "choose", ((), ()), (0, 0))
    state = code.State(table, ((3, 5, 11, 17, 18), (4, 10, 13, 14, 20)), (None, None), (0, 1))
    for seat, card in ((0, 11), (1, 10)):
        state, events = calf.apply(state, seat, code.PlayCard(card))
    assert state.table.piles == ((), (11, 10))
    assert events[-1].tell(("Anna", "Ben")) == "Revealed: 11 10. Ben takes them (8 bulls)."


def test_a_match_of_it_can_be_recorded_and_verified(calf: AnyGame) -> None:
    game = calf
    match = Match(game, game.options_type(), [SeatInfo("Anna"), SeatInfo("Ben")], Dealer(bytes(32), ["a", "b"]))
    while match.outcome is None:
        seat = game.pending(match.state)[0].seat
        match.act(seat, game.legal(match.state, seat)[0])
    assert verify(write_record(match.record())).deals_proven

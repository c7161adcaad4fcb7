"""What a game foresees is what happens when nothing comes between: bots, hints and previews rely on it."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from nimmt.games.buffalo.types import Pass
from nimmt.games.six.position import table_position
from nimmt.games.six.types import PlayCard
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Event, Foreseen, Seat
from nimmt.rules.kit.options import variant_options

ROW_GAMES = ("six", "x", "baron", "buffalo")
CASES = [(game_id, variant.id) for game_id in ROW_GAMES for variant in registry.get(game_id).variants]


def _found(event: Event) -> Foreseen | None:
    """Where an event laid a card; None if it did not."""
    match type(event).__name__:
        case "CardPlaced":
            return Foreseen(event.row, event.taken, event.bulls, event.rule)  # type: ignore[attr-defined]
        case "CardReturned":
            return Foreseen(None, (), 0, "returned")
    return None


def _moves(game: AnyGame, variant: str) -> Iterator[tuple[Any, Seat, Action, Sequence[Event]]]:
    """Random matches: the state before each action, whose it is, and what came of it."""
    rng = Random(f"{game.id} {variant}")
    for number in range(8):
        seats = [SeatInfo("A"), SeatInfo("B"), SeatInfo("C")]
        match = Match(game, variant_options(game, variant), seats, Dealer(bytes([number]) * 32, [""] * 3))
        while match.outcome is None and len(match.moves) < 150:
            state, seat = match.state, game.pending(match.state)[0].seat
            action = rng.choice(game.legal(state, seat))
            yield state, seat, action, match.act(seat, action)


def _agree(foreseen: Foreseen, found: Foreseen) -> bool:
    """What follows from a placement (a jumping cow) may add to what is taken, never to where the card goes."""
    taken = foreseen.takes[: len(found.takes)]
    return (foreseen.place, taken, foreseen.rule) == (found.place, found.takes, found.rule)


@pytest.mark.parametrize(("game_id", "variant"), CASES)
def test_the_next_card_goes_where_it_was_foreseen(game_id: str, variant: str) -> None:
    """The card that is placed first finds the table as it stood."""
    game, seen = registry.get(game_id), set[str]()
    (play_card,) = (kind for kind in game.action_types if kind.__name__ == "PlayCard")
    for state, seat, action, events in _moves(game, variant):
        placed, found = next(((event, found) for event in events if (found := _found(event))), (None, None))
        if found is None or not isinstance(action, play_card | Pass) or any(play.twisted for play in _revealed(events)):
            continue
        if found.rule == "buffalo-too-low":  # it does not choose
            continue
        foreseen = game.foresee(game.view(state, seat), play_card(placed.card))  # type: ignore[union-attr]
        assert any(_agree(one, found) for one in foreseen), (foreseen, found)
        seen.add(found.rule)
    assert seen


def _revealed(events: Sequence[Event]) -> list[Any]:
    shown = [play for event in events for play in getattr(event, "plays", ())]
    return [play for play in shown if hasattr(play, "twisted")]


@pytest.mark.parametrize(("game_id", "variant"), CASES)
def test_a_row_that_is_chosen_brings_what_was_foreseen(game_id: str, variant: str) -> None:
    game, chosen = registry.get(game_id), 0
    for state, seat, action, events in _moves(game, variant):
        if type(action).__name__ == "ChooseRow":
            (one,) = game.foresee(game.view(state, seat), action)
            assert _agree(one, next(found for event in events if (found := _found(event))))
            chosen += 1
    assert chosen


def test_a_card_that_fits_no_row_may_go_to_any() -> None:
    game = registry.get("six")
    state = table_position([[30, 36], [37], [43, 44], [58, 61]], [[3], [9]])
    foreseen = game.foresee(game.view(state, 0), PlayCard(3))
    found = [(one.place, one.bulls, one.rule) for one in foreseen]
    assert found == [(1, 4, "too-low"), (2, 1, "too-low"), (3, 6, "too-low"), (4, 2, "too-low")]


def test_what_leaves_the_x_row_is_foreseen() -> None:
    game, kept, broken = registry.get("x"), 0, 0
    for state, seat, action, events in _moves(game, "basic"):
        if type(action).__name__ == "KeepCard":
            (one,) = game.foresee(game.view(state, seat), action)
            event: Any = next(event for event in events if type(event).__name__ == "CardKept")
            assert (one.place, one.takes, one.rule) == (None, event.discarded, "x-row")
            kept, broken = kept + 1, broken + bool(one.takes)
    assert 0 < broken < kept

"""A law that cannot fail protects nothing: 6 nimmt! is broken in small ways, and each time the right law says so."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from nimmt.games.six import after as six_fold
from nimmt.games.six import rules as six_module
from nimmt.games.six.rules import Six
from nimmt.games.six.types import CardChosen, ChooseRow, PlayCard
from nimmt.rules.game import IllegalAction, Outcome, Refusal
from nimmt.rules.kit.events import RoundDealt, RoundEnded
from nimmt.rules.kit.options import variant_options
from nimmt.testing import laws
from nimmt.testing.conformance import Case, obey_all_laws
from nimmt.testing.laws import Hooks
from nimmt.testing.random_play import cut_matches, pick_action, play_match

SEATS = 3
Break = Callable[[pytest.MonkeyPatch], None]


def changed(name: str, change: Callable[[Any], Any]) -> Break:
    """A method of the game gives something else than it should."""
    original = getattr(Six, name)

    def broken(self: Six, *arguments: Any) -> Any:
        return change(original(self, *arguments))

    return lambda patch: patch.setattr(Six, name, broken)


def show_the_first_hand(patch: pytest.MonkeyPatch) -> None:
    original = Six.view
    patch.setattr(Six, "view", lambda self, state, seat: replace(original(self, state, seat), hand=state.hands[0]))


def show_the_choice_of_seat_0(patch: pytest.MonkeyPatch) -> None:
    original = Six.view
    patch.setattr(Six, "view", lambda self, state, seat: replace(original(self, state, seat), choice=state.chosen[0]))


def foresee_until_all_but_one_have_chosen(patch: pytest.MonkeyPatch) -> None:
    original = Six.foresee
    patch.setattr(
        Six, "foresee", lambda self, view, action: original(self, view, action) if len(view.waiting) != 1 else ()
    )


def accept_what_is_not_in_hand(patch: pytest.MonkeyPatch) -> None:
    original = Six.apply

    def apply(self: Six, state: Any, seat: int, action: Any) -> Any:
        try:
            return original(self, state, seat, action)
        except IllegalAction as error:
            if error.refusal is Refusal.NOT_IN_HAND:
                return state, ()
            raise

    patch.setattr(Six, "apply", apply)


def crash_on_a_strange_row(patch: pytest.MonkeyPatch) -> None:
    original = Six.apply

    def apply(self: Six, state: Any, seat: int, action: Any) -> Any:
        if isinstance(action, ChooseRow):
            [1, 2, 3, 4][action.row - 1]
        return original(self, state, seat, action)

    patch.setattr(Six, "apply", apply)


BREAKS: dict[str, tuple[Break, str]] = {
    "a row is forgotten": (changed("cards", lambda places: places | {"row 2": ()}), "vanish"),
    "a card is counted twice": (
        changed("cards", lambda places: places | {"more": places.get("row 1", ())}),
        "two places",
    ),
    "foresight depends on who has chosen": (foresee_until_all_but_one_have_chosen, "foreseen otherwise"),
    "a rule that is foreseen has no name": (
        changed("foresee", lambda found: tuple(replace(one, rule="whim") for one in found)),
        "names {'whim'}",
    ),
    "nobody is waited for": (changed("pending", lambda pending: pending[:0]), "waited for"),
    "an action is listed twice": (changed("legal", lambda legal: [*legal, *legal[:1]]), "lists an action twice"),
    "an action is not listed": (
        changed("legal", lambda legal: legal[:-1] if len(legal) > 1 else legal),
        "does not list it",
    ),
    "everybody wins": (
        changed("outcome", lambda outcome: outcome and Outcome(outcome.reason, (0, 1, 2), outcome.points)),
        "must end once",
    ),
    "a reason without a sentence": (
        changed("outcome", lambda outcome: outcome and Outcome("luck", outcome.winners, outcome.points)),
        "is not in ends",
    ),
    "the standing forgets a bull": (
        changed("standing", lambda standing: replace(standing, points=(0, *standing.points[1:]))),
        "the points are",
    ),
    "all see a hand": (show_the_first_hand, "should not have seen"),
    "all see a choice": (show_the_choice_of_seat_0, "apart"),
    "unseen forgets a card": (changed("unseen", lambda cards: cards[1:]), "should not have seen"),
    "unseen is not in order": (changed("unseen", lambda cards: cards[::-1]), "ascending"),
    "an event tells the choice": (lambda patch: patch.setattr(CardChosen, "seen_by", lambda self, _: self), "apart"),
    "an event tells the hands": (lambda patch: patch.setattr(RoundDealt, "seen_by", lambda self, _: self), "swapped"),
    "an event cannot be told": (lambda patch: patch.setattr(RoundEnded, "tell", lambda *_: "Round over"), "sentence"),
    "a fold forgets who has chosen": (
        lambda patch: patch.setattr(six_fold, "chosen", lambda view, *_: view),
        "the view of a spectator has waiting = ",
    ),
    "a fold forgets a pile": (
        lambda patch: patch.setattr(six_fold, "_collected", lambda view, *_: view),
        "has bulls = ",
    ),
    "an event is not seen": (lambda patch: patch.setattr(RoundEnded, "seen_by", lambda *_: None), "has phase = choose"),
    "any card may be played": (accept_what_is_not_in_hand, "does not list it"),
    "a strange row is a crash": (crash_on_a_strange_row, "index"),
    "any deal will do": (lambda patch: patch.setattr(six_module, "check_deal", lambda *_: None), "numbers"),
    "a position is refused": (
        lambda patch: patch.setattr(six_module, "check_state", lambda state: 1 / (state.table.round - 2)),
        "division by zero",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_game_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, said = BREAKS[name]
    broken(monkeypatch)
    case = Case(Six(), "basic", SEATS)
    monkeypatch.setattr("nimmt.rules.registry.get", lambda *_: case.game)
    with pytest.raises((AssertionError, LookupError, ArithmeticError), match=said):
        obey_for_a_while(case)


def obey_for_a_while(case: Case) -> None:
    for seed in range(5):
        obey_all_laws(case, seed, Hooks())


def test_the_game_as_it_is_obeys(monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes the tests above fail is what was broken, nothing else."""
    case = Case(Six(), "basic", SEATS)
    monkeypatch.setattr("nimmt.rules.registry.get", lambda *_: case.game)
    obey_all_laws(case, 0, Hooks())


def test_an_imagined_world_that_cannot_be_played_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything else looks at it."""
    game = Six()
    state = next(step.state for step in play_match(game, variant_options(game, "basic"), SEATS, Random(1)))
    laws.imagined_worlds_can_be_played(game, state, Random(1), 1000)
    changed("imagine", lambda imagined: replace(imagined, waiting=()))(monkeypatch)
    with pytest.raises(AssertionError, match="stuck"):
        laws.imagined_worlds_can_be_played(game, state, Random(1), 1000)


def test_a_game_without_a_fold_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The old view, given back, would be a wrong answer that looks right."""
    monkeypatch.delattr(Six, "after")
    game = Six()
    step = next(play_match(game, variant_options(game, "basic"), SEATS, Random(1)))
    with pytest.raises(NotImplementedError, match="six does not say what an event does to a view"):
        laws.events_lead_to_the_view(game, step)


def test_a_broken_law_shows_the_position() -> None:
    game = Six()
    state = next(cut_matches(game, variant_options(game, "basic"), SEATS, Random(1)))
    error = laws.broken(game, state, "something is wrong.")
    assert str(error).startswith("six: something is wrong.\n\nnimmt position six 1\n")


# -- random play -----------------------------------------------------------------------------------------------------


def test_kinds_of_actions_are_equally_likely() -> None:
    actions = [ChooseRow(1), *(PlayCard(card) for card in range(1, 100))]
    rng = Random(1)
    picked = [type(pick_action(actions, rng)) for _ in range(400)]
    assert 150 < picked.count(ChooseRow) < 250


def test_random_play_depends_on_the_generator_alone() -> None:
    game = Six()
    options = variant_options(game, "all-fans")
    matches = [list(play_match(game, options, SEATS, Random(7), restless=0.2)) for _ in "ab"]
    assert matches[0] == matches[1]


def test_a_match_that_does_not_end_is_noticed() -> None:
    game = Six()
    with pytest.raises(AssertionError, match="has not ended after 10 steps"):
        list(play_match(game, variant_options(game, "basic"), SEATS, Random(1), longest=10))

"""Every game obeys the laws of the conformance kit, and the few that are its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from nimmt.games.baron.deck import shipped_deck
from nimmt.rules.game import AnyGame, Outcome, Seat
from nimmt.rules.kit.cards import bulls
from nimmt.testing.conformance import Case, all_cases, conformance, run_machine
from nimmt.testing.laws import Hooks, broken
from nimmt.testing.laws.play import lies_hidden

# -- what the games add ----------------------------------------------------------------------------------------------


def state_law(sentence: str) -> Callable[[Callable[[Any], bool]], Callable[[AnyGame, Any], None]]:
    """Makes a law of a condition on a state."""

    def make(holds: Callable[[Any], bool]) -> Callable[[AnyGame, Any], None]:
        def law(game: AnyGame, state: Any) -> None:
            if not holds(state):
                raise broken(game, state, sentence)

        return law

    return make


def ascends(cards: Sequence[int]) -> bool:
    return all(left < right for left, right in pairwise(cards))


@state_law("Rows ascend, but where numbers are twisted or a mountain is climbed.")
def six_rows_ascend(state: Any) -> bool:
    disorder = {"mountain", "twist"}.intersection(state.table.options.fan)
    return bool(disorder) or all(map(ascends, state.table.rows))


@state_law("No row is longer than five, the cow included.")
def six_rows_are_short(state: Any) -> bool:
    cow = state.table.markers.cow
    return all(len(cards) + (row == cow) <= 5 for row, cards in enumerate(state.table.rows, 1))


@state_law("Everybody's bulls are those of the own pile.")
def six_bulls_are_in_piles(state: Any) -> bool:
    return tuple(state.table.bulls) == tuple(map(bulls, state.piles))


@state_law("Rows ascend and hold at most five cards, six with Take 7!")
def buffalo_rows_are_in_order(state: Any) -> bool:
    lengths = [6 if {1, 2}.intersection(beside) else 5 for beside in state.table.beside]
    return all(ascends(row) and len(row) <= most for row, most in zip(state.table.rows, lengths, strict=False))


@state_law("Rows and X rows ascend; at rest rows hold at most 2, 3 and 4 cards.")
def x_rows_are_in_order(state: Any) -> bool:
    table = state.table
    in_order = all(map(ascends, (*table.rows, *table.x_rows)))
    return in_order and all(len(row) <= most for row, most in zip(table.rows, (2, 3, 4), strict=False))


@state_law("On each pile every card is 1 to 10 above the one below it.")
def eleven_piles_climb(state: Any) -> bool:
    return all(1 <= (card - below) % 100 <= 10 for pile in state.piles for below, card in pairwise(pile))


@state_law("There are ten bull cards.")
def eleven_bull_cards_stay(state: Any) -> bool:
    return sum(state.table.bull_cards) + state.table.supply == 10


def colours(card: int) -> Sequence[str]:
    return shipped_deck().cards[str(card)]


@state_law("Neighbours in a row share a colour; no row shows six bulls of one; five cards at most, where that counts.")
def baron_rows_are_in_order(state: Any) -> bool:
    table = state.table
    together = [[colour for card in row for colour in colours(card)] for row in table.rows]
    return (
        all(set(colours(left)) & set(colours(right)) for row in table.rows for left, right in pairwise(row))
        and all(shown.count(colour) < 6 for shown in together for colour in shown)
        and (table.options.colour_counts or all(len(row) <= 5 for row in table.rows))
    )


def the_team_wins_or_nobody(state: Any, outcome: Outcome) -> Sequence[Seat]:
    seats = range(state.table.seats)
    team = bulls(state.table.pile) * (2 if len(seats) <= 2 else 1)
    assert outcome.points == (team,) * len(seats)
    return tuple(seats) if team < bulls(state.buffalo_pile) else ()


def baron_winners(state: Any, outcome: Outcome) -> Sequence[Seat]:
    best = max if state.table.options.bulls_are_good else min
    return [seat for seat, points in enumerate(outcome.points) if points == best(outcome.points)]


def buffalo_hides(place: str, viewer: Seat | None) -> bool:
    return place in ("the buffalo's cards", "the special deck") or lies_hidden(place, viewer)


HOOKS = {
    "six": Hooks(laws=(six_rows_ascend, six_rows_are_short, six_bulls_are_in_piles)),
    "buffalo": Hooks(
        winners=the_team_wins_or_nobody,
        laws=(buffalo_rows_are_in_order,),
        open_decisions=frozenset({"special", "answer"}),
        hides=buffalo_hides,
        number=lambda deck, card: card + 1000 if deck == "specials" else card,
    ),
    "x": Hooks(laws=(x_rows_are_in_order,)),
    "eleven": Hooks(laws=(eleven_piles_climb, eleven_bull_cards_stay), longest=20_000),
    "baron": Hooks(winners=baron_winners, laws=(baron_rows_are_in_order,)),
}


# -- the tests -------------------------------------------------------------------------------------------------------


def ids(cases: Iterable[Case]) -> list[Any]:
    """While somebody works on a game three seats will do."""
    return [pytest.param(case, id=case.id, marks=() if case.seats == 3 else pytest.mark.slow) for case in cases]


@pytest.mark.parametrize("case", ids(all_cases()))
def test_every_law_holds(case: Case) -> None:
    conformance(case.game.id, case.variant, case.seats, HOOKS.get(case.game.id))


OLDER = [
    pytest.param(case, version, id=f"{case.id}-v{version}", marks=() if case.seats == 3 else pytest.mark.soak)
    for case in all_cases()
    for version in range(1, case.game.rules_version)
]


@pytest.mark.slow
@pytest.mark.parametrize(("case", "version"), OLDER)
def test_every_law_holds_under_older_rules(case: Case, version: int) -> None:
    conformance(case.game.id, case.variant, case.seats, HOOKS.get(case.game.id), version)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in all_cases() if case.seats == 3], ids=lambda case: case.id)
def test_laws_hold_whatever_anybody_does(case: Case) -> None:
    run_machine(case, HOOKS.get(case.game.id, Hooks()))

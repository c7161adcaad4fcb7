"""All laws at once for one game, variant and number of seats. Failures shrink to a small seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, IllegalAction, Options, Seat, Variant
from nimmt.rules.kit.options import variant_options
from nimmt.testing import laws
from nimmt.testing.corruption import invented
from nimmt.testing.laws import Hooks
from nimmt.testing.random_play import Step, pick, play_match, random_deal, some

# -- cases -------------------------------------------------------------------------------------------------------------
# What is to be tested: every variant of every game, with few, some and many seats.


class Case(NamedTuple):
    game: AnyGame
    variant: str
    seats: int

    @property
    def id(self) -> str:
        return f"{self.game.id}-{self.variant}-{self.seats}"

    def options(self, **changes: Any) -> Options:
        return variant_options(self.game, self.variant, **changes)


def seat_counts(game: AnyGame, variant: Variant) -> list[int]:
    """The fewest, the most, and three: all if there are few."""
    least, most = game.min_seats, variant.max_seats or game.max_seats
    every = range(least, most + 1)
    return list(every) if len(every) <= 4 else [least, 3, most]


def cases_of(game: AnyGame) -> Iterator[Case]:
    for variant in game.variants:
        for seats in seat_counts(game, variant):
            yield Case(game, variant.id, seats)


def all_cases() -> list[Case]:
    """Every case of every registered game."""
    return [case for game in registry.all_games() for case in cases_of(game)]


# -- conformance -------------------------------------------------------------------------------------------------------

POSITIONS = 5
"""In so many positions of each match the slow laws are asked too."""

WRITTEN = 60
"""So many positions of each match are written down and read again; the whole of a short one."""


def conformance(
    game_id: str, variant_id: str, seats: int, hooks: Hooks | None = None, rules_version: int | None = None
) -> None:
    """Whether the game obeys all laws, from one seed for each hundred examples that Hypothesis is set to try."""
    case = Case(registry.get(game_id, rules_version), variant_id, seats)

    @settings(
        max_examples=max(1, settings().max_examples // 100),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(seed=st.integers(0, 2**32 - 1))
    def laws_hold(seed: int) -> None:
        obey_all_laws(case, seed, hooks or Hooks())

    laws_hold()


def obey_all_laws(case: Case, seed: int, hooks: Hooks) -> None:
    """One match of random play under the eyes of every law."""
    rng = Random(f"{case.id} {seed}")
    game, options, seats = case.game, case.options(), case.seats
    before = game.setup(options, seats)
    laws.somebody_can_go_on(game, before)
    steps = list(play_match(game, options, seats, rng, restless=0.1, longest=hooks.longest))
    for step in steps:
        obey_in_every_step(game, step, hooks)
    for step in some(rng, steps, WRITTEN):
        laws.positions_survive(game, step.state)
    laws.points_add_up(game, steps, hooks)
    laws.standings_are_public(game, steps)
    laws.hidden_cards_are_not_shown(game, steps, hooks)
    laws.the_same_play_gives_the_same_match(game, options, seats, steps)
    for step in [steps[0], *some(rng, steps, POSITIONS), steps[-1]]:
        obey_in_some_steps(game, step, rng, hooks)
    laws.imagined_worlds_can_be_played(game, pick(rng, steps).state, rng, hooks.longest)
    laws.records_verify(game, options, seats, rng)
    for _ in range(POSITIONS):
        laws.swapped_cards_are_not_noticed(game, options, seats, rng, hooks)
    for step in steps:  # last: a view that shows too much breaks this law too, but others say better what is wrong
        laws.events_lead_to_the_view(game, step)


def obey_in_every_step(game: AnyGame, step: Step, hooks: Hooks) -> None:
    """The quick laws."""
    laws.cards_are_conserved(game, step)
    laws.somebody_can_go_on(game, step.state)
    laws.everything_is_explained(game, step)
    laws.events_survive_json(game, step)
    laws.events_can_be_told(game, step)
    for law in hooks.laws:
        law(game, step.state)


def obey_in_some_steps(game: AnyGame, step: Step, rng: Random, hooks: Hooks) -> None:
    """The slow laws, for the states before and after a step."""
    laws.states_are_values(game, step)
    laws.the_table_says_what_is_foreseen(game, step)
    for state in (step.before, step.state):
        laws.views_survive_json(game, state)
        laws.views_show_only_what_is_seen(game, state, rng)
        laws.events_tell_no_more_than_views(game, state, rng)
        laws.secret_choices_stay_secret(game, state, rng, hooks)
        laws.every_legal_action_applies(game, state, rng)
        laws.other_actions_are_refused(game, state, rng, strangers(game))
        laws.unknown_seats_are_refused(game, state)
        laws.deals_are_checked(game, state, rng)


def strangers(game: AnyGame) -> Sequence[type[Action]]:
    """The actions of all other games."""
    return [action for other in registry.all_games() if other.id != game.id for action in other.action_types]


# -- a state machine ---------------------------------------------------------------------------------------------------

SEEDS = st.integers(0, 2**16)


class MatchMachine(RuleBasedStateMachine):
    """Deals, decisions, second thoughts and nonsense; `case` and `hooks` are set by a subclass."""

    case: Case
    hooks: Hooks

    def __init__(self) -> None:
        super().__init__()
        self.game = self.case.game
        self.state: Any = self.game.setup(self.case.options(), self.case.seats)

    def due(self) -> bool:
        return self.game.deal_request(self.state) is not None

    def waiting(self) -> bool:
        return bool(self.game.pending(self.state))

    @precondition(due)
    @rule(seed=SEEDS)
    def deal(self, seed: int) -> None:
        request = self.game.deal_request(self.state)
        assert request is not None
        deal, before = random_deal(request, Random(seed)), self.state
        self.state, events = self.game.deal(before, deal)
        self.watch(Step(before, None, deal, events, self.state))

    @precondition(waiting)
    @rule(data=st.data())
    def decide(self, data: st.DataObject) -> None:
        self.act(data, [decision.seat for decision in self.game.pending(self.state)])

    @precondition(waiting)
    @rule(data=st.data())
    def think_again(self, data: st.DataObject) -> None:
        self.act(data, [seat for seat in range(self.case.seats) if self.game.legal(self.state, seat)])

    @rule(data=st.data(), seed=SEEDS)
    def try_nonsense(self, data: st.DataObject, seed: int) -> None:
        seat = data.draw(st.integers(-1, self.case.seats), label="seat")
        action = data.draw(st.sampled_from(list(invented(self.game.action_types, Random(seed)))), label="action")
        exists = 0 <= seat < self.case.seats
        if exists and action in self.game.legal(self.state, seat):
            return
        try:
            self.game.apply(self.state, seat, action)
        except IllegalAction:
            return
        raise laws.broken(self.game, self.state, f"{action} by seat {seat} is accepted.")

    @invariant()
    def somebody_can_go_on(self) -> None:
        laws.somebody_can_go_on(self.game, self.state)

    @invariant()
    def nothing_leaks(self) -> None:
        rng = Random(0)
        laws.views_show_only_what_is_seen(self.game, self.state, rng)
        laws.secret_choices_stay_secret(self.game, self.state, rng, self.hooks)

    def act(self, data: st.DataObject, seats: list[Seat]) -> None:
        seat = data.draw(st.sampled_from(seats), label="seat")
        legal = list(self.game.legal(self.state, seat))
        kind = data.draw(st.sampled_from(list(dict.fromkeys(map(type, legal)))), label="kind")
        action: Action = data.draw(st.sampled_from([one for one in legal if type(one) is kind]), label="action")
        before = self.state
        self.state, events = self.game.apply(before, seat, action)
        self.watch(Step(before, seat, action, events, self.state))

    def watch(self, step: Step) -> None:
        laws.cards_are_conserved(self.game, step)
        laws.everything_is_explained(self.game, step)
        laws.events_survive_json(self.game, step)
        laws.events_lead_to_the_view(self.game, step)
        laws.positions_survive(self.game, step.state)
        for law in self.hooks.laws:
            law(self.game, step.state)


def run_machine(case: Case, hooks: Hooks, steps: int = 40) -> None:
    machine = type("Machine", (MatchMachine,), {"case": case, "hooks": hooks})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=max(1, settings().max_examples // 20),
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )

"""A match as a Hypothesis state machine: anybody does anything in any order, and a failure shrinks to few actions."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from nimmt.rules.game import Action, IllegalAction, Seat
from nimmt.testing import laws
from nimmt.testing.conformance import Case
from nimmt.testing.laws import Hooks
from nimmt.testing.playing import Step, random_deal
from nimmt.testing.spoiling import invented

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

"""How the team decides about special cards: somebody proposes and all others agree, or anyone acts alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from nimmt.rules.game import Action, Decision, Event, IllegalAction, Refusal, Seat
from nimmt.rules.games.buffalo.actions import Agree, AnyUse, Decline, Pass, Propose, Use, Withdraw
from nimmt.rules.games.buffalo.events import (
    ProposalAgreed,
    ProposalDeclined,
    ProposalWithdrawn,
    SeatPassed,
    SpecialProposed,
)
from nimmt.rules.games.buffalo.state import Proposal, State, Table, Window
from nimmt.rules.games.buffalo.turns import Step, after_window, go_on, new_window
from nimmt.rules.games.buffalo.using import anything_possible, carry_out, piece_for, possible_uses, refusal
from nimmt.rules.kit.seats import at

_ANSWERS: Final = (Agree(), Decline())
_WITHDRAW: Final = (Withdraw(),)
_PASS: Final = Pass()


def pending(window: Window) -> tuple[Decision, ...]:
    """With an open proposal all others must answer; without one, everybody who has not passed."""
    seats = range(len(window.passed))
    if window.proposal is not None:
        return tuple(Decision(seat, "answer") for seat in seats if _must_answer(window.proposal, seat))
    return tuple(Decision(seat, "special") for seat in seats if not window.passed[seat])


def legal(table: Table, window: Window, seat: Seat) -> Sequence[Action]:
    if window.proposal is not None:
        if seat == window.proposal.seat:
            return _WITHDRAW
        return _ANSWERS if _must_answer(window.proposal, seat) else ()
    if window.passed[seat]:
        return ()
    if table.options.decide == "anyone":
        return [*map(Use, possible_uses(table)), _PASS]
    if window.proposals[seat] >= table.options.proposals:
        return (_PASS,)
    return [*map(Propose, possible_uses(table)), _PASS]


def decide(state: State, window: Window, seat: Seat, action: Action) -> Step | None:
    """What the action leads to; None if no rule has a use for it now."""
    if _has_spoken(window, seat):
        return None
    if isinstance(action, Pass):
        return _pass(state, window, seat) if window.proposal is None else None
    if state.table.options.decide == "anyone":
        return _use_alone(state, seat, action.use) if isinstance(action, Use) else None
    if isinstance(action, Propose):
        return _propose(state, window, seat, action.use)
    if isinstance(action, Agree | Decline | Withdraw):
        return _answer(state, window, seat, action)
    return None


def _has_spoken(window: Window, seat: Seat) -> bool:
    """A seat that has agreed to the open proposal, or passed while there is none, waits for the others."""
    return window.passed[seat] if window.proposal is None else seat in window.proposal.agreed


def _must_answer(proposal: Proposal, seat: Seat) -> bool:
    return seat != proposal.seat and seat not in proposal.agreed


def _with_window(state: State, window: Window) -> State:
    return replace(state, table=replace(state.table, window=window))


def _pass(state: State, window: Window, seat: Seat) -> Step:
    passed = at(window.passed, seat, True)
    events: list[Event] = [SeatPassed(seat)]
    if all(passed):
        return after_window(state, events), tuple(events)
    return _with_window(state, replace(window, passed=passed)), tuple(events)


def _propose(state: State, window: Window, seat: Seat, use: AnyUse) -> Step:
    if window.proposal is not None:
        raise IllegalAction(Refusal.ALREADY_PROPOSED, seat, "There is a proposal already: it must be settled first.")
    _check_use(state.table, seat, use)
    made = window.proposals[seat]
    if made >= state.table.options.proposals:
        sentence = "You have made all your proposals, until a special card is used or a card is placed."
        raise IllegalAction(Refusal.TOO_MANY_PROPOSALS, seat, sentence)
    window = replace(window, proposals=at(window.proposals, seat, made + 1), proposal=Proposal(seat, use, ()))
    return _with_window(state, window), (SpecialProposed(seat, use),)


def _answer(state: State, window: Window, seat: Seat, action: Agree | Decline | Withdraw) -> Step | None:
    proposal = window.proposal
    if proposal is None:
        raise IllegalAction(Refusal.NOTHING_PROPOSED, seat, "There is no open proposal.")
    if isinstance(action, Withdraw):
        if seat != proposal.seat:
            return None
        return _with_window(state, replace(window, proposal=None)), (ProposalWithdrawn(seat),)
    if seat == proposal.seat:
        return None
    if isinstance(action, Decline):
        table = replace(state.table, declined=(*state.table.declined, proposal.use))
        return _with_window(replace(state, table=table), replace(window, proposal=None)), (ProposalDeclined(seat),)
    return _agree(state, window, proposal, seat)


def _agree(state: State, window: Window, proposal: Proposal, seat: Seat) -> Step:
    agreed = (*proposal.agreed, seat)
    events: list[Event] = [ProposalAgreed(seat)]
    if len(agreed) < state.table.seats - 1:
        proposal = replace(proposal, agreed=agreed)
        return _with_window(state, replace(window, proposal=proposal)), tuple(events)
    return _use(state, proposal.seat, proposal.use, events)


def _use_alone(state: State, seat: Seat, use: AnyUse) -> Step:
    _check_use(state.table, seat, use)
    return _use(state, seat, use, [])


def _check_use(table: Table, seat: Seat, use: AnyUse) -> None:
    refused = refusal(table, use)
    if refused is not None:
        raise IllegalAction(refused[0], seat, refused[1])


def _use(state: State, seat: Seat, use: AnyUse, events: list[Event]) -> Step:
    """A special card is really used: everybody may think again, as long as there is something to think about."""
    state = carry_out(state, seat, use, events)
    if piece_for(use).places:
        state = go_on(state, events)
    elif state.table.window is not None:
        window = replace(new_window(state.table.seats), stopped=state.table.window.stopped)
        state = _with_window(state, window)
        if not anything_possible(state.table):
            state = after_window(state, events)
    return state, tuple(events)

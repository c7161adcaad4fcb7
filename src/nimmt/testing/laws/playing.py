"""Laws of play: cards stay, points add up, somebody can always go on, matches end."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from nimmt.rules.game import Action, AnyGame, Deal, DealRequest, InvalidDeal, Options
from nimmt.rules.kit.events import MatchEnded, RoundEnded
from nimmt.testing.laws.basics import Hooks, broken, encoded, located
from nimmt.testing.playing import Step, random_deal, some


def cards_are_conserved(game: AnyGame, step: Step) -> None:
    """Protects the deck: between two deals no card appears or vanishes, and none is ever in two places."""
    lying = _all_cards(game, step.state)
    if len(set(lying)) != len(lying):
        twice = sorted({card for card in lying if lying.count(card) > 1})
        raise broken(game, step.state, f"cards lie in two places: {twice}.")
    if not isinstance(step.cause, Deal):
        gone, new = set(_all_cards(game, step.before)) - set(lying), set(lying) - set(_all_cards(game, step.before))
        if gone or new:
            raise broken(game, step.state, f"{step.cause} makes {sorted(gone)} vanish and {sorted(new)} appear.")


def _all_cards(game: AnyGame, state: Any) -> list[int]:
    return [card for cards in game.cards(state).values() for card in cards]


def somebody_can_go_on(game: AnyGame, state: Any) -> None:
    """Protects every match from getting stuck: until the end either a deal is due or somebody is waited for; who is
    waited for can act; nobody can act while a deal is due or after the end; legal actions are listed once each."""
    over, due = game.outcome(state) is not None, game.deal_request(state) is not None
    pending = game.pending(state)
    if over + due + bool(pending) != 1:
        raise broken(game, state, f"over: {over}, a deal is due: {due}, waited for: {pending}.")
    waited_for = [decision.seat for decision in pending]
    if waited_for != sorted(set(waited_for)) or not set(waited_for) <= set(range(state.table.seats)):
        raise broken(game, state, f"pending must name seats once each and in order, not {waited_for}.")
    for seat in range(state.table.seats):
        legal = game.legal(state, seat)
        if len(set(legal)) != len(legal):
            raise broken(game, state, f"legal({seat}) lists an action twice.")
        if seat in waited_for and not legal:
            raise broken(game, state, f"seat {seat} is waited for and can do nothing.")
        if legal and (over or due):
            raise broken(game, state, f"seat {seat} can act while nobody should: {legal[0]}.")


def every_legal_action_applies(game: AnyGame, state: Any, rng: Random, most: int = 30) -> None:
    """Protects from a `legal` that promises too much: each action is accepted and leads to a sound state."""
    for seat in range(state.table.seats):
        for action in some(rng, game.legal(state, seat), most):
            with located(game, state):
                after, events = game.apply(state, seat, action)
                game.check(after)
            if not events:
                raise broken(game, state, f"{action} by seat {seat} happens without an event.")


def deals_are_checked(game: AnyGame, state: Any, rng: Random) -> None:
    """Protects from marked cards: a deal is accepted only when it is due and has exactly the cards asked for."""
    request = game.deal_request(state)
    if request is None:
        _refuses(game, state, Deal({}))
        _refuses(game, state, Deal({"numbers": tuple(range(1, 105))}))
        return
    for deal in spoilt_deals(request, rng):
        _refuses(game, state, deal)


def spoilt_deals(request: DealRequest, rng: Random) -> list[Deal]:
    """Deals that look nearly right."""
    good = random_deal(request, rng).decks
    spoilt = [Deal({}), Deal(good | {"more": (1,)})]
    for deck, cards in good.items():
        spoilt += [Deal({name: order for name, order in good.items() if name != deck})]
        spoilt += [Deal(good | {deck: order}) for order in ((), (*cards, 1), (*cards, 0), (10**9, -1, 2**63))]
        if cards:
            lacking, doubled = cards[:-1], (*cards[:-1], cards[0] if len(cards) > 1 else 0)
            spoilt += [Deal(good | {deck: order}) for order in (lacking, doubled, (*cards[:-1], -cards[-1]))]
    return spoilt


def _refuses(game: AnyGame, state: Any, deal: Deal) -> None:
    before = encoded(state)
    try:
        game.deal(state, deal)
    except InvalidDeal as error:
        if not str(error) or encoded(state) != before:
            raise broken(game, state, "a refused deal needs a sentence and changes nothing.") from error
        return
    raise broken(game, state, f"this deal should be refused: {deal}.")


def everything_is_explained(game: AnyGame, step: Step) -> None:
    """Protects the explanations: whatever name turns up in play, the game has a type or a sentence for it."""
    for event in step.events:
        if type(event) not in game.event_types:
            raise broken(game, step.state, f"{type(event).__name__} is not among the event_types.")
        if (rule := getattr(event, "rule", None)) is not None and rule not in game.rules:
            raise broken(game, step.state, f"{event} names a rule that is not in rules.")
    if isinstance(step.cause, Action) and type(step.cause) not in game.action_types:
        raise broken(game, step.state, f"{type(step.cause).__name__} is not among the action_types.")
    for decision in game.pending(step.state):
        if decision.kind not in game.decisions:
            raise broken(game, step.state, f"the decision {decision.kind!r} is not in decisions.")
    outcome = game.outcome(step.state)
    if outcome is not None and outcome.reason not in game.ends:
        raise broken(game, step.state, f"the reason {outcome.reason!r} is not in ends.")


def points_add_up(game: AnyGame, steps: Sequence[Step], hooks: Hooks) -> None:
    """Protects the scores: totals are the sums of the rounds, the outcome has the totals and the right winners."""
    last, happened = steps[-1].state, [event for step in steps for event in step.events]
    sums: tuple[int, ...] = ()
    for number, ended in enumerate((event for event in happened if isinstance(event, RoundEnded)), 1):
        sums = tuple(map(sum, zip(sums or (0,) * len(ended.points), ended.points, strict=True)))
        if ended.round != number or ended.totals != sums:
            raise broken(game, last, f"{ended} should be round {number} with the totals {sums}.")
    outcome = game.outcome(last)
    if outcome is None:
        raise broken(game, last, "the match is not over.")
    if [event for event in happened if isinstance(event, MatchEnded)] != [MatchEnded(outcome)]:
        raise broken(game, last, f"the match must end once, with {outcome}.")
    if sums and outcome.points != sums:
        raise broken(game, last, f"the points in all are {sums}, not {outcome.points}.")
    if tuple(outcome.winners) != tuple(hooks.winners(last, outcome)):
        raise broken(game, last, f"the winners should be {hooks.winners(last, outcome)}: {outcome}.")


def the_same_play_gives_the_same_match(game: AnyGame, options: Options, seats: int, steps: Sequence[Step]) -> None:
    """Protects records: the same deals and actions lead to the same states and events again."""
    state = game.setup(options, seats)
    for step in steps:
        if isinstance(step.cause, Deal):
            state, events = game.deal(state, step.cause)
        else:
            state, events = game.apply(state, step.seat or 0, step.cause)
        if state != step.state or events != step.events:
            raise broken(game, step.state, f"{step.cause} had another effect the second time.")

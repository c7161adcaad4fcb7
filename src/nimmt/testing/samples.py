"""Samples of what programs that play get to see and send, from random play: a view for every kind of decision, an
action and an event of every kind that comes up."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from nimmt.rules.game import Action, AnyGame
from nimmt.rules.kit.options import variant_options
from nimmt.testing.random_play import Step, play_match

MATCHES = 4
"""So many short matches of each variant are looked through."""
SEATS = 3


def samples(game: AnyGame) -> dict[str, dict[str, Any]]:
    """By what they are, then by name, as JSON would have them. Events are as their seat, or seat 0, sees them."""
    views: dict[str, Any] = {}
    actions: dict[str, Any] = {}
    events: dict[str, Any] = {}
    for step in _steps(game):
        for decision in game.pending(step.before):
            views.setdefault(decision.kind, game.view(step.before, decision.seat))
        if isinstance(step.cause, Action):
            actions.setdefault(_name(step.cause), step.cause)
        for event in step.events:
            events.setdefault(type(event).__name__, event.seen_by(0 if step.seat is None else step.seat))
    views["spectator"] = game.view(step.state, None)
    found = {"views": views, "actions": actions, "events": events}
    return {name: msgspec.to_builtins(dict(sorted(part.items())), str_keys=True) for name, part in found.items()}


def _name(action: Action) -> str:
    """`Propose.Push` for a proposal to push."""
    return ".".join(kind.__name__ for kind in action.family())


def _steps(game: AnyGame) -> Iterator[Step]:
    for variant in game.variants:
        for number in range(MATCHES):
            rng = Random(f"{game.id} {variant.id} {number}")
            changes = {game.length_option: 1} if game.length_option else {}
            yield from play_match(game, variant_options(game, variant.id, **changes), SEATS, rng, restless=0.1)

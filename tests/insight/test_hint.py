"""A hint knows what its seat knows, says what a review would say, and says it in every language."""

from __future__ import annotations

from random import Random

import pytest

import nimmt
from nimmt.insight.advice import Hint
from nimmt.insight.figures import LANGUAGES
from nimmt.insight.hint import hint_for
from nimmt.insight.review import review
from nimmt.match.match import replay
from nimmt.match.record import Record
from nimmt.rules import registry

WORLDS = 20
MATCHES = {
    "six": {"bots": ["greedy", "random", "casual"], "rounds": 2},
    "six-draft": {"bots": ["greedy", "random"], "variant": "draft", "rounds": 1},
    "x": {"bots": ["greedy", "random"]},
    "eleven": {"bots": ["greedy", "casual"]},
    "baron": {"bots": ["greedy", "random"]},
    "buffalo": {"bots": ["greedy", "casual"]},
}


def played(name: str) -> Record:
    settings: dict[str, object] = {**MATCHES[name]}
    return nimmt.Match(name.partition("-")[0], seed=5, **settings).play().record  # type: ignore[arg-type]


@pytest.mark.parametrize("name", MATCHES)
def test_hidden_cards_change_nothing(name: str) -> None:
    """Whatever the others hold, the same words, to the byte; and all that is said holds together."""
    record, rng, tried = played(name), Random(1), 0
    game = registry.get(record.game)
    for step in replay(record):
        for decision in game.pending(step.state):
            if game.outcome(step.state) is not None or rng.random() > 0.1:
                continue
            view = game.view(step.state, decision.seat)
            hidden = game.unseen(view)
            other = game.view(game.imagine(view, rng.sample(hidden, len(hidden))), decision.seat)
            said = hint_for(game, view, worlds=WORLDS)
            assert said == hint_for(game, other, worlds=WORLDS)
            _holds_together(said, len(game.legal(step.state, decision.seat)))
            tried += 1
    assert tried


def _holds_together(said: Hint, legal: int) -> None:
    assert 1 <= len(said.actions) <= legal
    assert [one.best for one in said.actions].count(True) == 1
    assert (said.best.cost, said.best.close) == (0, False)
    assert all(one.cost >= 0 and 0 <= one.risk <= 1 and one.reason for one in said.actions)


def test_a_hint_says_what_the_review_will_say() -> None:
    record = played("six")
    game, decided = registry.get("six"), iter(review(record, seats=[1], worlds=WORLDS).decisions)
    state, compared = game.setup(game.options_type(), 3), 0
    for step in replay(record):
        view = None if step.seat != 1 else game.view(state, 1)
        state = step.state
        if view is None or len(game.legal_for(view)) < 2:
            continue
        said, judged = hint_for(game, view, worlds=WORLDS), next(decided)
        (own,) = (one for one in said.actions if one.action == judged.action)
        assert (said.best.action, own.cost, own.cost_error) == (judged.best, judged.cost, judged.error)
        assert [one.win for one in said.actions] == pytest.approx([tried.win for tried in judged.values], abs=2e-6)
        compared += 1
    assert compared


def test_reasons_come_in_every_language() -> None:
    game = registry.get("six")
    state = next(step.state for step in replay(played("six")) if game.pending(step.state))
    view = game.view(state, 0)
    told = {language: hint_for(game, view, worlds=WORLDS, language=language) for language in LANGUAGES}
    for number in range(len(told["en"].actions)):
        assert len({said.actions[number].reason for said in told.values()}) == len(LANGUAGES)


def test_who_has_nothing_to_decide_gets_no_hint() -> None:
    game = registry.get("six")
    over = list(replay(played("six")))[-1].state
    with pytest.raises(ValueError, match="nothing to decide"):
        hint_for(game, game.view(over, 0))

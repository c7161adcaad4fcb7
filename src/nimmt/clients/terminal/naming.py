"""What actions are called where reviews, hints and puzzles speak of them: games have words for more than a card or a
row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from nimmt.clients.terminal.face import Face, face_of
from nimmt.clients.terminal.words import language, page_text
from nimmt.insight.advice import Advice, Hint
from nimmt.insight.figures import JudgedDecision, Prospect, Reason
from nimmt.match.record import decode_action
from nimmt.rules.game import Action, AnyGame


class Naming:
    """At a table with these names, in the language that is spoken."""

    def __init__(self, face: Face[Any]) -> None:
        self._face = face

    @classmethod
    def at(cls, game: AnyGame, names: Sequence[str]) -> Naming:
        return cls(face_of(game, names))

    def of(self, action: Action, facts: Prospect) -> str:
        """In a list."""
        return self._face.called(action) or facts.named(language())

    def facts(self, action: Action, facts: Prospect) -> Prospect:
        """For sentences, in which names of several words stand in quotation marks."""
        name = self._face.called(action)
        if name is None:
            return facts
        return replace(facts, what=page_text("trying:quoted", name=name) or f"“{name}”")

    def special(self, kind: str) -> str:
        return self._face.special(kind)

    def reason(self, done: Action, done_facts: Prospect, best: Action, best_facts: Prospect) -> str:
        return Reason(self.facts(done, done_facts), self.facts(best, best_facts)).told(language())

    def decision(self, one: JudgedDecision) -> str:
        """Why it was a mistake, or none."""
        return self.reason(one.action, one.facts.done, one.best, one.facts.best)

    def hint(self, said: Hint) -> Hint:
        """The same, with its reasons told anew."""
        actions = tuple(self._advice(one) for one in said.actions)
        return replace(said, actions=actions).told(language())

    def _advice(self, one: Advice) -> Advice:
        return replace(one, facts=self.facts(one.action, one.facts))


def decoded(game: AnyGame, said: Hint) -> Hint:
    """A hint that came from a server, with its actions as the game has them."""

    def of(one: Advice) -> Advice:
        return replace(one, action=decode_action(game, msgspec.json.encode(one.action)))

    return replace(said, actions=tuple(map(of, said.actions)))

"""What a coach says before a decision, as typed values and sentences: light enough for whoever only shows it."""

from __future__ import annotations

from typing import Any

import msgspec

from nimmt.insight.figures import TEXTS as FACTS
from nimmt.insight.figures import Prospect, Reason
from nimmt.rules.game import Action, Seat

SURE = 2.0
"""Standard errors by which an action must cost more than the best to be called worse."""


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """What the worlds say about one action."""

    action: Any
    points: float
    """Points from here to the end of the round, on average; of a team less those of its rival."""
    error: float
    """Its standard error."""
    cost: float
    """Points that the best action saves, or brings, in comparison."""
    cost_error: float
    """Its standard error: all actions meet the same worlds."""
    risk: float
    """The chance that it takes cards by the end of the turn, from 0 to 1."""
    win: float
    """The chance to win the match."""
    best: bool
    close: bool
    """Whether the worlds cannot tell it from the best."""
    facts: Prospect
    reason: str = ""
    """The facts as sentences, in the reader's language."""


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """What a coach says to a seat that has to decide: it knows no more than that seat."""

    game: str
    seat: Seat
    evaluator: str
    worlds: int
    exact: bool
    """Whether the points were not estimated: the ending was solved."""
    high_wins: bool
    """Whether points are good."""
    actions: tuple[Advice, ...]
    """In the order in which they were offered; of very many only the cheapest at once."""

    @property
    def best(self) -> Advice:
        return next(advice for advice in self.actions if advice.best)

    def told(self, language: str) -> Hint:
        """The same with its reasons in this language."""
        best = self.best.facts
        told = [msgspec.structs.replace(one, reason=_reason(one, best, language)) for one in self.actions]
        return msgspec.structs.replace(self, actions=tuple(told))


def _reason(advice: Advice, best: Prospect, language: str) -> str:
    if not advice.best:
        return Reason(advice.facts, best).told(language)
    texts = TEXTS[language]
    rest = texts["rest"].format(what=advice.facts.named(language), rest=f"{advice.facts.rest:.1f}")
    return f"{advice.facts.told(language)} {rest}"


TEXTS: dict[str, dict[str, str]] = {
    "en": {"rest": "From here to the end of the round {what} brings {rest} points on average: nothing is better."},
    "de": {"rest": "Von hier bis zum Ende der Runde bringt {what} im Schnitt {rest} Punkte: Nichts ist besser."},
    "pl": {"rest": "Odtąd do końca rundy {what} daje średnio {rest} pkt: nie ma nic lepszego."},
    "ru": {"rest": "С этого момента до конца раунда {what} даёт в среднем {rest} очк.: лучшего нет."},
}
assert TEXTS.keys() == FACTS.keys()


def name_of(action: Action) -> str:
    """A card is its number, a row is a row; anything else says itself."""
    fields: dict[str, Any] = msgspec.structs.asdict(action)
    if set(fields) <= {"card", "twisted"} and "card" in fields:
        return f"{fields['card']}{'↻' if fields.get('twisted') else ''}"
    if set(fields) in ({"row"}, {"pile"}):
        place = next(iter(fields))
        return f"{place} {fields[place]}"
    if set(fields) == {"card", "pile"}:
        return f"{fields['card']} → pile {fields['pile']}"
    return action.label()

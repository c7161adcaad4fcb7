"""Why an action is better than another: facts counted in the imagined worlds, and sentences that say them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from nimmt.bots.judge import Floats, Trial
from nimmt.rules.game import Action


class Prospect(msgspec.Struct, frozen=True):
    """What the worlds say about one action."""

    what: str
    """The card, or "row 2": what the sentence calls it."""
    takes: float
    """In how many of a hundred worlds its owner has taken a row, or a pile, by the end of the turn."""
    price: float
    """Points that this brought on average, where it happened."""
    rest: float
    """Points that come from here to the end of the round, on average."""


class Reason(msgspec.Struct, frozen=True):
    done: Prospect
    best: Prospect

    def told(self, language: str = "en") -> str:
        """The facts as a sentence or two; nothing if the best was done."""
        if self.done == self.best:
            return TEXTS[language]["best"]
        texts = TEXTS[language]
        names = {"done": _named(self.done, texts), "best": _named(self.best, texts)}
        sums = {"done_rest": f"{self.done.rest:.1f}", "best_rest": f"{self.best.rest:.1f}"}
        rest = texts["rest"].format(**names, **sums)
        return " ".join([_takes(self.done, texts), _takes(self.best, texts, again=True), rest])


TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "best": "Nothing was better.",
        "row": "row {row}",
        "takes": "In {takes} % of the worlds {what} has taken cards by the end of the turn, {price} points on average.",
        "takes_again": "With {what} that happens in {takes} %, at {price} points.",
        "only": "In {takes} % of the worlds {what} has taken cards by the end of the turn.",
        "only_again": "With {what} that happens in {takes} %.",
        "never": "In no world does {what} take cards in this turn.",
        "rest": "From here to the end of the round {done} brings {done_rest} points on average, {best} {best_rest}.",
    },
    "de": {
        "best": "Nichts war besser.",
        "row": "Reihe {row}",
        "takes": "In {takes} % der Welten hat {what} bis zum Ende des Zugs Karten genommen, im Schnitt {price} Punkte.",
        "takes_again": "Mit {what} geschieht das in {takes} %, zu {price} Punkten.",
        "only": "In {takes} % der Welten hat {what} bis zum Ende des Zugs Karten genommen.",
        "only_again": "Mit {what} geschieht das in {takes} %.",
        "never": "In keiner Welt nimmt {what} in diesem Zug Karten.",
        "rest": "Von hier bis zum Ende der Runde bringt {done} im Schnitt {done_rest} Punkte, {best} {best_rest}.",
    },
    "pl": {
        "best": "Nic nie było lepsze.",
        "row": "rząd {row}",
        "takes": "{what}: w {takes} % światów zabiera karty do końca tury, średnio za {price} pkt.",
        "takes_again": "{what}: w {takes} %, za {price} pkt.",
        "only": "{what}: w {takes} % światów zabiera karty do końca tury.",
        "only_again": "{what}: w {takes} %.",
        "never": "{what}: w żadnym świecie nie zabiera kart w tej turze.",
        "rest": "Odtąd do końca rundy średnio {done_rest} pkt ({done}) i {best_rest} pkt ({best}).",
    },
    "ru": {
        "best": "Лучшего не было.",
        "row": "ряд {row}",
        "takes": "{what}: в {takes} % миров забирает карты до конца хода, в среднем на {price} очк.",
        "takes_again": "{what}: в {takes} %, на {price} очк.",
        "only": "{what}: в {takes} % миров забирает карты до конца хода.",
        "only_again": "{what}: в {takes} %.",
        "never": "{what}: ни в одном мире не забирает карты в этом ходу.",
        "rest": "С этого момента до конца раунда в среднем {done_rest} очк. ({done}) и {best_rest} очк. ({best}).",
    },
}
LANGUAGES = tuple(TEXTS)


def _takes(prospect: Prospect, texts: dict[str, str], *, again: bool = False) -> str:
    # Where points are counted at the end of a round only, taking costs nothing yet.
    key = ("takes" if prospect.price else "only") if prospect.takes else "never"
    key += "_again" if again and prospect.takes else ""
    numbers = {"takes": f"{prospect.takes:.0f}", "price": f"{prospect.price:.1f}"}
    return texts[key].format(what=_named(prospect, texts), **numbers)


def _named(prospect: Prospect, texts: dict[str, str]) -> str:
    what, _, number = prospect.what.partition(" ")
    return texts["row"].format(row=number) if what == "row" and number.isdecimal() else prospect.what


def name_of(action: Action) -> str:
    """A card is its number, a row is a row; anything else says itself."""
    fields: dict[str, Any] = msgspec.structs.asdict(action)
    if set(fields) <= {"card", "twisted"} and "card" in fields:
        return f"{fields['card']}{'↻' if fields.get('twisted') else ''}"
    if set(fields) == {"row"}:
        return f"row {fields['row']}"
    return action.label()


def reason_for(trial: Trial, points: Floats, actions: Sequence[Action], done: int, best: int) -> Reason:
    return Reason(prospect(trial, points, actions, done), prospect(trial, points, actions, best))


def prospect(trial: Trial, points: Floats, actions: Sequence[Action], number: int) -> Prospect:
    taken, soon = trial.taken[:, number] > 0, trial.soon[:, number]
    return Prospect(
        what=name_of(actions[number]),
        takes=round(100 * float(taken.mean()), 2),
        price=round(float(soon[taken].mean()) if taken.any() else 0.0, 2),
        rest=round(float(np.mean(points[:, number] - trial.so_far)), 2),
    )

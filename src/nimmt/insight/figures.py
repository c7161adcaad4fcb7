"""The figures of a review as typed values, and the sentences that say why: light enough for whoever only shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from nimmt.rules.game import Seat

# -- reasons -----------------------------------------------------------------------------------------------------------
# Facts counted in the imagined worlds, and sentences that say them.


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
    soon: float = 0.0
    """Of these, what comes in this turn."""

    @property
    def later(self) -> float:
        return self.rest - self.soon

    @property
    def is_card(self) -> bool:
        return self.what[:1].isdecimal()

    def told(self, language: str = "en") -> str:
        """How often it takes cards, and what that costs."""
        return _takes(self, TEXTS[language])

    def named(self, language: str = "en") -> str:
        return _named(self, TEXTS[language])


CLEARLY = 0.05
"""Points that two means must differ by to be told apart in a sentence with one decimal."""


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
        told = [_takes(self.done, texts), _takes(self.best, texts, again=True)]
        if self.keeps_what_costs:
            parts = {"done_soon": self.done.soon, "done_later": self.done.later}
            parts |= {"best_soon": self.best.soon, "best_later": self.best.later}
            told.append(texts["keeping"].format(**names, **{name: f"{part:.1f}" for name, part in parts.items()}))
        return " ".join([*told, texts["rest"].format(**names, **sums)])

    @property
    def keeps_what_costs(self) -> bool:
        """Whether the better card costs more now and less later: whoever spared it pays for that."""
        cards = self.done.is_card and self.best.is_card
        return cards and self.best.soon > self.done.soon + CLEARLY and self.best.rest < self.done.rest - CLEARLY


TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "best": "Nothing was better.",
        "row": "row {row}",
        "pile": "pile {row}",
        "keeping": "Keeping {best} for later costs: it brings {best_soon} points now and {best_later} later on, "
        "{done} {done_soon} now and {done_later} later on.",
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
        "pile": "Stapel {row}",
        "keeping": "{best} aufzuheben kostet: Jetzt bringt {best} {best_soon} Punkte und später {best_later}, "
        "{done} jetzt {done_soon} und später {done_later}.",
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
        "pile": "stos {row}",
        "keeping": "Trzymanie {best} na później kosztuje: teraz {best_soon} pkt i później {best_later}; "
        "{done}: teraz {done_soon} pkt i później {done_later}.",
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
        "pile": "стопка {row}",
        "keeping": "Приберегать {best} дорого: сейчас {best_soon} очк. и потом {best_later}; "
        "{done}: сейчас {done_soon} очк. и потом {done_later}.",
        "takes": "{what}: в {takes} % миров забирает карты до конца хода, в среднем на {price} очк.",
        "takes_again": "{what}: в {takes} %, на {price} очк.",
        "only": "{what}: в {takes} % миров забирает карты до конца хода.",
        "only_again": "{what}: в {takes} %.",
        "never": "{what}: ни в одном мире не забирает карты в этом ходу.",
        "rest": "С этого момента до конца раунда в среднем {done_rest} очк. ({done}) и {best_rest} очк. ({best}).",
    },
}
LANGUAGES = tuple(TEXTS)
_PLACE = re.compile(r"(.* → |)(row|pile) (\d+)")


def _takes(prospect: Prospect, texts: dict[str, str], *, again: bool = False) -> str:
    # Where points are counted at the end of a round only, taking costs nothing yet.
    key = ("takes" if prospect.price else "only") if prospect.takes else "never"
    key += "_again" if again and prospect.takes else ""
    numbers = {"takes": f"{prospect.takes:.0f}", "price": f"{prospect.price:.1f}"}
    return texts[key].format(what=_named(prospect, texts), **numbers)


def _named(prospect: Prospect, texts: dict[str, str]) -> str:
    """Rows and piles in the reader's language. What is more than that stays whole, for whoever has words for it."""
    found = _PLACE.fullmatch(prospect.what)
    return f"{found[1]}{texts[found[2]].format(row=found[3])}" if found else prospect.what


# -- accounts ----------------------------------------------------------------------------------------------------------


class Account(msgspec.Struct, frozen=True):
    """How a result came about. The first four add up to the last."""

    mean: float
    deal_luck: float
    turn_luck: float
    decisions: float
    result: float


Kind: TypeAlias = Literal["too_low", "taken", "put_off", "later", "row", "standings"]
"""What kind of mistake it was: `docs/review.md` says how each is told from the worlds."""
KINDS: tuple[Kind, ...] = get_args(Kind)


class Extra(msgspec.Struct, frozen=True, kw_only=True):
    """What a special card brought that was used by a decision, compared with going on without it."""

    what: str
    gain: float
    """Points by which the seat, or its team against the rival, stands better."""
    error: float
    """Its standard error."""
    win_gain: float
    """The same in chances to win the match."""


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one of the actions that a decision was between."""

    action: Any
    points: float
    """Points of the round that are to be expected after it."""
    win: float
    """The chance to win the match after it."""
    cost: float
    """Points that the best action would save, or bring; nothing for the best itself."""
    error: float
    """Its standard error."""
    facts: Prospect
    why: str = ""
    """The facts as sentences, for whoever is told of it; not kept."""


class JudgedDecision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision, judged by what its seat could know. `docs/review.md` says what it means."""

    seat: Seat
    number: int
    """Which of the record's actions it is, counted from 1."""
    round: int
    turn: int
    action: Any
    best: Any
    cost: float
    """Points that the best action would have saved, or brought."""
    error: float
    """Its standard error."""
    win_cost: float
    """The same in chances to win the match."""
    win_error: float
    stake: float
    """Points between the best action and the worst."""
    named: bool
    """Whether it is called a mistake."""
    kind: Kind | None
    """What kind of mistake; `standings` if it cost no points worth a name, but chance to win."""
    exact: bool
    """Whether the points were not estimated: the ending was solved."""
    reason: str
    facts: Reason
    expected: float
    """Points that were to be expected of the round before deciding."""
    chance: float
    """The chance to win the match before deciding."""
    values: tuple[Tried, ...]
    """What was tried: all that could be done, or the most promising of very many."""
    extra: Extra | None = None
    """Of a special card, where one was used."""

    def told(self, language: str = "en") -> JudgedDecision:
        """The same with all its reasons in this language."""
        values = [
            msgspec.structs.replace(one, why=Reason(one.facts, self.facts.best).told(language)) for one in self.values
        ]
        return msgspec.structs.replace(self, reason=self.facts.told(language), values=tuple(values))


class SeatReview(msgspec.Struct, frozen=True, kw_only=True):
    seat: Seat
    name: str
    points: Account
    win: Account
    rounds: tuple[tuple[Account, Account], ...]
    """The same for each round: points, and chance to win."""
    lost: float
    """Points lost by decisions that mattered."""
    stake: float
    """Points that could have been lost by them."""
    accuracy: float
    """Of that, how many per cent were not lost."""
    mistakes: int
    judged: int
    """Decisions that were judged."""


class Review(msgspec.Struct, frozen=True, kw_only=True):
    game: str
    evaluator: str
    worlds: int
    seats: tuple[SeatReview, ...]
    decisions: tuple[JudgedDecision, ...]


# -- adding up ---------------------------------------------------------------------------------------------------------
# Values are counted in whole millionths, so that sums are exact.

UNIT = 1_000_000


def whole(values: Iterable[float]) -> float:
    """A sum of millionths, exact."""
    return sum(round(value * UNIT) for value in values) / UNIT


def _sum_of(accounts: Sequence[Account]) -> Account:
    """Points of all rounds are added."""
    return Account(*(whole(column) for column in zip(*map(msgspec.structs.astuple, accounts), strict=True)))


def _chain_of(accounts: Sequence[Account]) -> Account:
    """Of chances to win, each round begins where the one before has ended."""
    total = _sum_of(accounts)
    return msgspec.structs.replace(total, mean=accounts[0].mean, result=accounts[-1].result)


def joined(parts: Sequence[SeatReview]) -> SeatReview:
    """The review of a seat from those of its rounds, in their order."""
    return seat_review(
        parts[0].seat,
        parts[0].name,
        rounds=tuple(account for part in parts for account in part.rounds),
        lost=whole(part.lost for part in parts),
        stake=whole(part.stake for part in parts),
        mistakes=sum(part.mistakes for part in parts),
        judged=sum(part.judged for part in parts),
    )


def seat_review(
    seat: Seat,
    name: str,
    rounds: tuple[tuple[Account, Account], ...],
    lost: float,
    stake: float,
    mistakes: int,
    judged: int,
) -> SeatReview:
    """What follows from the accounts of the rounds is added up here."""
    return SeatReview(
        seat=seat,
        name=name,
        points=_sum_of([points for points, _ in rounds]),
        win=_chain_of([win for _, win in rounds]),
        rounds=rounds,
        lost=lost,
        stake=stake,
        accuracy=round(100 * (1 - lost / stake), 1) if stake else 100.0,
        mistakes=mistakes,
        judged=judged,
    )

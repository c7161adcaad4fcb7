"""The answer to a question: what happened step by step, by which rules, and how things lie then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from nimmt.clients.referee.questions import Choices
from nimmt.rules.game import Action, AnyGame, Cards, Decision, Event, IllegalAction, Names, Rows, Seat
from nimmt.rules.kit.events import count

# -- ruling ------------------------------------------------------------------------------------------------------------


class Step(msgspec.Struct, kw_only=True):
    """One thing that happened. `reasons` say why it was so, `notes` what followed from it."""

    seat: str
    card: int | UnsetType = UNSET
    value: int | UnsetType = UNSET
    """What the card was played as, if that is not its number."""
    row: int | UnsetType | None = UNSET
    pile: int | UnsetType = UNSET
    taken: Cards | UnsetType = UNSET
    bulls: int | UnsetType = UNSET
    rule: str
    also: list[str] = []
    """Other rules that had a say."""
    sentence: str
    reasons: list[str] = []
    notes: list[str] = []
    kept: int | UnsetType = UNSET
    to_hand: Cards | UnsetType = UNSET
    to_x_pile: Cards | UnsetType = UNSET


class Needs(msgspec.Struct, kw_only=True):
    """A choice that is missing: whose, what kind of choice, for which card, and between what."""

    seat: str
    choose: str
    card: int | UnsetType = UNSET
    between: list[Any]
    sentence: str
    reasons: list[str] = []


class Lane(msgspec.Struct, frozen=True):
    """A row, a pile or whatever else lies on the table, for the picture."""

    label: str
    cards: str
    bulls: int | None = None
    remarks: tuple[str, ...] = ()


class Ruling(msgspec.Struct, kw_only=True):
    game: AnyGame
    before: list[Lane]
    after: list[Lane]
    played: str
    steps: list[Step]
    needs: Needs | None
    facts: dict[str, Any]
    """What programs are told about how things lie, `rows` first."""
    totals: list[str]
    """Who got what in all, in sentences."""
    notes: list[str]
    warnings: list[str]

    def to_data(self) -> dict[str, Any]:
        """Plain data, for programs."""
        data = {"game": self.game.id, **self.facts, "steps": self.steps}
        if self.needs is not None:
            data["needs"] = self.needs
        plain: dict[str, Any] = msgspec.to_builtins(data | {"notes": self.notes, "warnings": self.warnings})
        return plain


def bulls_taken(names: Sequence[str], steps: Sequence[Step]) -> dict[str, int]:
    """By name, what the steps brought in all."""
    sums = dict.fromkeys(names, 0)
    for step in steps:
        sums[step.seat] += step.bulls or 0
    return sums


def totals(sums: Mapping[str, int]) -> list[str]:
    """`A takes 3 bulls, B none, C none.`"""
    if not any(sums.values()):
        return ["Nobody takes a bull."]
    takers = [f"{name} takes {count(number, 'bull')}" for name, number in sums.items() if number]
    others = [name for name, number in sums.items() if not number]
    ending = f"; {listed(others, 'and')} {'takes' if len(others) == 1 else 'take'} none." if others else "."
    return [listed(takers, "and") + ending]


def listed(items: Sequence[object], last: str) -> str:
    """`1`, `1 or 2`, `1, 2 or 3`."""
    words = list(map(str, items))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


# -- course ------------------------------------------------------------------------------------------------------------
# Letting the rules play a turn out: cards are played, choices are answered, until one is missing or all is done.


class Ask(NamedTuple):
    """How a kind of decision is answered: by which flag, with which action, and what of it is chosen."""

    flag: str
    choice: str
    field: str
    make: Callable[[int], Action]


class Course:
    """A state, all that happened on the way to it, and the decision that nobody has answered."""

    def __init__(self, game: AnyGame, names: Names, state: Any) -> None:
        self.game = game
        self.names = names
        self.start = self.state = state
        self.events: list[Event] = []
        self.open: Decision | None = None

    def apply(self, seat: Seat, action: Action) -> None:
        """Raises `IllegalAction`, whose sentence then says who may not do this."""
        try:
            self.state, events = self.game.apply(self.state, seat, action)
        except IllegalAction as error:
            raise IllegalAction(error.refusal, seat, f"{self.names[seat]}: {error}") from None
        self.events += events

    def play(self, actions: Sequence[Action]) -> None:
        for seat, action in enumerate(actions):
            self.apply(seat, action)

    def answer(self, asks: Mapping[str, Ask], choices: Choices) -> None:
        """Answer as long as the answer is known. A decision of a kind that is not in `asks` ends the turn."""
        while (decision := self.asked(*asks)) is not None:
            ask = asks[decision.kind]
            chosen = choices.next(ask.flag, decision.seat)
            if chosen is None:
                self.open = decision
                return
            self.apply(decision.seat, ask.make(chosen))

    def told(self) -> Iterator[tuple[Any, Event]]:
        """All that happened, each event with the table that it met."""
        view = self.game.view(self.start, None)
        for event in self.events:
            yield view.table, event
            seen = event.seen_by(None)
            view = view if seen is None else self.game.after(view, seen)

    def asked(self, *kinds: str) -> Decision | None:
        """The decision that is waited for, if it is of one of these kinds."""
        pending = self.game.pending(self.state)
        return pending[0] if pending and pending[0].kind in kinds else None

    def needs(self, asks: Mapping[str, Ask], card: int, reasons: Sequence[str] = ()) -> Needs | None:
        """The choice that is missing, for this card."""
        if self.open is None:
            return None
        seat, ask = self.open.seat, asks[self.open.kind]
        name = self.names[seat]
        between = [getattr(action, ask.field) for action in self.game.legal(self.state, seat)]
        task = self.game.decisions[self.open.kind].replace("your", "the")
        sentence = (
            f"{name} played {card} and must {task}: {listed(between, 'or')}. "
            f"Say it with --{ask.flag} {name}:{ask.field.upper()}."
        )
        return Needs(seat=name, choose=ask.choice, card=card, between=between, sentence=sentence, reasons=list(reasons))


# -- reasons -----------------------------------------------------------------------------------------------------------
# Why a number goes where it goes, in the games that compare numbers with the ends of rows.


def lower_ends(rows: Rows, value: int) -> dict[int, int]:
    """The ends below the value, by row."""
    return {row: cards[-1] for row, cards in enumerate(rows, 1) if cards and cards[-1] < value}


def closest(value: int, ends: Mapping[int, int], row: int) -> str:
    """Rules 1 and 2: of the ends that the value may follow the closest one is that of this row."""
    end = f"{ends[row]} (row {row})"
    if len(ends) == 1:
        return f"{end} is the only end that {value} may follow."
    return f"Of the ends that {value} may follow, {end} is the closest."


def none_lower(value: int, rows: Rows) -> str:
    """Rule 4 in its simple form."""
    lowest = min(cards[-1] for cards in rows if cards)
    return f"No row ends below {value}: the lowest end is {lowest}."


# -- picture -----------------------------------------------------------------------------------------------------------
# A ruling as people like to read it: the table before, what happens, the table after, the rules that were used.
#
# Lines are made of pieces with a style, so that a terminal shows colours and a file plain text.

Line = list[tuple[str, str]]

HEADING, QUIET, STRONG = "bold", "dim", "bold cyan"


def lines(ruling: Ruling) -> Iterator[Line]:
    yield [("Before", HEADING)]
    yield from _table(ruling.before)
    yield [("Played: ", HEADING), (ruling.played, "")]
    yield from ([(note, QUIET)] for note in ruling.notes)
    yield []
    for number, step in enumerate(ruling.steps, 1):
        yield from _step(f"{number}. ", step)
    if ruling.needs:
        yield from ([(reason, QUIET)] for reason in ruling.needs.reasons)
        yield [(ruling.needs.sentence, "bold yellow")]
    yield []
    yield [("So far" if ruling.needs else "After", HEADING)]
    yield from _table(ruling.after)
    if not ruling.needs:
        yield from ([(total, "")] for total in ruling.totals)
    yield from _rules(ruling.game, ruling.steps)


def _table(lanes: list[Lane]) -> Iterator[Line]:
    """The lanes below each other, in columns."""
    label_width = max((len(lane.label) for lane in lanes), default=0)
    card_width = max((len(lane.cards) for lane in lanes), default=0)
    for lane in lanes:
        line: Line = [(f"  {lane.label:<{label_width}}   ", QUIET), (lane.cards, STRONG)]
        gap = " " * (card_width - len(lane.cards))
        if lane.bulls is not None:
            line.append((f"{gap}   {count(lane.bulls, 'bull')}", ""))
        if lane.remarks:
            line.append((f"{gap if lane.bulls is None else ''}   [{', '.join(lane.remarks)}]", "magenta"))
        yield line


def _step(number: str, step: Step) -> Iterator[Line]:
    yield [(number, QUIET), (step.sentence, ""), (f" [{', '.join((step.rule, *step.also))}]", "yellow")]
    for sentence in (*step.reasons, *step.notes):
        yield [(" " * len(number) + sentence, QUIET)]


def _rules(game: AnyGame, steps: list[Step]) -> Iterator[Line]:
    """The full sentence of each rule that decided something."""
    used = dict.fromkeys(rule for step in steps for rule in (step.rule, *step.also))
    if used:
        yield []
    for rule in used:
        yield [(f"[{rule}] ", "yellow"), (game.rules[rule], "")]

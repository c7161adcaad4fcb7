"""The protocol that every game obeys.

A game is a value (its state) and a few pure functions on it. Nothing here is random and nothing knows the
time: chance enters as a recorded `Deal`, decisions enter as an `Action` of a seat, and what happened comes
out as events. Seats are numbered from 0; rows and piles, as in the rulebooks, from 1.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from enum import StrEnum
from typing import Any, ClassVar, Generic, Literal, Self, TypeAlias, TypeVar

import msgspec

Seat: TypeAlias = int
Cards: TypeAlias = tuple[int, ...]
Rows: TypeAlias = tuple[Cards, ...]
Names: TypeAlias = Sequence[str]


class Refusal(StrEnum):
    """Why an action is refused. The codes are stable: programs rely on them."""

    NO_SUCH_SEAT = "no_such_seat"
    MATCH_OVER = "match_over"
    WAITING_FOR_DEAL = "waiting_for_deal"
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_ACTION = "wrong_action"
    NOT_IN_HAND = "not_in_hand"
    NO_SUCH_ROW = "no_such_row"
    NO_SUCH_PILE = "no_such_pile"
    DOES_NOT_FIT = "does_not_fit"
    NOT_IN_POOL = "not_in_pool"
    NO_TWIST_CARD = "no_twist_card"
    CANNOT_TWIST = "cannot_twist"
    NOT_AMONG_TAKEN = "not_among_taken"
    TOO_MANY_PILES = "too_many_piles"
    NOT_AN_OWNER = "not_an_owner"
    NO_SUCH_SPECIAL = "no_such_special"
    SPECIAL_NOT_POSSIBLE = "special_not_possible"
    NOTHING_PROPOSED = "nothing_proposed"
    ALREADY_PROPOSED = "already_proposed"
    TOO_MANY_PROPOSALS = "too_many_proposals"


class RulesError(Exception):
    """Something that came from outside does not fit the rules. `str(error)` is a sentence for people."""

    @property
    def code(self) -> str:
        """Stable, programs rely on it: the name of the class, as in `invalid_options`."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()


class IllegalAction(RulesError):
    """The seat may not do this now; the state is unchanged."""

    def __init__(self, refusal: Refusal, seat: Seat, sentence: str) -> None:
        super().__init__(sentence)
        self.refusal = refusal
        self.seat = seat

    @property
    def code(self) -> str:
        """Stable: why it is refused."""
        return self.refusal.value


class UnknownVersion(RulesError):
    """The rules of a game have no such version."""


class InvalidOptions(RulesError):
    """Options that the game does not have or that do not go together."""


class InvalidDeal(RulesError):
    """A deal that is not a rearrangement of the decks that were asked for."""


class InvalidPosition(RulesError):
    """A position that cannot occur at any table."""


class Value(msgspec.Struct, frozen=True, gc=False):
    """Base of the immutable values. They are trees and never form cycles: the collector need not look."""


class Options(Value, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Base of a game's options: one documented field for each number or step that may vary."""


class Action(Value, frozen=True, tag=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """Base of what a seat can decide. Imperative names: `PlayCard`."""

    def family(self) -> tuple[type, ...]:
        """What it is one of: some kinds of actions come in thousands, others alone."""
        return (type(self),)

    def label(self) -> str:
        """What it does in a few words, for a button or a list: "Play card 11"."""
        told = _shown(self)
        return told[:1].upper() + told[1:]


def spoken(name: str) -> str:
    """The name of a type or a field as words: `PlayCard` and `play_card` are "play card"."""
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
    return spaced.replace("_", " ").strip()


def _shown(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case tuple() | list() | frozenset():
            return " ".join(map(_shown, value)) or "nothing"
        case msgspec.Struct():
            what, parts = spoken(type(value).__name__), msgspec.structs.asdict(value)
            told = [f"{'' if what.endswith(name) else spoken(name)} {_shown(part)}" for name, part in parts.items()]
            return " ".join([what, ", ".join(part.strip() for part in told)]).strip()
    return str(value)


def abridged(actions: Sequence[Action], most: int) -> tuple[Action, ...]:
    """The actions, or of a family with very many members the first ones."""
    if len(actions) <= most:
        return tuple(actions)
    seen: dict[tuple[type, ...], int] = {}
    listed = []
    for action in actions:
        family = action.family()
        seen[family] = seen.get(family, 0) + 1
        if seen[family] <= most:
            listed.append(action)
    return tuple(listed)


class Event(Value, frozen=True, tag=True, tag_field="type", gc=False):
    """Base of what happened. Past names: `CardPlaced`. Public unless `seen_by` says otherwise."""

    SECONDS: ClassVar[float] = 1.0
    """How long it takes to watch at an easy pace; 0 if there is nothing to see."""
    HURRIED: ClassVar[float | None] = None
    """How long it takes in a turn in which a lot happens; None if it is never hurried."""

    def seconds(self) -> float:
        return self.SECONDS

    def seen_by(self, seat: Seat | None) -> Event | None:
        """What this seat (None: a spectator) may see of it; None if it may not even know that it happened."""
        del seat
        return self

    def tell(self, names: Names) -> str:
        """The event as people would tell it; secrets that `seen_by` took out are not told."""
        raise NotImplementedError

    def taker(self) -> Seat | None:
        """The seat that takes a row or a pile with it, for statistics: see `Game.takes`."""
        return None


class Decision(Value, frozen=True, gc=False):
    """A seat that is being waited for, and the kind of decision it has to make ("card", "row", …)."""

    seat: Seat
    kind: str


class DealRequest(Value, frozen=True, gc=False):
    """The decks to be shuffled before the match can go on, each in its sorted order."""

    decks: dict[str, Cards]


class Deal(Value, frozen=True, forbid_unknown_fields=True, gc=False):
    """The recorded fact that answers a request: the same decks, each in the order it was dealt."""

    decks: dict[str, Cards]


class Outcome(Value, frozen=True, gc=False):
    """How a match ended: why, who won (several share a win, nobody may), and everybody's points in total."""

    reason: str
    winners: tuple[Seat, ...]
    points: tuple[int, ...]


class Standing(Value, frozen=True, gc=False):
    """How a match stands, as all can see it: where it is, and who has how many points so far."""

    round: int
    rounds: int | None
    """Of so many, where that is known from the start."""
    points: tuple[int, ...]
    """Of each seat, or of each side."""
    high_wins: bool = False
    """Whether points are good; bulls are not."""
    unit: Literal["round", "turn"] = "round"
    """What is counted: where a match is one deal, its turns."""
    sides: tuple[str, ...] = ()
    """Whose points they are, where they are not the seats' own."""


class Length(Value, frozen=True, gc=False):
    """What ends a match: so many rounds, or the round that brings anybody so many points."""

    rounds: int | None
    target: int | None = None


class Foreseen(Value, frozen=True, gc=False):
    """Where a card would go as the table stands, what it would take there, and the rule that says so."""

    place: int | None
    """The row or pile, from 1; None if the card finds no place."""
    takes: Cards
    bulls: int
    """What the cards taken are worth."""
    rule: str


class Variant(Value, frozen=True, gc=False):
    """A way to play with a name of its own: some options set, and the numbers of seats it is made for."""

    id: str
    name: str
    summary: str
    options: dict[str, Any] = {}
    max_seats: int | None = None


O = TypeVar("O", bound=Options)  # noqa: E741
S = TypeVar("S", bound=Value)
V = TypeVar("V", bound=Value)


class Game(ABC, Generic[O, S, V]):
    """One game: its name, its types and its rules.

    `apply` and `deal` check their input completely and either return the new state with what happened, or
    raise and leave everything as it was. `legal` lists exactly what `apply` would accept from a seat.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    names: ClassVar[Mapping[str, str]] = {}
    """What it is called in other languages, by their codes, where that is something else."""
    summary: ClassVar[str]
    rules_version: int
    """Matches that are set up obey this version of the rules: the newest one, unless `under` asked for another."""
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    variants: ClassVar[tuple[Variant, ...]]
    rules: ClassVar[Mapping[str, str]]
    """A sentence for each rule that an event may name."""
    ends: ClassVar[Mapping[str, str]]
    """A sentence for each reason that an outcome may give."""
    decisions: ClassVar[Mapping[str, str]]
    """What is asked of a seat, for each kind of decision, as a sentence without the seat: "choose a card"."""

    cooperative: ClassVar[bool] = False
    """Whether all seats win or lose together."""
    length_option: ClassVar[str | None] = None
    """The option that says how many deals a match has; None where a match is one deal."""
    minutes: ClassVar[int | None] = None
    """About so long a match of four takes on a screen, as it is played unless options say otherwise."""
    takes: ClassVar[Literal["rows", "piles"] | None] = None
    """What seats take from the table, as statistics count it by `Event.taker`; None where nothing is."""
    silent: ClassVar[frozenset[str]] = frozenset()
    """Kinds of decisions during which the players may not talk to each other."""

    options_type: type[O]
    state_type: type[S]
    view_type: type[V]
    action_types: ClassVar[tuple[type[Action], ...]]
    event_types: ClassVar[tuple[type[Event], ...]]

    def __repr__(self) -> str:
        return f"<game {self.id}: {self.name}>"

    def under(self, rules_version: int) -> Self:
        """The game as it was: `setup` begins a match under this version of the rules; raises `UnknownVersion`.

        All versions from 1 on are known for ever. A state says itself which one it obeys, where there are several:
        all other functions give the same answer whichever of these games is asked.
        """
        newest = type(self).rules_version
        if not 1 <= rules_version <= newest:
            known = "only version 1" if newest == 1 else f"only versions 1 to {newest}"
            raise UnknownVersion(f"{known} of the rules of {self.id} can be played here, not {rules_version}")
        game = copy(self)
        game.rules_version = rules_version
        return game

    @abstractmethod
    def setup(self, options: O, seats: int) -> S:
        """The state before the first deal; raises `InvalidOptions`."""

    def warnings(self, options: O, seats: int) -> tuple[str, ...]:
        """What the rulebook advises against in these options, though it works."""
        del options, seats
        return ()

    def high_score_wins(self, options: O) -> bool:
        """Whether points are good; bulls are not."""
        del options
        return False

    def length(self, options: O, seats: int) -> Length:
        """What ends a match with these options."""
        del seats
        return Length(getattr(options, self.length_option) if self.length_option else 1)

    @abstractmethod
    def deal_request(self, state: S) -> DealRequest | None:
        """The decks that must be shuffled now, or None if no chance is needed."""

    @abstractmethod
    def deal(self, state: S, deal: Deal) -> tuple[S, tuple[Event, ...]]:
        """Go on with a deal; raises `InvalidDeal`."""

    @abstractmethod
    def pending(self, state: S) -> tuple[Decision, ...]:
        """Who is being waited for, in seat order; several at once for a secret choice."""

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> Sequence[Action]:
        """All that the seat may do now. A seat that is not waited for may still have something to do, such as
        taking back a secret choice."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: Action) -> tuple[S, tuple[Event, ...]]:
        """The state after the action and what happened, in order; raises `IllegalAction`."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """What the seat (None: a spectator) may know, built from that and nothing else."""

    def foresee(self, view: V, action: Action) -> tuple[Foreseen, ...]:
        """Where the action's card would go as the table stands: several places if its owner would have to choose, none
        if the game has nothing to say. Greedy bots, hints and previews ask this; what others play can change it. It
        follows from the view's table: as long as that stays, so does what is foreseen."""
        del view, action
        return ()

    def after(self, view: V, event: Event) -> V:
        """The view once this has happened; `event` as its owner sees it.

        Folding all that a seat sees of an `apply` or a `deal` over its old view gives its new view; in between, the
        view shows what has happened so far. Whoever tells a match event by event needs this and no other rule. There is
        no default: the old view would be a wrong answer that looks right.
        """
        raise NotImplementedError(f"{self.id} does not say what an event does to a view")

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result when the match is over."""

    def standing(self, view: V) -> Standing | None:
        """How the match stands, for lists of tables: it follows from what everybody sees, so all views of a state give
        the same. None if the game has nothing to say."""
        del view
        return None

    @abstractmethod
    def cards(self, state: S) -> Mapping[str, Cards]:
        """Where every card in play lies, by place: between two deals none appears or vanishes."""

    @abstractmethod
    def check(self, state: S) -> None:
        """Raise `InvalidPosition` unless the rules can go on from this state, wherever it came from."""

    @abstractmethod
    def unseen(self, view: V) -> Cards:
        """The cards that may be in hidden places for all that this view's owner has seen, ascending."""

    def legal_for(self, view: Any) -> Sequence[Action]:
        """All that the owner of a view may do now: it follows from what they see, as nothing hidden matters for it."""
        return () if view.seat is None else self.legal(self.imagine(view, self.unseen(view)), view.seat)

    @abstractmethod
    def imagine(self, view: V, cards: Sequence[int]) -> S:
        """A state that looks like this view, its hidden places filled from `cards`: any order of `unseen`.

        Search bots think with it, and the law that views leak nothing is tested with it:
        `view(imagine(v, any order), v.seat) == v`.
        """


AnyGame: TypeAlias = Game[Any, Any, Any]

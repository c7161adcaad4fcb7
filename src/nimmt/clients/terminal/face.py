"""What a game must say about itself to be played at a terminal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar, cast

from msgspec.structs import replace

from nimmt.clients.terminal.answers import Unclear, only_number
from nimmt.clients.terminal.boards import Board
from nimmt.clients.terminal.hands import Choice, Hand
from nimmt.clients.terminal.panel import CHOSEN, NEXT, NOBODY, WAITED_FOR, Panel, sheet
from nimmt.clients.terminal.pieces import BULL, Card, fit
from nimmt.rules.game import Action, AnyGame, Event, Rows, Seat, Value
from nimmt.rules.kit.events import CardChosen, RoundDealt, count

V = TypeVar("V", bound=Value)


class Look(NamedTuple, Generic[V]):
    """All that a drawing depends on: what somebody sees, and where the match is."""

    view: V
    awaited: frozenset[Seat] = frozenset()
    """Who is being waited for."""
    kind: str | None = None
    """The decision that is asked for now."""
    asked: Seat | None = None
    """Who is asked; not always the owner of the view, as some decisions are for all to see."""
    fresh: int | None = None
    """The card that has just moved."""
    turn: int = 0
    """Counted since the last deal."""


class Face(ABC, Generic[V]):
    """One game at a terminal. It knows the names of the seats, and whether hints are wanted."""

    choices: ClassVar[tuple[type[Event], ...]] = (CardChosen,)
    """Secret choices: told together, as marks show them well enough."""
    quiet: ClassVar[tuple[type[Event], ...]] = ()
    """What needs no words at all."""
    round_begins: ClassVar[tuple[type[Event], ...]] = (RoundDealt,)
    turn_begins: ClassVar[tuple[type[Event], ...]] = ()
    """Turns are counted by these."""
    open_kinds: ClassVar[frozenset[str]] = frozenset()
    """Decisions that need nothing which only one seat may see."""
    going_on: ClassVar[frozenset[str]] = frozenset()
    """Decisions of somebody who is in the middle of a turn of several steps."""
    legend: ClassVar[tuple[str, ...]] = ()
    """What the signs mean, for the help page."""

    def __init__(self, game: AnyGame, names: Sequence[str], *, hints: bool = True) -> None:
        self.game = game
        self.names = tuple(names)
        self.hints = hints

    # -- looking ------------------------------------------------------------------------------------------------

    @abstractmethod
    def after(self, view: V, event: Event) -> V:
        """The view as it looks once this has happened: what the drawings need of it, to show event after event."""

    @abstractmethod
    def where(self, look: Look[V]) -> str:
        """Round and turn."""

    @abstractmethod
    def board(self, look: Look[V]) -> Board: ...

    @abstractmethod
    def panel(self, look: Look[V]) -> Panel: ...

    @abstractmethod
    def hand(self, look: Look[V]) -> Hand: ...

    @abstractmethod
    def everything(self, view: V) -> list[str]:
        """What else lies open or may be remembered, in lines of text."""

    def scores(self, view: V, width: int) -> list[str]:
        table: Any = view
        return sheet(self.names, table.table.scores, width)

    def tell(self, event: Event) -> str:
        """The hands that are dealt need no words: they are on the table."""
        return event.tell(self.names).partition("\n")[0]

    # -- asking -------------------------------------------------------------------------------------------------

    def question(self, look: Look[V]) -> str:
        return self.game.decisions[look.kind or ""]

    @abstractmethod
    def possible(self, look: Look[V]) -> str:
        """A sentence that says what may be typed now."""

    @abstractmethod
    def read(self, look: Look[V], text: str) -> Action:
        """What was typed as an action; raises `Unclear`. Whether the action is legal is for the rules to say."""

    def standing(self, look: Look[V], text: str) -> bool:
        """Whether the answer holds for all questions of this kind until the next turn."""
        del look, text
        return False

    # -- for the games ------------------------------------------------------------------------------------------

    def name(self, seat: Seat, own: Seat | None) -> str:
        name = self.names[seat]
        return f"{fit(name, 10, pad=False).plain} (you)" if seat == own else name

    def the_number(self, look: Look[V], text: str, *noise: str) -> int:
        value = only_number(text, noise)
        if value is None:
            raise Unclear(self.possible(look))
        return value


def mark(seat: Seat, awaited: frozenset[Seat], queue: Sequence[Any]) -> str:
    if seat in awaited:
        return WAITED_FOR
    return NEXT if queue and queue[0].seat == seat else NOBODY


def earlier(scores: Rows, seat: Seat) -> str:
    """The points of the rounds before, the latest first: what is cut off is long ago."""
    return " ".join(str(points[seat]) for points in reversed(scores))


class ChoosingView(Protocol):
    """What the views of games with a secret choice have in common."""

    @property
    def seat(self) -> Seat | None: ...
    @property
    def table(self) -> Any: ...
    @property
    def choice(self) -> int | None: ...
    @property
    def waiting(self) -> tuple[Seat, ...]: ...


def card_cell(view: ChoosingView, seat: Seat) -> str:
    """The card that a seat plays in this turn, as far as it may be seen."""
    for play in view.table.queue:
        if play.seat == seat:
            return str(play.card)
    if view.table.phase != "choose" or seat in view.waiting:
        return ""
    return str(view.choice) if seat == view.seat and view.choice is not None else CHOSEN


def chosen_by(view: V, event: CardChosen) -> V:
    """The view after a secret choice."""
    choosing: Any = view
    waiting = tuple(other for other in choosing.waiting if other != event.seat)
    choice = event.card if event.seat == choosing.seat else choosing.choice
    return cast(V, replace(choosing, waiting=waiting, choice=choice))


def no_row(shown: Card, least: int) -> Choice:
    """The hint for a card that fits no row, so that its owner would have to take one."""
    words = f"fits no row: you would take one, {count(least, 'bull')} or more"
    return Choice(shown, words, ("fits no row", f"{heads(least)} or more"), ("any", f"{heads(least)}+"), True)


def heads(bulls: int) -> str:
    return f"{bulls}{BULL}"


def takes(row: int, bulls: int) -> str:
    return f"takes row {row}: {count(bulls, 'bull')}"


def face_of(game: AnyGame, names: Sequence[str], *, hints: bool = True) -> Face[Any]:
    """The module of this package with the game's id has a class `Terminal`."""
    make: type[Face[Any]] = import_module(f"nimmt.clients.terminal.{game.id}").Terminal
    return make(game, names, hints=hints)

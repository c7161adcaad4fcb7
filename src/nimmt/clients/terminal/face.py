"""What a game must say about itself to be played at a terminal, and what lies in the middle of the table."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar, cast

from msgspec.structs import replace
from rich.text import Text

from nimmt.clients.terminal.pieces import (
    ALARM,
    BULL,
    CHOSEN,
    NEXT,
    NOBODY,
    PITCH,
    QUIET,
    STRONG,
    WAITED_FOR,
    Card,
    Choice,
    Hand,
    Panel,
    box,
    fit,
    flow,
    sheet,
)
from nimmt.clients.terminal.words import bulls_told, language, narrate, page_text, tr
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Event, Foreseen, IllegalAction, Rows, Seat, Value
from nimmt.rules.kit.events import CardChosen, RoundDealt, RoundEnded

# -- boards ------------------------------------------------------------------------------------------------------------
# What lies in the middle of the table: rows, piles, or all cards open in a draft.
#
# Each is drawn at three levels, so that it fits the terminal: boxes (0), boxes that overlap (1), lines (2).

LEVELS = 3


class Board(Protocol):
    def draw(self, width: int, level: int) -> list[Text]: ...

    def told(self) -> list[str]:
        """In plain lines of text."""
        ...


# -- rows ------------------------------------------------------------------------------------------------------


class Lane(NamedTuple):
    """A row. `places` says how many cards it holds before one more takes it; 0 if there is no limit."""

    number: int
    cards: tuple[Card, ...]
    places: int
    cost: int
    """The bulls of whoever takes it."""
    remarks: tuple[Text, ...] = ()
    """What else is to be known about it: a marker, the colours."""
    hint: str = ""
    """While a row is being chosen: what choosing this one means."""

    @property
    def is_full(self) -> bool:
        return 0 < self.places <= len(self.cards)

    @property
    def room(self) -> int:
        return max(0, self.places - len(self.cards))

    def price(self) -> Text:
        text = Text().append(bulls_told(self.cost) if self.cards else tr("empty"), "" if self.cards else ALARM)
        if self.is_full:
            text.append(f" {tr('full')}", ALARM)
        return text

    def told(self) -> str:
        remarks = [remark.plain for remark in self.remarks]
        if not self.cards:
            return "; ".join([tr("empty"), *remarks])
        room = tr("full") if self.is_full else tr("room for {count}", count=self.room) if self.places else ""
        return "; ".join(part for part in (bulls_told(self.cost), room, *remarks, self.hint) if part)


class Lanes(NamedTuple):
    lanes: tuple[Lane, ...]

    def told(self) -> list[str]:
        cards = [" ".join(card.flat for card in lane.cards) for lane in self.lanes]
        column = min(max(map(len, cards), default=0), 32)
        return [
            f"  {tr('row {row}', row=lane.number)}   {shown:<{column}}   {lane.told()}"
            for lane, shown in zip(self.lanes, cards, strict=True)
        ]

    def draw(self, width: int, level: int) -> list[Text]:
        if level == 2:
            return [self._flat(lane, width) for lane in self.lanes]
        lines: list[Text] = []
        for lane in self.lanes:
            drawn = self._boxes(lane, width)
            # Rows that overlap like cards on a crowded table: only the first shows its upper edge.
            lines += drawn if level == 0 or not lines else drawn[1:]
        return lines

    def _boxes(self, lane: Lane, width: int) -> list[Text]:
        side, label = self._side_width(), 2
        most = max(2, (width - label - 2 - side) // PITCH)
        column = PITCH * min(most, max((max(len(ln.cards), ln.places) for ln in self.lanes), default=0)) + 1
        cards = _shortened(lane.cards, most)
        drawn = box(cards) if cards else (Text(), Text(), Text())
        # A board that overlaps shows only the lines below the first: what matters most must stand there.
        hint = Text(lane.hint, STRONG)
        notes = [lane.price() if hint else Text(), hint or lane.price(), Text(" ").join(lane.remarks)]
        lines = []
        for index, (line, note) in enumerate(zip(drawn, notes, strict=True)):
            whole = Text().append(f"{lane.number} " if index == 1 else "  ", STRONG)
            whole.append_text(line)
            if index == 1 and len(cards) == len(lane.cards):
                # Places that are still free.
                free = "".join("  ·  " for _ in range(min(lane.room, most - len(cards))))
                whole.append(free if cards else free[1:], QUIET)
            lines.append(_with_note(whole, note, label + column + 1, width))
        return lines

    def _side_width(self) -> int:
        notes = [
            max(len(lane.hint), lane.price().cell_len, Text(" ").join(lane.remarks).cell_len) for lane in self.lanes
        ]
        return max(notes, default=0)

    def _flat(self, lane: Lane, width: int) -> Text:
        line = Text().append(f"{lane.number}  ", STRONG)
        for card in lane.cards:
            line.append(f"{card.flat} ", f"{card.style}{' reverse' if card.fresh else ''}")
        line.append("· " * lane.room, QUIET)
        notes = lane.price()
        for note in (Text(lane.hint, STRONG), *lane.remarks):
            if note:
                notes.append(" ").append_text(note)
        return _with_note(line, notes, max(0, width - notes.cell_len), width)


def _with_note(line: Text, note: Text, column: int, width: int) -> Text:
    whole = fit(line, column)
    whole.append_text(note)
    return fit(whole, width, pad=False)


def _shortened(cards: tuple[Card, ...], most: int) -> tuple[Card, ...]:
    """The last of them, and how many lie before, if there are too many."""
    if len(cards) <= most:
        return cards
    hidden = len(cards) - most + 1
    return (Card(f"+{hidden}", Text(), f"+{hidden}"), *cards[hidden:])


# -- piles and pools -------------------------------------------------------------------------------------------


class Piles(NamedTuple):
    """Piles of which only the top is seen."""

    tops: tuple[Card, ...]
    remarks: tuple[str, ...]
    """For each pile, five cells at most."""

    def told(self) -> list[str]:
        piles = [
            f"{tr('pile {pile}', pile=number)}: {top.flat}{f' ({remark})' if remark else ''}"
            for number, (top, remark) in enumerate(zip(self.tops, self.remarks, strict=True), 1)
        ]
        return [f"  {', '.join(piles[start : start + 4])}" for start in range(0, len(piles), 4)] or [
            f"  {tr('No pile is left.')}"
        ]

    def draw(self, width: int, level: int) -> list[Text]:
        if not self.tops:
            return [Text(tr("No pile is left."), ALARM)]
        if level == 2:
            tokens = [
                Text().append(f"{pile}: ", QUIET).append(top.flat, top.style) for pile, top in enumerate(self.tops, 1)
            ]
            return flow(tokens, width, pitch=11)
        pitch = 7 if level == 0 else 6
        each = width // pitch
        lines: list[Text] = []
        for start in range(0, len(self.tops), each):
            lines += self._line(start, min(start + each, len(self.tops)), pitch, remarks=level == 0)
        return lines

    def _line(self, start: int, stop: int, pitch: int, *, remarks: bool) -> list[Text]:
        lines = [Text() for _ in range(4)]
        for index in range(start, stop):
            drawn = [*box([self.tops[index]], label=f"{index + 1}"), Text(f" {self.remarks[index]}", QUIET)]
            for line, part in zip(lines, drawn, strict=True):
                line.append_text(fit(part, pitch))
        return lines if remarks and any(self.remarks[start:stop]) else lines[:3]


class Pool(NamedTuple):
    """Cards that lie open, to be picked."""

    cards: tuple[Card, ...]

    def told(self) -> list[str]:
        flat = [card.flat for card in self.cards]
        return [f"  {' '.join(flat[start : start + 12])}" for start in range(0, len(flat), 12)]

    def draw(self, width: int, level: int) -> list[Text]:
        # Seven cells hold 100(3) and a gap; six are enough for all others.
        return (
            flow(_tokens(self.cards), min(width, 42), pitch=7)
            if level == 0
            else flow(_tokens(self.cards), width, pitch=6)
        )


def _tokens(cards: Sequence[Card]) -> list[Text]:
    return [Text(card.flat, f"{card.style}{' reverse' if card.fresh else ''}") for card in cards]


# What a game must say about itself to be played at a terminal.

# -- answers -----------------------------------------------------------------------------------------------------------
# Understanding what a person types.

_TOKEN = re.compile(r"\d+|[^\W\d]+|[^\w\s,;:!]")
MAX_NUMBER_LENGTH = 6
YES = frozenset(("y", "yes", "yeah", "ok", "agree", "a", "ja", "j", "tak", "t", "да", "д"))
NO = frozenset(("n", "no", "decline", "d", "nein", "nie", "нет", "н"))


class Unclear(Exception):
    """An answer that nothing can be made of; the text is a sentence for the person."""


def words(text: str) -> list[str]:
    """Numbers, words and signs; `24~` is two of them. What only separates is left out."""
    return _TOKEN.findall(text.casefold())


def number(word: str) -> int | None:
    return int(word) if word.isdecimal() and len(word) <= MAX_NUMBER_LENGTH else None


def numbers(given: Iterable[str]) -> list[int]:
    return [value for word in given if (value := number(word)) is not None]


def only_number(text: str, noise: Sequence[str] = ()) -> int | None:
    """The number if that, and perhaps a word like "row", is all there is."""
    left = [word for word in words(text) if word not in noise]
    return number(left[0]) if len(left) == 1 else None


def find_name(names: Sequence[str], text: str, seats: Iterable[Seat]) -> Seat | None:
    """The seat whose name begins like this, if there is only one among these."""
    text = " ".join(text.casefold().split())
    if not text:
        return None
    exact = [seat for seat in seats if names[seat].casefold() == text]
    found = exact or [seat for seat in seats if names[seat].casefold().startswith(text)]
    return found[0] if len(found) == 1 else None


# -- face --------------------------------------------------------------------------------------------------------------

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

    def __init__(self, game: AnyGame, names: Sequence[str], *, hints: bool = True) -> None:
        self.game = game
        self.names: tuple[str, ...] = tuple(names)
        self.hints = hints

    # -- looking ------------------------------------------------------------------------------------------------

    def shown(self, before: V, after: V, event: Event) -> V:
        """What is drawn while this is told, of the views before and after it: cards that a round ends with lie there
        until everybody has looked, though they count as gathered already."""
        if not isinstance(event, RoundEnded):
            return after
        old, new = cast(Any, before).table, cast(Any, after).table
        return cast(V, replace(cast(Any, after), table=replace(old, scores=new.scores)))

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
        """Empty if there is nothing to say. The hands that are dealt need no words: they are on the table."""
        told = narrate(self.game.id, event, self.names) if language() != "en" else None
        return event.tell(self.names).partition("\n")[0] if told is None else told

    def called(self, action: Action) -> str | None:
        """What an action is called, where it is more than a card, a row or a pile."""
        del action
        return None

    def special(self, kind: str) -> str:
        """What a special card is called that a review tells of."""
        return kind

    def legend(self) -> tuple[str, ...]:
        """What the signs mean, for the help page."""
        return ()

    @property
    def title(self) -> str:
        return page_text(f"{self.game.id}:about.name") or self.game.name

    # -- asking -------------------------------------------------------------------------------------------------

    def asked(self, look: Look[V]) -> str:
        """Who is asked for what."""
        between = "," if language() == "en" else ":"
        return f"{self.names[look.asked or 0]}{between} {self.question(look)}"

    def question(self, look: Look[V]) -> str:
        told = None
        if language() != "en":
            queue = getattr(cast(Any, look.view).table, "queue", ())
            told = page_text(f"{self.game.id}:ask.{look.kind}", card=queue[0].card if queue else "")
        return told or self.game.decisions[look.kind or ""]

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
        return f"{fit(name, 10, pad=False).plain} ({tr('you')})" if seat == own else name

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


def turn_shown(look: Look[Any], played: int) -> int:
    """The turn being played, after so many: the next one begins when somebody is asked for a card."""
    return max(1, played + (look.view.table.phase == "choose" and bool(look.awaited)))


def no_row(shown: Card, least: int) -> Choice:
    """The hint for a card that fits no row, so that its owner would have to take one."""
    words = tr("fits no row: you would take one, {bulls} or more", bulls=bulls_told(least))
    wide = (tr("fits no row"), tr("{bulls} or more", bulls=heads(least)))
    return Choice(shown, words, wide, (tr("any"), f"{heads(least)}+"), True)


def heads(bulls: int) -> str:
    return f"{bulls}{BULL}"


def row_hint(shown: Card, foreseen: Sequence[Foreseen]) -> Choice:
    """What would become of a card where it goes to one row, or its owner must choose one."""
    if len(foreseen) != 1:
        return no_row(shown, min((one.bulls for one in foreseen), default=0))
    row, price = foreseen[0].place or 0, foreseen[0].bulls
    if not price:
        return Choice(shown, to_row(row), (to_row(row),), (f"→{row}", tr("free")))
    wide = (to_row(row), tr("takes {bulls}", bulls=heads(price)))
    return Choice(shown, takes(row, price), wide, (f"→{row}", heads(price)), True)


def to_row(row: int) -> str:
    return tr("to row {row}", row=row)


def takes(row: int, bulls: int) -> str:
    return tr("takes row {row}: {bulls}", row=row, bulls=bulls_told(bulls))


def explained(refused: IllegalAction) -> str:
    """Why the rules refuse an action."""
    told = page_text(f"error.{refused.refusal.value}") if language() != "en" else None
    return told or str(refused)


def face_of(game: AnyGame, names: Sequence[str], *, hints: bool = True) -> Face[Any]:
    """A game's `terminal.py` has a class `Terminal`; what has none gets a plain face."""
    from nimmt.clients.terminal.plain import PlainFace

    make: type[Face[Any]] = getattr(registry.part(game.id, "terminal"), "Terminal", PlainFace)
    return make(game, names, hints=hints)

"""Beat the Buffalo: 104 cards (to play or to swap), 4 rows, passing and answering, and every use of a special card.

A use has one number, whether it is proposed or used at once. Sort stands for all orders: its numbers are the ranks of
the permutations of the cards still to be placed, in the order of the dictionary; rank 0 is the present order.
Environments ask the team together: the first seat that wants to use a special card uses it, and all others agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import factorial

from nimmt.envs.codec import Codec, Feature, Mask, by_card, ends, listed, rows_of, word
from nimmt.games.buffalo.batch import (
    CHOICES,
    FIRST_ANSWER,
    FIRST_PUSH,
    FIRST_ROW_USE,
    FIRST_SEAT_USE,
    FIRST_SORT,
    MAX_ROW_LENGTH,
)
from nimmt.games.buffalo.types import (
    BUFFALO,
    DOUBLED_SEATS,
    HAND,
    KINDS,
    MAX_SEATS,
    ROWS,
    Agree,
    AnyUse,
    ChooseRow,
    Decline,
    First,
    Insert,
    Last,
    Lift,
    Pass,
    PlayCard,
    Propose,
    Push,
    Sort,
    State,
    Stop,
    Swap,
    SwapCard,
    Table,
    Take7,
    Use,
    View,
    kind,
)
from nimmt.rules.game import Action, AnyGame, Options, Seat
from nimmt.rules.kit.cards import HIGHEST, bulls

ANSWERS: tuple[Action, ...] = (Pass(), Agree(), Decline())
ROW_USES: tuple[type[Take7 | Stop | Lift | Insert], ...] = (Take7, Stop, Lift, Insert)
SEAT_USES: tuple[type[Swap | First | Last], ...] = (Swap, First, Last)

PHASES = ("choose", "window", "swap", "row", "over")


class BuffaloCodec(Codec):
    highest = HIGHEST

    def __init__(self, game: AnyGame, options: Options, seats: int) -> None:
        self.actions = FIRST_SORT + factorial(seats + 1)
        super().__init__(game, options, seats)

    # -- actions ------------------------------------------------------------------------------------------------

    def encode(self, view: View, action: Action) -> int:
        match action:
            case PlayCard(card=card) | SwapCard(card=card):
                return card - 1
            case ChooseRow(row=row):
                return CHOICES + row - 1
            case Propose(use=use) | Use(use=use):
                return _encode_use(view.table, use)
        if action in ANSWERS:
            return FIRST_ANSWER + ANSWERS.index(action)
        raise ValueError(f"{action} has no number.")

    def _decode(self, view: View, number: int) -> Action:
        if number < CHOICES:
            return SwapCard(number + 1) if view.table.phase == "swap" else PlayCard(number + 1)
        if number < FIRST_ANSWER:
            return ChooseRow(number - CHOICES + 1)
        if number < FIRST_ROW_USE:
            return ANSWERS[number - FIRST_ANSWER]
        use = _decode_use(view.table, number)
        return Use(use) if view.table.options.decide == "anyone" else Propose(use)

    def mask(self, view: View, legal: Sequence[Action]) -> Mask:
        """Where one order is possible, all are: they need not be ranked one by one. Version 1 has no present one."""
        others = [action for action in legal if not isinstance(getattr(action, "use", None), Sort)]
        mask = super().mask(view, others)
        if len(others) < len(legal):
            first = FIRST_SORT + (0 if view.table.rules_version > 1 else 1)
            mask[first : FIRST_SORT + factorial(len(view.table.queue))] = 1
        return mask

    def spell(self, state: State, numbers: Sequence[int]) -> Iterator[tuple[Seat, Action]]:
        """In a window the first who does not pass decides, and everybody else agrees."""
        seats = range(state.table.seats)
        if state.table.window is None:
            yield from super().spell(state, numbers)
            return
        seat = next((seat for seat in seats if numbers[seat] != FIRST_ANSWER), None)
        if seat is None:
            yield from ((seat, Pass()) for seat in seats)
            return
        action = self.decode(self.game.view(state, seat), int(numbers[seat]))
        yield seat, action
        if isinstance(action, Propose):
            yield from ((other, Agree()) for other in seats if other != seat)

    # -- observations -------------------------------------------------------------------------------------------

    def features(self, view: View) -> Iterator[Feature]:
        table, seats = view.table, self.around(view.seat)
        places = {BUFFALO: self.seats + 1} | {seat: place for place, seat in enumerate(seats, 1)}
        yield "hand", listed(view.hand, HAND), HIGHEST
        yield "rows", rows_of(table.rows, ROWS, MAX_ROW_LENGTH), HIGHEST
        yield "row_lengths", listed(map(len, table.rows), ROWS), MAX_ROW_LENGTH
        yield "ends", listed(ends(table.rows), ROWS), HIGHEST
        yield "row_bulls", listed(map(bulls, table.rows), ROWS), 30
        yield "take7", [float(any(kind(card) == "Take7" for card in cards)) for cards in table.beside], 1
        yield "stop", [float(any(kind(card) == "Stop" for card in cards)) for cards in table.beside], 1
        yield "queue", listed([play.card for play in table.queue], self.seats + 1), HIGHEST
        yield "owners", listed([places[play.seat] for play in table.queue], self.seats + 1), self.seats + 1
        yield "known", by_card({play.card: places[play.seat] for play in table.known}, HIGHEST), self.seats
        yield "face_up", _kinds(table.face_up), 2
        yield "used", _kinds(table.used), 2
        yield "specials_left", [view.specials_left], 16
        yield "phase", word(table.phase, PHASES), 1
        yield "turn", [table.turn], HAND
        yield "hand_sizes", [view.hand_sizes[seat] for seat in seats], HAND
        yield "buffalo_size", [view.buffalo_size], HAND
        yield "bulls", [table.bulls, table.buffalo_bulls], 100

    def scores(self, table: Table) -> tuple[int, ...]:
        """The team's lead: what the buffalo has taken less the team's points."""
        points = table.bulls * (2 if table.seats <= DOUBLED_SEATS else 1)
        return (table.buffalo_bulls - points,) * table.seats


CODEC = BuffaloCodec


# -- uses of special cards ----------------------------------------------------------------------------------------


def _encode_use(table: Table, use: AnyUse) -> int:
    if isinstance(use, Push):
        return FIRST_PUSH + (use.card - 1) * ROWS + use.row - 1
    if isinstance(use, Sort):
        return FIRST_SORT + rank([play.seat for play in table.queue], use.order)
    if isinstance(use, Swap | First | Last):
        return FIRST_SEAT_USE + SEAT_USES.index(type(use)) * MAX_SEATS + use.seat
    return FIRST_ROW_USE + ROW_USES.index(type(use)) * ROWS + use.row - 1


def _decode_use(table: Table, number: int) -> AnyUse:
    if number >= FIRST_SORT:
        return Sort(arranged([play.seat for play in table.queue], number - FIRST_SORT))
    if number >= FIRST_PUSH:
        card, row = divmod(number - FIRST_PUSH, ROWS)
        return Push(card + 1, row + 1)
    if number >= FIRST_SEAT_USE:
        which, seat = divmod(number - FIRST_SEAT_USE, MAX_SEATS)
        return SEAT_USES[which](seat)
    which, row = divmod(number - FIRST_ROW_USE, ROWS)
    return ROW_USES[which](row + 1)


def rank(present: Sequence[Seat], order: Sequence[Seat]) -> int:
    """The place of an order in the list of all, which begins with the present one."""
    left, place = list(present), 0
    for seat in order:
        place = place * len(left) + left.index(seat)
        left.remove(seat)
    return place


def arranged(present: Sequence[Seat], place: int) -> tuple[Seat, ...]:
    """The order at this place; raises `ValueError` if there are not so many."""
    left, order = list(present), []
    if place >= factorial(len(left)):
        raise ValueError(f"{len(left)} cards have no order {place}.")
    while left:
        which, place = divmod(place, factorial(len(left) - 1))
        order.append(left.pop(which))
    return tuple(order)


def _kinds(specials: Sequence[int]) -> list[float]:
    """How many of each kind there are."""
    found = [kind(special) for special in specials]
    return [found.count(name) for name in KINDS]

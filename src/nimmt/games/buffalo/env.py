"""Beat the Buffalo: 104 cards (to play or to swap), 4 rows, passing and answering, and every use of a special card.

A use has one number, whether it is proposed or used at once. Sort stands for all orders: its numbers are the ranks of
the permutations of the cards still to be placed, in the order of the dictionary; rank 0 is the present order.
Withdrawing a proposal has no number: who has proposed is not asked until the others have answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import factorial

from msgspec.structs import replace

from nimmt.envs.codec import Array, Codec, Feature, Mask, ends, flags, numbers, one_of, plane, planes, word
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
    Proposal,
    Propose,
    Push,
    Sort,
    Stop,
    Swap,
    SwapCard,
    Table,
    Take7,
    Use,
    View,
    kind,
)
from nimmt.rules.game import Action, Seat
from nimmt.rules.kit.cards import HIGHEST, bulls

CHOICES = HIGHEST
ANSWERS: tuple[Action, ...] = (Pass(), Agree(), Decline())
FIRST_ANSWER = CHOICES + ROWS
ROW_USES: tuple[type[Take7 | Stop | Lift | Insert], ...] = (Take7, Stop, Lift, Insert)
FIRST_ROW_USE = FIRST_ANSWER + len(ANSWERS)
SEAT_USES: tuple[type[Swap | First | Last], ...] = (Swap, First, Last)
FIRST_SEAT_USE = FIRST_ROW_USE + len(ROW_USES) * ROWS
FIRST_PUSH = FIRST_SEAT_USE + len(SEAT_USES) * MAX_SEATS
FIRST_SORT = FIRST_PUSH + HIGHEST * ROWS
SORTS = factorial(MAX_SEATS + 1)

PHASES = ("choose", "window", "swap", "row", "over")
USES = (*KINDS, "Lift")


class BuffaloCodec(Codec):
    actions = FIRST_SORT + SORTS

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

    def decode(self, view: View, number: int) -> Action:
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

    def same_moment(self, before: Table, after: Table) -> bool:
        """Passing and agreeing change nothing for those who have not spoken yet."""
        return _unspoken(before) == _unspoken(after)

    # -- observations -------------------------------------------------------------------------------------------

    def features(self, view: View) -> Iterator[Feature]:
        table, seats = view.table, [*self.around(view.seat), BUFFALO]
        plays = {play.seat: (play.card,) for play in table.queue}
        known = [[play.card for play in table.known if play.seat == seat] for seat in seats[:-1]]
        yield "hand", plane(view.hand, HIGHEST)
        yield "rows", planes(table.rows, HIGHEST, ROWS)
        yield "ends", planes(ends(table.rows), HIGHEST, ROWS)
        yield "row_lengths", numbers(map(len, table.rows), 6, ROWS)
        yield "row_bulls", numbers(map(bulls, table.rows), 30, ROWS)
        yield "take7", flags(any(kind(card) == "Take7" for card in cards) for cards in table.beside)
        yield "stop", flags(any(kind(card) == "Stop" for card in cards) for cards in table.beside)
        yield "queue", planes([plays.get(seat, ()) for seat in seats], HIGHEST, self.seats + 1)
        yield "order", _order([play.seat for play in table.queue], seats)
        yield "known", planes(known, HIGHEST, self.seats)
        yield "taken", plane(table.taken, HIGHEST)
        yield "pile", plane(table.pile, HIGHEST)
        yield "face_up", _kinds(table.face_up)
        yield "used", _kinds(table.used)
        yield "specials_left", numbers([view.specials_left], 16, 1)
        yield from self._window(table, seats)
        yield "phase", word(table.phase, PHASES)
        yield "turn", numbers([table.turn], HAND, 1)
        yield "hand_sizes", numbers([view.hand_sizes[seat] for seat in seats[:-1]], HAND, self.seats)
        yield "buffalo_size", numbers([view.buffalo_size], HAND, 1)
        yield "bulls", numbers([table.bulls, table.buffalo_bulls], 100, 2)

    def _window(self, table: Table, seats: Sequence[Seat]) -> Iterator[Feature]:
        window, people = table.window, seats[:-1]
        proposal = window.proposal if window else None
        yield "passed", flags(window is not None and window.passed[seat] for seat in people)
        yield "proposals", numbers([window.proposals[seat] for seat in people] if window else (), 20, self.seats)
        yield "declined", flags(any(type(use).__name__ == name for use in table.declined) for name in USES)
        yield "proposer", one_of(people.index(proposal.seat) if proposal else None, self.seats)
        yield "agreed", flags(proposal is not None and seat in proposal.agreed for seat in people)
        yield from _proposed(proposal, seats)

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


# -- parts of observations ------------------------------------------------------------------------------------------


def _order(order: Sequence[Seat], seats: Sequence[Seat]) -> Array:
    """For each seat, and the buffalo last, when its card is placed: 1 for the first one, 0 for none."""
    places = [(MAX_SEATS + 1 - order.index(seat)) if seat in order else 0 for seat in seats]
    return numbers(places, MAX_SEATS + 1, len(seats))


def _kinds(specials: Sequence[int]) -> Array:
    """How many of each kind there are, of two."""
    found = [kind(special) for special in specials]
    return numbers([found.count(name) for name in KINDS], 2, len(KINDS))


def _proposed(proposal: Proposal | None, seats: Sequence[Seat]) -> Iterator[Feature]:
    use = proposal.use if proposal else None
    row, seat, card = getattr(use, "row", None), getattr(use, "seat", None), getattr(use, "card", None)
    yield "proposed", word(type(use).__name__, USES)
    yield "proposed_row", one_of(row - 1 if row is not None else None, ROWS)
    yield "proposed_seat", one_of(seats.index(seat) if seat is not None else None, len(seats) - 1)
    yield "proposed_card", plane(() if card is None else (card,), HIGHEST)
    yield "proposed_order", _order(getattr(use, "order", ()), seats)


def _unspoken(table: Table) -> Table:
    """The table as if nobody had passed or agreed."""
    window = table.window
    if window is None:
        return table
    proposal = replace(window.proposal, agreed=()) if window.proposal else None
    return replace(table, window=replace(window, passed=(), proposal=proposal))

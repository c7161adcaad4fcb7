"""Beat the Buffalo on flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nimmt.fast.game import RowGame, field_bytes
from nimmt.fast.jit import Flat, Flats
from nimmt.fast.parts import BULLS
from nimmt.games.buffalo import GAME, kernels, picture, policies, sight, types
from nimmt.games.buffalo.events import CardPlaced
from nimmt.games.buffalo.kernel_parts import (
    BUFFALO,
    FIRST,
    INSERT,
    KIND_SHIFT,
    LAST,
    LIFT,
    PASS,
    PAYLOAD,
    PHASES,
    PUSH,
    SORT,
    STATE,
    STOP,
    SWAP,
    TAKE7,
    TEAM,
)
from nimmt.games.buffalo.rules import SPECIAL_OFFSET
from nimmt.games.buffalo.types import (
    RULES_VERSION,
    Agree,
    AnyUse,
    ChooseRow,
    Options,
    Pass,
    Play,
    PlayCard,
    Propose,
    State,
    SwapCard,
    Table,
    Use,
    View,
    kind,
)
from nimmt.rules.game import Action, Cards, Seat
from nimmt.rules.kit.cards import HIGHEST

_ROW_USES: dict[int, type[Any]] = {
    TAKE7: types.Take7,
    STOP: types.Stop,
    INSERT: types.Insert,
    LIFT: types.Lift,
}
_SEAT_USES: dict[int, type[Any]] = {SWAP: types.Swap, FIRST: types.First, LAST: types.Last}


class FastBuffalo(RowGame):
    rules = GAME
    state = STATE
    decks = ("numbers", "specials")
    phases = PHASES
    has_rival = True
    most_actions = 8192
    step_events = (CardPlaced,)

    def template(self, options: Options, seats: int, round_number: int = 1) -> Flats:
        flat = super().template(options, seats, round_number)
        flat["version"] = RULES_VERSION
        return flat

    def template_of(self, state: State) -> Flats:
        flat = self.template(state.table.options, state.table.seats)
        flat["version"] = state.table.rules_version
        return flat

    def load_into(self, s: Flat, state: State) -> None:
        super().load_into(s, state)
        s["buffalo"][: len(state.buffalo)] = state.buffalo
        s["buffalo_stock"] = len(state.buffalo)
        s["specials"][: len(state.specials)] = state.specials
        s["special_stock"] = len(state.specials)
        s["owner"][list(state.table.pile)] = TEAM
        s["owner"][list(state.buffalo_pile)] = BUFFALO
        _load_table(s, state.table)

    def known(self, table: Table, seat: Seat) -> Cards:
        return tuple(play.card for play in table.known if play.seat == seat)

    def play_code(self, play: Play) -> int:
        return play.card

    # -- codes --------------------------------------------------------------------------------------------------

    def encode(self, action: Action) -> int:
        match action:
            case PlayCard(card=number) | SwapCard(card=number) | ChooseRow(row=number):
                return number
            case Propose(use=use) | Use(use=use):
                return encode_use(use)
            case Pass():
                return PASS
        raise TypeError(f"{action} has no code: the team decides as one.")

    def decode(self, state: State | View, seat: Seat, code: int) -> Action:
        del seat
        table = state.table
        if table.window is not None:
            use = decode_use(table, code) if code != PASS else None
            return Pass() if use is None else Use(use) if table.options.decide == "anyone" else Propose(use)
        if table.phase == "choose":
            return PlayCard(code)
        return SwapCard(code) if table.phase == "swap" else ChooseRow(code)

    def spell(self, state: State, seat: Seat, code: int) -> Sequence[tuple[Seat, Action]]:
        """Where the rules ask everybody, everybody passes or agrees."""
        action, window = self.decode(state, seat, code), state.table.window
        seats = range(state.table.seats)
        if isinstance(action, Pass) and window is not None:
            return [(other, action) for other in seats if not window.passed[other]]
        if isinstance(action, Propose):
            return [(seat, action), *((other, Agree()) for other in seats if other != seat)]
        return [(seat, action)]

    def kind(self, code: int) -> int:
        return code >> KIND_SHIFT

    # -- worlds: numbers and special cards ------------------------------------------------------------------------

    def hidden(self, view: View) -> Sequence[Sequence[int]]:
        unseen = GAME.unseen(view)
        numbers = [card for card in unseen if card <= HIGHEST]
        return numbers, [card - SPECIAL_OFFSET for card in unseen if card > HIGHEST]

    def places(self, view: View) -> Sequence[Sequence[int]]:
        (in_hands,) = super().places(view)
        buffalo, specials = field_bytes(STATE, "buffalo"), field_bytes(STATE, "specials")
        numbers = [*in_hands, *range(buffalo, buffalo + view.buffalo_size)]
        return numbers, range(specials, specials + view.specials_left)

    # -- comparing with the rules -----------------------------------------------------------------------------------

    def points(self, flat: Flat) -> Cards:
        return tuple(flat["bulls"].tolist())

    def points_by_rules(self, state: State) -> Cards:
        return state.table.bulls, state.table.buffalo_bulls


def encode_use(use: AnyUse) -> int:
    match use:
        case types.Push(card=card, row=row):
            return PUSH << KIND_SHIFT | card << 3 | row
        case types.Sort(order=order):
            return SORT << KIND_SHIFT | sum(seat + 1 << 3 * i for i, seat in enumerate(order))
    for code, use_type in _ROW_USES.items():
        if isinstance(use, use_type):
            return code << KIND_SHIFT | use.row
    for code, use_type in _SEAT_USES.items():
        if isinstance(use, use_type):
            return code << KIND_SHIFT | use.seat
    raise TypeError(f"{use} is not a use of a special card.")


def decode_use(table: Table, code: int) -> AnyUse:
    what, payload = code >> KIND_SHIFT, code & PAYLOAD
    use: AnyUse
    if what == PUSH:
        use = types.Push(payload >> 3, payload & 7)
    elif what == SORT:
        use = types.Sort(tuple((payload >> 3 * i & 7) - 1 for i in range(len(table.queue))))
    else:
        use = _ROW_USES[what](payload) if what in _ROW_USES else _SEAT_USES[what](payload)
    return use


def _load_table(s: Flat, table: Table) -> None:
    s["turns"] = table.turn
    for row, cards in enumerate(map(list, table.rows)):
        s["worth"][row] = BULLS[cards].sum()
        for special in table.beside[row]:
            s["take7" if kind(special) == "Take7" else "stop"][row] = special
    s["owners"][: len(table.queue)] = [play.seat for play in table.queue]
    s["face_up"][: len(table.face_up)] = table.face_up
    s["face_ups"] = len(table.face_up)
    s["used"][list(table.used)] = 1
    s["bulls"] = table.bulls, table.buffalo_bulls
    if table.window is not None:
        s["stopped_now"][[row - 1 for row in table.window.stopped]] = 1
    if table.phase == "swap":
        s["swapper"], s["swapped"] = table.known[-1].seat, table.known[-1].card


FAST = FastBuffalo(kernels, policies, sight, picture)

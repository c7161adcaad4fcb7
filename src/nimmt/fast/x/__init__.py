"""X nimmt! on flat arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nimmt.fast.game import FastGame, NotInARound, field_bytes, register
from nimmt.fast.jit import Flat, Flats
from nimmt.fast.x import picture, policies, steps
from nimmt.fast.x.state import BULLS, CHOOSE, KEEP, MOST_CARDS, OVER, ROW, STATE
from nimmt.rules.game import Action, Event, Seat
from nimmt.rules.games.x import GAME
from nimmt.rules.games.x.actions import ChooseRow, KeepCard, PlayCard
from nimmt.rules.games.x.options import Options
from nimmt.rules.games.x.state import State, Table, View
from nimmt.rules.kit.events import CardChosen, CardPlaced

_PHASES = {"choose": CHOOSE, "row": ROW, "keep": KEEP, "over": OVER}


class FastX(FastGame):
    rules = GAME
    state = STATE
    decks = ("numbers",)
    policies = policies.POLICIES
    over = OVER
    picture_size = picture.SIZE
    step_events = (CardPlaced,)
    secret_events = (CardChosen,)

    def template(self, options: Options, seats: int, round_number: int = 1) -> Flats:
        del options, round_number
        flat = np.zeros(1, STATE)
        flat["seats"] = seats
        return flat

    def load(self, state: State) -> Flats:
        table = state.table
        if table.phase == "deal":
            raise NotInARound("The cards of the next round are not dealt yet.")
        flat = self.template(table.options, table.seats)
        s = flat[0]
        s["phase"], s["waiting"] = _PHASES[table.phase], len(state.waiting)
        for seat, hand in enumerate(state.hands):
            # What all know of a hand comes first, so that hidden cards have places of their own behind it.
            cards = (*table.known[seat], *(card for card in hand if card not in table.known[seat]))
            s["hands"][seat, : len(cards)] = cards
            s["sizes"][seat] = len(cards)
            s["chosen"][seat] = state.chosen[seat] or 0
        _load_table(s, table)
        return flat

    def encode(self, action: Action) -> int:
        match action:
            case PlayCard(card=number) | KeepCard(card=number) | ChooseRow(row=number):
                return number
        raise TypeError(f"{action} is not an action of X nimmt!")

    def decode(self, state: State | View, seat: Seat, code: int) -> Action:
        del seat
        phase = state.table.phase
        return PlayCard(code) if phase == "choose" else ChooseRow(code) if phase == "row" else KeepCard(code)

    def hidden(self, view: View) -> Sequence[Sequence[int]]:
        return (GAME.unseen(view),)

    def places(self, view: View) -> Sequence[Sequence[int]]:
        first = field_bytes(STATE, "hands")
        found: list[int] = []
        for seat, (size, known) in enumerate(zip(view.hand_sizes, view.table.known, strict=True)):
            if seat != view.seat:
                found += [first + MOST_CARDS * seat + i for i in range(len(known), size)]
        return (found,)

    def forget_choices(self, flat: Flats) -> None:
        if flat[0]["phase"] == CHOOSE:
            flat["chosen"] = 0
            flat["waiting"] = flat["seats"]

    def picture(self, state: State) -> bytearray:
        return picture.picture_of(state)

    def follow(self, shown: bytearray, event: Event) -> None:
        picture.follow(shown, event)


def _load_table(s: Flat, table: Table) -> None:
    for row, cards in enumerate(table.rows):
        s["rows"][row, : len(cards)] = cards
        s["lengths"][row] = len(cards)
        s["ends"][row] = cards[-1]
    for seat in range(table.seats):
        x_row, pile = table.x_rows[seat], list(table.x_piles[seat])
        s["x_rows"][seat, : len(x_row)] = x_row
        s["x_lengths"][seat] = len(x_row)
        s["x_bulls"][seat] = BULLS[list(x_row)].sum()
        s["pile_bulls"][seat] = BULLS[pile].sum()
        s["owner"][pile] = seat + 1
    if table.taken:
        s["taker"], s["takes"] = table.taken.seat, len(table.taken.cards)
        s["taken"][: s["takes"]] = table.taken.cards
    for i, play in enumerate(table.queue):
        s["queue"][i] = play.card << 3 | play.seat
    s["queued"] = len(table.queue)
    if table.phase == "over":
        s["points"][: table.seats] = table.scores[-1]


register(STATE, steps, policies, picture)

FAST = FastX()

"""Baron Oxx on flat arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nimmt.fast.baron import picture, policies, steps
from nimmt.fast.baron.state import (
    BULLS_ARE_GOOD,
    CHOOSE,
    COLOUR_BITS,
    COLOUR_COUNTS,
    DRAW_SPACE,
    OVER,
    ROW,
    STATE,
)
from nimmt.fast.game import FastGame, NotInARound, field_bytes, register
from nimmt.fast.jit import Flat, Flats
from nimmt.rules.game import Action, Event, Seat
from nimmt.rules.games.baron import GAME
from nimmt.rules.games.baron.actions import ChooseRow, PlayCard
from nimmt.rules.games.baron.deck import faces
from nimmt.rules.games.baron.events import CardPlaced, CardReturned
from nimmt.rules.games.baron.options import HAND, Options
from nimmt.rules.games.baron.state import State, Table, View
from nimmt.rules.kit.events import CardChosen

_PHASES = {"choose": CHOOSE, "row": ROW, "over": OVER}


class FastBaron(FastGame):
    rules = GAME
    state = STATE
    decks = ("baron",)
    policies = policies.POLICIES
    over = OVER
    picture_size = picture.SIZE
    step_events = (CardPlaced, CardReturned)
    secret_events = (CardChosen,)

    def template(self, options: Options, seats: int, round_number: int = 1) -> Flats:
        del round_number
        flat, shown = np.zeros(1, STATE), faces(options.deck)
        flat["seats"] = seats
        flat["variants"] = COLOUR_COUNTS * options.colour_counts + BULLS_ARE_GOOD * options.bulls_are_good
        flat["card_colours"], flat["card_bulls"] = shown.colours, shown.bulls
        flat["card_counts"] = [
            sum(count << COLOUR_BITS * colour for colour, count in enumerate(counts)) for counts in shown.counts
        ]
        return flat

    def load(self, state: State) -> Flats:
        table = state.table
        if table.phase in ("deal", "over"):
            raise NotInARound("No game is being played.")
        flat = self.template(table.options, table.seats)
        s = flat[0]
        s["phase"], s["waiting"] = _PHASES[table.phase], len(state.waiting)
        s["idle"], s["moved"] = table.idle, table.phase == "row"
        for seat, hand in enumerate(state.hands):
            # What all know of a hand comes first, so that hidden cards have places of their own behind it.
            cards = (*table.known[seat], *(card for card in hand if card not in table.known[seat]))
            s["hands"][seat, : len(cards)] = cards
            s["sizes"][seat] = len(cards)
            draw = state.draw_piles[seat]
            s["draw"][seat, : len(draw)] = draw
            s["draw_sizes"][seat] = len(draw)
            s["chosen"][seat] = state.chosen[seat] or 0
        _load_table(s, table)
        return flat

    def encode(self, action: Action) -> int:
        match action:
            case PlayCard(card=number) | ChooseRow(row=number):
                return number
        raise TypeError(f"{action} is not an action of Baron Oxx.")

    def decode(self, state: State | View, seat: Seat, code: int) -> Action:
        del seat
        return PlayCard(code) if state.table.phase == "choose" else ChooseRow(code)

    def hidden(self, view: View) -> Sequence[Sequence[int]]:
        return (GAME.unseen(view),)

    def places(self, view: View) -> Sequence[Sequence[int]]:
        hands, draw, table = field_bytes(STATE, "hands"), field_bytes(STATE, "draw"), view.table
        found: list[int] = []
        for seat in range(table.seats):
            if seat != view.seat:
                found += [hands + HAND * seat + i for i in range(len(table.known[seat]), view.hand_sizes[seat])]
            strange = view.draw_sizes[seat] - len(table.returned[seat])
            found += [draw + DRAW_SPACE * seat + i for i in range(strange)]
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
    for row, cards in enumerate(map(list, table.rows)):
        s["rows"][row, : len(cards)] = cards
        s["lengths"][row] = len(cards)
        s["ends"][row] = cards[-1]
        s["worth"][row] = s["card_bulls"][cards].sum()
        s["counts"][row] = s["card_counts"][cards].sum()
    for seat, pile in enumerate(map(list, table.piles)):
        s["owner"][pile] = seat + 1
        s["bulls"][seat] = table.bulls[seat]
    for i, play in enumerate(table.queue):
        s["queue"][i] = play.card << 4 | play.seat
    s["queued"] = len(table.queue)


register(STATE, steps, policies, picture)

FAST = FastBaron()

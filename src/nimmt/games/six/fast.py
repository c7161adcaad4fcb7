"""6 nimmt! on flat arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nimmt.fast.chance import below
from nimmt.fast.game import RowGame
from nimmt.fast.jit import Flat, Flats, Numbers, Words, jit, wide
from nimmt.fast.kernels import Lines, seeded
from nimmt.fast.parts import BULLS, NOWHERE, sort_queue
from nimmt.games.six import GAME, kernels, lanes, picture, policies
from nimmt.games.six.kernels import COW, EVEN_ODD, MOUNTAIN, PHASES, STATE, TWIST, begin, packed, place, take
from nimmt.games.six.policies import CHEAPEST, RANDOM
from nimmt.games.six.types import (
    HAND,
    ROWS,
    CardChosen,
    ChooseRow,
    DraftCard,
    Markers,
    Options,
    Play,
    PlayCard,
    State,
    Table,
    View,
)
from nimmt.rules.game import Action, Cards, Seat
from nimmt.rules.kit.events import CardPlaced

# -- rounds ------------------------------------------------------------------------------------------------------------
# Random rounds of 6 nimmt!, one after the other, as fast as plain code goes.


@jit
def play_random_rounds(template: Flats, cards: Numbers, rng: Words, points: Numbers, taken: Numbers) -> None:
    """Whole rounds, shuffle included, without draft and twist cards: bulls and rows taken by each seat in each.

    As hands are dealt in random order, playing them from the last card to the first is random play: nobody needs a hand
    at all, cards come straight from the deck.
    """
    s = template[0]
    seats = wide(s.seats)
    for i in range(len(points)):
        begin(s, cards, rng)
        for turn in range(HAND - 1, -1, -1):
            for seat in range(seats):
                s.queue[seat] = packed(seat, wide(cards[HAND * seat + turn]))
            sort_queue(s.queue, seats)
            for k in range(seats):
                play = wide(s.queue[k])
                if not place(s, play):
                    take(s, play, below(rng, ROWS))
        for seat in range(seats):
            points[i, seat] = s.points[seat]
            taken[i, seat] = s.rows_taken[seat]


# -- six ---------------------------------------------------------------------------------------------------------------

_FANS = {"cow": COW, "even-odd": EVEN_ODD, "mountain": MOUNTAIN, "twist": TWIST}


class FastSix(RowGame):
    rules = GAME
    state = STATE
    decks = ("numbers",)
    phases = PHASES
    chunk = 16384
    step_events = (CardPlaced,)
    secret_events = (CardChosen,)

    def template(self, options: Options, seats: int, round_number: int = 1) -> Flats:
        flat = super().template(options, seats)
        flat["fans"] = sum(_FANS[fan] for fan in options.fan)
        flat["drafter"] = (round_number - 1) % seats if options.draft else NOWHERE
        return flat

    def load_into(self, s: Flat, state: State) -> None:
        super().load_into(s, state)
        table = state.table
        for row, cards in enumerate(table.rows):
            s["worth"][row] = BULLS[list(cards)].sum()
        s["turns"] = HAND - len(state.hands[0]) - (table.phase == "row")
        s["points"][: table.seats] = table.bulls
        s["twists"][: table.seats] = table.twists
        s["pool"][: len(table.pool)] = table.pool
        s["pooled"] = len(table.pool)
        if table.options.draft:
            s["drafter"] = (table.round - 1 + sum(map(len, table.drafted))) % table.seats
        _load_markers(s, table.markers)

    def known(self, table: Table, seat: Seat) -> Cards:
        """Nothing; a draft is open altogether, see `places`."""
        del table, seat
        return ()

    def choice_code(self, choice: Play | None) -> int:
        return picture.code_of(choice)

    def play_code(self, play: Play) -> int:
        code: int = kernels.packed.py_func(play.seat, picture.code_of(play))  # type: ignore[attr-defined]
        return code

    def encode(self, action: Action) -> int:
        match action:
            case PlayCard(card=card, twisted=twisted):
                return -card if twisted else card
            case ChooseRow(row=row):
                return row
            case DraftCard(card=card):
                return card
        raise TypeError(f"{action} is not an action of 6 nimmt!")

    def decode(self, state: State | View, seat: Seat, code: int) -> Action:
        del seat
        if state.table.phase == "choose":
            return PlayCard(abs(code), code < 0)
        return ChooseRow(code) if state.table.phase == "row" else DraftCard(code)

    def play_rounds(self, template: Flats, policies: NDArray[np.int64], seed: int, chunk: int, lines: Lines) -> None:
        """Random play of the basic game goes in lanes, random play of dealt cards needs no hands."""
        plain = template[0]["drafter"] == NOWHERE and not template[0]["fans"] & TWIST
        uniform = len(set(policies.tolist())) == 1
        if plain and uniform and not template[0]["fans"] and policies[0] in (RANDOM, CHEAPEST):
            lines.other[:, 0] = HAND
            state, chance = lanes.new_lanes(seed, chunk)
            lanes.play_lanes(state, chance, len(policies), bool(policies[0] == CHEAPEST), lines.points, lines.taken)
        elif plain and uniform and policies[0] == RANDOM:
            lines.other[:, 0] = HAND
            rng = seeded(np.uint64(seed), chunk)
            play_random_rounds(template, self.sorted_decks(), rng, lines.points, lines.taken)
        else:
            super().play_rounds(template, policies, seed, chunk, lines)

    def places(self, view: View) -> Sequence[Sequence[int]]:
        return ((),) if view.table.options.draft else super().places(view)


def _load_markers(s: Flat, markers: Markers) -> None:
    s["cow"] = markers.cow - 1 if markers.cow else NOWHERE
    s["even_odd"], s["mountain"], s["arrows"] = NOWHERE, NOWHERE, -1
    if markers.even_odd:
        s["even_odd"], s["parity"] = markers.even_odd.row - 1, markers.even_odd.parity == "odd"
    if markers.mountain:
        s["mountain"], s["arrows"] = markers.mountain.row - 1, -1 if markers.mountain.arrows == "up" else 1


FAST = FastSix(kernels, policies, picture)

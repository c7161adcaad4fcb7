from __future__ import annotations

import numpy as np

from nimmt.fast.chance import below
from nimmt.fast.jit import Flats, Numbers, Words, jit
from nimmt.fast.six.steps import begin, packed, place, sort_queue, take
from nimmt.rules.games.six.options import HAND, ROWS


@jit
def play_random_rounds(template: Flats, cards: Numbers, rng: Words, points: Numbers, taken: Numbers) -> None:
    s = template[0]
    seats = np.int64(s.seats)
    for i in range(len(points)):
        begin(s, cards, rng)
        for turn in range(HAND - 1, -1, -1):
            for seat in range(seats):
                s.queue[seat] = packed(seat, np.int64(cards[HAND * seat + turn]))
            sort_queue(s, seats)
            for k in range(seats):
                play = np.int64(s.queue[k])
                if not place(s, play):
                    take(s, play, below(rng, ROWS))
        for seat in range(seats):
            points[i, seat] = s.points[seat]
            taken[i, seat] = s.rows_taken[seat]

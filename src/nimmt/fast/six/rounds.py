"""Random rounds of 6 nimmt!, one after the other, as fast as plain code goes."""

from __future__ import annotations

from nimmt.fast.chance import below
from nimmt.fast.jit import Flats, Numbers, Words, jit, wide
from nimmt.fast.parts import sort_queue
from nimmt.fast.six.steps import begin, packed, place, take
from nimmt.rules.games.six.options import HAND, ROWS


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

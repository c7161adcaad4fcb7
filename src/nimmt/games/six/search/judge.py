"""The judge of 6 nimmt!: worlds sampled from the belief, rollouts by table-based types."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.lib.recfunctions import repack_fields

from nimmt.bots.judge import Rounds, Trial, as_trial, digest_of
from nimmt.fast.jit import Flat, Flats, jit, part, wide
from nimmt.fast.kernels import Lines, new_lines, tally_all
from nimmt.fast.parts import ROW, take_from_queue
from nimmt.games.six.fast import FAST
from nimmt.games.six.kernels import begin_turns, start_row, take
from nimmt.games.six.search.belief import Guess, guess_types, imagine, new_guess, shuffle
from nimmt.games.six.search.levels import situation_of
from nimmt.games.six.search.players import fitted, make_kinds
from nimmt.games.six.search.policy import (
    insert,
    pick_play,
    pick_row,
    place_queue,
    play_out,
    reveal,
    roll,
)
from nimmt.games.six.search.situation import (
    KIND,
    Desk,
    Effort,
    Ints,
    Kinds,
    Situation,
    Worlds,
    new_desk,
    new_worlds,
    set_unplayed,
)
from nimmt.games.six.search.think import clues, draft_at_random
from nimmt.games.six.search.unplayed import note_played
from nimmt.games.six.types import HAND, MAX_SEATS, ROWS, Options, State, View, highest_card
from nimmt.rules.game import Action, AnyGame, Seat
from nimmt.rules.kit.cards import deck

EFFORT = Effort(worlds=0, drafts=0, warm_up=25, thinning=10, herd=1.0)
"""Settings of the belief; the number of worlds is up to the caller."""
EQUALS = {"master": 1.0}
"""All seats are assumed to be of the same strength, so that they have the same expectation before the deal."""


def _tables(kinds: Kinds) -> Flats:
    """What its types go by: their tables, not networks that they do not have."""
    fields = [name for name in KIND.names or () if name not in ("weights", "learned", "known_as")]
    return np.asarray(repack_fields(kinds.types[fields]))


class SixJudge:
    def __init__(self, game: AnyGame) -> None:
        self._kinds = make_kinds(fitted(), EQUALS, "master")
        self.name = f"six-tables-1 {digest_of(game.rules_version, EFFORT, _tables(self._kinds), self._kinds.own)}"

    def alike(self, options: Options) -> bool:
        return not options.draft

    def considered(self, view: View, legal: Sequence[Action], done: Action) -> Sequence[Action]:
        del view, done
        return legal

    def rounds(self, options: Options, seats: int, number: int, seat: Seat, count: int, seed: int) -> Rounds:
        flat, cards = FAST.template(options, seats, number), deck(highest_card(options, seats))
        set_unplayed(flat, cards)
        lines, order = new_lines(count, seats), np.array(cards, np.int64)
        rounds_by_habit(flat, seat, order, self._kinds, EFFORT.herd, seed, new_desk(flat), lines)
        return Rounds(lines.points.astype(np.float64), np.zeros(count))

    def try_out(self, view: View, actions: Sequence[Action], worlds: int, seed: int) -> Trial:
        seats, own = view.table.seats, view.seat or 0
        codes = np.array([FAST.encode(action) for action in actions], np.int64)
        lines, soon = (new_lines(worlds, len(codes) + 1, seats) for _ in range(2))
        before = new_lines(1, seats)
        if view.table.phase == "draft":
            flat = FAST.load_view(view)
            set_unplayed(flat, deck(highest_card(view.table.options, seats)))
            try_drafts(flat, own, codes, self._kinds, EFFORT.herd, seed, new_desk(flat), lines)
            return as_trial(lines, soon, before, own)
        now = situation_of(view)
        found, desk = new_worlds(now.flat, worlds), new_desk(now.flat)
        imagine(now, self._kinds, clues(now, self._kinds), EFFORT, found, seed, desk)
        try_plays(now, self._kinds, found, codes, seed, desk, lines, soon)
        tally_all(now.flat, before)
        return as_trial(lines, soon, before, own)

    def rival(self, state: State) -> float:
        del state
        return 0.0

    def extra(self, view: View, action: Action) -> None:
        del view, action


@part
def note(s: Flat, lines: Lines, world: int, choice: int) -> None:
    for seat in range(wide(s.seats)):
        lines.points[world, choice, seat] = s.points[seat]
        lines.taken[world, choice, seat] = s.rows_taken[seat]


@jit
def try_plays(
    now: Situation, kinds: Kinds, worlds: Worlds, choices: Ints, seed: int, desk: Desk, lines: Lines, soon: Lines
) -> None:
    """Every choice in every world, plays or rows, and at last what the own type would do."""
    s, mind, own, types = desk.scratch[0], desk.minds[0], now.seat, kinds.types
    thrown = np.zeros(MAX_SEATS, np.int64)
    for w in range(len(worlds.flats)):
        world, who = worlds.flats[w], worlds.types[w]
        if world.phase != ROW:
            roll(mind, seed, 2 * w)
            for seat in range(wide(s.seats)):
                thrown[seat] = pick_play(world, seat, types[who[seat]], mind)
        for choice in range(len(choices) + 1):
            by_habit = choice == len(choices)
            # The same chance for every choice: what differs is what the choice has done.
            roll(mind, seed, 2 * w + 1)
            desk.scratch[0] = world
            if s.phase == ROW:
                row = pick_row(s, types[who[own]], mind) if by_habit else choices[choice] - 1
                take(s, take_from_queue(s), row)
            else:
                for seat in range(wide(s.seats)):
                    s.chosen[seat] = choices[choice] if seat == own and not by_habit else thrown[seat]
                reveal(s)
            place_queue(s, who, types, mind)
            note(s, soon, w, choice)
            play_out(s, who, types, mind)
            note(s, lines, w, choice)


@part
def nobody_knows(s: Flat, own: int, kinds: Kinds, mind: Flat) -> Guess:
    """Before anything has been played."""
    return new_guess(s, own, kinds, np.ones((MAX_SEATS, len(kinds.types))), mind)


@jit
def try_drafts(
    flat: Flats, own: int, choices: Ints, kinds: Kinds, herd: float, seed: int, desk: Desk, lines: Lines
) -> None:
    """Every card of the pool, the rest of the draft at random, then the round; and at last any card."""
    s, mind = desk.scratch[0], desk.minds[0]
    pool = np.zeros(wide(flat[0].pooled), np.int64)
    for at in range(len(pool)):
        pool[at] = flat[0].pool[at]
    cards = pool.copy()
    roll(mind, seed, -1)
    guess = nobody_knows(flat[0], own, kinds, mind)
    for w in range(len(lines.points)):
        guess_types(flat[0], own, kinds.types, herd, guess, mind)
        state = mind.dice
        for choice in range(len(choices) + 1):
            roll(mind, seed, w)
            cards[:] = pool
            shuffle(cards, mind)
            at = 0
            while choice < len(choices) and cards[at] != choices[choice]:
                at += 1
            cards[at], cards[0] = cards[0], cards[at]
            desk.scratch[0] = flat[0]
            draft_at_random(s, cards)
            play_out(s, guess.types, kinds.types, mind)
            note(s, lines, w, choice)
        mind.dice = state


@jit
def rounds_by_habit(
    flat: Flats, own: int, cards: Ints, kinds: Kinds, herd: float, seed: int, desk: Desk, lines: Lines
) -> None:
    """Whole rounds: the own seat plays by its type, the others are of any."""
    s, mind = desk.scratch[0], desk.minds[0]
    roll(mind, seed, -1)
    guess = nobody_knows(flat[0], own, kinds, mind)
    for number in range(len(lines.points)):
        guess_types(flat[0], own, kinds.types, herd, guess, mind)
        desk.scratch[0] = flat[0]
        shuffle(cards, mind)
        if s.drafter >= 0:
            draft_at_random(s, cards)
        else:
            deal_cards(s, cards)
        play_out(s, guess.types, kinds.types, mind)
        for seat in range(wide(s.seats)):
            lines.points[number, seat] = s.points[seat]


@part
def deal_cards(s: Flat, cards: Ints) -> None:
    for row in range(ROWS):
        start_row(s, row, cards[row])
        note_played(s, cards[row])
    used = ROWS
    for seat in range(wide(s.seats)):
        s.sizes[seat] = 0
        for _ in range(HAND):
            insert(s, seat, cards[used])
            used += 1
    begin_turns(s)

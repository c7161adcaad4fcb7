"""The bots that search in 6 nimmt!: from a view to the kernels' arrays, and from their answer to an action."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from msgspec.structs import replace

from nimmt.bots import simple
from nimmt.fast.jit import Flats, jit, wide
from nimmt.fast.parts import NOWHERE, begin_placing, seat_of
from nimmt.games.six.fast import FAST
from nimmt.games.six.kernels import begin_turns, place, queue_up, start_row, take
from nimmt.games.six.policies import cheapest_row
from nimmt.games.six.position import table_position
from nimmt.games.six.rules import SIX
from nimmt.games.six.search.exact import can_solve, exact_card, exact_row
from nimmt.games.six.search.players import CARELESS, make_kinds, master_kinds, master_kinds_with_fans
from nimmt.games.six.search.policy import play_by_looking
from nimmt.games.six.search.situation import Effort, Ints, Kinds, Situation, Stakes, new_desk, set_unplayed
from nimmt.games.six.search.think import search_draft, think
from nimmt.games.six.search.unplayed import note_played
from nimmt.games.six.types import (
    HAND,
    MAX_SEATS,
    ROWS,
    DraftCard,
    History,
    Options,
    PlayCard,
    Table,
    View,
    highest_card,
)
from nimmt.rules.game import Action, AnyGame, Cards
from nimmt.rules.kit.cards import deck, totals

# -- six ---------------------------------------------------------------------------------------------------------------

MAX_DRAFTS, MIN_DRAFTS = 24_000, 20
"""Hands simulated per draft pick, over all seats and worlds; and the minimum number of worlds."""


class SearchBot:
    """Decides by search in worlds sampled from its belief."""

    def __init__(self, kinds: Kinds, effort: Effort, blend: float, with_fans: SearchBot | None = None) -> None:
        self.kinds, self.effort, self.blend = kinds, effort, blend
        self._with_fans = with_fans

    def variant(self, options: Options) -> SearchBot:
        """Opponent models and effort under these options."""
        return self._with_fans if options.fan and self._with_fans else self

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        if (other := self.variant(view.table.options)) is not self:
            return other.choose(view, legal, rng)
        seed = rng.getrandbits(62)
        if len(legal) == 1 or view.table.seats == 1:
            return legal[0]
        stakes = stakes_of(view.table, self.blend)
        if isinstance(legal[0], DraftCard):
            return self._draft(view, legal, stakes, seed)
        now = situation_of(view)
        if can_solve(now) and not any(view.table.twists):
            code = exact_row(now, stakes) if now.chooses_row else exact_card(now, stakes, seed)
        else:
            codes = np.array([FAST.encode(action) for action in legal], np.int64)
            code, _ = think(now, stakes, self.kinds, self.effort, codes, seed)
        return FAST.decode(view, now.seat, code)

    def _draft(self, view: View, legal: Sequence[Action], stakes: Stakes, seed: int) -> Action:
        table, flat = view.table, FAST.load_view(view)
        set_unplayed(flat, deck(highest_card(table.options, table.seats)))
        number = max(MIN_DRAFTS, min(self.effort.drafts, MAX_DRAFTS // (len(legal) * table.seats)))
        return DraftCard(int(search_draft(flat, stakes, self.kinds, number, seed, new_desk(flat))))


# -- from a view to arrays -------------------------------------------------------------------------------------------


def stakes_of(table: Table, blend: float) -> Stakes:
    options, before = table.options, np.zeros(MAX_SEATS, np.int64)
    before[: table.seats] = totals(table.scores, table.seats)
    length = SIX.length(options, table.seats)
    left = -1 if length.rounds is None else length.rounds - table.round
    return Stakes(before, length.target or 0, left, blend)


def situation_of(view: View) -> Situation:
    table, own, flat = view.table, view.seat or 0, FAST.load_view(view)
    flat[0]["sizes"][: table.seats] = len(view.hand)
    unplayed = _unplayed(table)
    set_unplayed(flat, unplayed)
    pool = () if table.options.draft else tuple(card for card in unplayed if card not in view.hand)
    past, rows_taken = replay(table, flat)
    return Situation(
        seat=own,
        flat=flat,
        pool=np.array(pool, np.int64),
        past=past,
        past_plays=_past_plays(table)[: len(past)],
        rows_taken=rows_taken,
    )


def _unplayed(table: Table) -> Cards:
    gone = {*table.taken, *(play.card for play in table.queue)}.union(*table.rows)
    return tuple(card for card in deck(highest_card(table.options, table.seats)) if card not in gone)


def _past_plays(table: Table) -> Ints:
    """By turn and seat."""
    plays = np.zeros((len(table.history.turns), table.seats), np.int64)
    for turn, played in enumerate(table.history.turns):
        for play in played:
            plays[turn, play.seat] = FAST.choice_code(play)
    return plays


def replay(table: Table, flat: Flats) -> tuple[Flats, Ints]:
    """The table before each turn of the round, and who took which rows.

    Nothing if the history is unknown, has more turns than there were cards for, or does not lead to the table as it
    lies, which is also given flat.
    """
    history, rows_taken = table.history, np.zeros((MAX_SEATS, 2), np.int64)
    if history.starts and table.rows and len(history.turns) + flat[0]["sizes"][0] <= HAND:
        played, past = FAST.template(table.options, table.seats), np.zeros(len(history.turns), FAST.state)
        set_unplayed(played, set(deck(highest_card(table.options, table.seats))).difference(history.starts))
        starts, rows = np.array(history.starts, np.int64), np.array(history.rows, np.int64)
        replay_round(played, starts, _past_plays(table), rows, past, rows_taken)
        if same_rows(played, flat):
            return past, rows_taken
    return np.zeros(0, FAST.state), np.zeros_like(rows_taken)


@jit
def replay_round(flat: Flats, starts: Ints, plays: Ints, rows: Ints, past: Flats, rows_taken: Ints) -> None:
    """Play a round again. `rows` are those chosen under rule 4; where they end somebody is choosing now."""
    s, chosen = flat[0], 0
    for row in range(ROWS):
        start_row(s, row, starts[row])
    begin_turns(s)
    for turn in range(len(plays)):
        past[turn] = s
        for seat in range(wide(s.seats)):
            s.chosen[seat] = plays[turn, seat]
            note_played(s, queue_up(s, seat))
        begin_placing(s)
        for i in range(s.queued):
            play = wide(s.queue[i])
            if not place(s, play):
                if chosen == len(rows):
                    return
                row = rows[chosen] - 1
                rows_taken[seat_of(play), 0 if s.worth[row] == s.worth[cheapest_row(s)] else 1] += 1
                take(s, play, row)
                chosen += 1


@jit
def same_rows(one: Flats, other: Flats) -> bool:
    """Whether two tables have the same cards in their rows, and the same markers."""
    a, b = one[0], other[0]
    same = a.cow == b.cow and a.even_odd == b.even_odd and a.mountain == b.mountain
    same &= a.even_odd == NOWHERE or a.parity == b.parity
    same &= a.mountain == NOWHERE or a.arrows == b.arrows
    for row in range(ROWS):
        same &= a.lengths[row] == b.lengths[row]
        for i in range(a.lengths[row]):
            same &= a.rows[row, i] == b.rows[row, i]
    return bool(same)


# -- six levels --------------------------------------------------------------------------------------------------------
# The upper levels of 6 nimmt!

MASTER = Effort(worlds=400, drafts=400, warm_up=25, thinning=10, herd=1.0)
MASTER_OF_FANS = MASTER._replace(worlds=1600)
"""With fan cards: tables are faster than networks and there is no value network, so there are more worlds."""
EXPERT = Effort(worlds=30, drafts=120, warm_up=0, thinning=0, herd=1.0)
BLEND, FORESEEN_BLEND = 0.1, 0.04
"""Weight of a bull, relative to the chance to win: less with the value network, whose estimates are less noisy."""


class ClubBot:
    """Plays by the Master's tables, without search; drafts and takes rows as the greedy player does.

    Several fan cards at once are not in the tables: there it is a greedy player altogether.
    """

    def __init__(self, game: AnyGame) -> None:
        self._kinds, self._greedy = master_kinds_with_fans(), simple.make_greedy(game)

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        if not isinstance(legal[0], PlayCard) or len(view.table.options.fan) > 1:
            return self._greedy.choose(view, legal, rng)
        now = situation_of(view)
        code = play_by_looking(now, self._kinds, rng.getrandbits(62), new_desk(now.flat))
        return FAST.decode(view, now.seat, code)


class ExpertBot(SearchBot):
    """A smaller search that models everybody as a careless player and keeps no belief about hands."""

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        forgotten = replace(view, table=replace(view.table, history=History()))
        return super().choose(forgotten, legal, rng)


def club(game: AnyGame) -> ClubBot:
    return ClubBot(game)


def expert(game: AnyGame) -> ExpertBot:
    del game
    return ExpertBot(make_kinds({}, CARELESS, "careless"), EXPERT, BLEND)


def master(game: AnyGame) -> SearchBot:
    del game
    return SearchBot(
        master_kinds(), MASTER, FORESEEN_BLEND, with_fans=SearchBot(master_kinds_with_fans(), MASTER_OF_FANS, BLEND)
    )


def warm_up(game: AnyGame) -> None:
    """One decision of every kind."""
    del game
    bot, rng = SearchBot(master_kinds(), Effort(8, 8, 1, 1, 1.0), BLEND), Random(1)
    ClubBot(SIX).choose(*_asked(table_position([[10], [20], [30], [40]], [[1, 50], [2, 60]])), rng)
    bot.choose(*_asked(table_position([[10], [20], [30], [40]], [[1, 50], [2, 60]])), rng)
    known = table_position([[10], [20], [24], [4]], [[1, 5], [2, 6]], options=Options(draft=True))
    bot.choose(*_asked(known), rng)
    state = SIX.setup(Options(draft=True), 2)
    bot.choose(SIX.view(state, 0), SIX.legal(state, 0), rng)


def _asked(state: object) -> tuple[View, Sequence[Action]]:
    return SIX.view(state, 0), SIX.legal(state, 0)  # type: ignore[arg-type]

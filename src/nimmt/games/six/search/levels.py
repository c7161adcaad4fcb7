"""The bots that search in 6 nimmt!: from a view to the kernels' arrays, and from their answer to an action."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from msgspec.structs import replace

from nimmt.bots import simple
from nimmt.games.six.position import table_position
from nimmt.games.six.rules import SIX
from nimmt.games.six.search.board import (
    BULLS_ON,
    COW,
    END,
    FANS,
    HANDS,
    LENGTH,
    LOOK,
    LOOKS,
    MOUNTAIN_ROW,
    MOUNTAIN_STEP,
    NOWHERE,
    PARITY,
    PARITY_ROW,
    PLAYS,
    SCORE,
    SEATS,
    SIZE,
    STRIDE,
    TOP,
    TWISTS,
    WORLD,
    WORTH,
    Effort,
    Ints,
    Kinds,
    Situation,
    Stakes,
    join,
    take,
    target,
)
from nimmt.games.six.search.exact import can_solve, exact_card, exact_row
from nimmt.games.six.search.players import CARELESS, PRIOR, fitted, give, hide, make_kinds, note_row
from nimmt.games.six.search.policy import draw, roll, see, weigh
from nimmt.games.six.search.think import lay_rows, search_draft, think
from nimmt.games.six.types import (
    ChooseRow,
    DraftCard,
    History,
    Markers,
    Options,
    Play,
    PlayCard,
    Table,
    View,
    drafted_hands,
    highest_card,
)
from nimmt.rules.game import Action, AnyGame, Cards
from nimmt.rules.kit.cards import deck, totals

# -- six ---------------------------------------------------------------------------------------------------------------

MOST_DRAFTS, FEWEST_DRAFTS = 24_000, 20
"""Hands that are drafted and played in thought for a pick, all seats of all worlds together; and worlds at least."""
FAN_CARDS = ("even-odd", "mountain", "cow", "twist")


class SearchBot:
    """Thinks about every choice in many imagined worlds."""

    def __init__(self, kinds: Kinds, effort: Effort, blend: float) -> None:
        self.kinds, self.effort, self.blend = kinds, effort, blend

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        seed = rng.getrandbits(62)
        if len(legal) == 1 or view.table.seats == 1:
            return legal[0]
        stakes = stakes_of(view.table, self.blend)
        if isinstance(legal[0], DraftCard):
            return self._draft(view, legal, stakes, seed)
        now = situation_of(view)
        if can_solve(now) and not any(view.table.twists):
            return ChooseRow(exact_row(now, stakes) + 1) if now.queue.size else PlayCard(exact_card(now, stakes, seed))
        choices = np.array([_number(action) for action in legal], np.int64)
        best, _ = think(now, stakes, self.kinds, self.effort, choices, seed)
        return ChooseRow(best + 1) if now.queue.size else PlayCard(best >> 1, bool(best & 1))

    def _draft(self, view: View, legal: Sequence[Action], stakes: Stakes, seed: int) -> Action:
        table, kinds = view.table, self.kinds
        world = np.zeros(WORLD, np.int64)
        for seat, hand in enumerate(table.drafted):
            give(world, seat, hand)
        hide(world, deck(highest_card(table.options, table.seats)))
        picked = np.array([len(hand) for hand in table.drafted], np.int64)
        fans = np.array([name in table.options.fan for name in FAN_CARDS], np.int64)
        number = max(FEWEST_DRAFTS, min(self.effort.drafts, MOST_DRAFTS // (len(legal) * table.seats)))
        habits = kinds.factors, kinds.slips, kinds.any_row, kinds.own
        pool = np.array(table.pool, np.int64)
        best = search_draft(world, _drafter(view), table.seats, picked, pool, fans, *stakes, *habits, number, seed)
        return DraftCard(int(pool[best]))


def _drafter(view: View) -> int:
    return view.seat or 0


def _number(action: Action) -> int:
    match action:
        case PlayCard(card=card, twisted=twist):
            return 2 * card + twist
        case ChooseRow(row=row):
            return row - 1
    raise TypeError(f"{action} is not a choice of a turn.")


# -- from a view to arrays -------------------------------------------------------------------------------------------


def stakes_of(table: Table, blend: float) -> Stakes:
    options, before = table.options, np.zeros(SEATS, np.int64)
    before[: table.seats] = totals(table.scores, table.seats)
    left = -1 if options.rounds is None else options.rounds - table.round
    return Stakes(before, options.target + options.more_than_target, left, blend)


def situation_of(view: View) -> Situation:
    table, own = view.table, view.seat or 0
    world, unplayed = _world(table), _unplayed(table)
    hide(world, unplayed)
    if table.options.draft:
        for seat, hand in enumerate(drafted_hands(table)):
            give(world, seat, hand)
        pool: Cards = ()
    else:
        give(world, own, view.hand)
        pool = tuple(card for card in unplayed if card not in view.hand)
    past, rows_taken = replay(table)
    turns = table.history.turns[: len(past)]
    return Situation(
        seat=own,
        seats=table.seats,
        size=len(view.hand),
        world=world,
        pool=np.array(pool, np.int64),
        queue=np.array([play.seat for play in table.queue], np.int64),
        queued=np.array([2 * play.card + play.twisted for play in table.queue], np.int64),
        past=np.array(past, np.int64).reshape(len(past), WORLD),
        past_plays=np.array([_by_seat(turn) for turn in turns], np.int64).reshape(len(past), table.seats),
        rows_taken=rows_taken,
    )


def _by_seat(turn: Sequence[Play]) -> list[int]:
    return [2 * play.card + play.twisted for play in sorted(turn, key=lambda play: play.seat)]


def _unplayed(table: Table) -> Cards:
    gone = {*table.taken, *(play.card for play in table.queue)}.union(*table.rows)
    return tuple(card for card in deck(highest_card(table.options, table.seats)) if card not in gone)


def _world(table: Table) -> Ints:
    world = np.zeros(WORLD, np.int64)
    for row, cards in enumerate(table.rows):
        world[END + row], world[LENGTH + row], world[TOP + row] = cards[-1], len(cards), max(cards)
        world[WORTH + row] = BULLS_ON[list(cards)].sum()
    _lay_markers(world, table.markers)
    world[SCORE : SCORE + table.seats] = table.bulls
    world[TWISTS : TWISTS + table.seats] = table.twists
    return world


def _lay_markers(world: Ints, markers: Markers) -> None:
    parity, mountain, cow = markers.even_odd, markers.mountain, markers.cow
    world[PARITY_ROW], world[PARITY] = (parity.row - 1, parity.parity == "odd") if parity else (NOWHERE, 0)
    world[MOUNTAIN_ROW] = mountain.row - 1 if mountain else NOWHERE
    world[MOUNTAIN_STEP] = 1 if mountain and mountain.arrows == "down" else -1
    world[COW] = cow - 1 if cow else NOWHERE
    world[FANS] = 1 if parity or mountain or cow else 0


def replay(table: Table) -> tuple[list[Ints], Ints]:
    """The table before each turn of the round, and who took which rows.

    Nothing if the history is unknown or does not lead to the rows as they lie.
    """
    past, fans, rows_taken = table.history, table.options.fan, np.zeros((SEATS, 2), np.int64)
    if not past.starts or not table.rows:
        return [], rows_taken
    world, before, chosen = np.zeros(WORLD, np.int64), [], list(past.rows)
    lay_rows(world, np.array(past.starts, np.int64), *(name in fans for name in FAN_CARDS[:3]))
    world[TWISTS : TWISTS + table.seats] = "twist" in fans
    unplayed = set(deck(highest_card(table.options, table.seats))) - set(past.starts)
    for turn in past.turns:
        hide(world, unplayed)
        before.append(world.copy())
        unplayed -= {play.card for play in turn}
        for play in turn:
            row = target(world, play.value)
            world[TWISTS + play.seat] &= not play.twisted
            if row >= 0:
                join(world, row, play.card)
            elif chosen:
                note_row(rows_taken, world, play.seat, chosen[0] - 1)
                take(world, chosen.pop(0) - 1, play.card)
            else:
                break  # this one is being decided now
    lies_like_this = np.array_equal(world[: SIZE - 1], _world(table)[: SIZE - 1])
    return (before, rows_taken) if lies_like_this else ([], np.zeros_like(rows_taken))


# -- six levels --------------------------------------------------------------------------------------------------------
# What plays 6 nimmt! at the upper levels.

MASTER = Effort(worlds=400, drafts=400, warm_up=25, thinning=10, herd=1.0)
EXPERT = Effort(worlds=30, drafts=120, warm_up=0, thinning=0, herd=1.0)
BLEND = 0.1


class ClubBot:
    """Plays by the Master's tables, without search; drafts and takes rows as the greedy player does.

    Several fan cards at once are not in the tables: there it is a greedy player altogether.
    """

    def __init__(self, game: AnyGame) -> None:
        self._kinds, self._greedy = make_kinds(fitted(), PRIOR, "master"), simple.make_greedy(game)

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        if not isinstance(legal[0], PlayCard) or len(view.table.options.fan) > 1:
            return self._greedy.choose(view, legal, rng)
        now, looks, weights = situation_of(view), np.zeros(PLAYS * LOOK, np.int64), np.zeros(PLAYS)
        base, twist, dice = HANDS + STRIDE * now.seat, int(now.world[TWISTS + now.seat]), np.zeros(1, np.uint64)
        roll(dice, rng.getrandbits(62), 0)
        options = see(now.world, base, now.size, twist, now.world, now.seats, looks)
        total = weigh(looks, options, self._kinds.factors, self._kinds.own, weights)
        play = int(looks[LOOK * draw(weights, options, total, dice) + LOOKS])
        return PlayCard(play >> 1, bool(play & 1))


class ExpertBot(SearchBot):
    """Searches less, takes everybody for a careless player and forgets what has been played by whom."""

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
    return SearchBot(make_kinds(fitted(), PRIOR, "master"), MASTER, BLEND)


def warm_up(game: AnyGame) -> None:
    """One decision of every kind."""
    del game
    bot, rng = SearchBot(make_kinds(fitted(), PRIOR, "master"), Effort(8, 8, 1, 1, 1.0), BLEND), Random(1)
    ClubBot(SIX).choose(*_asked(table_position([[10], [20], [30], [40]], [[1, 50], [2, 60]])), rng)
    bot.choose(*_asked(table_position([[10], [20], [30], [40]], [[1, 50], [2, 60]])), rng)
    known = table_position([[10], [20], [24], [4]], [[1, 5], [2, 6]], options=Options(draft=True))
    bot.choose(*_asked(known), rng)
    state = SIX.setup(Options(draft=True), 2)
    bot.choose(SIX.view(state, 0), SIX.legal(state, 0), rng)


def _asked(state: object) -> tuple[View, Sequence[Action]]:
    return SIX.view(state, 0), SIX.legal(state, 0)  # type: ignore[arg-type]

"""Beat the Buffalo: what a card, a row or a special card does to the team's lead over the buffalo in this turn.

Everything that matters for a special card lies open, so its use is tried out: the cards still to be placed go where the
rules send them, the team taking the cheapest row where it must. A special card is spent only if it gains more than
waiting might.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from nimmt.bots.levels import Slips, Strength
from nimmt.games.buffalo import GAME
from nimmt.games.buffalo.placing import place, row_for_buffalo, take, target_row
from nimmt.games.buffalo.turns import carry_out
from nimmt.games.buffalo.types import (
    DOUBLED_SEATS,
    Agree,
    AnyUse,
    ChooseRow,
    Decline,
    Pass,
    PlayCard,
    Propose,
    Sort,
    State,
    Swap,
    SwapCard,
    Table,
    Use,
    View,
    Withdraw,
)
from nimmt.rules.game import Action
from nimmt.rules.kit.cards import bulls

STRENGTH = Strength(
    slips=Slips(0.8, 0.4, 0.0),
    engines={level: f"nimmt.games.buffalo.search:{level}" for level in ("expert", "master")},
    puzzle_engines={"expert": "nimmt.games.buffalo.search:first_expert"},
    warm_up="nimmt.games.buffalo.search:warm_up",
    pieces=80,
    judge="nimmt.games.buffalo.search:BuffaloJudge",
)


WORTH = 4
"""Bulls that a special card must gain to be spent: later turns offer chances too."""
NEVER = 1000


def considered(view: View, legal: Sequence[Action]) -> Sequence[Action]:
    """Nobody likes to be asked twice. While nothing is proposed, every proposal that was made since a special card was
    used or a card placed has been turned down: then the bot passes. What was declined in this turn is not proposed in
    it again."""
    table, window = view.table, view.table.window
    if window is None or window.proposal is not None:
        return legal
    if any(window.proposals):
        return [action for action in legal if isinstance(action, Pass)] or legal
    return [action for action in legal if not (isinstance(action, Propose) and was_declined(table, action.use))]


def careless(view: View, legal: Sequence[Action]) -> Sequence[Action]:
    """A slip overlooks a special card instead of spending it on nothing. Where nobody has to agree, a team in which
    everybody slips now and then would have none left after a turn or two."""
    del view
    overlooked = [action for action in legal if isinstance(action, Pass)]
    return overlooked if overlooked and any(isinstance(action, Use) for action in legal) else legal


def was_declined(table: Table, use: AnyUse) -> bool:
    """All orders of a Sort are one proposal: with every card that is placed they look new."""
    if isinstance(use, Sort):
        return any(isinstance(declined, Sort) for declined in table.declined)
    return use in table.declined


def cost(view: View, action: Action) -> tuple[int, ...]:
    match action:
        case PlayCard(card=card) | SwapCard(card=card):
            return min((one.bulls for one in GAME.foresee(view, action)), default=0), card
        case ChooseRow(row=row):
            return bulls(view.table.rows[row - 1]), row
        case Propose(use=use) | Use(use=use):
            return (WORTH - _gain(view, use),)
        case Agree():
            window = view.table.window
            proposed = window.proposal if window else None
            return (-1 if proposed and _gain(view, proposed.use) > 0 else 1,)
        case Pass() | Decline():
            return (0,)
        case Withdraw():
            return (1,)
    raise TypeError(f"{action} is not an action of Beat the Buffalo.")


def _gain(view: View, use: AnyUse) -> int:
    """Bulls that the use wins for the team until the end of the turn."""
    if isinstance(use, Swap):
        return 0  # it depends on a hand; the one who holds it may know better
    if isinstance(use, Sort) and not _moves_one(use.order, tuple(play.seat for play in view.table.queue)):
        return -NEVER  # thousands of orders: those that move one card are looked at
    return gain_of(view, use)


def gain_of(view: View, use: AnyUse) -> int:
    """The same for any use but Swap!, when all cards have gone where they go of themselves."""
    return _lead_after(carry_out(_imagined(view), view.seat or 0, use, [])) - _lead_as_it_is(view)


def _moves_one(order: tuple[int, ...], present: tuple[int, ...]) -> bool:
    """Does the new order differ from the present one by a single card that moved?"""
    return any(
        tuple(seat for seat in order if seat != moved) == tuple(seat for seat in present if seat != moved)
        for moved in present
    )


@lru_cache(maxsize=16)
def _imagined(view: View) -> State:
    return GAME.imagine(view, GAME.unseen(view))


@lru_cache(maxsize=16)
def _lead_as_it_is(view: View) -> int:
    return _lead_after(_imagined(view))


def _lead_after(state: State) -> int:
    """The buffalo's bulls less the team's points when all cards of the turn lie."""
    while state.table.queue:
        table, play = state.table, state.table.queue[0]
        row = target_row(table, play.card)
        state = replace(state, table=replace(table, queue=table.queue[1:]))
        if row is None:
            state = take(state, play, row_for_buffalo(table), "too-low", [])
        else:
            state = place(state, play, row, [])
    table = state.table
    return table.buffalo_bulls - table.bulls * (2 if table.seats <= DOUBLED_SEATS else 1)

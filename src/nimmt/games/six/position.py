"""Positions made by hand: the middle of a round as it lies on somebody's table."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict, replace

from nimmt.games.six.fans import Board
from nimmt.games.six.placing import pieces
from nimmt.games.six.rules import SIX
from nimmt.games.six.types import ROWS, Markers, Options, State, bare_table
from nimmt.rules.game import Cards, Rows
from nimmt.rules.kit.cards import sorted_hands

Lists = Sequence[Sequence[int]]


def table_position(
    rows: Lists,
    hands: Lists,
    *,
    options: Options | None = None,
    markers: Markers | None = None,
    twists: Sequence[bool] | None = None,
) -> State:
    """Everybody is about to choose from the hands given; raises `InvalidPosition`. One seat is enough.

    Fan cards in play that `markers` says nothing about lie as at the beginning of a round. If twist cards are in play
    and `twists` does not say who has one, everybody has.

    In a draft without rows cards are still being drafted: all that nobody holds are in the pool.
    """
    options = options or Options()
    seats, lying = len(hands), tuple(map(tuple, rows))
    held = sorted_hands(hands)
    drafting = options.draft and not lying
    twisting = "twist" in options.fan and not drafting
    nothing: Rows = ((),) * seats
    bare = bare_table(options, seats)
    table = replace(
        bare,
        phase="draft" if drafting else "choose",
        rows=lying,
        markers=_markers(options, lying, markers or Markers()),
        twists=(twisting,) * seats if twists is None else tuple(twists),
        pool=_without(bare.pool, held) if drafting else (),
        drafted=held if options.draft else (),
    )
    state = State(table, held, nothing, (None,) * seats, () if drafting else tuple(range(seats)))
    SIX.check(state)
    return state


def _without(pool: Cards, hands: Rows) -> Cards:
    drafted = {card for hand in hands for card in hand}
    return tuple(card for card in pool if card not in drafted)


def _markers(options: Options, rows: Rows, given: Markers) -> Markers:
    """Those given, and for the other fan cards in play where the rules lay them: judged by the ends of the rows."""
    if len(rows) != ROWS or not all(rows):
        return given
    derived, board = Markers(), Board(rows, Markers())
    for fan in pieces(options.fan):
        derived = fan.start(derived, board)
    return replace(derived, **{name: marker for name, marker in asdict(given).items() if marker is not None})

"""Positions made by hand: the middle of a round as it lies on somebody's table."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict, replace

from nimmt.games.six.fans import Board
from nimmt.games.six.placing import pieces
from nimmt.games.six.rules import SIX
from nimmt.games.six.types import ROWS, Markers, Options, State, Table
from nimmt.rules.game import Rows

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
    """
    options = options or Options()
    seats, lying = len(hands), tuple(map(tuple, rows))
    held = tuple(tuple(sorted(hand)) for hand in hands)
    nothing: Rows = ((),) * seats
    table = Table(
        options=options,
        seats=seats,
        phase="choose",
        round=1,
        rows=lying,
        markers=_markers(options, lying, markers or Markers()),
        queue=(),
        bulls=(0,) * seats,
        taken=(),
        twists=("twist" in options.fan,) * seats if twists is None else tuple(twists),
        pool=(),
        drafted=held if options.draft else (),
        scores=(),
    )
    state = State(table, held, nothing, (None,) * seats, tuple(range(seats)))
    SIX.check(state)
    return state


def _markers(options: Options, rows: Rows, given: Markers) -> Markers:
    """Those given, and for the other fan cards in play where the rules lay them: judged by the ends of the rows."""
    if len(rows) != ROWS or not all(rows):
        return given
    derived, board = Markers(), Board(rows, Markers())
    for fan in pieces(options.fan):
        derived = fan.start(derived, board)
    return replace(derived, **{name: marker for name, marker in asdict(given).items() if marker is not None})

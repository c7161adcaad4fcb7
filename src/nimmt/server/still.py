"""A table of nobody's, at a single moment: for lessons, puzzles, and whatever else is shown at a real table."""

from __future__ import annotations

from typing import Any

import msgspec

from nimmt.rules.game import AnyGame, Seat, Value
from nimmt.server.tables import messages as m
from nimmt.server.tables.log_entries import NoClock
from nimmt.server.tables.projection import foresights

NO_DEALS = m.Fair(commitment="", server_seed=None, contributions=(), listed=None)
"""Nothing is shuffled here."""


def table_info(name: str, game: AnyGame, state: Value) -> m.TableInfo:
    table: Any = state.table  # type: ignore[attr-defined]
    return m.TableInfo(
        id=name,
        game=game.id,
        options=msgspec.to_builtins(table.options),
        seats=table.seats,
        public=False,
        tempo=NoClock(),
        opened=0,
        rematch_of=None,
    )


def situation(game: AnyGame, state: Value, seat: Seat, chairs: tuple[m.Chair, ...]) -> m.Situation:
    """As this seat sees it, with all that it may do."""
    view, legal = game.view(state, seat), tuple(game.legal(state, seat))
    waiting = tuple(m.Waiting(seat=d.seat, kind=d.kind, since=0, deadline=None) for d in game.pending(state))
    return m.Situation(
        phase="playing",
        chairs=chairs,
        you=seat,
        is_host=False,
        view=view,
        legal=legal,
        decision=0 if legal else None,
        waiting=waiting,
        chat_open=False,
        paused=False,
        takeover=False,
        outcome=game.outcome(state),
        fair=NO_DEALS,
        rematch=None,
        foreseen=foresights(game, view, legal),
    )

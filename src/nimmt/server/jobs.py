"""What bots, coach and judges do in processes of their own: all comes in and goes out as bytes, no state among it.

Those processes import this module and nothing else of the server, so that they start in a fraction of the time and take
a fraction of the memory: most of what a server imports is its web framework.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random

import msgspec

from nimmt.bots import get_bot, warm_up
from nimmt.match.record import decode_action
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Seat

STAND_IN = "greedy"
"""Who decides for people who are away, and for bots that have not made up their minds in time."""
NICE = 5
"""How far judges and compilers make way for those whom people wait for."""
FEW_WORLDS = 2


def _actions(game: AnyGame, legal: bytes) -> Sequence[Action]:
    return [decode_action(game, item) for item in msgspec.json.decode(legal, type=list[msgspec.Raw])]


def _make_way() -> None:
    os.nice(max(0, NICE - os.nice(0)))


# -- bots --------------------------------------------------------------------------------------------------------------


def choose(game_id: str, level: str, view: bytes, legal: bytes, seed: bytes) -> bytes:
    game = registry.get(game_id)
    decoded = msgspec.json.decode(view, type=game.view_type)
    action = get_bot(level, game).choose(decoded, _actions(game, legal), Random(seed))
    return msgspec.json.encode(action)


def prepare() -> bytes:
    """Load everything that simple bots need."""
    for game in registry.all_games():
        get_bot(STAND_IN, game)
    return b""


def load_bots(game_id: str) -> bytes:
    """Get ready what the bots of a game think with, from the disk if it is there already."""
    warm_up(game_id)
    return b""


# -- the coach ---------------------------------------------------------------------------------------------------------


def think_of_hint(game_id: str, view: bytes, legal: bytes) -> bytes:
    """Nothing if nothing can be said about this decision."""
    from nimmt.insight.hint import hint_for

    _make_way()
    game = registry.get(game_id)
    decoded = msgspec.json.decode(view, type=game.view_type)
    try:
        return msgspec.json.encode(hint_for(game, decoded, _actions(game, legal)))
    except ValueError:
        return b""


def load_coach(game_id: str) -> bytes:
    """Get ready what thinking needs, with a first position of this game."""
    from nimmt.match.match import Match
    from nimmt.match.record import SeatInfo
    from nimmt.match.shuffle import SEED_BYTES, Dealer

    game = registry.get(game_id)
    seats = [SeatInfo(f"{seat}") for seat in range(max(2, game.min_seats))]
    state = Match(game, game.options_type(), seats, Dealer(bytes(SEED_BYTES), ("",) * len(seats))).state
    seat = game.pending(state)[0].seat
    view, legal = game.view(state, seat), game.legal(state, seat)
    return think_of_hint(game_id, msgspec.json.encode(view), msgspec.json.encode(legal))


# -- judges ------------------------------------------------------------------------------------------------------------


def judge_round(record: bytes, seat: Seat, number: int) -> bytes:
    from nimmt.insight.review import review

    _make_way()
    found = review(record, seats=[seat], rounds=[number])
    (judged,) = found.seats
    nameless = msgspec.structs.replace(judged, name="")
    return msgspec.json.encode({"evaluator": found.evaluator, "seat": nameless, "decisions": found.decisions})


def load_judge(game_id: str) -> bytes:
    """A look at a round in a few worlds loads all that a judge of this game needs."""
    from nimmt.insight.review import review
    from nimmt.library.match import Match

    _make_way()
    seats = max(2, registry.get(game_id).min_seats)
    review(Match(game_id, [STAND_IN] * seats, seed=0).play(), seats=[0], rounds=[1], worlds=FEW_WORLDS)
    return b""

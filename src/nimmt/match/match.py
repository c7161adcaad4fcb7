"""A match in progress: its state, its deals and its actions; and replaying one from its record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from nimmt.match.record import (
    FORMAT,
    Move,
    Practice,
    RawMove,
    Record,
    RecordError,
    SeatInfo,
    decode_action,
    digest,
    encode_options,
    read_record,
    sealed,
)
from nimmt.match.shuffle import ALGORITHM, MAX_CONTRIBUTION_LENGTH, SEED_BYTES, Dealer, commitment, make_deal, root
from nimmt.rules import registry
from nimmt.rules.game import (
    Action,
    AnyGame,
    Deal,
    DealRequest,
    Event,
    IllegalAction,
    Options,
    Outcome,
    RulesError,
    Seat,
    UnknownVersion,
    Value,
)
from nimmt.rules.kit.events import count
from nimmt.rules.kit.options import read_options

# -- match -------------------------------------------------------------------------------------------------------------


class Match:
    """Holds the state, deals when a deal is due and keeps what a record needs.

    The rules decide everything: an illegal action raises and changes nothing.
    """

    def __init__(self, game: AnyGame, options: Options, seats: Sequence[SeatInfo], dealer: Dealer) -> None:
        self.game = game
        self.options = options
        self.seats = tuple(seats)
        self.dealer = dealer
        self.deals: list[Deal] = []
        self.moves: list[Move] = []
        self.practice: Practice | UnsetType = UNSET
        self.state: Value = game.setup(options, len(self.seats))
        self.opening: tuple[Event, ...] = self._deal_if_due()

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)

    def fork(self) -> Match:
        """A copy that goes on by itself."""
        other = copy(self)
        other.deals, other.moves = [*self.deals], [*self.moves]
        return other

    def act(self, seat: Seat, action: Action) -> tuple[Event, ...]:
        """Apply an action, and the deal that follows it if a new round begins."""
        self.state, events = self.game.apply(self.state, seat, action)
        self.moves.append(Move(seat, action))
        return events + self._deal_if_due()

    def go_back(self, state: Value, moves: int, deals: int) -> None:
        """To this state, which stood after so many moves and deals: what came later never happened. The same deals come
        again when they are due."""
        self.state = state
        del self.moves[moves:], self.deals[deals:]

    def record(self) -> Record:
        """Everything that happened so far, secrets included: for other eyes only when the match is over.

        The server's seed is in it only then, as it tells all deals to come.
        """
        over = self.outcome
        return sealed(
            Record(
                format=FORMAT,
                game=self.game.id,
                rules_version=self.game.rules_version,
                options=encode_options(self.options),
                seats=self.seats,
                practice=self.practice,
                fairness=self.dealer.fairness(reveal=over is not None),
                deals=tuple(self.deals),
                actions=tuple(move.encoded() for move in self.moves),
                result=over,
            )
        )

    def _deal_if_due(self) -> tuple[Event, ...]:
        request = self.game.deal_request(self.state)
        if request is None:
            return ()
        deal = self.dealer.deal(len(self.deals), request)
        self.state, events = self.game.deal(self.state, deal)
        self.deals.append(deal)
        return events


# -- single ------------------------------------------------------------------------------------------------------------
# One deal instead of a whole match.


def single_deal(game: AnyGame, options: Options) -> Options:
    """The same way to play, for one deal only."""
    name = game.length_option
    return replace(options, **{name: 1}) if name else options


# -- replay ------------------------------------------------------------------------------------------------------------
# Replaying a record: every step follows from the rules, or the record is refused with the place and the reason.


class Step(msgspec.Struct, frozen=True):
    """One deal (no seat) or one action, the events it caused and the state after it."""

    place: str
    seat: Seat | None
    cause: Deal | Action
    events: tuple[Event, ...]
    state: Value


class Verdict(msgspec.Struct, frozen=True):
    """What a record proves. `deals_proven` is None where there was nothing to deal."""

    game: str
    seats: int
    actions: int
    rounds_dealt: int
    deals_proven: bool | None
    outcome: Outcome | None

    def __str__(self) -> str:
        """`X nimmt!, 2 seats, 61 actions, 2 deals proven`."""
        parts = [registry.get(self.game).name, count(self.seats, "seat"), count(self.actions, "action")]
        if self.deals_proven is not None:
            proof = "proven" if self.deals_proven else "legal but not proven"
            parts.append(f"{count(self.rounds_dealt, 'deal')} {proof}")
        if self.outcome is None:
            parts.append("not over yet")
        return ", ".join(parts)


def game_of(record: Record) -> AnyGame:
    try:
        return registry.get(record.game, record.rules_version)
    except registry.UnknownGame as error:
        raise RecordError("$.game", str(error)) from None
    except UnknownVersion as error:
        raise RecordError("$.rules_version", str(error)) from None


def options_of(record: Record, game: AnyGame) -> Options:
    try:
        values = json.loads(bytes(record.options))
        if not isinstance(values, dict):
            raise RecordError("$.options", "options must be an object")
        options: Options = read_options(game.options_type, values)
        return options
    except RulesError as error:
        raise RecordError("$.options", str(error)) from None


def replay(record: Record) -> Iterator[Step]:
    """All steps of the match, checked one by one. The deals are checked as deals; `verify` checks their proof."""
    game = game_of(record)
    try:
        state = game.setup(options_of(record, game), len(record.seats))
    except RulesError as error:
        raise RecordError("$.seats", str(error)) from None
    _check_practice(record)
    deals, moves = iter(enumerate(record.deals)), iter(enumerate(record.actions))
    while True:
        if game.deal_request(state) is not None:
            step = _next_deal(game, state, next(deals, None), bool(record.actions) or record.result is not None)
        else:
            step = _next_move(game, state, next(moves, None))
        if step is None:
            break
        state = step.state
        yield step
    _refuse_leftover("$.deals", next(deals, None))
    _refuse_leftover("$.actions", next(moves, None))
    _check_result(record, game.outcome(state))


def _next_deal(game: AnyGame, state: Any, given: tuple[int, Deal] | None, expected: bool) -> Step | None:
    if given is None:
        if expected:
            raise RecordError("$.deals", "a deal is missing: the record is truncated")
        return None
    place = f"$.deals[{given[0]}]"
    try:
        after, events = game.deal(state, given[1])
    except RulesError as error:
        raise RecordError(place, str(error)) from None
    return Step(place, None, given[1], events, after)


def _next_move(game: AnyGame, state: Any, given: tuple[int, RawMove] | None) -> Step | None:
    if given is None:
        return None
    place, move = f"$.actions[{given[0]}]", given[1]
    try:
        action = decode_action(game, move.action)
        after, events = game.apply(state, move.seat, action)
    except msgspec.MsgspecError as error:
        raise RecordError(place, str(error)) from None
    except IllegalAction as error:
        raise RecordError(place, f"seat {move.seat} may not do this ({error.refusal}): {error}") from None
    return Step(place, move.seat, action, events, after)


def _refuse_leftover(place: str, left: tuple[int, Any] | None) -> None:
    if left is not None:
        raise RecordError(f"{place}[{left[0]}]", "nothing more can follow here")


def _check_practice(record: Record) -> None:
    if isinstance(record.practice, Practice):
        for name in ("hints", "take_backs"):
            if len(getattr(record.practice, name)) != len(record.seats):
                raise RecordError(f"$.practice.{name}", "there must be one for each seat")


def _check_result(record: Record, outcome: Outcome | None) -> None:
    if record.result == outcome:
        return
    if outcome is None:
        raise RecordError("$.result", "there is a result, but the match is not over: the record is truncated")
    raise RecordError("$.result", f"the rules say {msgspec.json.encode(outcome).decode()}")


# -- proofs -----------------------------------------------------------------------------------------------------


def verify(data: bytes) -> Verdict:
    """Check a document completely: its form, every step, the proofs of its deals, its result and its digest."""
    record = read_record(data)
    game, steps = game_of(record), list(replay(record))
    proven = _check_deals(record)
    if record.digest != digest(json.loads(data)):
        raise RecordError("$.digest", "the content was changed after the record was written")
    moves = len(record.actions)
    return Verdict(game.id, len(record.seats), moves, len(steps) - moves, proven, record.result)


def _check_deals(record: Record) -> bool | None:
    """True if every deal follows from the seed that was committed to; False if that cannot be told (yet)."""
    fairness = record.fairness
    if fairness is None:
        return False if record.deals else None
    if fairness.algorithm != ALGORITHM:
        raise RecordError("$.fairness.algorithm", f"only {ALGORITHM} is known here")
    if len(fairness.contributions) != len(record.seats):
        raise RecordError("$.fairness.contributions", "there must be one for each seat")
    if any(len(contribution) > MAX_CONTRIBUTION_LENGTH for contribution in fairness.contributions):
        raise RecordError("$.fairness.contributions", f"the longest may have {MAX_CONTRIBUTION_LENGTH} characters")
    if fairness.server_seed is None:
        return False if record.deals else None
    seed = _seed(fairness.server_seed)
    if commitment(seed) != fairness.commitment:
        raise RecordError("$.fairness.commitment", "the server's seed is not the one that was committed to")
    match_root = root(seed, fairness.contributions)
    for index, deal in enumerate(record.deals):
        request = DealRequest({deck: tuple(sorted(cards)) for deck, cards in deal.decks.items()})
        if make_deal(match_root, index, request) != deal:
            raise RecordError(f"$.deals[{index}]", "this deal does not follow from the seed and the contributions")
    return bool(record.deals) or None


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise RecordError("$.fairness.server_seed", f"a seed has {SEED_BYTES} bytes, written as hexadecimal digits")
    return seed

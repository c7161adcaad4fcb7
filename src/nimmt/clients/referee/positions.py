"""Whole positions and the actions to apply to them, for every game and every moment of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from nimmt.clients.referee.questions import UnclearQuestion
from nimmt.match.record import RawMove, decode_action
from nimmt.rules.game import Action, AnyGame, Deal, Event, IllegalAction, InvalidDeal, Names, Seat
from nimmt.rules.kit.events import count, named
from nimmt.rules.position import read_position, to_json, to_text

_SEAT = re.compile(r"P([0-9]{1,3})")


class Move(msgspec.Struct, frozen=True):
    seat: Seat
    action: Action


class Result(msgspec.Struct, kw_only=True):
    """Where the actions led. `left` are those that could not be applied because a deal is missing."""

    game: AnyGame
    state: Any
    events: list[Event]
    names: Names
    left: int
    warnings: list[str]

    @property
    def needs_deal(self) -> bool:
        return self.game.deal_request(self.state) is not None

    def told(self) -> list[str]:
        return [event.tell(self.names) for event in self.events]

    def waiting(self) -> list[str]:
        """What happens next, in sentences."""
        if self.needs_deal:
            left = f" {count(self.left, 'action')} could not be applied." if self.left else ""
            return [f"The next round needs a deal: give it with --deal FILE.{left}"]
        if self.game.outcome(self.state) is not None:
            return ["The match is over."]
        seats: dict[str, tuple[Seat, ...]] = {}
        for decision in self.game.pending(self.state):
            seats[decision.kind] = (*seats.get(decision.kind, ()), decision.seat)
        tasks = {kind: told.replace("your", "the") for kind, told in self.game.decisions.items()}
        return [f"{named(self.names, waiting)} must {tasks[kind]}." for kind, waiting in seats.items()]

    def to_data(self) -> dict[str, Any]:
        """Plain data, for programs."""
        request = self.game.deal_request(self.state)
        data = {
            "game": self.game.id,
            "position": msgspec.json.decode(to_json(self.game, self.state)),
            "events": self.events,
            "told": self.told(),
            "pending": self.game.pending(self.state),
            "outcome": self.game.outcome(self.state),
            "warnings": self.warnings,
        }
        if request is not None:
            data["needs"] = {"deal": request.decks, "actions_left": self.left}
        plain: dict[str, Any] = msgspec.to_builtins(data)
        return plain

    def to_text(self) -> str:
        return to_text(self.game, self.state)


def settle(game: AnyGame, position: str, moves: Sequence[Move], deals: Sequence[Deal]) -> Result:
    """Apply the actions one by one, with a deal wherever one is due. Raises what the rules raise."""
    game, state = _read(game, position)
    names = tuple(f"P{seat + 1}" for seat in range(state.table.seats))
    events: list[Event] = []
    waiting, stock = list(enumerate(moves, 1)), list(deals)
    while True:
        due = game.deal_request(state) is not None
        if due and stock:
            state, told = _deal(game, state, stock.pop(0))
        elif due or not waiting:
            break
        else:
            state, told = _apply(game, state, *waiting.pop(0))
        events += told
    unused = [f"There was no need for {count(len(stock), 'deal')}."] if stock else []
    return Result(game=game, state=state, events=events, names=names, left=len(waiting), warnings=unused)


def _read(game: AnyGame, position: str) -> tuple[AnyGame, Any]:
    """The state, and the game under the version of its rules that the position names."""
    of_game, state = read_position(position)
    if of_game.id != game.id:
        raise UnclearQuestion(f"This is a position of {of_game.id}, not of {game.id}.")
    return of_game, state


def _deal(game: AnyGame, state: Any, deal: Deal) -> tuple[Any, tuple[Event, ...]]:
    return game.deal(state, deal)


def _apply(game: AnyGame, state: Any, number: int, move: Move) -> tuple[Any, tuple[Event, ...]]:
    try:
        return game.apply(state, move.seat, move.action)
    except IllegalAction as error:
        sentence = f"Action {number} (P{move.seat + 1}) is refused: {error}"
        raise IllegalAction(error.refusal, move.seat, sentence) from None


# -- reading ----------------------------------------------------------------------------------------------------


def read_move(game: AnyGame, text: str) -> Move:
    """`P1:{"type": "PlayCard", "card": 3}`."""
    name, _, action = text.partition(":")
    seat = _SEAT.fullmatch(name.strip())
    if not seat or not int(seat[1]):
        raise UnclearQuestion(f"{text!r:.40} is not an action: write P1:{{…}}, the seat and the action as JSON.")
    return Move(int(seat[1]) - 1, _action(game, action.encode("utf-8", "replace"), f"the action of {name.strip()}"))


def read_moves(game: AnyGame, data: bytes) -> list[Move]:
    """A list as in records: `[{"seat": 0, "action": {…}}, …]`."""
    try:
        moves = msgspec.json.decode(data, type=list[RawMove])
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UnclearQuestion(f'Actions are a JSON list of {{"seat": 0, "action": {{…}}}}: {error}.') from None
    return [Move(move.seat, _action(game, bytes(move.action), f"action {n}")) for n, move in enumerate(moves, 1)]


def _action(game: AnyGame, data: bytes, what: str) -> Action:
    try:
        return decode_action(game, data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        known = ", ".join(action.__name__ for action in game.action_types)
        raise UnclearQuestion(f"{what[:1].upper()}{what[1:]} cannot be read: {error}. The types: {known}.") from None


def read_deals(data: bytes) -> list[Deal]:
    """A deal as in records, `{"decks": {…}}`, or a list of deals."""
    try:
        many = data.lstrip()[:1] == b"["
        deals: list[Deal] = (
            msgspec.json.decode(data, type=list[Deal]) if many else [msgspec.json.decode(data, type=Deal)]
        )
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InvalidDeal(f'A deal is written {{"decks": {{"numbers": [3, 14, …]}}}}: {error}.') from None
    return deals

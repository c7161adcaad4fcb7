"""A match being played: a game, its options, its seats, and everything that has happened so far."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from msgspec.structs import replace

from nimmt.match.record import FORMAT, Move, Record, SeatInfo, encode_options, sealed
from nimmt.match.shuffle import Dealer
from nimmt.rules.game import Action, AnyGame, Deal, Event, Options, Outcome, Seat, Value

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

"""6 nimmt! for OpenSpiel: `nimmt_six`, by the rules. `docs/envs.md` tells how to use it.

Cards are dealt by chance nodes, one card a node. A hand is dealt in ascending order, with chances that make all hands
equally likely: so every deal has one history, and small games have small trees. Whoever chooses a card does so in a
simultaneous node; rule 4 and the draft are nodes of one player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any, TypeAlias

import numpy as np
import pyspiel
from numpy.typing import NDArray

from nimmt.envs.codec import get_codec, listed, plane
from nimmt.games.six.batch import CHOICES, TWISTS
from nimmt.games.six.position import table_position
from nimmt.games.six.rules import SIX
from nimmt.games.six.types import HAND, MAX_SEATS, MIN_SEATS, ROWS, Options, State
from nimmt.rules.game import AnyGame, Cards, Deal, InvalidOptions, InvalidPosition, Rows, Seat
from nimmt.rules.kit.cards import HIGHEST, bulls, deck
from nimmt.rules.kit.events import spaced
from nimmt.rules.kit.options import variant_options
from nimmt.rules.position import to_text

NAME = "nimmt_six"
PARAMETERS: dict[str, Any] = {"players": 4, "variant": "basic", "rounds": 1, "hand": HAND, "rows": "", "cards": ""}
Move: TypeAlias = tuple[int | None, ...]
"""What each seat did, by its number; None for those who were not asked."""

_CHANCE, _PRIVATE = pyspiel.GameType.ChanceMode, pyspiel.PrivateInfoType
_RULES: AnyGame = SIX


def game_type(chance_mode: Any = _CHANCE.EXPLICIT_STOCHASTIC) -> Any:
    return pyspiel.GameType(
        short_name=NAME,
        long_name=SIX.name,
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
        chance_mode=chance_mode,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_SEATS,
        min_num_players=MIN_SEATS,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


# -- the game ----------------------------------------------------------------------------------------------------------


class SixGame(pyspiel.Game):
    """One round or several of them, with all 104 cards; or a round of few cards, which can be solved."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = PARAMETERS | dict(params or {})
        self.seats, self.rounds, self.hand = (int(given[name]) for name in ("players", "rounds", "hand"))
        options: Any = variant_options(_RULES, str(given["variant"]), rounds=self.rounds)
        self.options: Options = options
        self.first: State = SIX.setup(self.options, self.seats)
        self.rows: Rows = tuple(_cards("rows", row) for row in str(given["rows"]).split("|") if row.strip())
        lying = {card for row in self.rows for card in row}
        others = tuple(card for card in deck(HIGHEST) if card not in lying)
        self.cards: Cards = tuple(sorted(_cards("cards", str(given["cards"])))) or others
        self.is_whole = not self.rows and len(self.cards) == HIGHEST and self.hand == HAND
        self.codec = get_codec(SIX, self.options, self.seats)
        self._check()
        picks = HAND * self.seats if self.options.draft else 0
        self.moves = picks + self.hand * (1 + self.seats)
        """At most, in a round: everybody may have to take a row in every turn."""
        most = self.rounds * bulls([*self.cards, *(card for row in self.rows for card in row)])
        mode = _CHANCE.DETERMINISTIC if self.options.draft else _CHANCE.EXPLICIT_STOCHASTIC
        info = pyspiel.GameInfo(
            num_distinct_actions=self.codec.actions,
            max_chance_outcomes=0 if self.options.draft else HIGHEST,
            num_players=self.seats,
            min_utility=-float(most),
            max_utility=float(most),
            utility_sum=0.0,
            max_game_length=self.rounds * self.moves,
        )
        super().__init__(game_type(mode), info, dict(params or {}))

    def _check(self) -> None:
        if self.is_whole:
            return
        if self.rounds != 1 or self.options.draft:
            raise InvalidOptions("A game of few cards is one round, and no draft.")
        if len(self.rows) not in (0, ROWS):
            raise InvalidOptions(f"rows: give {ROWS} of them, or none to have them dealt.")
        if not 1 <= self.hand <= HAND:
            raise InvalidOptions(f"hand: must be a number from 1 to {HAND}, not {self.hand}.")
        if len(self.cards) < self.dealt_cards:
            raise InvalidOptions(f"{len(self.cards)} cards are not enough for {self.seats} hands of {self.hand}.")
        every = [*self.cards, *(card for row in self.rows for card in row)]
        if len(set(every)) < len(every):
            raise InvalidOptions("cards: each card may be named once, and none that lies in a row.")
        try:
            self.begin_round(self.first, self.cards[: self.dealt_cards])
        except InvalidPosition as error:
            raise InvalidOptions(f"rows and cards: {error}") from None

    @property
    def dealt_cards(self) -> int:
        """In a round: the hands, and the rows unless they lie there already."""
        return self.seats * self.hand + (0 if self.rows else ROWS)

    def begin_round(self, state: State, order: Cards) -> tuple[State, Dealt]:
        hands = tuple(order[self.hand * seat : self.hand * (seat + 1)] for seat in range(self.seats))
        starts = order[self.seats * self.hand :]
        if self.is_whole:
            left = tuple(card for card in self.cards if card not in order)
            return SIX.deal(state, Deal({"numbers": (*order, *left)}))[0], Dealt(hands, starts)
        rows = self.rows or tuple((card,) for card in starts)
        return table_position(rows, hands, options=self.options), Dealt(hands, starts)

    def new_initial_state(self) -> SixState:
        return SixState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 0 if self.options.draft else self.rounds * self.dealt_cards

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise ValueError(f"There are no parameters for observations: {params}")
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def _cards(name: str, text: str) -> Cards:
    words = text.split()
    for word in words:
        if not (word.isdecimal() and word.isascii() and 1 <= int(word[:4]) <= HIGHEST):
            raise InvalidOptions(f"{name}: there is no card {word!r:.40}.")
    return tuple(map(int, words))


# -- its states --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dealt:
    """What a deal brought: hands by seat, ascending, and the first cards of the rows, unless they lay there."""

    hands: Rows
    starts: Cards


@dataclass(frozen=True)
class Moment:
    """All of a state that changes. Values are shared, not copied, when OpenSpiel clones a state."""

    state: State
    order: Cards = ()
    """The cards dealt so far, where a deal is going on."""
    rounds: tuple[tuple[Dealt, tuple[Move, ...]], ...] = ()
    """Each round: what was dealt, and all moves. When one is made, everybody may know it: cards have been revealed."""

    def __deepcopy__(self, memo: Any) -> Moment:
        return self


class SixState(pyspiel.State):
    def __init__(self, game: SixGame) -> None:
        super().__init__(game)
        self.now = Moment(game.first, rounds=((Dealt((), ()), ()),) if game.options.draft else ())

    @property
    def table(self) -> SixGame:
        game: SixGame = self.get_game()
        return game

    # -- who decides what ---------------------------------------------------------------------------------------

    def current_player(self) -> int:
        state = self.now.state
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if _RULES.deal_request(state) is not None:
            return int(pyspiel.PlayerId.CHANCE)
        first = _RULES.pending(state)[0]
        is_joint = first.kind in self.table.codec.simultaneous
        return int(pyspiel.PlayerId.SIMULTANEOUS) if is_joint else first.seat

    def is_terminal(self) -> bool:
        return _RULES.outcome(self.now.state) is not None

    def _legal_actions(self, player: Seat) -> list[int]:
        state = self.now.state
        mask = self.table.codec.mask(_RULES.view(state, player), _RULES.legal(state, player))
        found: list[int] = np.flatnonzero(mask).tolist()
        return found

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """A card by its number from 0."""
        game, order = self.table, self.now.order
        left = [card for card in game.cards if card not in order]
        if len(order) >= game.seats * game.hand:
            return [(card - 1, 1 / len(left)) for card in left]
        held = len(order) % game.hand
        higher = [card for card in left if held == 0 or card > order[-1]]
        wanted = game.hand - held
        ways = [comb(len(higher) - 1 - at, wanted - 1) for at in range(len(higher))]
        return [(card - 1, way / sum(ways)) for card, way in zip(higher, ways, strict=True) if way]

    # -- what comes of it ---------------------------------------------------------------------------------------

    def _apply_action(self, action: int) -> None:
        if _RULES.deal_request(self.now.state) is None:
            seat = _RULES.pending(self.now.state)[0].seat
            self._move([action if seat == player else None for player in range(self.table.seats)])
            return
        order = (*self.now.order, action + 1)
        self.now = replace(self.now, order=order)
        if len(order) == self.table.dealt_cards:
            state, dealt = self.table.begin_round(self.now.state, order)
            self.now = Moment(state, (), (*self.now.rounds, (dealt, ())))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._move(actions)

    def _move(self, numbers: Sequence[int | None]) -> None:
        before = state = self.now.state
        for seat, number in enumerate(numbers):
            if number is not None:
                action = self.table.codec.decode(_RULES.view(before, seat), number)
                state, _ = _RULES.apply(state, seat, action)
        *past, (dealt, moves) = self.now.rounds
        rounds = (*past, (dealt, (*moves, tuple(numbers))))
        if self.table.options.draft and state.table.round > before.table.round:
            rounds += ((Dealt((), ()), ()),)
        self.now = Moment(state, (), rounds)

    def returns(self) -> list[float]:
        """How many bulls fewer than the others on average, when all is over."""
        outcome, seats = _RULES.outcome(self.now.state), self.table.seats
        points = outcome.points if outcome else (0,) * seats
        return [(sum(points) - own) / (seats - 1) - own for own in points]

    # -- in words -----------------------------------------------------------------------------------------------

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action + 1}"
        if action >= CHOICES:
            return f"row {action - CHOICES + 1}"
        return f"card {action - TWISTS + 1} twisted" if action >= TWISTS else f"card {action + 1}"

    def __str__(self) -> str:
        return f"dealt: {spaced(self.now.order)}" if self.now.order else to_text(SIX, self.now.state)


# -- what is seen of them ----------------------------------------------------------------------------------------------


class Observer:
    """With perfect recall: the own hands as they were dealt, how the rows began, and all moves since. Without it: the
    observation of the other environments, which is the table as it lies. What is private can be left out, or asked for
    of all players."""

    def __init__(self, game: SixGame, kind: Any) -> None:
        self.game, self.public, self.recall = game, bool(kind.public_info), bool(kind.perfect_recall)
        self.private = kind.private_info
        blank = game.new_initial_state()
        parts = {name: np.array(list(part), np.float32) for name, part in self._parts(blank, 0)}
        self.tensor: NDArray[np.float32] = np.concatenate([np.zeros(0, np.float32), *parts.values()])
        self.dict: dict[str, NDArray[np.float32]] = {}
        at = 0
        for name, part in parts.items():
            self.dict[name] = self.tensor[at : at + len(part)]
            at += len(part)

    def set_from(self, state: SixState, player: Seat) -> None:
        for name, part in self._parts(state, player):
            self.dict[name][:] = part

    def string_from(self, state: SixState, player: Seat) -> str:
        told = [f"player {player}"] if self._holders(player) == [player] else []
        return "; ".join([*told, *(self._recalled(state, player) if self.recall else self._seen(state, player))])

    def _holders(self, player: Seat) -> list[Seat]:
        """Whose hands are seen."""
        if self.private == _PRIVATE.NONE:
            return []
        return [player] if self.private == _PRIVATE.SINGLE_PLAYER else list(range(self.game.seats))

    # -- as numbers ---------------------------------------------------------------------------------------------

    def _parts(self, state: SixState, player: Seat) -> Iterator[tuple[str, Sequence[float]]]:
        game, now, holders = self.game, state.now, self._holders(player)
        yield "player", [float(seat == player) for seat in range(game.seats)]
        if not self.recall:
            if self.public:
                view = _RULES.view(now.state, player if player in holders else None)
                yield "table", game.codec.observation(view).tolist()
            if holders and (not self.public or len(holders) > 1):
                yield "hands", [flag for seat in holders for flag in plane(_held(now, seat), HIGHEST)]
            return
        for number in range(game.rounds):
            dealt, moves = now.rounds[number] if number < len(now.rounds) else (Dealt((), ()), ())
            if holders:
                hands = [dealt.hands[seat] if dealt.hands else () for seat in holders]
                yield f"hands_{number}", [flag for hand in hands for flag in plane(hand, HIGHEST)]
            if self.public:
                yield f"starts_{number}", [card / HIGHEST for card in listed(dealt.starts, ROWS)]
                codes = [0 if code is None else (code + 1) / game.codec.actions for move in moves for code in move]
                yield f"moves_{number}", listed(codes, game.moves * game.seats)

    # -- in words -----------------------------------------------------------------------------------------------

    def _recalled(self, state: SixState, player: Seat) -> Iterator[str]:
        now, holders = state.now, self._holders(player)
        for dealt, moves in now.rounds:
            for seat in holders:
                yield f"hand {seat}: {spaced(dealt.hands[seat]) if dealt.hands else 'drafted'}"
            if self.public:
                yield f"rows: {spaced(dealt.starts)}"
                for move in moves:
                    yield " ".join(f"{seat}:{code}" for seat, code in enumerate(move) if code is not None)

    def _seen(self, state: SixState, player: Seat) -> Iterator[str]:
        now, table = state.now, state.now.state.table
        for seat in self._holders(player):
            yield f"hand {seat}: {spaced(_held(now, seat))}"
        if self.public:
            yield f"phase: {table.phase}"
            yield f"rows: {' | '.join(map(spaced, table.rows))}"
            yield f"queue: {' '.join(play.to_text() for play in table.queue)}"
            yield f"bulls: {spaced(table.bulls)}"
            yield f"scores: {' | '.join(map(spaced, table.scores))}"
            if table.options.fan:
                yield f"fan: {table.markers} {table.twists}"
            if table.options.draft:
                yield f"pool: {spaced(table.pool)}; drafted: {' | '.join(map(spaced, table.drafted))}"


def _held(now: Moment, seat: Seat) -> Cards:
    return now.state.hands[seat]


pyspiel.register_game(game_type(), SixGame)

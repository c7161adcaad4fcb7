"""A game's kernels as seen from Python: layouts, codes, and conversion from `nimmt.rules`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nimmt.fast import kernels, parts
from nimmt.fast.arguments import InvalidType, UnknownPolicy, check_number_of_policies
from nimmt.fast.jit import Flat, Flats, implement
from nimmt.fast.kernels import Lines, Players
from nimmt.fast.net import LEARNED, NETS_AT, Shape, Weights
from nimmt.fast.parts import CHOOSE, OVER, PHASES
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Cards, Event, Seat
from nimmt.rules.kit.events import CardChosen

# -- game --------------------------------------------------------------------------------------------------------------


class NotInARound(ValueError):
    """The position is between rounds; deal first."""


@cache
def weights_in(path: Path, name: str = "weights") -> Weights:
    """The weights in this file."""
    with np.load(path) as file:
        weights: Weights = file[name].astype(np.float32)
    return weights


class FastGame(ABC):
    """The flat twin of a game."""

    rules: ClassVar[AnyGame]
    state: ClassVar[np.dtype[Any]]
    decks: ClassVar[tuple[str, ...]]
    """Names of the decks that a deal has, in the order in which kernels want them, one after the other."""
    over: ClassVar[int]
    """The phase of a round that has been played."""
    most_actions: ClassVar[int] = 256
    """An upper bound on the number of legal actions."""

    chunk: ClassVar[int] = 1024
    """Rounds of a simulation per generator."""
    has_rival: ClassVar[bool] = False
    """Whether there is a player without a seat."""

    def __init__(self, *modules: ModuleType) -> None:
        """The modules with the game's kernels, its policies and its picture."""
        register(self.state, *modules)
        self.folder = Path(str(import_module(type(self).__module__).__file__)).parent
        """The folder of its networks' weights."""
        self.policies: Mapping[str, int] = next(m.POLICIES for m in modules if hasattr(m, "POLICIES"))
        self.network: Shape | None = next((m.NETWORK for m in modules if hasattr(m, "NETWORK")), None)
        self.outlook: Shape | None = next((m.OUTLOOK for m in modules if hasattr(m, "OUTLOOK")), None)
        if self.has_learned:
            self.policies = {**self.policies, "learned": LEARNED}
        self._picture = next(module for module in modules if hasattr(module, "picture_of"))
        self.picture_size: int = self._picture.SIZE

    def template(self, options: Any, seats: int, round_number: int = 1) -> Flats:
        """A state (an array of one) before the first deal."""
        del options, round_number
        flat = np.zeros(1, self.state)
        flat["seats"] = seats
        return flat

    def load(self, state: Any) -> Flats:
        """The same position, flat; raises `NotInARound` if no round is being played."""
        if state.table.phase == "deal":
            raise NotInARound("The cards of the next round are not dealt yet.")
        flat = self.template_of(state)
        self.load_into(flat[0], state)
        return flat

    @abstractmethod
    def load_into(self, s: Flat, state: Any) -> None:
        """Fill an empty state from the position."""

    @abstractmethod
    def encode(self, action: Action) -> int: ...

    @abstractmethod
    def decode(self, state: Any, seat: Seat, code: int) -> Action:
        """The action that a code stands for in this state of the rules, or in a view of it."""

    def policy_codes(self, policy: str | Sequence[str], seats: int) -> NDArray[np.int64]:
        """The number of each seat's policy; raises `UnknownPolicy`."""
        if not isinstance(policy, str | Sequence):
            raise InvalidType(f"policy must be the name of one, or a list of names, not {policy!r:.60}.")
        names = [policy] * seats if isinstance(policy, str) else list(policy)
        check_number_of_policies(names, seats)
        for name in names:
            if not isinstance(name, str):
                raise InvalidType(f"A policy is a name, not {name!r:.60}.")
            if name not in self.policies:
                known = ", ".join(self.policies)
                raise UnknownPolicy(f"{self.rules.id} has no policy {name!r:.40}. The policies are: {known}.")
        return np.array([self.policies[name] for name in names], dtype=np.int64)

    def params(self, slips: float = 0.0) -> NDArray[np.float32]:
        """Parameters of the policies: the percentage of random actions of careless players, and the shipped weights."""
        start = np.array([slips], np.float32)
        return np.concatenate((start, weights_in(self.weights_file))) if self.has_learned else start

    def check_params(self, policies: NDArray[np.int64], params: NDArray[np.float32]) -> None:
        """Refuse learned players without weights: kernels do not check bounds."""
        nets = int(policies.max()) - LEARNED + 1
        if nets > 0 and (self.network is None or len(params) < NETS_AT + nets * self.network.weights):
            raise ValueError(
                f"params must have the weights of {nets} networks of {self.rules.id} after the first number."
            )

    @property
    def has_learned(self) -> bool:
        """Without weights the policy `learned` is of use to training only."""
        return self.network is not None and self.weights_file.exists()

    @property
    def weights_file(self) -> Path:
        """The weights of the game's policy network."""
        return self.folder / "learned.npz"

    @property
    def has_outlook(self) -> bool:
        """Whether the game has value networks."""
        return self.outlook is not None and self.outlook_file.exists()

    @property
    def outlook_file(self) -> Path:
        """The weights of the value networks, by objective."""
        return self.folder / "outlook.npz"

    def sorted_decks(self) -> NDArray[np.int8]:
        """All decks, one after the other, each from its lowest card."""
        options = self.rules.options_type()
        request = self.rules.deal_request(self.rules.setup(options, self.rules.max_seats))
        assert request is not None
        return self.deck_cards(request.decks)

    def deck_cards(self, decks: Mapping[str, Cards]) -> NDArray[np.int8]:
        return np.array([card for name in self.decks for card in decks[name]], dtype=np.int8)

    def play_rounds(self, template: Flats, policies: NDArray[np.int64], seed: int, chunk: int, lines: Lines) -> None:
        """Play the rounds of this chunk of this seed and write their results to the lines."""
        rng, players = kernels.seeded(np.uint64(seed), chunk), Players(policies, self.params())
        kernels.play_rounds(template, self.sorted_decks(), players, rng, lines)

    # -- worlds: what may be true for all that a seat knows ------------------------------------------------------

    def hidden(self, view: Any) -> Sequence[Sequence[int]]:
        """The unseen cards that may be in each other's places: a list for each kind that has places of its own."""
        return (self.rules.unseen(view),)

    @abstractmethod
    def places(self, view: Any) -> Sequence[Sequence[int]]:
        """For each kind, the bytes of the flat state that its cards go to; cards beyond those are out of play."""

    def load_view(self, view: Any) -> Flats:
        """A position that looks like the view; nobody's secret choice is made."""
        flat = self.load(self.rules.imagine(view, self.rules.unseen(view)))
        self.forget_choices(flat)
        return flat

    def forget_choices(self, flat: Flats) -> None:
        """Undo secret choices, if there are any."""

    def shuffled(self, view: Any, count: int, seed: int) -> NDArray[np.int8]:
        """Uniformly shuffled orders of the cards that the view's owner has not seen, for `worlds`."""
        kinds = [np.array(cards, dtype=np.int8) for cards in self.hidden(view)]
        orders = np.empty((count, sum(map(len, kinds))), dtype=np.int8)
        start = 0
        for number, cards in enumerate(kinds):
            kernels.shuffle_rows(cards, orders[:, start : start + len(cards)], np.uint64(seed), number)
            start += len(cards)
        return orders

    def worlds(self, view: Any, cards: NDArray[np.int8]) -> Flats:
        """One position per line of cards (an order of those in `hidden`), all consistent with the view."""
        worlds = np.repeat(self.load_view(view), len(cards))
        columns: list[int] = []
        start = 0
        for kind, places in zip(self.hidden(view), self.places(view), strict=True):
            columns += range(start, start + len(places))
            start += len(kind)
        targets = np.array([place for places in self.places(view) for place in places], dtype=np.int64)
        raw = worlds.view(np.int8).reshape(len(cards), -1)
        kernels.fill(raw, targets, np.array(columns, dtype=np.int64), np.ascontiguousarray(cards))
        return worlds

    # -- comparing with the rules (`nimmt.fast.proof`) ----------------------------------------------------------

    told_by_events: ClassVar[bool] = True
    """Whether more than one thing may happen between two decisions, of which events tell."""
    step_events: ClassVar[tuple[type[Event], ...]] = ()
    """What begins a new step of `advance`, unless it is what the decision itself led to."""
    secret_events: ClassVar[tuple[type[Event], ...]] = ()
    """What tells that a seat has chosen in secret and others have not yet."""

    def picture(self, state: Any) -> bytearray:
        """Everything in a state of the rules that the flat state has too, in a form both can be brought to."""
        picture: bytearray = self._picture.picture_of(state)
        return picture

    def follow(self, picture: bytearray, event: Event) -> None:
        """What a picture becomes by an event."""
        self._picture.follow(picture, event)

    def template_of(self, state: Any) -> Flats:
        """The table for the round that begins in this state."""
        return self.template(state.table.options, state.table.seats, state.table.round)

    def spell(self, state: Any, seat: Seat, code: int) -> Sequence[tuple[Seat, Action]]:
        """What the code means, done by the rules: mostly one action of this seat."""
        return ((seat, self.decode(state, seat, code)),)

    def kind(self, code: int) -> int:
        """Tells codes of different kinds of actions apart where one kind has many more than another."""
        del code
        return 0

    def points(self, flat: Flat) -> Cards:
        return tuple(flat["points"][: flat["seats"]].tolist())

    def points_by_rules(self, state: Any) -> Cards:
        """The points of the round that is over."""
        points: Cards = state.table.scores[-1]
        return points


_STEPS = (
    kernels.begin,
    kernels.deal,
    kernels.to_decide,
    kernels.legal,
    kernels.choose,
    kernels.learned,
    kernels.act,
    kernels.advance,
    kernels.play_on,
    kernels.so_far,
    kernels.outlook,
    kernels.tally,
    kernels.picture,
)


def register(state: np.dtype[Any], *modules: ModuleType) -> None:
    """Let the shared kernels find a game's own functions: each in the first of these modules that has one so named.

    What a game does like others is in `parts`.
    """
    for step in _STEPS:
        name = step.__name__
        found = [getattr(module, name) for module in (*modules, parts) if hasattr(module, name)]
        implement(step, state, found[0] if found else kernels.play_by_steps)


def field_bytes(state: np.dtype[Any], name: str) -> int:
    """Where in a state a field begins."""
    fields = state.fields
    assert fields is not None
    return int(fields[name][1])


# -- row game ----------------------------------------------------------------------------------------------------------
# What Python needs to know of a game in which all choose a card in secret and place them in rows.


class RowGame(FastGame):
    phases: ClassVar[Mapping[str, int]] = PHASES
    """By the names that the rules have for them."""
    over = OVER
    secret_events: ClassVar[tuple[type[Event], ...]] = (CardChosen,)

    def load_into(self, s: Flat, state: Any) -> None:
        table = state.table
        s["phase"], s["waiting"] = self.phases[table.phase], len(state.waiting)
        for seat, hand in enumerate(state.hands):
            # What all know of a hand comes first, so that hidden cards have places of their own behind it.
            known = self.known(table, seat)
            s["hands"][seat, : len(hand)] = (*known, *(card for card in hand if card not in known))
            s["sizes"][seat] = len(hand)
            s["chosen"][seat] = self.choice_code(state.chosen[seat])
        for row, cards in enumerate(table.rows):
            s["rows"][row, : len(cards)] = cards
            s["lengths"][row] = len(cards)
            s["ends"][row] = cards[-1] if cards else 0
        s["queue"][: len(table.queue)] = list(map(self.play_code, table.queue))
        s["queued"] = len(table.queue)

    def known(self, table: Any, seat: int) -> Cards:
        """The cards of a hand that all know."""
        known: Cards = table.known[seat]
        return known

    def choice_code(self, choice: Any) -> int:
        return choice or 0

    def play_code(self, play: Any) -> int:
        """A play as the queue has it."""
        code: int = play.card << 4 | play.seat
        return code

    # -- worlds --------------------------------------------------------------------------------------------------

    def places(self, view: Any) -> Sequence[Sequence[int]]:
        return ([place for seat in range(view.table.seats) for place in self.hand_places(view, seat)],)

    def hand_places(self, view: Any, seat: int) -> Sequence[int]:
        """Where the cards of a hand go that the view's owner does not know."""
        if seat == view.seat:
            return ()
        first = field_bytes(self.state, "hands") + self.state["hands"].shape[1] * seat
        return range(first + len(self.known(view.table, seat)), first + view.hand_sizes[seat])

    def forget_choices(self, flat: Flats) -> None:
        if flat[0]["phase"] == CHOOSE:
            flat["chosen"] = 0
            flat["waiting"] = flat["seats"]


# -- games -------------------------------------------------------------------------------------------------------------
# The flat twins of the games by their id.


@cache
def get_fast(game_id: str) -> FastGame:
    """The flat twin of this game; raises `UnknownGame`. Loads Numba, compiles nothing."""
    registry.get(game_id)
    fast: FastGame = import_module(f"nimmt.games.{game_id}.fast").FAST
    return fast


def warm_up(game_ids: Iterable[str] = registry.GAMES) -> None:
    """Compile the kernels that search uses, or load them from disk."""
    from nimmt.fast.simulation import try_out

    for game_id in game_ids:
        try_out(get_fast(game_id))

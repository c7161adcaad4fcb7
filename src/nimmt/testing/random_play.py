"""Random play. Everything follows from the generator given, and from nothing else.

Only `random()` is asked of it: of all its methods this is the one whose numbers are promised to stay the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeVar, get_origin

import msgspec

from nimmt.rules.game import Action, AnyGame, Deal, DealRequest, Event, Options, Seat

# -- playing -----------------------------------------------------------------------------------------------------------

T = TypeVar("T")
OnStep = Callable[["Step"], None]

MAX_STEPS = 20_000
"""A match with more steps than this counts as one that does not end."""


class Step(NamedTuple):
    """One deal (no seat) or one action: the state before it, what it caused, the state after it."""

    before: Any
    seat: Seat | None
    cause: Deal | Action
    events: tuple[Event, ...]
    state: Any


def pick(rng: Random, things: Sequence[T]) -> T:
    return things[int(rng.random() * len(things))]


def shuffled(rng: Random, things: Sequence[T]) -> list[T]:
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        chosen = int(rng.random() * (last + 1))
        order[last], order[chosen] = order[chosen], order[last]
    return order


def some(rng: Random, things: Sequence[T], most: int) -> list[T]:
    """At most so many of them, in their order."""
    if len(things) <= most:
        return list(things)
    places: set[int] = set()
    while len(places) < most:
        places.add(int(rng.random() * len(things)))
    return [things[place] for place in sorted(places)]


def random_deal(request: DealRequest, rng: Random) -> Deal:
    return Deal({deck: tuple(shuffled(rng, cards)) for deck, cards in request.decks.items()})


def random_action(game: AnyGame, state: Any, seat: Seat, rng: Random) -> Action:
    """One of the seat's legal actions."""
    return pick_action(game.legal(state, seat), rng)


def pick_action(actions: Sequence[Action], rng: Random) -> Action:
    """First what kind of action, then which one: else a kind with thousands of forms would be all that happens."""
    kind = pick(rng, list(dict.fromkeys(map(type, actions))))
    family = [action for action in actions if type(action) is kind]
    for name in _holders(kind):
        held = [type(getattr(action, name)) for action in family]
        inner = pick(rng, list(dict.fromkeys(held)))
        family = [action for action, holds in zip(family, held, strict=True) if holds is inner]
    return pick(rng, family)


@cache
def _holders(struct: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields that may hold another struct, as `Use` holds a `Push`."""
    plain = (int, bool, str)
    fields = msgspec.structs.fields(struct)
    return tuple(field.name for field in fields if field.type not in plain and get_origin(field.type) is not tuple)


def play_on(
    game: AnyGame,
    state: Any,
    rng: Random,
    on_step: OnStep | None = None,
    restless: float = 0.0,
    longest: int = MAX_STEPS,
) -> Iterator[Step]:
    """Random play from this state to the end of the match.

    Whoever is waited for acts in any order. `restless` is how often any seat with something to do acts instead,
    such as one that takes back its secret choice.
    """
    for _ in range(longest):
        if game.outcome(state) is not None:
            return
        step = _random_step(game, state, rng, restless)
        if on_step is not None:
            on_step(step)
        yield step
        state = step.state
    raise AssertionError(f"The match has not ended after {longest} steps.")


def _random_step(game: AnyGame, state: Any, rng: Random, restless: float) -> Step:
    request = game.deal_request(state)
    if request is not None:
        deal = random_deal(request, rng)
        after, events = game.deal(state, deal)
        return Step(state, None, deal, events, after)
    seats = [decision.seat for decision in game.pending(state)]
    if restless and rng.random() < restless:
        seats = [seat for seat in range(state.table.seats) if game.legal(state, seat)]
    if not seats:
        raise AssertionError("The match is stuck: it is not over, no deal is due and nobody is waited for.")
    seat = pick(rng, seats)
    action = random_action(game, state, seat, rng)
    after, events = game.apply(state, seat, action)
    return Step(state, seat, action, events, after)


def play_match(
    game: AnyGame,
    options: Options,
    seats: int,
    rng: Random,
    on_step: OnStep | None = None,
    restless: float = 0.0,
    longest: int = MAX_STEPS,
) -> Iterator[Step]:
    """A whole match of random play, step by step."""
    return play_on(game, game.setup(options, seats), rng, on_step, restless, longest)


def cut_matches(game: AnyGame, options: Options, seats: int, rng: Random) -> Iterator[Any]:
    """Random positions, each from a match of its own that was left at a random moment."""
    while True:
        steps = list(play_match(game, options, seats, rng, restless=0.1))
        yield pick(rng, steps).before


# -- counting ----------------------------------------------------------------------------------------------------------
# All that can happen from a position, counted: the number of ways after each action, and of each ending.

MAX_DEPTH = 200


class Counts(NamedTuple):
    ways: tuple[int, ...]
    """Ways to play 0, 1, 2, … actions; those that have ended are not counted any more."""
    endings: Counter[tuple[int, ...]]
    """How many ways end how: the points of the round, or of the match with its winners if that has no rounds."""

    @property
    def leaves(self) -> int:
        return sum(self.endings.values())


def count_play(game: AnyGame, state: Any, deepest: int = MAX_DEPTH) -> Counts:
    """Every way to go on until a round ends, or for so many actions.

    Of several seats that choose at once the lowest acts first, as their order makes no difference.
    """
    level: Counter[Any] = Counter({state: 1})
    ways, endings = [1], Counter[tuple[int, ...]]()
    for _ in range(deepest):
        level = _after_one_action(game, level, endings)
        if not level:
            break
        ways.append(level.total())
    return Counts(tuple(ways), endings)


def _after_one_action(game: AnyGame, level: Counter[Any], endings: Counter[tuple[int, ...]]) -> Counter[Any]:
    following: Counter[Any] = Counter()
    for state, number in level.items():
        seat = game.pending(state)[0].seat
        for action in game.legal(state, seat):
            after, _ = game.apply(state, seat, action)
            if game.pending(after):
                following[after] += number
            else:
                endings[ending_of(game, after)] += number
    return following


def ending_of(game: AnyGame, state: Any) -> tuple[int, ...]:
    scores, outcome = getattr(state.table, "scores", ()), game.outcome(state)
    if scores:
        return tuple(scores[-1])
    return (*outcome.points, *outcome.winners) if outcome else ()

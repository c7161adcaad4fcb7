"""What all laws need: saying where one is broken, and what a game may add of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

import msgspec

from nimmt.rules.game import AnyGame, Outcome, Seat
from nimmt.rules.position import to_text

Law: TypeAlias = Callable[[AnyGame, Any], None]
"""Takes a game and a state; raises an AssertionError, best made by `broken`."""


def fewest_points_win(state: Any, outcome: Outcome) -> Sequence[Seat]:
    del state
    return [seat for seat, points in enumerate(outcome.points) if points == min(outcome.points)]


def lies_hidden(place: str, viewer: Seat | None) -> bool:
    """Whether cards that came to this place by the deal are hidden from a seat (None: a spectator)."""
    hidden = "draw pile" in place or place.startswith("the hand of seat ")
    return hidden and place != f"the hand of seat {viewer}"


def card_itself(deck: str, card: int) -> int:
    del deck
    return card


class Hooks(NamedTuple):
    """What the kit cannot know of a game by itself. The defaults suit most games."""

    winners: Callable[[Any, Outcome], Sequence[Seat]] = fewest_points_win
    """Who should have won, worked out anew from the last state and the points."""
    laws: tuple[Law, ...] = ()
    """Laws of the game's own, such as the order of its rows; asked after every step."""
    open_decisions: frozenset[str] = frozenset()
    """Kinds of decisions that several seats make at once but openly. All others of that sort must stay secret."""
    hides: Callable[[str, Seat | None], bool] = lies_hidden
    """Whether a place, as `Game.cards` names it, is hidden from a seat."""
    number: Callable[[str, int], int] = card_itself
    """How `Game.cards` numbers a card of a deck, where several decks use the same numbers."""
    longest: int = 5_000
    """No match of random play has more steps."""


def broken(game: AnyGame, state: Any, sentence: str) -> AssertionError:
    return AssertionError(f"{game.id}: {sentence}\n\n{to_text(game, state)}")


@contextmanager
def located(game: AnyGame, state: Any) -> Iterator[None]:
    """Whatever goes wrong inside also says in which position."""
    try:
        yield
    except Exception as error:
        error.add_note(to_text(game, state))
        raise


def viewers(state: Any) -> list[Seat | None]:
    """Everybody who may look: a spectator and all seats."""
    return [None, *range(state.table.seats)]


def encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)


def named(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"

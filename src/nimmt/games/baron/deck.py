"""The cards of Baron Oxx: a deck is data. Ours is `deck.json` beside this file, and not the printed one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec
from msgspec import Meta

from nimmt.rules.game import Cards, InvalidOptions, Value

Colour: TypeAlias = Literal["blue", "yellow", "green", "red", "black", "white"]

COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
HIGHEST: Final = 110
BARONS: Final = (52, 104)
MAX_BULLS: Final = 7
"""On a card of any deck; as many as the family prints on a card at most."""


class Deck(Value, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The bulls on every card, as an owner of the box can write them down."""

    name: Annotated[str, Meta(max_length=100)]
    note: Annotated[str, Meta(max_length=1000)] = ""
    cards: Annotated[
        dict[str, tuple[Colour, ...]],
        Meta(description="For each card from 1 to 110 the colours of its bulls, one entry for each bull."),
    ]

    def __hash__(self) -> int:
        # A dict has no hash of its own. Equal decks have equal names, and that is all a hash must honour.
        return hash(self.name)


class Faces(NamedTuple):
    """What the rules ask of a deck, by card number; there is no card 0."""

    bulls: Cards
    colours: Cards
    """The colours that a card shows: bit i stands for colour i."""
    counts: tuple[Cards, ...]
    """How many bulls of each colour a card shows."""

    def worth(self, cards: Iterable[int]) -> int:
        return sum([self.bulls[card] for card in cards])

    def crowded(self, cards: Iterable[int]) -> tuple[Colour, ...]:
        """The colours of which these cards together show six bulls or more."""
        sums = map(sum, zip(*[self.counts[card] for card in cards], strict=True))
        return tuple([colour for colour, number in zip(COLOURS, sums, strict=True) if number >= 6])


@cache
def shipped_deck() -> Deck:
    return msgspec.json.decode(files(__package__).joinpath("deck.json").read_bytes(), type=Deck)


@lru_cache(maxsize=64)
def faces(deck: Deck | None) -> Faces:
    """The faces of a deck, by default of the shipped one."""
    cards = (deck or shipped_deck()).cards
    shown: list[tuple[Colour, ...]] = [(), *(cards[str(number)] for number in range(1, HIGHEST + 1))]
    counts = tuple(tuple(bulls.count(colour) for colour in COLOURS) for bulls in shown)
    masks = tuple(sum(1 << i for i, number in enumerate(line) if number) for line in counts)
    return Faces(tuple(map(len, shown)), masks, counts)


def check_deck(deck: Deck) -> None:
    """Refuse a deck that the rules could not be played with; how it spreads the colours is its owner's affair."""
    numbers = dict.fromkeys(map(str, range(1, HIGHEST + 1)))
    for number, bulls in deck.cards.items():
        if number not in numbers:
            raise InvalidOptions(f"deck: there is no card {number!r:.40}, the cards are 1 to {HIGHEST}.")
        _check_card(number, bulls)
    for number in numbers:
        if number not in deck.cards:
            raise InvalidOptions(f"deck: card {number} is missing, all of 1 to {HIGHEST} are needed.")


def _check_card(number: str, bulls: tuple[Colour, ...]) -> None:
    for colour in bulls:
        if colour not in COLOURS:
            raise InvalidOptions(f"deck: card {number} shows {colour!r:.40}, the colours are {', '.join(COLOURS)}.")
    if int(number) in BARONS and sorted(bulls) != sorted(COLOURS):
        raise InvalidOptions(f"deck: card {number} is the Baron and shows one bull of each colour.")
    if not 1 <= len(bulls) <= MAX_BULLS:
        checked = f"it is checked that each card shows 1 to {MAX_BULLS}"
        raise InvalidOptions(f"deck: card {number} shows {len(bulls)} bulls, and {checked}.")

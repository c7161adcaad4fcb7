"""Positions made by hand: the middle of the game as it lies on somebody's table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from nimmt.games.buffalo.checks import check_state
from nimmt.games.buffalo.types import HAND, ROWS, RULES_VERSION, SPECIALS, Kind, Options, State, before_the_deal, kind
from nimmt.rules.game import Cards, InvalidPosition
from nimmt.rules.kit.cards import sorted_hands

Lists = Sequence[Sequence[int]]
Kinds = Sequence[Kind]


def table_position(
    rows: Lists,
    hands: Lists,
    buffalo: Sequence[int],
    *,
    face_up: Kinds = (),
    deck: Kinds = (),
    beside: Mapping[int, Kinds] | None = None,
    options: Options | None = None,
    rules_version: int = RULES_VERSION,
) -> State:
    """Everybody is about to choose from the hands given; raises `InvalidPosition`.

    `buffalo` has its next card first, `deck` the next special card. `beside` says what lies at a row, by its number.
    """
    before = before_the_deal(options or Options(), len(hands), rules_version)
    supply = _Supply()
    table = replace(
        before.table,
        phase="choose",
        turn=HAND + 1 - len(buffalo),
        rows=tuple(map(tuple, rows)),
        beside=tuple(supply.take((beside or {}).get(row, ())) for row in range(1, ROWS + 1)),
        face_up=supply.take(face_up),
    )
    state = replace(
        before,
        table=table,
        hands=sorted_hands(hands),
        buffalo=tuple(buffalo),
        specials=supply.take(deck),
        waiting=tuple(range(len(hands))),
    )
    check_state(state, rules_version)
    return state


class _Supply:
    """The special cards that a position has not used yet, by their kinds."""

    def __init__(self) -> None:
        self._left = list(SPECIALS)

    def take(self, kinds: Kinds) -> Cards:
        return tuple(self._numbers(kinds))

    def _numbers(self, kinds: Kinds) -> Iterator[int]:
        for wanted in kinds:
            number = next((special for special in self._left if kind(special) == wanted), None)
            if number is None:
                raise InvalidPosition(f"There are only two special cards {wanted}.")
            self._left.remove(number)
            yield number


def hidden_parts(rest: Sequence[int], size: int) -> dict[str, Sequence[int]]:
    """What nobody sees at a table where everybody holds so many cards, from the cards that are left."""
    return {"buffalo": rest[:size]}

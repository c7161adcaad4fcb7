"""Positions set up by hand, as they lie on somebody's table; and what every position must obey, made by whomever."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from nimmt.games.buffalo.placing import is_open, limit, target_row
from nimmt.games.buffalo.turns import anything_possible, refusal
from nimmt.games.buffalo.types import (
    BUFFALO,
    FACE_UP,
    HAND,
    MAX_SEATS,
    ROWS,
    RULES_VERSION,
    SPECIALS,
    SPECIALS_IN_PLAY,
    Kind,
    Options,
    Proposal,
    State,
    Table,
    Window,
    before_the_deal,
    kind,
    number_places,
    special_places,
)
from nimmt.rules.game import Cards, InvalidPosition
from nimmt.rules.kit.cards import HIGHEST, bulls, deck, sorted_hands
from nimmt.rules.kit.seats import check_ascending, check_cards, check_lengths
from nimmt.rules.kit.secret import check_choices, check_queue

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


# -- what a position must obey -----------------------------------------------------------------------------------------


def check_state(state: State, rules_version: int = RULES_VERSION) -> None:
    table = state.table
    if table.rules_version != rules_version:
        raise InvalidPosition(f"This is a position under version {table.rules_version} of the rules.")
    check_lengths(table.seats, MAX_SEATS, hands=state.hands, chosen=state.chosen)
    if table.phase == "deal":
        if state != before_the_deal(table.options, table.seats, rules_version):
            raise InvalidPosition("Before the deal nothing lies anywhere.")
        return
    if not 1 <= table.turn <= HAND:
        raise InvalidPosition(f"turn must be from 1 to {HAND}.")
    if len(table.rows) != ROWS or len(table.beside) != ROWS:
        raise InvalidPosition(f"There must be {ROWS} rows, and something or nothing beside each.")
    check_cards(number_places(state), deck(HIGHEST))
    check_cards(special_places(state), SPECIALS)
    _check_specials(state)
    _check_rows(table)
    _check_piles(state)
    _check_hands(state)
    check_choices(state)
    _check_queue(table)
    _check_window(table)


def _check_specials(state: State) -> None:
    table = state.table
    everywhere = len(state.specials) + len(table.face_up) + len(table.used) + sum(map(len, table.beside))
    if everywhere > SPECIALS_IN_PLAY[table.seats]:
        raise InvalidPosition(f"With {table.seats} seats {SPECIALS_IN_PLAY[table.seats]} special cards are in play.")
    if len(table.face_up) > FACE_UP or (state.specials and len(table.face_up) < FACE_UP):
        raise InvalidPosition(f"{FACE_UP} special cards lie face up, fewer only when the deck is empty.")


def _check_rows(table: Table) -> None:
    for row, (cards, beside) in enumerate(zip(table.rows, table.beside, strict=True), 1):
        kinds = [kind(special) for special in beside]
        if len(set(kinds)) != len(kinds) or not set(kinds) <= {"Take7", "Stop"}:
            raise InvalidPosition(f"Beside row {row} one Take 7! and one Stop! may lie, nothing else.")
        if not cards and "Stop" in kinds:
            raise InvalidPosition(f"Row {row} is empty and cannot be stopped.")
        if tuple(sorted(cards)) != cards or len(cards) > limit(table, row):
            raise InvalidPosition(f"Row {row} must ascend and hold at most {limit(table, row)} cards.")


def _check_piles(state: State) -> None:
    table, pile = state.table, state.buffalo_pile
    if sorted(table.taken) != sorted(table.pile + pile):
        raise InvalidPosition("The cards taken must be those of the two bull piles.")
    if (table.bulls, table.buffalo_bulls, table.buffalo_taken) != (bulls(table.pile), bulls(pile), len(pile)):
        raise InvalidPosition("The bulls must be those of the bull piles.")


def _check_hands(state: State) -> None:
    """Everybody, the buffalo included, has played a card in each turn; only who swaps holds one more."""
    table = state.table
    left = HAND - table.turn + (table.phase == "choose")
    swapping = table.known[-1].seat if table.phase == "swap" and table.known else None
    if [len(hand) for hand in state.hands] != [left + (seat == swapping) for seat in range(table.seats)]:
        raise InvalidPosition(f"In turn {table.turn} the hands must hold {left} cards.")
    if len(state.buffalo) != left:
        raise InvalidPosition(f"In turn {table.turn} the buffalo must have {left} cards.")
    check_ascending(state.hands)
    for play in table.known:
        if not 0 <= play.seat < table.seats or play.card not in state.hands[play.seat]:
            raise InvalidPosition("A card known to be in a hand must be there.")
    if len(set(table.known)) != len(table.known):
        raise InvalidPosition("A card known to be in a hand is named once.")
    if table.phase == "swap" and (swapping is None or not left):
        raise InvalidPosition("To swap, a seat must have taken a card back and hold another one.")


def _check_queue(table: Table) -> None:
    owners = [play.seat for play in table.queue]
    check_queue(table.queue, range(BUFFALO, table.seats))
    if table.phase in ("choose", "over") and owners:
        raise InvalidPosition("Cards are to be placed only between the reveal and the next choice.")
    if table.phase == "swap" and table.known[-1].seat in owners:
        raise InvalidPosition("Who swaps has no card to be placed.")
    if table.phase == "row":
        if not owners or owners[0] == BUFFALO:
            raise InvalidPosition("A row is chosen for a card of the team.")
        if target_row(table, table.queue[0].card) is not None:
            raise InvalidPosition("The next card has its row: there is nothing to choose.")
    if table.phase == "over" and table.turn != HAND:
        raise InvalidPosition(f"The game is over after turn {HAND}, not before.")


def _check_window(table: Table) -> None:
    window = table.window
    if table.declined and (table.options.decide != "agree" or table.phase in ("choose", "over")):
        raise InvalidPosition("Proposals are made and declined between the reveal and the next choice.")
    if (table.phase == "window") != (window is not None):
        raise InvalidPosition("There is a window exactly while the team decides about special cards.")
    if window is None:
        return
    if len(window.passed) != table.seats or len(window.proposals) != table.seats or all(window.passed):
        raise InvalidPosition("In a window every seat has passed or not, but not all have.")
    if window.stopped and table.rules_version > 1:
        raise InvalidPosition("A Stop! may be lifted in the window in which it was laid.")
    if any(not 1 <= row <= ROWS or is_open(table, row) for row in window.stopped):
        raise InvalidPosition("A row stopped in this window must be stopped.")
    if not anything_possible(table) or (table.turn == HAND and not table.queue):
        raise InvalidPosition("There is a window only if the team can use something.")
    most = table.options.proposals if table.options.decide == "agree" else 0
    if any(not 0 <= made <= most for made in window.proposals):
        raise InvalidPosition(f"A seat can have made at most {most} proposals.")
    if window.proposal is not None:
        _check_proposal(table, window, window.proposal)


def _check_proposal(table: Table, window: Window, proposal: Proposal) -> None:
    if not 0 <= proposal.seat < table.seats or not window.proposals[proposal.seat] or window.passed[proposal.seat]:
        raise InvalidPosition("A proposal is made by a seat that has not passed.")
    agreed, others = set(proposal.agreed), set(range(table.seats)) - {proposal.seat}
    if len(agreed) != len(proposal.agreed) or not agreed < others:
        raise InvalidPosition("Others may have agreed to a proposal, each once, but not all of them.")
    if refusal(table, proposal.use) is not None:
        raise InvalidPosition("What is proposed must be possible.")

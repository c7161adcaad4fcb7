"""Positions set up by hand, as they lie on somebody's table; and what every position must obey, made by whomever."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from nimmt.games.eleven.types import (
    BULL_CARDS,
    HIGHEST,
    MAX_SEATS,
    REACH,
    Laid,
    Options,
    State,
    bare_table,
    distance,
    givers,
    places,
)
from nimmt.rules.game import InvalidPosition, Seat
from nimmt.rules.kit.cards import deck, sorted_hands
from nimmt.rules.kit.seats import check_ascending, check_common


def table_position(
    piles: Sequence[Sequence[int]],
    hands: Sequence[Sequence[int]],
    draw: Sequence[int] = (),
    bull_cards: Sequence[int] | None = None,
    turn: Seat = 0,
    options: Options | None = None,
) -> State:
    """The first round, at the beginning of a turn. Piles are written from the bottom to the top, the draw pile with
    its next card first; cards that are nowhere are out of the game. One seat is enough. Raises `InvalidPosition`."""
    bare = bare_table(options or Options(), len(hands))
    owned = bare.bull_cards if bull_cards is None else tuple(bull_cards)
    table = replace(
        bare,
        phase="turn",
        turn=turn,
        tops=tuple(pile[-1] for pile in piles if pile),
        draw_left=len(draw),
        hand_sizes=tuple(map(len, hands)),
        bull_cards=owned,
        supply=BULL_CARDS - sum(owned),
        seen=tuple(sorted(card for pile in piles for card in pile)),
        shown=(),
    )
    state = State(table, sorted_hands(hands), tuple(map(tuple, piles)), tuple(draw))
    check_state(state)
    return state


def hidden_parts(rest: Sequence[int], size: int) -> dict[str, Sequence[int]]:
    """What nobody sees: all cards that are left are in the draw pile, however many somebody holds."""
    del size
    return {"draw": rest}


# -- what a position must obey -----------------------------------------------------------------------------------------


def check_state(state: State) -> None:
    table = state.table
    check_common(
        state,
        MAX_SEATS,
        places,
        deck(HIGHEST),
        hand_sizes=table.hand_sizes,
        bull_cards=table.bull_cards,
        seen_in_hand=table.seen_in_hand,
        known=table.known,
    )
    if not {table.turn, table.starter} <= set(range(table.seats)):
        raise InvalidPosition("turn and starter must be seats.")
    _check_what_is_visible(state)
    _check_seen(state)
    if min(*table.bull_cards, table.supply) < 0 or sum(table.bull_cards) + table.supply != BULL_CARDS:
        raise InvalidPosition(f"There must be {BULL_CARDS} bull cards, in front of the seats and in the supply.")
    _check_phase(state)


def _check_what_is_visible(state: State) -> None:
    table = state.table
    if not all(state.piles) or table.tops != tuple(pile[-1] for pile in state.piles):
        raise InvalidPosition("Each pile must have a card, and tops must be the last card of each.")
    if table.draw_left != len(state.draw) or table.hand_sizes != tuple(map(len, state.hands)):
        raise InvalidPosition("draw_left and hand_sizes must be the numbers of cards in the draw pile and the hands.")
    check_ascending(state.hands)


def _check_seen(state: State) -> None:
    table, seen = state.table, set(state.table.seen)
    if table.seen != tuple(sorted(seen)):
        raise InvalidPosition("The cards seen are written in ascending order, once each.")
    held = [seen.intersection(hand) for hand in state.hands]
    if seen != set().union(*state.piles, *held):
        raise InvalidPosition("All cards of the piles have been seen; all other cards seen must be in hands.")
    if table.seen_in_hand != tuple(map(len, held)):
        raise InvalidPosition("seen_in_hand must be the numbers of cards seen that are in the hands.")
    if any(known != tuple(sorted(cards.intersection(known))) for known, cards in zip(table.known, held, strict=True)):
        raise InvalidPosition("known must be, in ascending order, cards of the hands that have been seen.")


def _check_phase(state: State) -> None:
    table, phase = state.table, state.table.phase
    between = phase in ("deal", "over")
    if table.shown != (state.hands if between else ()):
        raise InvalidPosition("The hands must be shown between rounds, and at no other time.")
    if not between and not all(state.hands):
        raise InvalidPosition("A round in which a hand is empty is over.")
    if phase == "turn":
        _check_turn(state)
    elif table.laid:
        raise InvalidPosition("Cards are laid only in a turn.")
    if phase == "giver" and (table.supply or len(givers(table)) < 2):
        raise InvalidPosition("A giver is chosen only among several, and when no bull card is left in the supply.")


def _check_turn(state: State) -> None:
    table = state.table
    if not table.tops:
        raise InvalidPosition("Without a pile the round is over.")
    if len(table.laid) > table.bull_cards[table.turn]:
        raise InvalidPosition("A turn goes on only with bull cards, on one pile for each of them.")
    if len({laid.pile for laid in table.laid}) != len(table.laid):
        raise InvalidPosition("The cards laid on a pile are written together.")
    if not all(_lies(state, laid) for laid in table.laid):
        raise InvalidPosition(f"Cards laid must top their pile, ascending and at most {REACH} up from its old top.")


def _lies(state: State, laid: Laid) -> bool:
    steps = [distance(laid.on, card) for card in laid.cards]
    rises = all(low < high for low, high in zip((0, *steps), (*steps, REACH + 1), strict=True))
    known = (laid.on, *laid.cards)
    return bool(steps) and rises and 1 <= laid.pile <= len(state.piles) and _ends_with(state, laid.pile, known)


def _ends_with(state: State, pile: int, cards: tuple[int, ...]) -> bool:
    return state.piles[pile - 1][-len(cards) :] == cards

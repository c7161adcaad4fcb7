"""Filling the hidden places of a view.

A card that has never lain open is in a hand or in the draw pile; one that has is in a hand or in a pile. All know
how many of each kind every hand holds (`seen_in_hand`), so each kind fills its places exactly, in any order. Some
cards are no secret although they are in a hand (`known`): all saw them on top of a pile that was taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from nimmt.rules.game import Cards, Rows
from nimmt.rules.games.eleven.options import HIGHEST
from nimmt.rules.games.eleven.state import State, Table, View, distance, laid_on
from nimmt.rules.kit.cards import deck


def unseen(view: View) -> Cards:
    table = view.table
    located = {*view.hand, *table.tops}.union(*table.known, *table.shown)
    for laid in table.laid:
        located.update((laid.on, *laid.cards))
    return tuple(card for card in deck(HIGHEST) if card not in located)


def imagine(view: View, cards: Sequence[int]) -> State:
    table = view.table
    lay_open = set(table.seen)
    fresh = iter([card for card in cards if card not in lay_open])
    seen = iter([card for card in cards if card in lay_open])
    draw = tuple(islice(fresh, table.draw_left))
    hands = table.shown or _hands(view, fresh, seen)
    return State(table, hands, _piles(table, seen), draw)


def _hands(view: View, fresh: Iterator[int], seen: Iterator[int]) -> Rows:
    hands, table = [], view.table
    for seat, tops in enumerate(table.known):
        if seat == view.seat:
            hands.append(view.hand)
            continue
        old = table.seen_in_hand[seat]
        taken = islice(seen, old - len(tops))
        hands.append(tuple(sorted((*tops, *taken, *islice(fresh, table.hand_sizes[seat] - old)))))
    return tuple(hands)


def _piles(table: Table, below: Iterator[int]) -> Rows:
    """Every card that is left lies below the top that it is closest to: piles grow upwards in small steps."""
    grown: list[Cards] = []
    for pile, top in enumerate(table.tops, 1):
        laid = laid_on(table, pile)
        grown.append((laid.on, *laid.cards) if laid else (top,))
    bottoms = [cards[0] for cards in grown]
    for card in sorted(below, key=lambda card: min(distance(card, bottom) for bottom in bottoms)):
        index = min(range(len(bottoms)), key=lambda index: distance(card, bottoms[index]))
        grown[index] = (card, *grown[index])
    return tuple(grown)

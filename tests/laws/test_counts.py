"""Counts of all that can happen from small positions, and the same counted by other means.

The positions are as small as they can be and still have every rule in them. The counts are kept: a change of the rules
shows up as another number. Beside each game stands a second, plain implementation that shares no code with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from typing import Any

import pytest

from nimmt.games.baron import GAME as BARON_GAME
from nimmt.games.baron import types as baron_options
from nimmt.games.baron.deck import shipped_deck
from nimmt.games.baron.position import table_position as baron_position
from nimmt.games.buffalo import GAME as BUFFALO_GAME
from nimmt.games.buffalo import types as buffalo_options
from nimmt.games.buffalo.position import table_position as buffalo_position
from nimmt.games.eleven import GAME as ELEVEN_GAME
from nimmt.games.eleven.position import table_position as eleven_position
from nimmt.games.six import GAME as SIX_GAME
from nimmt.games.six import types as six_options
from nimmt.games.six.position import table_position as six_position
from nimmt.games.six.types import Markers
from nimmt.games.x import GAME as X_GAME
from nimmt.games.x.position import table_position as x_position
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.notation import read
from nimmt.testing.random_play import MAX_DEPTH, Counts, count_play

Endings = Counter[tuple[int, ...]]
Position = tuple[AnyGame, Any]

KNOWN: dict[tuple[Any, int], Counts] = {}


def counted(game: AnyGame, state: Any, deepest: int = MAX_DEPTH) -> Counts:
    """Asked for twice: to be compared with what is kept, and with what is counted by other means."""
    if (state, deepest) not in KNOWN:
        KNOWN[state, deepest] = count_play(game, state, deepest)
    return KNOWN[state, deepest]


def bulls_on(cards) -> int:
    return sum(7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1 for c in cards)


def numbers(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(word) for word in part.split() if word != ".") for part in text.split("|"))


def changed(values: tuple, index: int, value: object) -> tuple:
    return tuple(value if place == index else old for place, old in enumerate(values))


# -- 6 nimmt! --------------------------------------------------------------------------------------------------------


def six(rows: str, hands: str, fan: str = "", markers: str = "-") -> Position:
    options = six_options.Options(fan=tuple(fan.split(",")) if fan else ())
    return SIX_GAME, six_position(numbers(rows), numbers(hands), options=options, markers=read(markers, Markers))


class PlainSix:
    """Rules 1 to 4 and the fan cards, by trying everything; rows are lists in a list."""

    def __init__(self, rows: str, hands: str, fan: str = "", markers: str = "-") -> None:
        self.fan = fan.split(",")
        marked = dict(part.split("=") for part in markers.split() if "=" in part)
        self.parity_row, self.parity = self.marker(marked.get("even_odd", "0:"))
        self.mountain_row, self.arrows = self.marker(marked.get("mountain", "0:"))
        self.cow = int(marked.get("cow", 0))
        self.start = [[int(card) for card in row.split()] for row in rows.split("|")]
        self.hands = [[int(card) for card in hand.split()] for hand in hands.split("|")]

    @staticmethod
    def marker(text: str) -> tuple[int, str]:
        row, _, shown = text.partition(":")
        return int(row), shown

    def endings(self) -> Endings:
        signs = (self.parity_row, self.parity, self.mountain_row, self.arrows, self.cow)
        twists = ["twist" in self.fan] * len(self.hands)
        return Counter(self.turns(self.start, signs, self.hands, twists, [0] * len(self.hands)))

    def turns(self, rows, signs, hands, twists, points) -> Iterator[tuple[int, ...]]:
        if not hands[0]:
            yield tuple(points)
            return
        choices = [
            [(card, False) for card in hand] + [(card, True) for card in hand if twist and card < 100]
            for hand, twist in zip(hands, twists, strict=True)
        ]
        for chosen in product(*choices):
            left = [[c for c in hand if c != card] for hand, (card, _) in zip(hands, chosen, strict=True)]
            kept = [has and not used for has, (_, used) in zip(twists, chosen, strict=True)]
            plays = [(self.value(*play), not play[1], seat, play[0]) for seat, play in enumerate(chosen)]
            for lying, signed, sums in self.placements(rows, signs, sorted(plays), points):
                yield from self.turns(lying, signed, left, kept, sums)

    @staticmethod
    def value(card: int, twisted: bool) -> int:
        return int(f"{card:02}"[::-1]) if twisted else card

    def placements(self, rows, signs, plays, points):
        if not plays:
            yield rows, signs, points
            return
        (value, _, seat, card), *later = plays
        for lying, signed, loot in self.placed(rows, signs, value, card):
            sums = [total + bulls_on(loot) * (owner == seat) for owner, total in enumerate(points)]
            yield from self.placements(lying, signed, later, sums)

    def placed(self, rows, signs, value, card):
        """Every way to place one card: one if it fits a row, four if it fits none."""
        fits = [row for row in range(4) if self.fits(rows, signs, value, row)]
        if not fits:
            yield from (self.settled(rows, signs, row, card, take=True) for row in range(4))
            return
        mountain = signs[2] - 1
        nearest = min(abs(value - rows[row][-1]) for row in fits)
        best = [row for row in fits if abs(value - rows[row][-1]) == nearest]
        row = mountain if mountain in best else best[0]
        full = len(rows[row]) + (signs[4] == row + 1) == 5
        yield self.settled(rows, signs, row, card, take=full)

    @staticmethod
    def fits(rows, signs, value, row) -> bool:
        parity_row, parity, mountain_row, *_ = signs
        if parity_row == row + 1 and ("even", "odd")[value % 2] != parity:
            return False
        return value < rows[row][-1] if mountain_row == row + 1 else value > rows[row][-1]

    def settled(self, rows, signs, row, card, take):
        """The rows, the signs and the loot after a card was added or has taken a row."""
        rows = [list(cards) for cards in rows]
        parity_row, parity, mountain_row, arrows, cow = signs
        heaps = [rows[row]] if take else []
        rows[row] = [card] if take else [*rows[row], card]
        if cow == row + 1:
            cow = 1 + min((other for other in range(4) if other != row), key=lambda other: rows[other][-1])
            while len(rows[cow - 1]) == 5:
                cards = rows[cow - 1]
                heaps.append([c for c in cards if c != max(cards)])
                rows[cow - 1] = [max(cards)]
                cow = 1 + min((other for other in range(4) if other != cow - 1), key=lambda other: rows[other][-1])
        for _ in heaps:
            if parity_row:
                others = [other for other in range(1, 5) if other != parity_row]
                parity_row = min(others, key=lambda other: rows[other - 1][-1])
                parity = ("even", "odd")[rows[parity_row - 1][-1] % 2]
            if mountain_row:
                mountain_row += -1 if arrows == "up" else 1
                arrows = {1: "down", 4: "up"}.get(mountain_row, arrows)
        return rows, (parity_row, parity, mountain_row, arrows, cow), [card for heap in heaps for card in heap]


SIX = {
    # 5 is too low at first, 20 is a sixth card
    "two cards": (("10 | 12 14 15 16 17 | 30 | 40", "5 20 | 18 31"), {}),
    "three cards": (("10 | 12 14 15 16 17 | 30 | 40", "5 20 41 | 7 18 31"), {}),
    "three seats": (("50 | 60 | 70 | 80 81 82 83 84", "1 85 | 2 90 | 51 86"), {}),
    "all too low": (("50 55 | 60 66 | 70 77 | 80 88", "1 2 3 | 4 5 6"), {}),
    "even and odd": (
        ("10 | 12 14 15 16 17 | 30 | 41", "5 20 42 | 7 18 31"),
        {"fan": "even-odd", "markers": "even_odd=1:even"},
    ),
    "mountain": (
        ("10 | 12 14 15 16 17 | 30 | 41", "5 35 42 | 7 18 36"),
        {"fan": "mountain", "markers": "mountain=4:up"},
    ),
    "mountain, a tie": (("1 | 2 | 26 27 28 29 30 | 40", "35 | 50"), {"fan": "mountain", "markers": "mountain=4:up"}),
    "cow": (
        ("10 13 14 15 | 12 16 17 18 19 | 30 | 41", "5 20 42 | 11 22 36"),
        {"fan": "cow", "markers": "cow=1"},
    ),
    "cow, a chain": (
        ("1 2 3 4 5 | 6 7 8 9 10 | 11 12 13 14 15 | 50", "51 60 | 16 52"),
        {"fan": "cow", "markers": "cow=4"},
    ),
    "twist": (("10 | 12 14 15 16 17 | 30 | 41", "5 24 | 42 101"), {"fan": "twist"}),
    "all fan cards": (
        ("10 | 12 14 15 16 17 | 30 | 41", "5 24 | 13 42"),
        {"fan": "even-odd,mountain,cow,twist", "markers": "even_odd=1:even mountain=4:up cow=1"},
    ),
}


@pytest.mark.parametrize("name", SIX)
def test_six_counted_twice(name: str) -> None:
    arguments, changes = SIX[name]
    assert counted(*six(*arguments, **changes)).endings == PlainSix(*arguments, **changes).endings()


# -- X nimmt! --------------------------------------------------------------------------------------------------------


def x(rows: str, hands: str, x_rows: str) -> Position:
    return X_GAME, x_position(numbers(rows), numbers(hands), numbers(x_rows))


def plain_x(rows: str, hands: str, x_rows: str) -> Endings:
    """A position is (rows, hands, X rows, X piles); all ways of a turn, then of the next."""

    def play(rows, hands, x_rows, x_piles):
        if not all(hands):
            scores = zip(hands, x_piles, strict=True)
            yield tuple(bulls_on(hand) + 2 * bulls_on(pile) for hand, pile in scores)
            return
        for chosen in product(*hands):
            left = tuple(tuple(c for c in hand if c != card) for hand, card in zip(hands, chosen, strict=True))
            order = sorted((card, seat) for seat, card in enumerate(chosen))
            for position in place(order, rows, left, x_rows, x_piles):
                yield from play(*position)

    def place(order, rows, hands, x_rows, x_piles):
        if not order:
            yield rows, hands, x_rows, x_piles
            return
        (card, seat), *later = order
        below = [row for row in range(3) if rows[row][-1] < card]
        targets = [max(below, key=lambda row: rows[row][-1])] if below else [0, 1, 2]
        for row in targets:
            if below and len(rows[row]) + 1 < (3, 4, 5)[row]:
                yield from place(later, changed(rows, row, (*rows[row], card)), hands, x_rows, x_piles)
                continue
            started = changed(rows, row, (card,))
            for kept in rows[row]:
                rest = tuple(other for other in rows[row] if other != kept)
                own, heap = x_rows[seat], x_piles[seat]
                own, heap = (own, heap) if not own or kept > own[-1] else ((), heap + own)
                yield from place(
                    later,
                    started,
                    changed(hands, seat, tuple(sorted(hands[seat] + rest))),
                    changed(x_rows, seat, (*own, kept)),
                    changed(x_piles, seat, heap),
                )

    return Counter(play(numbers(rows), numbers(hands), numbers(x_rows), ((),) * (hands.count("|") + 1)))


X = {
    "one card": ("20 21 | 30 33 35 | 40 41 42", "10 | 43", ". | ."),
    "two cards": ("20 21 | 30 33 | 40 41", "22 50 | 10 31", "25 | ."),
    "X rows that break": ("20 25 | 30 33 35 | 50", "26 36 | 27 60", "90 95 | 99"),
    "three seats": ("20 21 | 30 31 | 40", "10 | 11 | 12", ". | 50 | ."),
}


@pytest.mark.parametrize("name", X)
def test_x_counted_twice(name: str) -> None:
    assert counted(*x(*X[name])).endings == plain_x(*X[name])


# -- 11 nimmt! -------------------------------------------------------------------------------------------------------


def eleven(piles: str, hands: str, draw: str, bull_cards: str) -> Position:
    owned = numbers(bull_cards)[0]
    return ELEVEN_GAME, eleven_position(numbers(piles), numbers(hands), numbers(draw)[0], owned)


def plain_eleven(piles: str, hands: str, draw: str, bull_cards: str, deepest: int) -> tuple[Endings, list[int]]:
    """Endings within so many actions, and the ways after each action; `laid` has the tops of piles before the turn."""
    endings: Endings = Counter()
    ways = [0] * (deepest + 1)

    def count(depth, turn, piles, hands, draw, owned, supply, laid):
        ways[depth] += 1
        if depth == deepest:
            return
        for after in steps(turn, piles, hands, draw, owned, supply, laid):
            _, new_piles, new_hands, *_ = after
            if not all(new_hands) or not new_piles:
                endings[tuple(map(bulls_on, new_hands))] += 1
            else:
                count(depth + 1, *after)

    def steps(turn, piles, hands, draw, owned, supply, laid):
        following = (turn + 1) % len(hands)
        for card in hands[turn]:
            for index, pile in enumerate(piles):
                base = laid.get(index, pile[-1])
                allowed = index in laid or len(laid) < max(1, owned[turn])
                if allowed and (pile[-1] - base) % 100 < (card - base) % 100 <= 10:
                    left = changed(hands, turn, tuple(c for c in hands[turn] if c != card))
                    higher = changed(piles, index, (*pile, card))
                    goes_on = (turn, {**laid, index: base}) if owned[turn] else (following, {})
                    yield goes_on[0], higher, left, draw, owned, supply, goes_on[1]
        if laid:
            yield following, piles, hands, draw, owned, supply, {}
            return
        for index, pile in enumerate(piles):
            more = changed(hands, turn, tuple(sorted(hands[turn] + pile)))
            opened = piles[:index] + piles[index + 1 :] + tuple((card,) for card in draw[:2])
            rich = changed(owned, turn, owned[turn] + 1) if len(pile) >= 3 else owned
            yield following, opened, more, draw[2:], rich, supply - (rich != owned), {}

    owned = tuple(map(int, bull_cards.split()))
    count(0, 0, numbers(piles), numbers(hands), numbers(draw)[0], owned, 10 - sum(owned), {})
    return endings, ways


ELEVEN = {
    "no bull cards": (("31 36 | 90", "37 99 | 1 40", "50 60 70", "0 0"), 7),
    "round the corner": (("96 | 20", "2 5 98 | 21 30", ".", "1 0"), 8),
    "two bull cards": (("33 | 60", "34 43 61 | 44 62", "70 71", "2 1"), 7),
}


@pytest.mark.parametrize("name", ELEVEN)
def test_eleven_counted_twice(name: str) -> None:
    arguments, deepest = ELEVEN[name]
    endings, ways = plain_eleven(*arguments, deepest)
    found = counted(*eleven(*arguments), deepest)
    assert found.endings == endings
    assert list(found.ways) == [number for number in ways if number]


# -- Baron Oxx -------------------------------------------------------------------------------------------------------


def baron(rows: str, hands: str, draw_piles: str, options: str) -> Position:
    chosen = read(options, baron_options.Options)
    return BARON_GAME, baron_position(numbers(rows), numbers(hands), numbers(draw_piles), chosen)


@cache
def shown(card: int) -> tuple[str, ...]:
    return tuple(shipped_deck().cards[str(card)])


def worth(cards) -> int:
    return sum(len(shown(card)) for card in cards)


def plain_baron(rows: str, hands: str, draw_piles: str, options: str) -> Endings:
    endless, good = "colour_counts=yes" in options, "bulls_are_good=yes" in options

    def play(rows, hands, draws, points, idle):
        for chosen in product(*hands):
            left = tuple(tuple(c for c in hand if c != card) for hand, card in zip(hands, chosen, strict=True))
            order = sorted((card, seat) for seat, card in enumerate(chosen))
            for lying, drawn, sums, moved in place(order, rows, draws, points, False):
                yield from after_turn(lying, left, drawn, sums, 0 if moved else idle + 1)

    def after_turn(rows, hands, draws, points, idle):
        held = [hand + draw for hand, draw in zip(hands, draws, strict=True)]
        if not all(held) or (good and idle and idle >= max(map(len, held))):
            yield tuple(total - worth(cards) for total, cards in zip(points, held, strict=True))
            return
        filled = tuple(hand or tuple(sorted(draw[:4])) for hand, draw in zip(hands, draws, strict=True))
        rest = tuple(draw if hand else draw[4:] for hand, draw in zip(hands, draws, strict=True))
        yield from play(rows, filled, rest, points, idle)

    def place(order, rows, draws, points, moved):
        if not order:
            yield rows, draws, points, moved
            return
        (card, seat), *later = order
        fits = [row for row in range(5) if set(shown(rows[row][-1])) & set(shown(card))]
        if not fits and good:
            yield from place(later, rows, changed(draws, seat, (*draws[seat], card)), points, moved)
            return
        for row in fits or range(5):
            longer = (*rows[row], card)
            colours = [colour for one in longer for colour in shown(one)]
            crowded = any(colours.count(colour) >= 6 for colour in colours)
            if fits and not crowded and (endless or len(longer) <= 5):
                yield from place(later, changed(rows, row, longer), draws, points, True)
            else:
                sums = changed(points, seat, points[seat] + worth(rows[row]))
                yield from place(later, changed(rows, row, (card,)), draws, sums, True)

    return Counter(play(numbers(rows), numbers(hands), numbers(draw_piles), (0,) * (hands.count("|") + 1), 0))


BARON = {
    "basic": ("1 7 9 20 2 | 3 8 | 4 10 | 5 | 6", "11 12 | 14 52", "15 | 18", "-"),
    "long rows": ("1 7 9 20 2 | 3 8 | 4 10 | 5 | 6", "11 12 | 13 52", "15 | 18", "colour_counts=yes"),
    "nothing fits": ("1 | 7 | 13 | 9 | 12", "3 6 | 4 10", ". | .", "-"),
    "bulls are good": ("1 | 7 | 13 | 9 | 12", "3 6 | 8 10", "4 | 14", "bulls_are_good=yes"),
    "stand-still": ("1 | 7 | 13 | 9 | 12", "3 6 | 4 10", ". | .", "bulls_are_good=yes"),
    "both": ("1 7 | 13 | 9 | 12 2 | 5", "3 8 | 4 14", "6 | 10", "colour_counts=yes bulls_are_good=yes"),
}


@pytest.mark.parametrize("name", BARON)
def test_baron_counted_twice(name: str) -> None:
    assert counted(*baron(*BARON[name])).endings == plain_baron(*BARON[name])


# -- Beat the Buffalo ------------------------------------------------------------------------------------------------


def buffalo(rows: str, hands: str, cards: str, face_up: str = "", deck: str = "", version: int = 2) -> Position:
    """With special cards, anyone may use them."""
    specials = {"face_up": face_up.split(), "deck": deck.split()}
    options = buffalo_options.Options(decide="anyone")
    lying = (numbers(rows), numbers(hands), numbers(cards)[0])
    return BUFFALO_GAME.under(version), buffalo_position(*lying, options=options, rules_version=version, **specials)


def buffalo_ending(seats: int, team: int, theirs: int) -> tuple[int, ...]:
    """Everybody's points, then the winners."""
    points = team * (2 if seats < 3 else 1)
    return (points,) * seats + (tuple(range(seats)) if points < theirs else ())


def plain_buffalo(rows: str, hands: str, cards: str) -> Endings:
    """Without special cards; the sums are the team's bulls and the buffalo's."""

    def play(rows, hands, cards, sums):
        if not cards:
            yield buffalo_ending(len(hands), *sums)
            return
        for chosen in product(*hands):
            left = tuple(tuple(c for c in hand if c != card) for hand, card in zip(hands, chosen, strict=True))
            order = sorted([(cards[0], 1), *((card, 0) for card in chosen)])
            for lying, after in place(order, rows, sums):
                yield from play(lying, left, cards[1:], after)

    def place(order, rows, sums):
        if not order:
            yield rows, sums
            return
        (card, side), *later = order
        below = [row for row in range(4) if rows[row][-1] < card]
        if below:
            targets = [max(below, key=lambda row: rows[row][-1])]
        elif side == 1:
            targets = [min(range(4), key=lambda row: (bulls_on(rows[row]), -rows[row][-1]))]
        else:
            targets = list(range(4))
        for row in targets:
            if below and len(rows[row]) < 5:
                yield from place(later, changed(rows, row, (*rows[row], card)), sums)
            else:
                more = changed(sums, side, sums[side] + bulls_on(rows[row]))
                yield from place(later, changed(rows, row, (card,)), more)

    return Counter(play(numbers(rows), numbers(hands), numbers(cards)[0], (0, 0)))


BUFFALO = {
    "alone": ("10 | 12 14 15 16 17 | 30 | 40", "5 20 41", "7 18 31"),
    "two seats": ("10 | 12 14 15 16 17 | 30 | 40", "5 20 | 7 41", "18 6"),
    "three seats": ("50 | 60 | 70 | 80 81 82 83 84", "1 85 | 2 90 | 51 86", "3 87"),
    "a close finish": ("60 | 61 | 62 | 63 64 65 71 72", "1 80", "81 2"),
    "two seats, last turn": ("10 12 | 14 15 16 17 18 | 30 | 40", "5 | 41", "20"),
    "three seats, last turn": ("50 | 60 | 70 75 | 80 81 82 83 84", "1 | 90 | 51", "87"),
}


@pytest.mark.parametrize("name", BUFFALO)
def test_buffalo_counted_twice(name: str) -> None:
    assert counted(*buffalo(*BUFFALO[name])).endings == plain_buffalo(*BUFFALO[name])


class PlainSpecials:
    """The same with special cards that anyone may use, each kind by one letter; a table is a tuple of everything."""

    KINDS = ("Take7", "Stop", "Swap", "Insert", "Push", "First", "Last", "Sort")
    LETTERS = dict(zip(KINDS, "TSWIPFLO", strict=True))

    def __init__(self, rows: str, hands: str, cards: str, face_up: str, deck: str, version: int) -> None:
        self.version = version
        self.seats = hands.count("|") + 1
        face, stock = ("".join(self.LETTERS[kind] for kind in kinds.split()) for kinds in (face_up, deck))
        self.count = cache(self.window_count)
        table = (numbers(rows), ("",) * 4, (), numbers(hands), numbers(cards)[0], face, stock, (0, 0))
        self.endings = self.next_turn(table)

    def next_turn(self, table) -> Endings:
        rows, beside, _, hands, cards, *rest = table
        total: Endings = Counter()
        for chosen in product(*hands):
            left = tuple(tuple(c for c in hand if c != card) for hand, card in zip(hands, chosen, strict=True))
            queue = tuple(sorted([(cards[0], -1), *((card, seat) for seat, card in enumerate(chosen))]))
            total += self.count((rows, beside, queue, left, cards[1:], *rest), 0, "")
        return total

    def window_count(self, table, passed: int, stopped: str) -> Endings:
        """So many seats have passed, and these rows were stopped just now."""
        *_, queue, _, cards, _, _, sums = table
        if not queue and not cards:
            return Counter({buffalo_ending(self.seats, *sums): 1})
        ways = list(self.uses(table, stopped))
        if not ways:
            return self.go_on(table)
        total = self.go_on(table) if passed + 1 == self.seats else self.count(table, passed + 1, stopped)
        for following in ways:
            total = total + following()
        return total

    def go_on(self, table) -> Endings:
        queue = table[2]
        if not queue:
            return self.next_turn(table)
        return self.placed((*table[:2], queue[1:], *table[3:]), *queue[0])

    def placed(self, table, card: int, owner: int) -> Endings:
        rows, beside = table[:2]
        free = [row for row in range(4) if "S" not in beside[row]]
        below = [row for row in free if rows[row] and rows[row][-1] < card]
        if () in rows:
            return self.laid(table, rows.index(()), (card,))
        if below:
            row = max(below, key=lambda row: rows[row][-1])
            longer = (*rows[row], card)
            full = len(longer) > 5 + ("T" in beside[row])
            return self.laid(table, row, (card,), rows[row], owner) if full else self.laid(table, row, longer)
        if owner < 0:
            free = [min(free, key=lambda row: (bulls_on(rows[row]), -rows[row][-1]))]
        return sum((self.laid(table, row, (card,), rows[row], owner) for row in free), Counter())

    def laid(self, table, row: int, cards, loot=(), owner: int = 0) -> Endings:
        return self.count(self.with_row(table, row, cards, loot, owner), 0, "")

    def with_row(self, table, row: int, cards, loot=(), owner: int = 0):
        """What was taken counts for the team (0) or the buffalo (1); Take 7! leaves with it."""
        rows, beside, *rest, sums = table
        if loot:
            side = 1 if owner < 0 else 0
            beside = changed(beside, row, beside[row].replace("T", ""))
            sums = changed(sums, side, sums[side] + bulls_on(loot))
        return changed(rows, row, cards), beside, *rest, sums

    def squeezed(self, table, row: int, card: int):
        cards = tuple(sorted((*table[0][row], card)))
        full = len(cards) > 5 + ("T" in table[1][row])
        return self.with_row(table, row, cards[-1:], cards[:-1]) if full else self.with_row(table, row, cards)

    def uses(self, table, stopped: str):  # noqa: PLR0912
        """A function for each thing that the team can do now."""
        rows, beside, queue, hands, cards, face, stock, sums = table
        free = [row for row in range(4) if "S" not in beside[row]]
        for kind in dict.fromkeys(face):
            spent = (cards, face.replace(kind, stock[:1], 1), stock[1:], sums)
            for row in range(4):
                if kind in "TS" and rows[row] and kind not in beside[row]:
                    lies = (rows, changed(beside, row, beside[row] + kind), queue, hands, *spent)
                    now = stopped + str(row) if kind == "S" and self.version == 1 else stopped
                    yield lambda lies=lies, now=now: self.count(lies, 0, now)
                insertable = kind == "I" and row in free and queue and queue[0][1] >= 0 and () not in rows
                if insertable and queue[0][0] < rows[row][-1]:
                    placed = self.squeezed((rows, beside, queue[1:], hands, *spent), row, queue[0][0])
                    yield lambda placed=placed: self.count(placed, 0, "")
            for place, (card, owner) in enumerate(queue):
                others = queue[:place] + queue[place + 1 :]
                if kind == "W" and owner >= 0:
                    for other in hands[owner]:
                        hand = tuple(sorted((*(c for c in hands[owner] if c != other), card)))
                        swapped = (rows, beside, others, changed(hands, owner, hand), *spent)
                        yield lambda swapped=swapped, other=other, owner=owner: self.placed(swapped, other, owner)
                order = {"F": (queue[place], *others), "L": (*others, queue[place])}.get(kind, queue)
                if kind in "FL" and owner >= 0 and (order != queue or self.version > 1):
                    yield lambda order=order, spent=spent: self.count((rows, beside, order, hands, *spent), 0, stopped)
            if kind == "O":
                for order in set(permutations(queue)) - ({queue} if self.version == 1 else {()}):
                    yield lambda order=order, spent=spent: self.count((rows, beside, order, hands, *spent), 0, stopped)
            for source, goal in permutations(free, 2) if kind == "P" and queue else ():
                for card in rows[source]:
                    without = changed(rows, source, tuple(c for c in rows[source] if c != card))
                    pushed = self.squeezed((without, beside, queue, hands, *spent), goal, card)
                    yield lambda pushed=pushed: self.count(pushed, 0, stopped)
        for row in range(4):
            if "S" in beside[row] and str(row) not in stopped:
                lifted = changed(beside, row, beside[row].replace("S", ""))
                yield lambda lifted=lifted: self.count((rows, lifted, *table[2:]), 0, stopped)


SPECIAL = {
    # the rows and cards of a position above, the special cards face up and those in their deck
    "Take 7! and Stop!": ("two seats", "Take7 Stop", ""),
    "Swap! and Insert!": ("two seats", "Swap Insert", ""),
    "Push! and First card": ("two seats, last turn", "Push First", ""),
    "Last card and Sort": ("two seats", "Last Sort", ""),
    "Stop! and Insert!": ("two seats", "Stop Insert", ""),
    "Push! and Swap!": ("two seats", "Push Swap", ""),
    "Push! and Push!": ("two seats, last turn", "Push Push", ""),
    "Push! and Stop!": ("two seats, last turn", "Push Stop", ""),
    "Take 7! and Push!": ("two seats, last turn", "Take7 Push", ""),
    "three seats, Swap! and Sort": ("three seats, last turn", "Swap Sort", "Last"),
    "three seats, Insert!, Stop! and First card": ("three seats, last turn", "Insert Stop", "First"),
}


def special(name: str, version: int) -> tuple[Any, ...]:
    position, face_up, deck = SPECIAL[name]
    return (*BUFFALO[position], face_up, deck, version)


@pytest.mark.parametrize("version", [pytest.param(1, marks=pytest.mark.soak), 2])
@pytest.mark.parametrize("name", SPECIAL)
def test_special_cards_counted_twice(name: str, version: int) -> None:
    found = counted(*buffalo(*special(name, version)))
    assert found.endings == PlainSpecials(*special(name, version)).endings


# -- the numbers -----------------------------------------------------------------------------------------------------


def positions() -> Iterator[tuple[str, Position, int]]:
    """Names, positions, and how many actions are counted."""
    for name, (arguments, changes) in SIX.items():
        yield f"six: {name}", six(*arguments, **changes), MAX_DEPTH
    for name, arguments in X.items():
        yield f"x: {name}", x(*arguments), MAX_DEPTH
    for name, (arguments, deepest) in ELEVEN.items():
        yield f"eleven: {name}", eleven(*arguments), deepest
    for name, arguments in BARON.items():
        yield f"baron: {name}", baron(*arguments), MAX_DEPTH
    for name, arguments in BUFFALO.items():
        yield f"buffalo: {name}", buffalo(*arguments), MAX_DEPTH
    for name in SPECIAL:
        yield f"buffalo: {name}", buffalo(*special(name, 2)), MAX_DEPTH
        yield f"buffalo, version 1: {name}", buffalo(*special(name, 1)), MAX_DEPTH


KEPT = {
    "six: two cards": "1 2 4 10 10 16",
    "six: three cards": "1 3 9 28 56 132 180 97 291",
    "six: three seats": "1 2 4 8 26 26 26 9 59",
    "six: all too low": "1 3 9 36 72 144 576 576 468 1980",
    "six: even and odd": "1 3 9 28 56 132 195 124 9 354",
    "six: mountain": "1 3 9 20 40 66 46 84",
    "six: mountain, a tie": "1 1 1",
    "six: cow": "1 3 9 28 56 132 180 98 294",
    "six: cow, a chain": "1 2 4 4 4",
    "six: twist": "1 4 12 24 32 72",
    "six: all fan cards": "1 4 16 26 13 63",
    "x: one card": "1 1 1 3 3 9 18 36 72 72 72 144 144 72 72 437",
    "x: two cards": "1 2 4 10 18 24 52 82 84 88 32 16 32 272",
    "x: X rows that break": "1 2 4 9 23 35 58 126 198 204 246 288 312 240 24 48 48 24 1252",
    "x: three seats": "1 1 1 1 2 2 7",
    "eleven: no bull cards": "1 4 14 43 131 269 366 258 478",
    "eleven: round the corner": "1 5 8 15 33 21 12 73",
    "eleven: two bull cards": "1 5 15 35 64 143 214 312 168",
    "baron: basic": "1 2 4 14 58 58 58 220 938 938 938 1985 8082",
    "baron: long rows": "1 2 4 14 48 48 57 229 485 485 562 730 3114",
    "baron: nothing fits": "1 2 4 20 100 100 100 95 880",
    "baron: bulls are good": "1 2 4 12 12 20 55 95 250 390 240 240 955",
    "baron: stand-still": "1 2 4 4 4",
    "baron: both": "1 2 4 11 20 22 46 74 61 70 36 18 152",
    "buffalo: alone": "1 3 8 18 24",
    "buffalo: two seats": "1 2 4 13 13 4 28",
    "buffalo: three seats": "1 2 4 8 26 26 26 16 80",
    "buffalo: a close finish": "1 2 5 8",
    "buffalo: two seats, last turn": "1 1 1 4",
    "buffalo: three seats, last turn": "1 1 1 1 4",
    "buffalo: Take 7! and Stop!": (
        "1 2 4 36 212 709 2097 5453 10825 17673 26289 37209 50289 62481 65033 54372 43940 45532 57160 72388 "
        "86136 84644 52416 13904 922652"
    ),
    "buffalo: Swap! and Insert!": "1 2 4 24 56 115 267 454 499 437 367 262 145 76 30 2358",
    "buffalo: Push! and First card": "1 1 1 30 155 254 348 442 482 512 253 6306",
    "buffalo: Last card and Sort": (
        "1 2 4 36 164 585 1373 2035 2069 1709 1385 1137 1015 1256 1533 1502 1405 1276 940 352 24572"
    ),
    "buffalo: Stop! and Insert!": (
        "1 2 4 32 160 515 1329 2793 4661 6645 8517 9647 9485 8093 6793 7192 8869 10838 12393 10758 5782 1788 "
        "318 10 128442"
    ),
    "buffalo: Push! and Swap!": (
        "1 2 4 108 404 901 2523 5524 8458 10587 11031 8991 6215 3649 1335 406 396 336 136 62928"
    ),
    "buffalo: Push! and Push!": "1 1 1 28 522 992 681 370 430 480 237 46054",
    "buffalo: Push! and Stop!": "1 1 1 32 223 756 1540 3056 5336 7825 10078 8223 2715 71430",
    "buffalo: Take 7! and Push!": "1 1 1 32 231 402 418 434 510 576 285 16198",
    "buffalo: three seats, Swap! and Sort": "1 1 1 1 25 121 217 292 304 316 328 332 336 340 312 284 252 168 84 7888",
    "buffalo: three seats, Insert!, Stop! and First card": (
        "1 1 1 1 9 69 358 1081 2399 4321 7208 11436 17361 24077 30573 35159 36293 32556 24013 13934 5596 1417 27 325732"
    ),
    "buffalo, version 1: Take 7! and Stop!": (
        "1 2 4 36 196 693 1821 4141 8137 14125 22269 32221 40785 43409 40949 38168 39876 47488 58740 65508 "
        "57576 39412 20112 5264 693724"
    ),
    "buffalo, version 1: Swap! and Insert!": "1 2 4 24 56 115 267 454 499 437 367 262 145 76 30 2358",
    "buffalo, version 1: Push! and First card": "1 1 1 29 111 168 301 428 221 16 8 3746",
    "buffalo, version 1: Last card and Sort": "1 2 4 29 106 341 790 1159 1115 841 685 708 740 604 378 136 8452",
    "buffalo, version 1: Stop! and Insert!": (
        "1 2 4 32 154 471 1111 2203 3715 5399 6555 6533 6017 6049 6683 7963 9528 9140 6316 3469 1572 476 90 10 95066"
    ),
    "buffalo, version 1: Push! and Swap!": (
        "1 2 4 108 404 901 2523 5524 8458 10587 11031 8991 6215 3649 1335 406 396 336 136 62928"
    ),
    "buffalo, version 1: Push! and Push!": "1 1 1 28 522 992 681 370 430 480 237 46054",
    "buffalo, version 1: Push! and Stop!": "1 1 1 32 219 786 1650 3138 5200 5176 2855 1188 396 36846",
    "buffalo, version 1: Take 7! and Push!": "1 1 1 32 231 402 418 434 510 576 285 16198",
    "buffalo, version 1: three seats, Swap! and Sort": "1 1 1 1 24 99 174 229 240 251 262 248 234 216 144 72 4564",
    "buffalo, version 1: three seats, Insert!, Stop! and First card": (
        "1 1 1 1 9 57 226 601 1247 2237 3884 6484 9964 13036 14355 12970 9959 6501 3841 1962 819 225 12 113008"
    ),
}


@pytest.mark.parametrize(("name", "position", "deepest"), [pytest.param(*one, id=one[0]) for one in positions()])
def test_counts_are_as_they_were(name: str, position: Position, deepest: int) -> None:
    """The ways after each action, then all endings together."""
    found = counted(*position, deepest)
    assert " ".join(map(str, (*found.ways, found.leaves))) == KEPT[name]

"""Rounds of the basic game straight on the kernels' arrays, for training and for measuring: no protocol in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from nimmt.bots.search.board import BULLS_ON, COW, END, LENGTH, MOUNTAIN_ROW, NOWHERE, PARITY_ROW, ROWS, SIZE, TOP, WORTH
from nimmt.bots.search.board import cheapest, join, take, target
from nimmt.bots.search.types import HAND, SEATS, Bits, Ints, Situation, Stakes
from nimmt.bots.search.yardsticks import COMPLETIONS, greedy_card, mc_card
from nimmt.rules.kit.cards import HIGHEST


class Player(Protocol):
    def card(self, now: Situation, stakes: Stakes, seed: int) -> int: ...

    def row(self, now: Situation, stakes: Stakes, seed: int) -> int: ...


def new_board(cards: Sequence[int]) -> Ints:
    board = np.zeros(SIZE, np.int64)
    board[END : END + ROWS] = board[TOP : TOP + ROWS] = cards
    board[LENGTH : LENGTH + ROWS] = 1
    board[WORTH : WORTH + ROWS] = BULLS_ON[list(cards)]
    board[[PARITY_ROW, MOUNTAIN_ROW, COW]] = NOWHERE
    return board


def card_set(cards: Sequence[int]) -> Bits:
    bits = [0, 0]
    for card in cards:
        bits[card >> 6] |= 1 << (card & 63)
    return np.array(bits, np.uint64)


class Round:
    """A round being played; it hands out situations and remembers what was played."""

    def __init__(self, seats: int, rng: np.random.Generator) -> None:
        deck = rng.permutation(np.arange(1, HIGHEST + 1))
        self.seats = seats
        self.hands = [sorted(deck[HAND * seat : HAND * (seat + 1)].tolist()) for seat in range(seats)]
        starts = deck[HAND * seats : HAND * seats + ROWS].tolist()
        self.board = new_board(starts)
        self.unplayed = set(range(1, HIGHEST + 1)) - set(starts)
        self.score = np.zeros(SEATS, np.int64)
        self.boards: list[Ints] = []
        self.hidden: list[Bits] = []
        self.plays: list[list[int]] = []

    def situation(self, seat: int, queue: Sequence[tuple[int, int]] = ()) -> Situation:
        hand, turns = self.hands[seat], len(self.plays)
        held = np.zeros(HAND + 1, np.int64)
        held[: len(hand)] = hand
        return Situation(
            seat=seat,
            seats=self.seats,
            size=len(hand),
            board=self.board.copy(),
            hand=held,
            twists=np.zeros(SEATS, np.int64),
            hidden=card_set(sorted(self.unplayed)),
            pool=np.array(sorted(self.unplayed - set(hand)), np.int64),
            known=np.zeros((0, HAND), np.int64),
            score=self.score.copy(),
            queue=np.array([seat for _, seat in queue], np.int64),
            queued=np.array([2 * card for card, _ in queue], np.int64),
            past_boards=np.array(self.boards, np.int64).reshape(turns, SIZE),
            past_hidden=np.array(self.hidden, np.uint64).reshape(turns, 2),
            past_plays=np.array(self.plays, np.int64).reshape(turns, self.seats),
            past_twists=np.zeros((turns, self.seats), np.int64),
        )

    def turn(self, players: Sequence[Player], stakes: Stakes, rng: np.random.Generator) -> None:
        cards = [player.card(self.situation(seat), stakes, _seed(rng)) for seat, player in enumerate(players)]
        self.boards.append(self.board.copy())
        self.hidden.append(card_set(sorted(self.unplayed)))
        self.plays.append([2 * card for card in cards])
        for seat, card in enumerate(cards):
            self.hands[seat].remove(card)
            self.unplayed.remove(card)
        queue = sorted((card, seat) for seat, card in enumerate(cards))
        for place, (card, seat) in enumerate(queue):
            row = target(self.board, card)
            if row >= 0:
                self.score[seat] += join(self.board, row, card)
            else:
                row = players[seat].row(self.situation(seat, queue[place:]), stakes, _seed(rng))
                self.score[seat] += take(self.board, row, card)


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(1 << 62))


def play_round(players: Sequence[Player], stakes: Stakes, rng: np.random.Generator) -> list[int]:
    """Everybody's bulls."""
    played = Round(len(players), rng)
    for _ in range(HAND):
        played.turn(players, stakes, rng)
    return [int(bulls) for bulls in played.score[: len(players)]]


# -- the yardsticks --------------------------------------------------------------------------------------------------


class RandomPlayer:
    def card(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del stakes
        return int(now.hand[seed % now.size])

    def row(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del now, stakes
        return seed % ROWS


class GreedyPlayer:
    def card(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del stakes, seed
        return int(greedy_card(now.hand, now.size, now.board))

    def row(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del stakes, seed
        return int(cheapest(now.board))


class MonteCarloPlayer(GreedyPlayer):
    def card(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del stakes
        return int(mc_card(now, COMPLETIONS, seed))

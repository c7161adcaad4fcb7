"""Small pieces that the kernels of several games need."""

from __future__ import annotations

from nimmt.fast.jit import Numbers, hot, part


@hot
def sort_queue(queue: Numbers, count: int) -> None:
    """From the lowest to the highest. Cards come in any order, so that every branch of a clever sort would be a guess:
    this one has none."""
    for i in range(1, count):
        for k in range(i, 0, -1):
            low, high = queue[k - 1], queue[k]
            queue[k - 1] = min(low, high)
            queue[k] = max(low, high)


@hot
def remove_card(hands: Numbers, sizes: Numbers, seat: int, card: int) -> None:
    """Take a card out of a hand, looked for from its end; the last one fills the gap."""
    last = sizes[seat] - 1
    place = last
    while hands[seat, place] != card:
        place -= 1
    hands[seat, place] = hands[seat, last]
    sizes[seat] = last


@part
def first_undecided(chosen: Numbers) -> int:
    """The first seat that has not chosen yet; there is one."""
    seat = 0
    while chosen[seat]:
        seat += 1
    return seat


@part
def list_hand(hands: Numbers, sizes: Numbers, seat: int, actions: Numbers) -> int:
    for i in range(sizes[seat]):
        actions[i] = hands[seat, i]
    return sizes[seat] + 0


@part
def list_numbers(count: int, actions: Numbers) -> int:
    """1 … count."""
    for i in range(count):
        actions[i] = i + 1
    return count

"""What policies of several games need."""

from __future__ import annotations

from nimmt.fast.chance import below
from nimmt.fast.jit import Flat, Numbers, Words, part, wide

RANDOM, GREEDY, CARELESS = range(3)


@part
def random_or_greedy(policy: int, params: Numbers, rng: Words) -> int:
    """What a policy does this time: a careless one is random in so many decisions of a hundred as `params` begins with,
    else greedy."""
    if policy == CARELESS:
        return RANDOM if below(rng, wide(100)) < params[0] else GREEDY
    return policy


@part
def any_card(s: Flat, seat: int, rng: Words) -> int:
    return wide(s.hands[seat, below(rng, wide(s.sizes[seat]))])

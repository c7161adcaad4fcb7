"""What the shared kernels ask of a game. Each game answers for states of its own layout (see `implement`).

A round is a chain of decisions. `to_decide` names the seat that decides next, `choose` lets a policy decide, `act`
carries the decision out; then `advance` does what follows of itself, one small step (one card placed) a call, until the
next decision is due or the round is over. Of a secret choice the seats decide one after the other; nobody's policy
looks at it.
"""

from __future__ import annotations

from nimmt.fast.jit import Flat, Numbers, Words


def begin(s: Flat, cards: Numbers, rng: Words) -> None:
    """Shuffle the decks, as far as cards of them are needed, and deal a round from them."""
    raise NotImplementedError


def deal(s: Flat, cards: Numbers) -> None:
    """Deal a round from decks in this order, as `nimmt.rules` would."""
    raise NotImplementedError


def to_decide(s: Flat) -> int:
    """The seat that decides next; -1 if the round is over."""
    raise NotImplementedError


def legal(s: Flat, seat: int, actions: Numbers) -> int:
    """Write down the codes of all that the seat may do, and how many they are."""
    raise NotImplementedError


def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    """What a policy does in the seat's place. It may look at what the seat may know, and at nothing else."""
    raise NotImplementedError


def act(s: Flat, seat: int, action: int) -> None:
    """Carry out a legal decision; illegal ones are not noticed here."""
    raise NotImplementedError


def advance(s: Flat) -> bool:
    """Do one step of what follows of itself; False if nothing does, because somebody must decide or all is over."""
    raise NotImplementedError


def tally(s: Flat, points: Numbers, taken: Numbers, other: Numbers) -> None:
    """When the round is over: points and rows (or piles) taken of each seat; how many turns it had, the buffalo's
    bulls."""
    raise NotImplementedError


def play_on(s: Flat, policies: Numbers, params: Numbers, rng: Words) -> None:
    """To the end of the round, each seat by its policy."""
    raise NotImplementedError


def picture(s: Flat, out: Numbers) -> None:
    """Everything in the state as bytes, in the form that the rules' state can be brought to as well."""
    raise NotImplementedError

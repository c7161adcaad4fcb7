"""What is asked of the arguments of simulations and environments, and the errors for those that do not fit.

Every error has a `code` that is stable, and is one of Python's own kinds as well: a `TypeError`, `ValueError` or
`RuntimeError`. `docs/envs.md` lists them.
"""

from __future__ import annotations

from collections.abc import Sized
from numbers import Integral, Real
from typing import Any


class InvalidArgument(ValueError):
    """An argument that does not fit; nothing has changed."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        """Stable: programs may rely on it."""


class InvalidType(InvalidArgument, TypeError):
    """An argument of the wrong type."""

    def __init__(self, sentence: str) -> None:
        super().__init__("wrong_type", sentence)


class UnknownPolicy(InvalidArgument):
    """The game has no policy with this name, or there is not one for each seat."""

    def __init__(self, sentence: str, code: str = "unknown_policy") -> None:
        super().__init__(code, sentence)


class NotPossible(RuntimeError):
    """This cannot be done now, whatever the arguments are."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        """Stable: programs may rely on it."""


def check_number_of_policies(policies: Sized, seats: int) -> None:
    """Refuse a list that has not one for each seat."""
    if len(policies) != seats:
        named = "1 policy was" if len(policies) == 1 else f"{len(policies)} policies were"
        raise UnknownPolicy(f"{named} named for {seats} seats.", "wrong_number")


def check_whole(**numbers: Any) -> None:
    """Refuse what is not a whole number, by its name."""
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, Integral):
            raise InvalidType(f"{name} must be a whole number, not {number!r:.60}.")


def check_range(least: int, most: int | None = None, /, **numbers: Any) -> None:
    """Refuse what is not a whole number from `least` to `most`, by its name."""
    check_whole(**numbers)
    for name, number in numbers.items():
        if number < least or (most is not None and number > most):
            bounds = f"{least} or more" if most is None else f"{least} to {most}"
            raise InvalidArgument("out_of_range", f"{name} must be {bounds}, not {number}.")


def check_seed(seed: Any) -> None:
    """Refuse what the generators of the kernels cannot begin with."""
    check_whole(seed=seed)
    if not 0 <= seed < 2**64:
        raise InvalidArgument("out_of_range", f"seed must be 0 or more and less than 2**64, not {seed}.")


def check_flags(**flags: Any) -> None:
    """Refuse what is neither `True` nor `False`, by its name: `"no"` would count as true."""
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            raise InvalidType(f"{name} must be True or False, not {flag!r:.60}.")


def check_number(**numbers: Any) -> None:
    """Refuse what is not a number, by its name."""
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, Real):
            raise InvalidType(f"{name} must be a number, not {number!r:.60}.")

"""What can go wrong before or besides a game, and libraries that only some installations have."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class ArenaError(Exception):
    """`str(error)` is a sentence for people."""


class MissingExtra(ArenaError):
    """A library is needed that the plain installation does not bring."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"This needs {library}, which is not installed: pip install 'nimmt[{extra}]'")
        self.extra = extra


def need(library: str, extra: str) -> Any:
    """The library, or an error that says how to get it."""
    try:
        return import_module(library)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != library.split(".", maxsplit=1)[0]:
            raise
        raise MissingExtra(library.split(".", maxsplit=1)[0], extra) from None

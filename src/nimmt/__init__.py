"""The 6 nimmt! family of card games: rules, verifiable matches, bots and clients.

Importing this package is cheap on purpose: import what you need from its parts.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what `typing` calls it, without loading `typing`
if TYPE_CHECKING:
    from typing import Any

_HOMES = {"simulate": "nimmt.fast"}
"""Names of the package itself, and where they live: they are imported when they are used, and load NumPy and Numba."""


def __getattr__(name: str) -> Any:
    # Lazy, because reading package metadata costs more than all the rest of this import.
    if name == "__version__":
        from importlib.metadata import version

        return version("nimmt")
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

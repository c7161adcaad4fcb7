"""The 6 nimmt! family of card games: rules, verifiable matches, bots and clients.

Importing this package is cheap on purpose: import what you need from its parts.
"""


def __getattr__(name: str) -> str:
    # Lazy, because reading package metadata costs more than all the rest of this import.
    if name == "__version__":
        from importlib.metadata import version

        return version("nimmt")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

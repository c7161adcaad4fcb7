"""The hub that goes with a store and a number of processes."""

from __future__ import annotations

from nimmt.server.hub import LocalHub
from nimmt.store import Store


def is_shared(store: Store, processes: int) -> bool:
    """Do other processes serve the same tables?"""
    return processes > 1 or type(store).__name__ == "PostgresStore"


def make_hub(store: Store, processes: int) -> LocalHub:
    """What a database is not used for need not be installed: each kind is imported when it is wanted."""
    kind = type(store).__name__
    if kind == "PostgresStore":
        from nimmt.server.hub_postgres import PostgresHub

        return PostgresHub(store)  # type: ignore[arg-type]
    if kind == "SqliteStore":
        from nimmt.server.hub_sqlite import SqliteHub

        # Nothing keeps people from starting two servers on one file, and then they must get along.
        return SqliteHub(store, look=0.02 if processes > 1 else 0.25)  # type: ignore[arg-type]
    return LocalHub()

"""The store that a setting names."""

from __future__ import annotations

from nimmt.store.contract import Store


def make_store(database: str) -> Store:
    """`memory`, a postgresql:// address, or the path of a file for SQLite."""
    if database == "memory":
        from nimmt.store.memory import MemoryStore

        return MemoryStore()
    if database.startswith(("postgresql://", "postgres://")):
        from nimmt.store.postgres import PostgresStore

        return PostgresStore(database)
    from nimmt.store.sqlite import SqliteStore

    return SqliteStore(database)

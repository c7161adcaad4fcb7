"""The schema, step by step. A step that was released is never changed: a new one follows it."""

from __future__ import annotations

SQLITE: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE tables (
            id TEXT PRIMARY KEY, length INTEGER NOT NULL, phase TEXT NOT NULL, public INTEGER NOT NULL,
            game TEXT NOT NULL, guests TEXT NOT NULL, updated INTEGER NOT NULL, due INTEGER, card BLOB NOT NULL
        ) WITHOUT ROWID""",
        "CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL",
        "CREATE INDEX tables_public ON tables (phase, updated) WHERE public",
        "CREATE INDEX tables_idle ON tables (phase, updated)",
        """CREATE TABLE entries (
            table_id TEXT NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (table_id, number)
        ) WITHOUT ROWID""",
        """CREATE TABLE keys (
            table_id TEXT NOT NULL, key TEXT NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (table_id, key)
        ) WITHOUT ROWID""",
        "CREATE TABLE seats (guest TEXT NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (guest, table_id)) WITHOUT ROWID",
        "CREATE INDEX seats_table ON seats (table_id)",
        """CREATE TABLE documents (
            kind TEXT NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, expires INTEGER, PRIMARY KEY (kind, name)
        ) WITHOUT ROWID""",
        "CREATE INDEX documents_expires ON documents (expires) WHERE expires IS NOT NULL",
    ),
)

POSTGRES: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE tables (
            id TEXT PRIMARY KEY, length INTEGER NOT NULL, phase TEXT NOT NULL, public BOOLEAN NOT NULL,
            game TEXT NOT NULL, guests TEXT NOT NULL, updated BIGINT NOT NULL, due BIGINT, card BYTEA NOT NULL
        )""",
        "CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL",
        "CREATE INDEX tables_public ON tables (phase, updated) WHERE public",
        "CREATE INDEX tables_idle ON tables (phase, updated)",
        """CREATE TABLE entries (
            table_id TEXT NOT NULL, number INTEGER NOT NULL, data BYTEA NOT NULL, PRIMARY KEY (table_id, number)
        )""",
        """CREATE TABLE keys (
            table_id TEXT NOT NULL, key TEXT NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (table_id, key)
        )""",
        "CREATE TABLE seats (guest TEXT NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (guest, table_id))",
        "CREATE INDEX seats_table ON seats (table_id)",
        """CREATE TABLE documents (
            kind TEXT NOT NULL, name TEXT NOT NULL, data BYTEA NOT NULL, expires BIGINT, PRIMARY KEY (kind, name)
        )""",
        "CREATE INDEX documents_expires ON documents (expires) WHERE expires IS NOT NULL",
    ),
)

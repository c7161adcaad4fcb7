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
    (
        # Guests were joined by spaces, which a guest's name then could not have.
        """UPDATE tables SET guests =
            CASE guests WHEN '' THEN '[]' ELSE '["' || replace(guests, ' ', '","') || '"]' END""",
    ),
    # What a key was used for, in short.
    ("ALTER TABLE keys ADD COLUMN request TEXT",),
)

_APPEND_ENTRIES = """CREATE FUNCTION append_entries(
            the_table TEXT, expected BIGINT, new_entries BYTEA[], the_key TEXT,%(request_given)s
            new_phase TEXT, new_public BOOLEAN, new_game TEXT, new_guests TEXT[], new_updated BIGINT, new_due BIGINT,
            new_card BYTEA, OUT done BOOLEAN,%(reused_told)s OUT new_length BIGINT%(fresh_told)s
        ) LANGUAGE plpgsql AS $$
        DECLARE
            old RECORD;
        BEGIN
%(not_fresh)s            LOOP
                SELECT t.length, t.guests INTO old FROM tables t WHERE t.id = the_table FOR UPDATE;
                IF the_key IS NOT NULL THEN
                    SELECT %(key_found)s
                    IF FOUND THEN
                        RETURN;
                    END IF;
                END IF;
%(not_reused)s                IF coalesce(old.length, 0) <> expected THEN
                    done := false;
                    new_length := coalesce(old.length, 0);
                    RETURN;
                END IF;
                EXIT WHEN old.length IS NOT NULL;
                INSERT INTO tables VALUES (the_table, 0, new_phase, new_public, new_game, '{}', new_updated, new_due,
                    new_card) ON CONFLICT (id) DO NOTHING;
                -- If another has made it in the meantime, look again: perhaps with the same key.
                IF FOUND THEN
                    old.guests := '{}';
                    EXIT;
                END IF;
            END LOOP;
            done := true;
%(is_fresh)s            new_length := expected + cardinality(new_entries);
            UPDATE tables SET length = new_length, phase = new_phase, public = new_public, game = new_game,
                guests = new_guests, updated = new_updated, due = new_due, card = new_card WHERE id = the_table;
            INSERT INTO entries SELECT the_table, expected + e.number, e.data
                FROM unnest(new_entries) WITH ORDINALITY AS e (data, number);
            IF the_key IS NOT NULL THEN
                INSERT INTO keys VALUES (the_table, the_key, new_length%(request_kept)s);
            END IF;
            IF old.guests <> new_guests THEN
                DELETE FROM seats WHERE table_id = the_table;
                INSERT INTO seats SELECT DISTINCT guest, the_table FROM unnest(new_guests) AS guest;
            END IF;
        END $$"""


def _append_entries(*, requests: bool = False, fresh: bool = False) -> str:
    """The function as it was in a version: one that keeps what keys were used for, one that says if a key was new."""
    found = "true, coalesce(k.request <> the_request, false), k.length INTO done, reused, new_length"
    where = "WHERE k.table_id = the_table AND k.key = the_key;"
    return _APPEND_ENTRIES % {
        "request_given": " the_request TEXT," if requests else "",
        "reused_told": " OUT reused BOOLEAN," if requests else "",
        "fresh_told": ",\n            OUT fresh BOOLEAN" if fresh else "",
        "not_fresh": "            fresh := false;\n" if fresh else "",
        "key_found": f"{found}\n                        FROM keys k {where}"
        if requests
        else f"true, k.length INTO done, new_length FROM keys k\n                        {where}",
        "not_reused": "                reused := false;\n" if requests else "",
        "is_fresh": "            fresh := true;\n" if fresh else "",
        "request_kept": ", the_request" if requests else "",
    }


POSTGRES: tuple[tuple[str, ...], ...] = (
    (
        # Collated by code points, so that lists have the same order in every database.
        """CREATE TABLE tables (
            id TEXT COLLATE "C" PRIMARY KEY, length INTEGER NOT NULL, phase TEXT NOT NULL, public BOOLEAN NOT NULL,
            game TEXT NOT NULL, guests TEXT[] NOT NULL, updated BIGINT NOT NULL, due BIGINT, card BYTEA NOT NULL
        )""",
        "CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL",
        "CREATE INDEX tables_public ON tables (phase, updated) WHERE public",
        "CREATE INDEX tables_idle ON tables (phase, updated)",
        """CREATE TABLE entries (
            table_id TEXT COLLATE "C" NOT NULL, number INTEGER NOT NULL, data BYTEA NOT NULL,
            PRIMARY KEY (table_id, number)
        )""",
        """CREATE TABLE keys (
            table_id TEXT COLLATE "C" NOT NULL, key TEXT COLLATE "C" NOT NULL, length INTEGER NOT NULL,
            PRIMARY KEY (table_id, key)
        )""",
        """CREATE TABLE seats (
            guest TEXT COLLATE "C" NOT NULL, table_id TEXT COLLATE "C" NOT NULL, PRIMARY KEY (guest, table_id)
        )""",
        "CREATE INDEX seats_table ON seats (table_id)",
        """CREATE TABLE documents (
            kind TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL, data BYTEA NOT NULL, expires BIGINT,
            PRIMARY KEY (kind, name)
        )""",
        "CREATE INDEX documents_expires ON documents (expires) WHERE expires IS NOT NULL",
        # One round trip for an append. The row of the table is the lock: whoever has it sees all that was committed
        # before, because every statement of a volatile function looks anew under READ COMMITTED.
        _append_entries(),
        # The row of the table first: an append that was faster is then seen, a later one finds nothing.
        """CREATE FUNCTION delete_table(the_table TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
        BEGIN
            DELETE FROM tables WHERE id = the_table;
            IF FOUND THEN
                DELETE FROM entries WHERE table_id = the_table;
                DELETE FROM keys WHERE table_id = the_table;
                DELETE FROM seats WHERE table_id = the_table;
            END IF;
        END $$""",
    ),
    (
        # What a key was used for, in short; and a log can be written anew, to take a person's data out of it.
        "ALTER TABLE keys ADD COLUMN request TEXT",
        "DROP FUNCTION append_entries",
        _append_entries(requests=True),
        """CREATE FUNCTION rewrite_entries(
            the_table TEXT, expected BIGINT, new_entries BYTEA[], keys_of TEXT,
            new_phase TEXT, new_public BOOLEAN, new_game TEXT, new_guests TEXT[], new_updated BIGINT, new_due BIGINT,
            new_card BYTEA
        ) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM 1 FROM tables t WHERE t.id = the_table AND t.length = expected FOR UPDATE;
            IF NOT FOUND THEN
                RETURN false;
            END IF;
            UPDATE tables SET length = cardinality(new_entries), phase = new_phase, public = new_public,
                game = new_game, guests = new_guests, updated = new_updated, due = new_due, card = new_card
                WHERE id = the_table;
            DELETE FROM keys WHERE table_id = the_table AND starts_with(key, keys_of);
            DELETE FROM entries WHERE table_id = the_table;
            INSERT INTO entries SELECT the_table, e.number, e.data
                FROM unnest(new_entries) WITH ORDINALITY AS e (data, number);
            DELETE FROM seats WHERE table_id = the_table;
            INSERT INTO seats SELECT DISTINCT guest, the_table FROM unnest(new_guests) AS guest;
            RETURN true;
        END $$""",
    ),
    (
        # Says whether the key was new, so that whoever appends need not read the log to find out. Processes of the
        # version before go on with it: what they ask for is still there.
        "DROP FUNCTION append_entries",
        _append_entries(requests=True, fresh=True),
    ),
)

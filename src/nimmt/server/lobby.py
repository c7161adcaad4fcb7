"""Which public tables are listed: those first that people can sit down at, and last those where bots play alone."""

from __future__ import annotations

from nimmt.server.messages import TableCard, card_of
from nimmt.store import Store

LISTED_TABLES = 50
SEARCHED_TABLES = 200
"""So many tables that wait are looked through for free seats."""


async def public_tables(store: Store) -> list[TableCard]:
    """Bots alone move without end, so what happened last says nothing about whom people may want to join."""
    found = await store.public_tables(["waiting"], SEARCHED_TABLES)
    found += await store.public_tables(["playing"], SEARCHED_TABLES)
    cards = [card_of(table_id, listing) for table_id, listing in found]
    return sorted(cards, key=lambda card: (_rank(card), -card.updated))[:LISTED_TABLES]


def _rank(card: TableCard) -> int:
    kinds = {chair.kind for chair in card.chairs}
    if card.phase == "waiting" and "empty" in kinds:
        return 0
    return 1 if "person" in kinds else 2

"""How listings are written in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nimmt.store.contract import Listing

COLUMNS = "phase, public, game, guests, updated, due, card"


def listing_values(listing: Listing) -> tuple[Any, ...]:
    rest = listing.updated, listing.due, listing.card
    return listing.phase, listing.public, listing.game, list(listing.guests), *rest


def read_listing(row: Sequence[Any]) -> Listing:
    phase, public, game, guests, updated, due, card = row
    return Listing(phase, public, game, tuple(guests), updated, due, card)

"""Where tables are kept: append-only logs with an expected version, behind one contract."""

from nimmt.store.contract import Appended, Conflict, KeyReused, Listing, NotEmpty, Store, StoreError, Unavailable

__all__ = ["Appended", "Conflict", "KeyReused", "Listing", "NotEmpty", "Store", "StoreError", "Unavailable"]

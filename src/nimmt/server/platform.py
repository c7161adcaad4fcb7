"""Everything a process needs to serve tables, put together."""

from __future__ import annotations

from nimmt.server.clock import Clock
from nimmt.server.guests import Guests
from nimmt.server.hub import LocalHub
from nimmt.server.hubs import is_shared, make_hub
from nimmt.server.limits import Counter, Limit
from nimmt.server.presence import Presence
from nimmt.server.settings import Settings
from nimmt.server.tables import Tables
from nimmt.server.thinking import Thinkers
from nimmt.store import Store
from nimmt.store.choice import make_store


class Limits:
    def __init__(self, settings: Settings) -> None:
        self.guest = Limit("requests", settings.requests_per_guest, 20)
        self.address = Limit("requests from your network", settings.requests_per_address, 20)
        self.tables = Limit("new tables", settings.tables_per_address, 60)
        self.guests = Limit("new guests from your network", settings.guests_per_address, 60)
        self.chat = Limit("messages", settings.messages_per_guest, 20)
        self.sockets = Counter("connections from your network", settings.sockets_per_address)
        self.all_sockets = Counter("connections to this server", settings.max_sockets)


class Platform:
    """The parts of one process. Opened and closed with the application.

    Store and hub go by the settings, unless others are given.
    """

    def __init__(self, settings: Settings, store: Store | None = None, hub: LocalHub | None = None) -> None:
        self.settings = settings
        self.store: Store = make_store(settings.database) if store is None else store
        self.hub: LocalHub = make_hub(self.store, settings.workers) if hub is None else hub
        self.guests = Guests(self.store)
        self.tables = Tables(self.store, self.hub, settings.tables_in_memory)
        self.thinkers = Thinkers(self.tables, settings.bot_processes, settings.warm_up)
        self.clock = Clock(self.tables, self.thinkers, settings.keep_days)
        self.presence = Presence(self.store, self.hub, shared=is_shared(self.store, settings.workers))
        self.limits = Limits(settings)
        self.tables.on_change = self.thinkers.look_at

    async def open(self) -> None:
        await self.store.open()
        await self.hub.open()
        await self.guests.open()
        await self.presence.open()
        await self.clock.open()
        self.thinkers.warm_up()

    async def close(self) -> None:
        await self.clock.close()
        await self.thinkers.close()
        await self.presence.close()
        await self.hub.close()
        await self.store.close()

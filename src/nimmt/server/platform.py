"""Everything a process needs to serve tables, put together."""

from __future__ import annotations

from functools import partial

from nimmt.server.bot_runner import Thinkers
from nimmt.server.calls.caller import Caller
from nimmt.server.calls.subscriptions import Subscriptions
from nimmt.server.coach import Coach
from nimmt.server.hub import LocalHub, is_shared, make_hub
from nimmt.server.limits import Costs, Counter, Limit
from nimmt.server.monitoring import Health, load_of, refresh
from nimmt.server.people.guests import Guests
from nimmt.server.people.matches import Matches
from nimmt.server.people.moderation import Bans, Reports, Shunning
from nimmt.server.people.privacy import Privacy
from nimmt.server.people.sessions import Sessions
from nimmt.server.reviews import Mistakes, Reviews, forget
from nimmt.server.settings import Settings
from nimmt.server.share_picture import Pictures
from nimmt.server.tables.clock import Clock
from nimmt.server.tables.commands import Tables
from nimmt.server.tables.lobby import BotTables
from nimmt.server.tables.presence import Presence
from nimmt.server.tables.projection import Updates
from nimmt.server.tables.table import Table
from nimmt.server.uploads import Uploads
from nimmt.server.worker_pool import Minds
from nimmt.store import Store
from nimmt.store.contract import make_store


class Limits:
    def __init__(self, settings: Settings) -> None:
        self.guest = Limit("requests", settings.requests_per_guest, 20)
        self.address = Limit("requests from your network", settings.requests_per_address, 20)
        self.tables = Limit("new tables", settings.tables_per_address, 60)
        self.guests = Limit("new guests from your network", settings.guests_per_address, 60)
        self.chat = Limit("messages", settings.messages_per_guest, 20)
        self.reviews = Limit("reviews from your network", settings.reviews_per_address, 600)
        self.uploads = Limit("records", settings.uploads_per_guest, 600)
        self.address_uploads = Limit("records from your network", settings.uploads_per_address, 600)
        self.hints = Limit("hints", settings.hints_per_guest, 60)
        self.address_hints = Limit("hints from your network", settings.hints_per_address, 60)
        self.reports = Limit("reports from your network", settings.reports_per_address, 3600)
        self.costs = Costs(settings)
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
        self.tables = Tables(self.store, self.hub, settings.tables_in_memory, settings.memory_for_tables)
        self.matches = Matches(self.tables)
        self.bans = Bans(self.store, self.hub, self.tables)
        self.sessions = Sessions(self.store, self.hub, self.guests, self.bans)
        self.shunning = Shunning(self.store, self.hub)
        self.reports = Reports(self.store)
        self.presence = Presence(self.store, self.hub, shared=is_shared(self.store, settings.workers))
        self.subscriptions = Subscriptions(self.store, settings.push_private)
        self.caller = Caller(self.store, self.tables, self.presence, self.subscriptions, settings)
        self.privacy = Privacy(
            self.store,
            self.guests,
            self.sessions,
            self.tables,
            settings.keep_guest_days,
            self.shunning,
            self.reports,
            self.subscriptions,
        )
        self.thinkers = Thinkers(self.tables, settings.bot_processes, settings.warm_up)
        self.judges = Minds(1)
        self.reviews = Reviews(self.store, self.judges, settings.warm_up)
        self.coach = Coach(self.judges)
        self.uploads = Uploads(self.store, self.judges, self.tables)
        self.mistakes = Mistakes(self.store, self.matches)
        self.bot_tables = BotTables(self.tables, self.hub, settings.bot_tables_per_address, settings.max_bot_tables)
        self.clock = Clock(self.tables, self.thinkers, settings.keep_days, bot_tables=self.bot_tables)
        self.limits = Limits(settings)
        self.health = Health(self.store, lambda: refresh(self), lambda: load_of(self))
        self.updates = Updates()
        self.pictures = Pictures()
        self.tables.on_change = self._look_at
        self.tables.on_delete = partial(forget, self.store)
        self.tables.on_rewrite = self.updates.forget
        self.clock.chores += [self.privacy.sweep, self.caller.catch_up, self.uploads.sweep]

    def _look_at(self, table: Table) -> None:
        """Whose turn is it now? What may be asked for soon?"""
        self.thinkers.look_at(table)
        self.reviews.expect(table)
        self.caller.look_at(table)

    async def open(self) -> None:
        await self.store.open()
        await self.hub.open()
        await self.guests.open()
        await self.bans.open()
        await self.sessions.open()
        await self.bot_tables.open()
        await self.presence.open()
        await self.caller.open()
        await self.clock.open()
        await self.health.open()
        self.thinkers.warm_up()

    async def close(self) -> None:
        await self.health.close()
        await self.matches.close()
        await self.clock.close()
        await self.thinkers.close()
        await self.reviews.close()
        await self.coach.close()
        await self.uploads.close()
        await self.judges.close()
        await self.caller.close()
        await self.presence.close()
        await self.sessions.close()
        await self.bans.close()
        await self.hub.close()
        await self.store.close()

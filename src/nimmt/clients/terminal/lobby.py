"""A visit to a server: who one is there, its tables, and a new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from nimmt.bots import BOTS
from nimmt.clients.cli.common import FAILURE, CommandError, clean, tell
from nimmt.clients.remote import Client, Json, Kept, Refused, guest_at, keep_guest, read_link
from nimmt.clients.terminal.commands import BOT, Sitting
from nimmt.clients.terminal.face import NO, YES, number
from nimmt.clients.terminal.host import BOW_OUT, Left
from nimmt.clients.terminal.inbox import Inbox
from nimmt.clients.terminal.online import Manner, explain, strange
from nimmt.clients.terminal.screen import LineScreen
from nimmt.clients.terminal.words import level_name, page_text, tr
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Variant
from nimmt.rules.kit.options import read_options
from nimmt.rules.kit.seats import usual_seats
from nimmt.server.tables.messages import TableCard

FIRST_TIMEOUT = 5.0
"""Seconds for the first word with a server: who has mistyped its address wants to know that soon."""
LONG_TIMEOUT = 600.0

T = TypeVar("T")


class NewTable(NamedTuple):
    """What is to be played."""

    game: str
    options: Json
    seats: int
    bots: tuple[str, ...]
    """For the last seats; those before are for friends."""
    public: bool = False
    tempo: Json = {"kind": "none"}  # never changed
    practice: bool = False


class Visit:
    """From the first word with a server to the last."""

    def __init__(self, server: str, manner: Manner, save: Path | None = None) -> None:
        self.server, self.manner, self.save = server, manner, save
        self.inbox = Inbox()
        self.lines = LineScreen(0, self.inbox)
        self.name = ""
        self.last: str | None = None
        """The table where we were last."""

    # -- who one is -----------------------------------------------------------------------------------------------

    def come_in(self, name: str | None) -> None:
        """As the guest that one was there before, or as a new one."""
        kept = guest_at(self.server)
        self.client = Client(self.server, patience=FIRST_TIMEOUT, cookie=kept.cookie if kept else None)
        known = self._who_am_i()
        if known is None:
            self.client.close()
            self.client = Client(self.server, patience=FIRST_TIMEOUT)
            known = self._introduce(name)
        elif name is not None and known["name"] != name:
            known = self._named(lambda: self.client.rename(name))
        self.name = clean(known["name"])
        self._keep()
        self.client.patience = LONG_TIMEOUT
        self.client.report = lambda _: self.lines.say(tr("Not sent yet: it waits for a connection."))

    def _who_am_i(self) -> Json | None:
        try:
            return self.client.me()
        except Refused as refused:
            if refused.status == 401:
                return None
            raise self._lost(refused) from None

    def _introduce(self, name: str | None) -> Json:
        if name is not None:
            return self._named(lambda: self.client.come_in(name))
        while True:
            self.lines.question(tr("What shall we call you?"))
            wanted = self.lines.answer()
            try:
                return self.client.come_in(wanted)
            except Refused as refused:
                if refused.code not in ("bad_name", "bad_request"):
                    raise self._lost(refused) from None
                self.lines.say(page_text("error.bad_name") or clean(refused.sentence))

    def _named(self, be: Callable[[], Json]) -> Json:
        try:
            return be()
        except Refused as refused:
            raise CommandError(explain(refused), code=refused.code) from None

    def _keep(self) -> None:
        if cookie := self.client.cookie:
            try:
                keep_guest(self.server, Kept(self.name, cookie))
            except OSError as error:
                tell(tr("Next time you will be another guest: {reason}.", reason=error.strerror or error))

    def _lost(self, refused: Refused) -> CommandError:
        if refused.code in ("unexpected", "not_found"):
            said = tr("There is no nimmt server at {server}.", server=self.server)
        elif refused.code == "unreachable":
            said = tr("{server} cannot be reached. Is the address right, and the server running?", server=self.server)
        else:
            said = f"{self.server}: {explain(refused)}"
        return CommandError(said, FAILURE, code=refused.code)

    # -- going round ----------------------------------------------------------------------------------------------

    def go(self, table: str | None) -> None:
        """To a table, or first to the lobby, until somebody has enough. Raises `Left` or `Gone`."""
        while True:
            if table is None:
                table, sits = self._lobby()
            else:
                sits = True
            try:
                table = self.sit_at(table, sits=sits)
            except Refused as refused:
                if self.last is None or refused.code == "unreachable":
                    raise self._lost(refused) from None
                self.lines.say(explain(refused))
                table = None

    def sit_at(self, table: str, *, sits: bool) -> str | None:
        try:
            sitting = Sitting(self.client, table, self.inbox, self.lines, self.manner)
        except Refused as refused:
            if self.last is None:
                raise self._lost(refused) from None
            raise
        self.last = table
        sitting.wants_seat, sitting.save = sits, self.save
        return sitting.run()

    def open(self, new: NewTable) -> str:
        """A table as it was wished for. With bots alone the match begins at once."""
        body: dict[str, Any] = {"options": new.options, "bots": list(new.bots), "public": new.public,
                                "tempo": new.tempo, "pace": self.manner.pace}  # fmt: skip
        if new.practice:  # older servers do not know it
            body["practice"] = True
        try:
            table = self.client.open_table(new.game, new.seats, **body)
            self.client.contribute(table)
            if len(new.bots) == new.seats - 1:
                self.client.start(table)
        except Refused as refused:
            raise CommandError(explain(refused), code=refused.code) from None
        return table

    def say_goodbye(self) -> None:
        """How to come back, if there is something to come back to."""
        self.lines.print("")
        if self.last is not None:
            self.lines.say(tr("You can come back to this table with:"))
            self.lines.print(f"  nimmt play --join {self.server}/t/{self.last}")

    # -- the lobby ------------------------------------------------------------------------------------------------

    def _lobby(self) -> tuple[str, bool]:
        """Where to, and whether to sit down there."""
        listed = self._show_tables()
        while True:
            self.lines.question(
                tr("Type a number, new, join LINK, watch LINK, name NAME, Enter to look again, or quit")
            )
            word, _, rest = self.lines.answer().partition(" ")
            word, rest = word.casefold(), rest.strip()
            place = number(word)
            try:
                if word in BOW_OUT or word == "q":
                    raise Left
                if place is not None and 1 <= place <= len(listed):
                    return listed[place - 1], True
                if word in ("join", "watch"):
                    return self._table_in(rest), word == "join"
                if word == "name":
                    self.name = clean(self.client.rename(rest)["name"])
                    self._keep()
                elif word == "new":
                    new = self._ask_for_table(rest)
                    if new is not None:
                        return self.open(new), True
                elif word:
                    continue
            except Refused as refused:
                self.lines.say(explain(refused))
                continue
            except CommandError as error:
                self.lines.say(str(error))
                continue
            listed = self._show_tables()

    def _table_in(self, link: str) -> str:
        server, table = read_link(link)
        if server is not None and server != self.server:
            raise CommandError(
                tr("{link} leads to {server}, not to {here}.", link=link, server=server, here=self.server)
            )
        return table

    def _show_tables(self) -> list[str]:
        try:
            mine = msgspec.convert(self.client.tables(mine=True), list[TableCard])
            public = msgspec.convert(self.client.tables(), list[TableCard])
        except msgspec.ValidationError as error:
            raise strange(str(error)) from None
        except Refused as refused:
            raise self._lost(refused) from None
        own = {card.id for card in mine}
        groups = (
            (tr("Your matches"), [card for card in mine if card.phase in ("waiting", "playing")]),
            (tr("Open tables"), [card for card in public if card.id not in own]),
            (tr("Finished matches"), [card for card in mine if card.phase == "over"]),
        )
        self.lines.print("", tr("{server}: you are {name}.", server=self.server, name=self.name))
        listed: list[str] = []
        for title, cards in groups:
            if cards:
                self.lines.print("", title)
            for card in cards:
                listed.append(card.id)
                self.lines.print(f"{len(listed):>4}  {_card_told(card)}")
        self.lines.print("")
        return listed

    # -- a new table ----------------------------------------------------------------------------------------------

    def _ask_for_table(self, wanted: str) -> NewTable | None:
        """One question after the other; Enter takes what is in brackets."""
        games = [registry.get(game) for game in registry.GAMES]
        named = next((game for game in games if wanted.casefold() in (game.id, game.name.casefold())), None)
        game = named or self._pick(tr("Which game?"), games, game_name)
        variant = game.variants[0]
        if len(game.variants) > 1:
            variant = self._pick(tr("Which variant?"), game.variants, lambda each: variant_name(game, each))
        most = variant.max_seats or game.max_seats
        seats = self._number(tr("How many players?"), game.min_seats, most, min(usual_seats(game), most))
        friends = self._number(tr("How many of them are friends of yours?"), 0, seats - 1, 0)
        bots: tuple[str, ...] = ()
        if friends < seats - 1:
            levels = list(BOTS)
            level = self._pick(tr("Which bots?"), levels, level_name, levels.index(BOT))
            bots = (level,) * (seats - 1 - friends)
        tempo: Json = {"kind": "none"}
        public = False
        if friends:
            tempo = self._tempo()
            public = self._yes(tr("May everybody join? yes or no [no]"))
        practice = self._yes(tr("For practice, with a coach? yes or no [no]"))
        options = read_options(game.options_type, dict(variant.options))
        return NewTable(game.id, msgspec.to_builtins(options), seats, bots, public, tempo, practice)

    def _tempo(self) -> Json:
        while True:
            self.lines.question(tr("How much time for each decision? 30s, 24h, or none [none]"))
            answer = self.lines.answer()
            try:
                return read_tempo(answer or "none")
            except ValueError as error:
                self.lines.say(str(error))

    def _yes(self, asked: str) -> bool:
        self.lines.question(asked)
        return self.lines.answer().casefold() in YES

    def _number(self, asked: str, least: int, most: int, usual: int) -> int:
        while least < most:
            self.lines.question(f"{asked} {least}–{most} [{usual}]")
            answer = self.lines.answer()
            value = usual if not answer else 0 if answer.casefold() in NO else number(answer)
            if value is not None and least <= value <= most:
                return value
            self.lines.say(tr("Type a number from {least} to {most}.", least=least, most=most))
        return least

    def _pick(self, asked: str, items: Sequence[T], told: Callable[[T], str], usual: int = 0) -> T:
        self.lines.print(*(f"{place:>4}  {told(item)}" for place, item in enumerate(items, 1)))
        return items[self._number(asked, 1, len(items), usual + 1) - 1]


def read_tempo(word: str) -> Json:
    """`none`, `30s` or `24h`."""
    word = word.casefold().strip()
    if word in ("none", "0"):
        return {"kind": "none"}
    value = number(word.rstrip("sh"))
    if value is not None and word.endswith("s") and 5 <= value <= 600:
        return {"kind": "live", "seconds": value}
    if value is not None and word.endswith("h") and 1 <= value <= 336:
        return {"kind": "turns", "hours": value}
    raise ValueError(tr("A tempo is none, 5s to 600s, or 1h to 336h."))


def game_name(game: AnyGame) -> str:
    return page_text(f"{game.id}:about.name") or game.name


def variant_name(game: AnyGame, variant: Variant) -> str:
    return page_text(f"{game.id}:variant.{variant.id}") or variant.name


def _card_told(card: TableCard) -> str:
    free = sum(chair.kind == "empty" for chair in card.chairs)
    told = [game_name(registry.get(card.game)) if card.game in registry.GAMES else clean(card.game)]
    if card.practice:
        told.append(tr("Practice"))
    if card.phase == "waiting" and free:
        told.append(tr({"one": "{count} free seat", "other": "{count} free seats"}, count=free))
    elif card.phase == "playing":
        told.append(tr("being played"))
    told.append(", ".join(clean(chair.name) for chair in card.chairs if chair.kind != "empty"))
    return " · ".join(part for part in told if part)

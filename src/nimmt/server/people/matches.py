"""The finished matches of a guest, and what can be counted in them: from summaries, never from logs.

A match counts in statistics if its player made at least half of the seat's decisions and had no coach; whatever a bot
played for them, and what was played for practice, is in the list, but says nothing about them. Matches that were given
up have no result and are not kept; what somebody has taken off their list is neither listed nor counted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from nimmt.rules import registry
from nimmt.rules.game import RulesError, Seat
from nimmt.rules.kit.options import read_options, variant_of
from nimmt.server.http.errors import Refused
from nimmt.server.limits import charged, in_thread
from nimmt.server.logs import cause
from nimmt.server.tables import messages as m
from nimmt.server.tables.commands import Tables, shortened
from nimmt.server.tables.log_entries import Tempo
from nimmt.server.tables.summary import VERSION, Summary
from nimmt.store import Conflict, Listing, StoreError

log = logging.getLogger("nimmt.server")

MAX_MATCHES = 5000
"""So many tables of a guest are looked through, the latest first."""
CHART_MATCHES = 60
"""So many of the latest matches are told one by one, for a chart."""
OPPONENTS = 30

Company: TypeAlias = Literal["people", "bots"]
Result: TypeAlias = Literal["won", "lost"]
Kind: TypeAlias = Literal["person", "bot", "program"]


# -- what is told ------------------------------------------------------------------------------------------------------


class MatchSeat(msgspec.Struct, frozen=True, kw_only=True):
    """Who sat on a seat, and how it ended for them."""

    kind: Kind
    name: str
    level: str | None
    points: int
    place: int | None
    """Among all by points, from 1; null where all win or lose together."""
    won: bool


class OwnMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A finished match of yours. `counted` says whether it counts in statistics: a bot made less than half of your
    decisions, and it was not for practice."""

    id: str
    game: str
    options: dict[str, Any]
    variant: str | None
    tempo: Tempo
    began: int
    ended: int
    rounds: int
    seat: Seat
    seats: tuple[MatchSeat, ...]
    takes: int
    counted: bool
    practice: bool
    hints: int
    take_backs: int
    """Whether there was a coach, and how often it helped you: such a match never counts."""


class OwnMatches(msgspec.Struct, frozen=True, kw_only=True):
    """Some of your matches, the latest first. `total` of them fit, and there are `all` in all; `pending` more ended
    before there were statistics and are being counted now: ask again soon."""

    matches: tuple[OwnMatch, ...]
    total: int
    all: int
    pending: int


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """`fair` is how many of the matches somebody would win who is as good as the others; it leaves out those in which
    all win or lose together."""

    matches: int
    wins: int
    contested: int
    """Matches in which not all win or lose together."""
    contested_wins: int
    fair: float
    rounds: int


class GameCounts(msgspec.Struct, frozen=True, kw_only=True):
    """One game, and where points are good in some matches and bad in others, one of the two."""

    game: str
    high_wins: bool
    takes: Literal["rows", "piles"] | None
    """What `taken` counts; null if the game counts no such thing."""
    counts: Counts
    points: int
    taken: int
    best: float
    """Points a round in the best match."""


class SeatsCounts(msgspec.Struct, frozen=True, kw_only=True):
    seats: int
    counts: Counts


class Opponent(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody you played with, as they were called the last time; all bots of a level are one. `ahead` is how often
    you had the better points, which says nothing where all win or lose together."""

    kind: Kind
    name: str
    level: str | None
    matches: int
    contested: int
    ahead: int
    wins: int


class CoursePoint(msgspec.Struct, frozen=True, kw_only=True):
    """One match in the course of time."""

    id: str
    game: str
    ended: int
    high_wins: bool
    points: int
    rounds: int
    won: bool


class OwnStatistics(msgspec.Struct, frozen=True, kw_only=True):
    counts: Counts
    uncounted: int
    """Matches that fit, but in which a bot decided more than you did."""
    practice: int
    """Matches that fit, but were played for practice."""
    games: tuple[GameCounts, ...]
    seats: tuple[SeatsCounts, ...]
    against: tuple[Opponent, ...]
    course: tuple[CoursePoint, ...]
    """The latest ones, the earliest of them first."""
    variants: dict[str, tuple[str, ...]]
    """What there is to filter by: of each game that you have played, the variants that you have."""
    pending: int


# -- reading -----------------------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """A finished match, as one of its players looks at it."""

    id: str
    seat: Seat
    card: m.StoredCard
    summary: Summary
    variant: str | None

    @property
    def won(self) -> bool:
        return self.seat in self.summary.winners

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in range(len(self.card.chairs)) if seat != self.seat]

    @property
    def counts(self) -> bool:
        made, by_bots = self.summary.decisions[self.seat], self.summary.by_bots[self.seat]
        return 2 * by_bots <= made and not self.card.practice

    @property
    def coached(self) -> m.Coached:
        return self.card.coached[self.seat] if self.card.coached else m.Coached()

    @property
    def has_people(self) -> bool:
        return any(self.card.chairs[seat].kind == "person" for seat in self.others)


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Which matches are wanted; what is not said does not matter."""

    game: str | None = None
    variant: str | None = None
    company: Company | None = None
    result: Result | None = None
    search: str = ""

    def fits(self, match: Played) -> bool:
        return (
            self.game in (None, match.card.game)
            and self.variant in (None, match.variant)
            and (self.company is None or (self.company == "people") == match.has_people)
            and (self.result is None or (self.result == "won") == match.won)
            and self._is_with(match)
        )

    def _is_with(self, match: Played) -> bool:
        """All words are found in the names of the others."""
        names = "\n".join(match.card.chairs[seat].name for seat in match.others).casefold()
        return all(word in names for word in self.search.casefold().split())


class Matches:
    def __init__(self, tables: Tables) -> None:
        self._tables, self._store = tables, tables.store
        self._missing: dict[str, None] = {}
        self._hopeless: set[str] = set()
        """Logs that this process cannot read: nobody waits for them."""
        self._summing: asyncio.Task[None] | None = None

    async def close(self) -> None:
        if self._summing is not None:
            self._summing.cancel()
            await asyncio.gather(self._summing, return_exceptions=True)

    async def page(self, guest: str, wanted: Filter, skip: int, limit: int) -> OwnMatches:
        listed = await self._listed(guest)

        def look() -> tuple[OwnMatches, list[str]]:
            matches, missing = _read(guest, listed)
            fitting = [match for match in matches if wanted.fits(match)]
            shown = tuple(_told(match) for match in fitting[skip : skip + limit])
            return OwnMatches(matches=shown, total=len(fitting), all=len(matches), pending=len(missing)), missing

        page, missing = await in_thread(look)
        return msgspec.structs.replace(page, pending=self._sum_up_soon(missing))

    async def statistics(self, guest: str, wanted: Filter) -> OwnStatistics:
        listed = await self._listed(guest)

        def look() -> tuple[OwnStatistics, list[str]]:
            matches, missing = _read(guest, listed)
            return statistics_of(matches, wanted), missing

        statistics, missing = await in_thread(look)
        return msgspec.structs.replace(statistics, pending=self._sum_up_soon(missing))

    async def fitting(self, guest: str, wanted: Filter) -> list[Played]:
        """Those that fit and count, the latest first."""
        listed = await self._listed(guest)
        matches, _ = await in_thread(lambda: _read(guest, listed))
        return [match for match in matches if match.counts and wanted.fits(match)]

    async def _listed(self, guest: str) -> list[tuple[str, Listing]]:
        return await self._store.tables_of(guest, MAX_MATCHES)

    # -- matches from before there were summaries -------------------------------------------------------------

    def _sum_up_soon(self, table_ids: Iterable[str]) -> int:
        """Have summaries made one after another; returns how many are still missing. Whoever asks pays for it."""
        wanted = [table_id for table_id in table_ids if table_id not in self._hopeless]
        self._missing |= dict.fromkeys(wanted)
        if wanted and (self._summing is None or self._summing.done()):
            self._summing = asyncio.create_task(charged(self._sum_up()))
        return len(wanted)

    async def _sum_up(self) -> None:
        while self._missing:
            table_id = next(iter(self._missing))
            try:
                await self._sum_up_one(table_id)
            except (Refused, Conflict):  # gone, or just written by somebody else
                pass
            except StoreError:
                return  # whoever asks again lets it go on
            except Exception as error:
                self._hopeless.add(table_id)
                log.warning("a match could not be counted", extra={"table": shortened(table_id), "cause": cause(error)})
            finally:
                self._missing.pop(table_id, None)
            await asyncio.sleep(0)

    async def _sum_up_one(self, table_id: str) -> None:
        was_cached = self._tables.cached(table_id) is not None
        table = await self._tables.load(table_id)
        if not was_cached:
            self._tables.forget(table_id)  # nobody else has asked for it
        await self._store.append(table_id, table.version, (), table.listing())


def _read(guest: str, listed: Sequence[tuple[str, Listing]]) -> tuple[list[Played], list[str]]:
    """The finished matches, the last one first, and the tables that have no summary yet."""
    matches, missing = [], []
    for table_id, listing in listed:
        if listing.phase != "over":
            continue
        card = m.read_card(listing.card)
        summary = card.summary
        if summary is None or summary.version != VERSION:
            missing.append(table_id)
        elif guest in summary.guests:
            matches.append(Played(table_id, summary.guests.index(guest), card, summary, _variant(card)))
    return sorted(matches, key=lambda match: (-match.summary.ended, match.id)), missing


def _variant(card: m.StoredCard) -> str | None:
    try:
        return variant_of(registry.get(card.game), card.options)
    except RulesError:  # a game that is not installed any more
        return None


def _kind(chair: m.Chair) -> Kind:
    return "bot" if chair.kind == "bot" else "program" if chair.program else "person"


def _told(match: Played) -> OwnMatch:
    card, summary, terms = match.card, match.summary, _terms(match.card)
    return OwnMatch(
        id=match.id,
        game=card.game,
        options=card.options,
        variant=match.variant,
        tempo=card.tempo,
        began=summary.began,
        ended=summary.ended,
        rounds=summary.rounds,
        seat=match.seat,
        seats=tuple(
            [
                MatchSeat(
                    kind=_kind(chair),
                    name=chair.name,
                    level=chair.level,
                    points=summary.points[seat],
                    place=_place(summary.points, seat, terms),
                    won=seat in summary.winners,
                )
                for seat, chair in enumerate(card.chairs)
            ]
        ),
        takes=summary.takes[match.seat],
        counted=match.counts,
        practice=card.practice,
        hints=match.coached.hints,
        take_backs=match.coached.take_backs,
    )


def _place(points: tuple[int, ...], seat: Seat, terms: _Terms) -> int | None:
    if terms.cooperative:
        return None
    return 1 + sum(other > points[seat] if terms.high_wins else other < points[seat] for other in points)


# -- counting ----------------------------------------------------------------------------------------------------------


class _Terms(NamedTuple):
    """What a game says about its results, with these options."""

    high_wins: bool
    cooperative: bool
    takes: Literal["rows", "piles"] | None


def _terms(card: m.StoredCard) -> _Terms:
    try:
        game = registry.get(card.game)
        high_wins = game.high_score_wins(read_options(game.options_type, card.options))
        return _Terms(high_wins, game.cooperative, game.takes)
    except RulesError:  # a game that is not installed any more, or no longer has such options
        return _Terms(False, False, None)


Counted: TypeAlias = tuple[Played, _Terms]


def statistics_of(matches: Sequence[Played], wanted: Filter) -> OwnStatistics:
    fitting = [match for match in matches if wanted.fits(match)]
    counted = [(match, _terms(match.card)) for match in fitting if match.counts]
    return OwnStatistics(
        counts=_counts(counted),
        uncounted=sum(not match.counts and not match.card.practice for match in fitting),
        practice=sum(match.card.practice for match in fitting),
        games=_by_game(counted),
        seats=tuple(
            SeatsCounts(seats=seats, counts=_counts(group))
            for seats, group in sorted(_grouped(counted, lambda one: len(one[0].card.chairs)).items())
        ),
        against=_against(counted),
        course=tuple(_course(one) for one in reversed(counted[:CHART_MATCHES])),
        variants={
            game: tuple(dict.fromkeys(match.variant for (match,) in group if match.variant))
            for game, group in sorted(_grouped([(match,) for match in matches], lambda one: one[0].card.game).items())
        },
        pending=0,
    )


def _grouped(items: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    groups: dict[Any, list[Any]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _counts(group: Sequence[Counted]) -> Counts:
    contested = [match for match, terms in group if not terms.cooperative]
    return Counts(
        matches=len(group),
        wins=sum(match.won for match, _ in group),
        contested=len(contested),
        contested_wins=sum(match.won for match in contested),
        fair=round(sum(len(match.summary.winners) / len(match.card.chairs) for match in contested), 3),
        rounds=sum(match.summary.rounds for match, _ in group),
    )


def _by_game(counted: Sequence[Counted]) -> tuple[GameCounts, ...]:
    groups = _grouped(counted, lambda one: (one[0].card.game, one[1].high_wins))
    found = [_game_counts(game, group) for (game, _), group in groups.items()]
    return tuple(sorted(found, key=lambda one: -one.counts.matches))


def _game_counts(game: str, group: Sequence[Counted]) -> GameCounts:
    terms = group[0][1]
    averages = [match.summary.points[match.seat] / match.summary.rounds for match, _ in group]
    return GameCounts(
        game=game,
        high_wins=terms.high_wins,
        takes=terms.takes,
        counts=_counts(group),
        points=sum(match.summary.points[match.seat] for match, _ in group),
        taken=sum(match.summary.takes[match.seat] for match, _ in group),
        best=round(max(averages) if terms.high_wins else min(averages), 3),
    )


def _against(counted: Sequence[Counted]) -> tuple[Opponent, ...]:
    """Those met most often first."""
    meetings = [(match, terms, seat) for match, terms in counted for seat in match.others]
    groups = _grouped(meetings, lambda one: _identity(one[0], one[2]))
    found = sorted(groups.values(), key=lambda group: -len(group))[:OPPONENTS]
    return tuple(_opponent(group) for group in found)


def _identity(match: Played, seat: Seat) -> tuple[str, str]:
    chair = match.card.chairs[seat]
    return (chair.kind, (match.summary.guests[seat] if chair.kind == "person" else chair.level) or "")


def _opponent(group: Sequence[tuple[Played, _Terms, Seat]]) -> Opponent:
    latest, _, seat = group[0]
    chair = latest.card.chairs[seat]
    contested = [(match, terms, other) for match, terms, other in group if not terms.cooperative]
    return Opponent(
        kind=_kind(chair),
        name="" if chair.kind == "bot" else chair.name,
        level=chair.level,
        matches=len({match.id for match, _, _ in group}),
        contested=len(contested),
        ahead=sum(_is_ahead(*meeting) for meeting in contested),
        wins=len({match.id for match, _, _ in group if match.won}),
    )


def _is_ahead(match: Played, terms: _Terms, other: Seat) -> bool:
    mine, theirs = match.summary.points[match.seat], match.summary.points[other]
    return mine > theirs if terms.high_wins else mine < theirs


def _course(one: Counted) -> CoursePoint:
    match, terms = one
    return CoursePoint(
        id=match.id,
        game=match.card.game,
        ended=match.summary.ended,
        high_wins=terms.high_wins,
        points=match.summary.points[match.seat],
        rounds=match.summary.rounds,
        won=match.won,
    )

"""Telling a table to one pair of eyes: built from what they may see, the same bytes whatever is hidden from them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from nimmt.match.shuffle import commitment
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Event, Foreseen, Game, Seat, Value, abridged
from nimmt.server.tables import messages as m
from nimmt.server.tables.log_entries import NoClock
from nimmt.server.tables.moments import ForeseenAt, Moment, deadline
from nimmt.server.tables.practice import Coaching
from nimmt.server.tables.table import Table

REMEMBERED = 500
"""So many updates are kept as they were sent, for others who see the same."""
LISTED_ACTIONS = 100
"""So many legal actions of one family are sent at most; the rules accept all of them."""


NOBODY: frozenset[str] = frozenset()

_encode = msgspec.json.Encoder().encode


def snapshot(table: Table, guest: str | None, muted: frozenset[str] = NOBODY) -> m.Snapshot:
    """Without what those said whom the reader has muted."""
    now = table.moments[-1]
    info = m.TableInfo(
        id=table.id,
        game=table.game.id,
        options=table.opened.options,
        seats=table.opened.seats,
        public=table.opened.public,
        tempo=table.opened.tempo,
        opened=table.opened.at,
        rematch_of=table.opened.rematch_of,
        practice=table.opened.practice,
        brought=bool(table.opened.brought),
    )
    seen = situation(table, now, _seat_at(now, guest), is_host=_is_host(table, guest))
    chat = tuple([said for said in table.chat if table.speakers[said.n] not in muted])
    return m.Snapshot(n=now.n, at=now.at, table=info, situation=seen, chat=chat)


def updates(
    table: Table, guest: str | None, after: int, most: int, muted: frozenset[str] = NOBODY
) -> list[m.Update]:  # fmt: skip
    """What happened behind the first `after` things, as this guest may see it; so much of it at most."""
    host, moments = _is_host(table, guest), table.moments[after : after + most]
    return [update(table, moment, _seat_at(moment, guest), is_host=host, muted=muted) for moment in moments]


def _eyes(table: Table, guest: str | None, n: int) -> tuple[Seat | None, bool]:
    """With what eyes a guest saw message `n`: two with the same eyes are told the same."""
    return _seat_at(table.moments[n - 1], guest), _is_host(table, guest)


class Updates:
    """The latest updates as they are sent: the same bytes for all who see the same."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], bytes] = OrderedDict()

    def get(self, table: Table, guest: str | None, n: int, muted: frozenset[str] = NOBODY) -> bytes:
        # The name of a table may come back with another match; its seed never does.
        eyes = (table.id, table.seed, n, *_eyes(table, guest, n), _is_hidden(table, table.moments[n - 1], muted))
        found = self._known.get(eyes)
        if found is None:
            (update,) = updates(table, guest, n - 1, 1, muted)
            found = self._known[eyes] = _encode(update)
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return found

    def forget(self, table_id: str) -> None:
        for eyes in [eyes for eyes in self._known if eyes[0] == table_id]:
            del self._known[eyes]


def steps(
    table: Table,
    seat: Seat | None,
    after: int,
    most: int,
    muted: frozenset[str] = NOBODY,
    coaching: Coaching | None = None,
) -> list[m.Update]:
    """A finished match as one seat saw it, whoever asks; so much of it at most. Without what was taken back in the end:
    the table may be remembered from before that."""
    played = _played(table, after, most, coaching)
    return [update(table, moment, seat, is_host=False, muted=muted) for moment in played]


def hands(table: Table, after: int, most: int, coaching: Coaching | None = None) -> list[m.OpenHands]:
    """The hands of all seats in a finished match; so much of it at most."""
    return [
        m.OpenHands(n=moment.n, hands=tuple(getattr(moment.state, "hands", ())))
        for moment in _played(table, after, most, coaching)
    ]


def _played(table: Table, after: int, most: int, coaching: Coaching | None) -> list[Moment]:
    return [
        moment
        for moment in table.moments[after : after + most]
        if moment.state is not None and not (coaching and coaching.is_undone(moment.n))
    ]


def update(
    table: Table, moment: Moment, seat: Seat | None, *, is_host: bool, muted: frozenset[str] = NOBODY
) -> m.Update:
    seen = tuple([view for event in moment.events if (view := event.seen_by(seat)) is not None])
    after = situation(table, moment, seat, is_host=is_host)
    return m.Update(
        n=moment.n,
        at=moment.at,
        note=_note(table, moment, muted),
        events=seen,
        situation=after,
        changes=changes(table.game, moment.before, seat, seen[:-1]),
        told=_told(table, seen) if registry.is_from_outside(table.game.id) else None,
    )


def changes(
    game: AnyGame, state: Value | None, seat: Seat | None, seen: Sequence[Event]
) -> tuple[Any, ...] | None:  # fmt: skip
    """What these events, as this seat sees them, change in what it sees of this state."""
    if not seen or state is None or type(game).after is Game.after:
        return None
    view, found = game.view(state, seat), []
    for event in seen:
        before, view = view, game.after(view, event)
        found.append(difference(before, view))
    return tuple(found)


def _told(table: Table, seen: tuple[Event, ...]) -> tuple[str, ...]:
    """In words of the game itself, which the page does not have. Names are for the page to say: bots have one in every
    language."""
    names = [f"{{{seat}}}" for seat in range(table.opened.seats)]
    return tuple([event.tell(names) for event in seen])


def _note(table: Table, moment: Moment, muted: frozenset[str]) -> m.Note | None:
    return m.Unlisted() if _is_hidden(table, moment, muted) else moment.note


def _is_hidden(table: Table, moment: Moment, muted: frozenset[str]) -> bool:
    """Is it a message that is not for the reader, or for nobody any more?"""
    if not isinstance(moment.note, m.ChatSaid):
        return False
    speaker = table.speakers.get(moment.n)
    return speaker is None or speaker in muted


def situation(table: Table, moment: Moment, seat: Seat | None, *, is_host: bool) -> m.Situation:
    game, state = table.game, moment.state
    asked = moment.asked.get(seat) if seat is not None else None
    legal = abridged(game.legal(state, seat), LISTED_ACTIONS) if moment.phase == "playing" and seat is not None else ()
    view = None if state is None else game.view(state, seat)
    return m.Situation(
        phase=moment.phase,
        chairs=tuple([chair.shown() for chair in moment.chairs]),
        you=seat,
        is_host=is_host,
        view=view,
        legal=legal,
        decision=asked.since if asked else None,
        waiting=tuple([_shown(table, moment, s) for s in moment.waiting]),
        chat_open=moment.chat_open,
        paused=moment.is_paused,
        takeover=moment.takeover,
        outcome=None if state is None else game.outcome(state),
        fair=_fair(table, moment),
        rematch=moment.rematch,
        foreseen=_foreseen(table, view, legal) if legal else (),
        labels=tuple([action.label() for action in legal]) if registry.is_from_outside(game.id) else None,
        coached=moment.coached,
        may_take_back=seat in moment.may_take_back,
    )


def _foreseen(table: Table, view: Any, legal: tuple[Action, ...]) -> tuple[m.Foresight, ...]:
    """What a seat can foresee of its actions. That follows from the table, so it is found out once for all messages in
    which nothing else happens than that others choose."""
    stands = getattr(view, "table", view)
    known = table.foreseen.get(view.seat)
    if known is None or known.table is not stands or known.legal != legal:
        known = table.foreseen[view.seat] = ForeseenAt(stands, legal, foresights(table.game, view, legal))
    return known.foresights


def foresights(game: AnyGame, view: Any, legal: tuple[Action, ...]) -> tuple[m.Foresight, ...]:
    """Each thing once: the cards of a hand go to few places."""
    actions: dict[Foreseen, list[int]] = {}
    for index, action in enumerate(legal):
        for one in game.foresee(view, action):
            actions.setdefault(one, []).append(index)
    return tuple(
        [
            m.Foresight(actions=tuple(numbers), place=one.place, rule=one.rule, takes=one.takes, bulls=one.bulls)
            for one, numbers in actions.items()
        ]
    )


def _is_host(table: Table, guest: str | None) -> bool:
    return guest is not None and guest == table.opened.host


def _shown(table: Table, moment: Moment, seat: Seat) -> m.Waiting:
    asked = moment.asked[seat]
    end = None if moment.is_paused else deadline(table.opened.tempo, asked, moment.chairs[seat])
    return m.Waiting(seat=seat, kind=asked.kind, since=asked.since, deadline=end)


def _fair(table: Table, moment: Moment) -> m.Fair:
    over = moment.phase == "over"
    started = moment.state is not None
    return m.Fair(
        commitment=commitment_of(table),
        server_seed=table.opened.server_seed if over else None,
        contributions=table.match.dealer.contributions if started and table.match else (),
        listed=table.opened.listed,
    )


def commitment_of(table: Table) -> str:
    return _commitment(table.seed)


@lru_cache(maxsize=1024)
def _commitment(seed: bytes) -> str:
    return commitment(seed)


def _seat_at(moment: Moment, guest: str | None) -> Seat | None:
    if guest is not None:
        for seat, chair in enumerate(moment.chairs):
            if chair.guest == guest:
                return seat
    return None


# -- what changed ------------------------------------------------------------------------------------------------------


def difference(old: Any, new: Any) -> Any:
    """The change that leads from one value to the other, as they are written in JSON."""
    if type(old) is type(new):
        if isinstance(new, tuple):
            return _between_lists(old, new)
        if isinstance(new, msgspec.Struct) and _shows_all_fields(new):
            return _between_fields(old, new)
    return new if new is None or isinstance(new, (bool, int, float, str)) else [new]


def _shows_all_fields(value: msgspec.Struct) -> bool:
    config = value.__struct_config__
    return not (config.array_like or config.omit_defaults)


def _between_fields(old: msgspec.Struct, new: msgspec.Struct) -> dict[str, Any]:
    changes = {}
    for field, name in zip(new.__struct_fields__, new.__struct_encode_fields__, strict=True):
        before, after = getattr(old, field), getattr(new, field)
        # Most parts of a view are the same object before and after.
        if before is not after and before != after:
            changes[name] = difference(before, after)
    return changes


def _between_lists(old: tuple[Any, ...], new: tuple[Any, ...]) -> dict[str, Any] | list[Any]:
    """Item by item where lists or objects have changed inside; else what stands between the same beginning and end."""
    shorter, start, end = min(len(old), len(new)), 0, 0
    if old[:shorter] == new[:shorter]:  # what grows at the end may be long
        start = shorter
    while start < shorter and old[start] == new[start]:
        start += 1
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    between = range(start, len(new) - end)
    if len(old) == len(new) and all(isinstance(new[index], tuple | msgspec.Struct) for index in between):
        return {str(index): difference(old[index], new[index]) for index in between if old[index] != new[index]}
    return [start, len(old) - start - end, *new[start : len(new) - end]]


def changed(value: Any, change: Any) -> Any:
    """The value after the change; both as they are read from JSON."""
    match change:
        case dict() if isinstance(value, list):
            parts = {int(index): part for index, part in change.items()}
            return [changed(item, parts[index]) if index in parts else item for index, item in enumerate(value)]
        case dict() if isinstance(value, dict):
            return value | {name: changed(value.get(name), part) for name, part in change.items()}
        case [new]:
            return new
        case [start, count, *items]:
            return [*value[:start], *items, *value[start + count :]]
    return change


# -- a table of nobody's -----------------------------------------------------------------------------------------------

NO_DEALS = m.Fair(commitment="", server_seed=None, contributions=(), listed=None)
"""Nothing is shuffled here."""


def still_table(name: str, game: AnyGame, state: Value) -> m.TableInfo:
    table: Any = state.table  # type: ignore[attr-defined]
    return m.TableInfo(
        id=name,
        game=game.id,
        options=msgspec.to_builtins(table.options),
        seats=table.seats,
        public=False,
        tempo=NoClock(),
        opened=0,
        rematch_of=None,
    )


def still_situation(game: AnyGame, state: Value, seat: Seat, chairs: tuple[m.Chair, ...]) -> m.Situation:
    """As this seat sees it, with all that it may do."""
    view, legal = game.view(state, seat), tuple(game.legal(state, seat))
    waiting = tuple(m.Waiting(seat=d.seat, kind=d.kind, since=0, deadline=None) for d in game.pending(state))
    return m.Situation(
        phase="playing",
        chairs=chairs,
        you=seat,
        is_host=False,
        view=view,
        legal=legal,
        decision=0 if legal else None,
        waiting=waiting,
        chat_open=False,
        paused=False,
        takeover=False,
        outcome=game.outcome(state),
        fair=NO_DEALS,
        rematch=None,
        foreseen=foresights(game, view, legal),
    )

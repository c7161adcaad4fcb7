"""Records of matches as tidy tables: decisions, deals and results. `docs/export.md` says what the columns mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from nimmt.match.match import game_of, options_of, replay
from nimmt.match.record import FORMAT, RawMove, Record, SeatInfo
from nimmt.rules.game import Action, AnyGame, Deal, Outcome
from nimmt.rules.kit.events import spaced
from nimmt.rules.kit.options import variant_of

VERSION = 1
"""Of the columns: changes when one of them comes to mean something else, or goes."""

Row = dict[str, Any]


class Column(NamedTuple):
    name: str
    type: str
    """`int`, `bool` or `text`; any of them may be missing."""
    meaning: str


MATCH = Column("match", "text", "the first 16 digits of the record's digest; the same in all tables")
GAME = Column("game", "text", "id of the game")
SEAT = Column("seat", "int", "from 0")
PLAYER = Column("player", "text", "`person`, or the bot that sat there")

TABLES: dict[str, tuple[Column, ...]] = {
    "decisions": (
        MATCH,
        GAME,
        Column("decision", "int", "its number in the match, from 0"),
        Column("round", "int", "from 1; 1 in games without rounds"),
        SEAT,
        PLAYER,
        Column("kind", "text", "what was asked: `card`, `row`, …"),
        Column("phase", "text", "what was going on at the table"),
        Column("choices", "int", "how many actions were legal"),
        Column("hand", "text", "the seat's cards before it, ascending"),
        Column("type", "text", "of the action: `PlayCard`, `ChooseRow`, …"),
        Column("card", "int", "that it names, if it names one"),
        Column("row", "int", "or pile that it names, if it names one"),
        Column("action", "text", "all of it, as JSON"),
        Column("view", "text", "what the seat could know, as JSON; empty without `--views`"),
        Column("points", "int", "of the seat when the match was over"),
        Column("won", "bool", "whether it was among the winners"),
    ),
    "deals": (
        MATCH,
        GAME,
        Column("deal", "int", "its number in the match, from 0"),
        Column("deck", "text", "name of the deck"),
        Column("cards", "text", "in their order, the first on top"),
    ),
    "results": (
        MATCH,
        GAME,
        Column("variant", "text", "that says most about the options"),
        Column("options", "text", "all of them, as JSON"),
        Column("rules_version", "int", "of the game"),
        Column("seats", "int", "how many"),
        SEAT,
        Column("name", "text", "of who sat there; empty with `--anonymous`"),
        PLAYER,
        Column("points", "int", "when the match was over"),
        Column("won", "bool", "whether the seat was among the winners"),
        Column("reason", "text", "why the match ended"),
        Column("decisions", "int", "of all seats"),
    ),
}


def rows(record: Record, *, anonymous: bool = False, views: bool = False) -> Iterator[tuple[str, Row]]:
    """All lines of a record, each with the name of its table. Every step is checked; raises `RecordError`."""
    game = game_of(record)
    about = {"match": record.digest[:16], "game": game.id}
    outcome = record.result
    state: Any = game.setup(options_of(record, game), len(record.seats))
    decided = dealt = 0
    for step in replay(record):
        if isinstance(step.cause, Deal):
            for deck, cards in step.cause.decks.items():
                yield "deals", about | {"deal": dealt, "deck": deck, "cards": spaced(cards)}
            dealt += 1
        else:
            seat = step.seat or 0
            line = about | {"decision": decided, "seat": seat, "player": record.seats[seat].player}
            line |= _decision(game, state, seat, step.cause) | _result(outcome, seat)
            if views:
                line["view"] = msgspec.json.encode(game.view(state, seat)).decode()
            yield "decisions", line
            decided += 1
        state = step.state
    yield from (("results", line) for line in _results(record, game, about, anonymous))


def _decision(game: AnyGame, state: Any, seat: int, action: Action) -> Row:
    kinds = {decision.seat: decision.kind for decision in game.pending(state)}
    hand = getattr(game.view(state, seat), "hand", ())
    return {
        "round": getattr(state.table, "round", 1),
        "kind": kinds.get(seat),
        "phase": getattr(state.table, "phase", None),
        "choices": len(game.legal(state, seat)),
        "hand": spaced(hand),
        "type": type(action).__name__,
        "card": getattr(action, "card", None),
        "row": getattr(action, "row", getattr(action, "pile", None)),
        "action": msgspec.json.encode(action).decode(),
    }


def _result(outcome: Any, seat: int) -> Row:
    return {"points": outcome.points[seat], "won": seat in outcome.winners} if outcome else {}


def _results(record: Record, game: AnyGame, about: Row, anonymous: bool) -> Iterator[Row]:
    options = bytes(record.options).decode()
    shared = about | {
        "variant": variant_of(game, msgspec.json.decode(options)),
        "options": options,
        "rules_version": record.rules_version,
        "seats": len(record.seats),
        "reason": record.result.reason if record.result else None,
        "decisions": len(record.actions),
    }
    for seat, info in enumerate(record.seats):
        who = {"seat": seat, "name": "" if anonymous else info.name, "player": info.player}
        yield shared | who | _result(record.result, seat)


def lines(found: Iterable[Row], table: str) -> Iterator[list[Any]]:
    """Rows as lists in the order of the table's columns."""
    names = [column.name for column in TABLES[table]]
    for row in found:
        yield [row.get(name) for name in names]


def as_text(value: Any) -> str:
    """What stands in CSV: nothing for what is missing, `true` and `false`."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def record_of(found: Mapping[str, Sequence[Row]]) -> Record:
    """The record of a match that is over from its lines in all tables, values or texts; it has no proof of its deals.
    `rows` makes the same lines of it."""
    decisions, deals, results = (found[name] for name in TABLES)
    decks: dict[int, dict[str, tuple[int, ...]]] = {}
    for row in deals:
        decks.setdefault(int(row["deal"]), {})[row["deck"]] = tuple(map(int, row["cards"].split()))
    winners = [seat for seat, row in enumerate(results) if as_text(row["won"]) == "true"]
    points, first = [int(row["points"]) for row in results], results[0]
    return Record(
        format=FORMAT,
        game=first["game"],
        rules_version=int(first["rules_version"]),
        options=msgspec.Raw(first["options"].encode()),
        seats=tuple(SeatInfo(row["name"], row["player"]) for row in results),
        deals=tuple(Deal(decks[number]) for number in range(len(decks))),
        actions=tuple(RawMove(int(row["seat"]), msgspec.Raw(row["action"].encode())) for row in decisions),
        result=Outcome(first["reason"], tuple(winners), tuple(points)),
        digest=first["match"],
    )

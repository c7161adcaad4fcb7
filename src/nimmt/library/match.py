"""Matches between bots, and with people: played, told, kept and verified; and which games and bots there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Any, TypeAlias

import msgspec

from nimmt.bots import BOTS, Bot, get_bot
from nimmt.bots.bot import advance, seeded
from nimmt.library.position import Position
from nimmt.match import match, story
from nimmt.match.by_hand import Choice, read_choice
from nimmt.match.record import Record, SeatInfo, write_record
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Event, InvalidOptions, Names, Options, Outcome, Seat
from nimmt.rules.kit.events import count, named
from nimmt.rules.kit.options import chosen_options
from nimmt.rules.kit.seats import SEAT_NAMES, usual_seats

Chooser: TypeAlias = Callable[[Any, Sequence[Any], Random], Choice]
"""A function that decides like a bot: from a view, the legal actions and a generator."""
Player: TypeAlias = "str | Bot | Chooser | None"
"""The name of a bot, a bot, a function; None where decisions come from outside, by `Match.apply`."""


class Match:
    """A match and everything that has happened in it. The same seed, and bots that decide the same, play the same."""

    def __init__(
        self,
        game: str | AnyGame,
        bots: Player | Sequence[Player] = "random",
        *,
        seats: int | None = None,
        seed: int | str | None = None,
        number: int = 1,
        names: Names | None = None,
        variant: str | None = None,
        options: Options | Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> None:
        """`bots` is one for all seats, or a list with one for each. Options of the game are keywords, too.

        A seed has many matches: this is the one with this `number` of `nimmt simulate --seed SEED`. Raises
        `UnknownGame`, `UnknownBot` or `InvalidOptions`.
        """
        self.game = registry.get(game) if isinstance(game, str) else game
        self.seed = token_hex(4) if seed is None else seed
        players = _players(self.game, bots, seats)
        chosen = chosen_options(self.game, variant, options, changes)
        self._bots = [player if player is None else _bot(player, self.game) for player in players]
        infos = _seat_infos(players, names)
        self._match, self._rngs = seeded(self.game, chosen, infos, self.seed, number)
        self._events = list(self._match.opening)
        self._last: tuple[Event, ...] = self._match.opening

    # -- playing --------------------------------------------------------------------------------------------------

    def play(self) -> Match:
        """To the end, or until somebody must decide who is no bot."""
        while (happened := advance(self._match, self._bots, self._rngs)) is not None:
            self._happened(happened)
        return self

    def apply(self, seat: Seat, action: Choice) -> tuple[Event, ...]:
        """A seat does something: a number, or an action; raises `IllegalAction`, and nothing has changed."""
        return self._happened(self._match.act(seat, read_choice(self.game, self._match.state, seat, action)))

    def _happened(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        self._last = events
        self._events += events
        return events

    # -- looking --------------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The table as it is now, with all cards open."""
        return Position(self.game, self._match.state, self._last, self.names)

    @property
    def options(self) -> Options:
        return self._match.options

    @property
    def names(self) -> tuple[str, ...]:
        return self._match.names

    @property
    def outcome(self) -> Outcome | None:
        """The result when the match is over."""
        return self._match.outcome

    @property
    def events(self) -> tuple[Event, ...]:
        """All that has happened, secrets included."""
        return tuple(self._events)

    @property
    def record(self) -> Record:
        """Everything that proves the match; the seed of its deals is in it when the match is over."""
        return self._match.record()

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the record as a JSON document, all or nothing."""
        return save_bytes(path, write_record(self.record))

    def __str__(self) -> str:
        """The story of the match, as `nimmt show` tells it."""
        return story.tell(self.record)

    def __repr__(self) -> str:
        seats = ", ".join(f"{seat.name} ({seat.player})" for seat in self._match.seats)
        return f"<match of {self.game.id}, seed {self.seed}: {seats}; {self._standing()}>"

    def _standing(self) -> str:
        if self.outcome is None:
            return "not over"
        winners = self.outcome.winners
        return f"won by {named(self.names, winners)}" if winners else "won by nobody"

    # -- in notebooks ---------------------------------------------------------------------------------------------

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()

    def _repr_html_(self) -> str:
        return self.position._repr_html_()


def verify(record: str | PathLike[str] | bytes) -> match.Verdict:
    """What a record proves: a file, or its content. Raises `RecordError`, which says where it is wrong and why."""
    return match.verify(record if isinstance(record, bytes) else Path(record).read_bytes())


# -- players ----------------------------------------------------------------------------------------------------------


def _players(game: AnyGame, bots: Player | Sequence[Player], seats: int | None) -> list[Player]:
    if bots is None or isinstance(bots, str) or not isinstance(bots, Sequence):
        return [bots] * (usual_seats(game) if seats is None else seats)
    if seats not in {None, len(bots)}:
        raise InvalidOptions(
            f"There are {seats} seats but {count(len(bots), 'bot')}: give one for all, or one for each."
        )
    return list(bots)


class _Function:
    """A bot made of a function."""

    def __init__(self, choose: Chooser) -> None:
        self.choose = choose


def _bot(player: str | Bot | Chooser, game: AnyGame) -> Any:
    if isinstance(player, str):
        return get_bot(player, game)
    if hasattr(player, "choose"):
        return player
    if callable(player):
        return _Function(player)
    raise InvalidOptions(f"{player!r:.60} cannot play: a bot is a name, a function, or an object with a method choose.")


def _seat_infos(players: Sequence[Player], names: Names | None) -> list[SeatInfo]:
    if names is not None and len(names) != len(players):
        raise InvalidOptions(f"There are {len(players)} seats but {count(len(names), 'name')}.")
    given = SEAT_NAMES if names is None else names
    try:
        pairs = zip(given, players, strict=False)
        return msgspec.convert([{"name": name, "player": _label(player)} for name, player in pairs], list[SeatInfo])
    except msgspec.ValidationError as error:
        raise InvalidOptions(f"A name has 1 to 100 characters: {error}.") from None


def _label(player: Player) -> str:
    """What a record calls the player."""
    if player is None:
        return "person"
    if isinstance(player, str):
        return player
    return str(getattr(player, "__name__", type(player).__name__))[:100]


# -- files -----------------------------------------------------------------------------------------------------------


def save_bytes(path: str | PathLike[str], data: bytes) -> Path:
    """All or nothing, even if interrupted."""
    path = Path(path)
    draft = path.with_name(f"{path.name}.part")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        error.filename = str(path)  # nobody asked for a draft
        raise
    finally:
        draft.unlink(missing_ok=True)
    return path


# -- games and bots ----------------------------------------------------------------------------------------------------


def list_games() -> list[str]:
    """The ids of all games."""
    return list(registry.GAMES)


def list_bots() -> dict[str, str]:
    """The names of all bots, and how they think."""
    return dict(BOTS)


def game(game_id: str) -> AnyGame:
    """A game: its `name`, its `variants`, its rules as functions. Raises `UnknownGame`."""
    return registry.get(game_id)

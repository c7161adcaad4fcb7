"""Laws of what is written down: states, views and events are values, and nothing is lost on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeAlias, Union

import msgspec

from nimmt.match.match import Match
from nimmt.match.record import SeatInfo, read_record, write_record
from nimmt.match.replay import replay, verify
from nimmt.match.shuffle import SEED_BYTES, Dealer
from nimmt.rules.game import AnyGame, Event, Options, Outcome, Seat
from nimmt.rules.position import from_json, from_text, to_json, to_text
from nimmt.testing.playing import LONGEST, Step, pick, random_action

# -- basics ------------------------------------------------------------------------------------------------------------
# What all laws need: saying where one is broken, and what a game may add of its own.

Law: TypeAlias = Callable[[AnyGame, Any], None]
"""Takes a game and a state; raises an AssertionError, best made by `broken`."""


def fewest_points_win(state: Any, outcome: Outcome) -> Sequence[Seat]:
    del state
    return [seat for seat, points in enumerate(outcome.points) if points == min(outcome.points)]


def lies_hidden(place: str, viewer: Seat | None) -> bool:
    """Whether cards that came to this place by the deal are hidden from a seat (None: a spectator)."""
    hidden = "draw pile" in place or place.startswith("the hand of seat ")
    return hidden and place != f"the hand of seat {viewer}"


def card_itself(deck: str, card: int) -> int:
    del deck
    return card


class Hooks(NamedTuple):
    """What the kit cannot know of a game by itself. The defaults suit most games."""

    winners: Callable[[Any, Outcome], Sequence[Seat]] = fewest_points_win
    """Who should have won, worked out anew from the last state and the points."""
    laws: tuple[Law, ...] = ()
    """Laws of the game's own, such as the order of its rows; asked after every step."""
    open_decisions: frozenset[str] = frozenset()
    """Kinds of decisions that several seats make at once but openly. All others of that sort must stay secret."""
    hides: Callable[[str, Seat | None], bool] = lies_hidden
    """Whether a place, as `Game.cards` names it, is hidden from a seat."""
    number: Callable[[str, int], int] = card_itself
    """How `Game.cards` numbers a card of a deck, where several decks use the same numbers."""
    longest: int = 5_000
    """No match of random play has more steps."""


def broken(game: AnyGame, state: Any, sentence: str) -> AssertionError:
    return AssertionError(f"{game.id}: {sentence}\n\n{to_text(game, state)}")


@contextmanager
def located(game: AnyGame, state: Any) -> Iterator[None]:
    """Whatever goes wrong inside also says in which position."""
    try:
        yield
    except Exception as error:
        error.add_note(to_text(game, state))
        raise


def viewers(state: Any) -> list[Seat | None]:
    """Everybody who may look: a spectator and all seats."""
    return [None, *range(state.table.seats)]


def encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)


def named(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


# -- documents ---------------------------------------------------------------------------------------------------------

UNFINISHED = (2, 17, 60)
"""After so many steps a match is recorded though it is not over."""

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana", "Ida", "Jon")


def positions_survive(game: AnyGame, state: Any) -> None:
    """Protects positions on paper: as text and as JSON they are read back as they were, and are accepted."""
    text, data = to_text(game, state), to_json(game, state)
    with located(game, state):
        from_words, from_data = from_text(text), from_json(data)
    if from_words != (game, state) or to_text(*from_words) != text:
        raise broken(game, state, "the text is read as another position.")
    if from_data != (game, state) or to_json(*from_data) != data:
        raise broken(game, state, "the JSON is read as another position.")


def states_are_values(game: AnyGame, step: Step) -> None:
    """Protects search and replay: going on from a state leaves it as it was; equal states are equal by value."""
    before, frozen = step.before, encoded(step.before)
    if step.seat is not None and isinstance(step.cause, msgspec.Struct):
        game.apply(before, step.seat, step.cause)  # type: ignore[arg-type]
    if encoded(before) != frozen:
        raise broken(game, before, f"{step.cause} changes the state that it is applied to.")
    copy = msgspec.json.decode(frozen, type=game.state_type)
    if copy != before or hash(copy) != hash(before):
        raise broken(game, before, "a copy of the state is not equal to it, or has another hash.")
    for value in (before, before.table):
        try:
            value.seats = value.table = None
        except AttributeError:
            continue
        raise broken(game, before, f"{type(value).__name__} can be changed.")


def views_survive_json(game: AnyGame, state: Any) -> None:
    """Protects clients: a view that was sent is the view that arrives, and it says whose it is."""
    for viewer in viewers(state):
        view = game.view(state, viewer)
        if view.seat != viewer:
            raise broken(game, state, f"the view of {named(viewer)} says that it is the view of {view.seat}.")
        if msgspec.json.decode(encoded(view), type=game.view_type) != view:
            raise broken(game, state, f"the view of {named(viewer)} is another one after a journey as JSON.")


@cache
def _event_decoder(game: AnyGame) -> msgspec.json.Decoder[Event]:
    return msgspec.json.Decoder(Union[game.event_types])  # noqa: UP007


def events_survive_json(game: AnyGame, step: Step) -> None:
    """Protects clients: what a seat is told of an event arrives as it was sent."""
    for event in step.events:
        for viewer in viewers(step.state):
            seen = event.seen_by(viewer)
            if seen is None:
                continue
            if seen.seen_by(viewer) != seen:
                raise broken(game, step.state, f"{named(viewer)} would see {seen} in different ways.")
            if _event_decoder(game).decode(encoded(seen)) != seen:
                raise broken(game, step.state, f"{seen} is another event after a journey as JSON.")


def events_can_be_told(game: AnyGame, step: Step) -> None:
    """Protects readers: every event, and what anybody sees of it, is told in whole sentences."""
    names = NAMES[: step.state.table.seats]
    for event in step.events:
        for viewer in viewers(step.state):
            for told in (event, event.seen_by(viewer)):
                with located(game, step.state):
                    text = "nothing." if told is None else told.tell(names)
                lines = text.split("\n")
                if not all(line.strip() == line and line[:-1] and line.endswith(".") for line in lines):
                    raise broken(game, step.state, f"{told} is told as {text!r}, which is no whole sentence.")
                if "None" in text or "()" in text:
                    raise broken(game, step.state, f"{told} is told as {text!r}: is that for people?")


def records_verify(game: AnyGame, options: Options, seats: int, rng: Random) -> None:
    """Protects old matches: a match played is a record that verifies and replays through the same states, both when
    it is over and while it is still going on."""
    seed = bytes(int(rng.random() * 256) for _ in range(SEED_BYTES))
    dealer = Dealer(seed, [name.lower() for name in NAMES[:seats]])
    match = Match(game, options, [SeatInfo(name) for name in NAMES[:seats]], dealer)
    states = [match.state]
    while match.outcome is None and len(states) < LONGEST:
        seat = pick(rng, game.pending(match.state)).seat
        match.act(seat, random_action(game, match.state, seat, rng))
        states.append(match.state)
        if len(states) in UNFINISHED:
            _check_record(match, states)
    _check_record(match, states)


def _check_record(match: Match, states: list[Any]) -> None:
    record = match.record()
    data = write_record(record)
    if write_record(read_record(data)) != data:
        raise broken(match.game, match.state, "the record is read as another one.")
    with located(match.game, match.state):
        verdict = verify(data)
        replayed = [step.state for step in replay(record)]
    if verdict.outcome != match.outcome or verdict.deals_proven is not _proven(match):
        raise broken(match.game, match.state, f"the record proves something else: {verdict}.")
    rest = iter(replayed)  # where a new round begins the replay has one state more, that before the deal
    if not all(state in rest for state in states[1:]) or list(rest):
        raise broken(match.game, match.state, "the record replays through other states.")


def _proven(match: Match) -> bool | None:
    return None if not match.deals else match.outcome is not None

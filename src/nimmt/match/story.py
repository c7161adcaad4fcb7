"""A record as a story: its steps in rounds and turns, told as people would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any, Literal, NamedTuple

from nimmt.match.match import Step, game_of, options_of, replay
from nimmt.match.record import Record, RecordError
from nimmt.rules.game import AnyGame, Decision, Event, Names, Options, Seat, Value
from nimmt.rules.kit.events import clean
from nimmt.rules.kit.options import option_fields, variant_options

MARGIN = 5
"""Room for the numbers of turns."""


class Eyes(NamedTuple):
    """Who looks: somebody who sees all, a seat, or (None) a spectator."""

    all: bool
    seat: Seat | None = None


EVERYTHING = Eyes(all=True)


class Scene(NamedTuple):
    """A step, and where in the match it belongs. Turn 0 is all that comes before the first turn of a round."""

    round: int
    turn: int
    step: Step

    def events(self, eyes: Eyes = EVERYTHING) -> Iterator[Event]:
        """What there was to see for these eyes."""
        for event in self.step.events:
            seen = event if eyes.all else event.seen_by(eyes.seat)
            if seen is not None:
                yield seen


class Story(NamedTuple):
    """A match that was replayed, as far as its record goes: `error` is what stopped it."""

    record: Record
    game: AnyGame
    options: Options
    names: tuple[str, ...]
    scenes: list[Scene]
    error: RecordError | None


def read_story(record: Record) -> Story:
    game = game_of(record)
    names = tuple(clean(" ".join(seat.name.split())) or f"seat {n}" for n, seat in enumerate(record.seats))
    options, error = options_of(record, game), None
    steps: list[Step] = []
    try:
        steps.extend(replay(record))
    except RecordError as refused:
        error = refused
    start = game.setup(options, len(record.seats)) if steps else None
    return Story(record, game, options, names, list(_scenes(game, start, steps)), error)


def _scenes(game: AnyGame, start: Value | None, steps: list[Step]) -> Iterator[Scene]:
    before = [start, *(step.state for step in steps)][:-1]
    asked = [() if step.seat is None else game.pending(state) for state, step in zip(before, steps, strict=True)]
    opening = _opening_kind(asked)
    current = turn = 0
    awaited: set[Seat] = set()  # who was still to answer the question that opened the turn
    for state, step, pending in zip(before, steps, asked, strict=True):
        number = _round_of(state)
        if number != current:
            current, turn = number, 0
        seats = {decision.seat for decision in pending if decision.kind == opening}
        if seats and not (turn and seats <= awaited):
            turn += 1
        awaited = seats - {step.seat}
        yield Scene(current, turn, step)


def _round_of(state: Any) -> int:
    # A game of one round need not number it.
    return int(getattr(state.table, "round", 1))


def _opening_kind(asked: list[tuple[Decision, ...]]) -> str | None:
    """The kind of decision that begins a turn: asked of most seats at once and, among equals, asked first."""
    most = max(asked, key=len, default=())
    return most[0].kind if most else None


# -- telling ---------------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """Something that is told, as it lies on a page, and how much weight it has."""

    text: str
    weight: Literal["heading", "plain", "minor"] = "plain"


def told(
    story: Story, scenes: Iterable[Scene], eyes: Eyes = EVERYTHING, *, width: int = 80, rule: str = "─"
) -> Iterator[Line]:
    """Who plays what, then these scenes: rounds, and turns with their number in the margin. No line is too long."""
    what, who = _title(story, eyes)
    yield Line(what, "heading")
    yield from map(Line, wrap(who, width))
    for number, in_round in groupby(scenes, key=lambda scene: scene.round):
        yield Line("")
        yield Line(f"Round {number} ".ljust(width, rule), "heading")
        for turn, in_turn in groupby(in_round, key=lambda scene: scene.turn):
            yield Line("")
            yield from _turn(turn, [event for scene in in_turn for event in scene.events(eyes)], story.names, width)


def _turn(number: int, events: Sequence[Event], names: Names, width: int) -> Iterator[Line]:
    """What happened in a turn; 0 is what comes before the first."""
    label = f"{number:>{MARGIN - 2}}  " if number else ""
    for sentence, minor in sentences(events, names):
        for line in sentence.splitlines():
            for part in wrap(line, width - MARGIN, break_on_hyphens=False):
                yield Line(f"{label:<{MARGIN}}{part}", "minor" if minor else "plain")
                label = ""


def ending(story: Story) -> str:
    result = story.record.result
    return "The match is not over." if result is None else story.game.ends.get(result.reason, result.reason)


def tell(record: Record, *, width: int = 80) -> str:
    """The whole story with all cards open, as text; raises `RecordError` if the record breaks a rule."""
    story = read_story(record)
    if story.error:
        raise story.error
    return "\n".join([*(line.text for line in told(story, story.scenes, width=width)), "", ending(story)])


def sentences(events: Sequence[Event], names: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Each event as it is told, and whether it is of less weight. Little things of the same kind share a line."""
    for kind, alike in groupby(events, key=_kind):
        told = [event.tell(names) for event in alike]
        secret = kind.seen_by is not Event.seen_by
        if "\n" not in told[0] and (secret or len(kind.__struct_fields__) == 1):
            yield " ".join(told), secret
        else:
            yield from ((text, False) for text in told)


def _kind(event: Event) -> type[Event]:
    return type(event)


def _title(story: Story, eyes: Eyes) -> tuple[str, str]:
    game, options = story.game, story.options
    variant = next((v.name for v in game.variants if variant_options(game, v.id) == options), None)
    players = [
        name if seat.player == "person" else f"{name} ({clean(seat.player)})"
        for name, seat in zip(story.names, story.record.seats, strict=True)
    ]
    witness = "a spectator" if eyes.seat is None else story.names[eyes.seat]
    seen = "" if eyes.all else f", as {witness} saw it"
    what = f"{game.name} ({game.id}), {variant or _changes(options)}{seen}"
    return what, ", ".join(players)


def _changes(options: Options) -> str:
    """The options that are not as usual."""
    changed = [field for field in option_fields(type(options)) if getattr(options, field.name) != field.default]
    return ", ".join(f"{field.name} {_word(getattr(options, field.name))}" for field in changed)


def _word(value: Any) -> str:
    if isinstance(value, tuple):
        return "+".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int | str) else "of its own"

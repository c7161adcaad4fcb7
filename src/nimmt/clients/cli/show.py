"""Tell a recorded match as people would: round by round, turn by turn, with the scores and the result.

All cards are told, or with --seat only what that seat saw. A record that breaks a rule is told up to that place;
`nimmt verify` also checks the proofs of its deals.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from nimmt.clients.cli.common import FINE, CommandError, can_print, clean, console, draw, print_json, read_bytes
from nimmt.clients.cli.flags import add_json_argument, whole_number
from nimmt.match.record import Record, RecordError, read_record
from nimmt.match.replay import Step, game_of, options_of, replay
from nimmt.rules.game import Action, AnyGame, Decision, Event, Options, Seat, Value
from nimmt.rules.kit.events import RoundEnded
from nimmt.rules.kit.options import option_fields, variant_options

# -- story -------------------------------------------------------------------------------------------------------------
# A record as a story: its steps in rounds and turns.


class Scene(NamedTuple):
    """A step, and where in the match it belongs. Turn 0 is all that comes before the first turn of a round."""

    round: int
    turn: int
    step: Step

    def events(self, eyes: Eyes) -> Iterator[Event]:
        """What there was to see for these eyes."""
        for event in self.step.events:
            seen = event if eyes.all else event.seen_by(eyes.seat)
            if seen is not None:
                yield seen


class Eyes(NamedTuple):
    """Who looks: somebody who sees all, a seat, or (None) a spectator."""

    all: bool
    seat: Seat | None = None


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


# -- page --------------------------------------------------------------------------------------------------------------
# How a story lies on the page: headings, turns with their number in the margin, lines that are not too long.

if TYPE_CHECKING:
    from rich.console import Console

MARGIN = 5
WIDEST = 100
NAME_STYLES = ("cyan", "yellow", "green", "magenta", "blue", "red")


class Page:
    """Prints at once, in colours if people look and plainly if not."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.width = max(40, min(shutil.get_terminal_size().columns, WIDEST))
        # Standard output that is no terminal needs none of rich.
        self.console: Console | None = console() if sys.stdout.isatty() else None

    def title(self, what: str, who: str) -> None:
        self._print(what, "bold")
        for line in wrap(who, self.width):
            self._print(line)

    def round(self, number: int) -> None:
        line = "─" if can_print("─") else "-"
        self._print("")
        self._print(f"Round {number} ".ljust(self.width, line), "bold")

    def turn(self, number: int, events: Sequence[Event]) -> None:
        """What happened in a turn, its number in the margin; 0 is what comes before the first."""
        label = f"{number:>{MARGIN - 2}}  " if number else ""
        self._print("")
        for told, minor in sentences(events, self.names):
            for line in told.splitlines():
                for part in wrap(line, self.width - MARGIN, break_on_hyphens=False):
                    self._print(f"{label:<{MARGIN}}{part}", "dim" if minor else "")
                    label = ""

    def _print(self, line: str, style: str = "") -> None:
        if self.console is None:
            print(line)
            return
        from rich.text import Text

        text = Text(line, style)
        if style != "bold":
            for seat, name in enumerate(self.names):
                text.highlight_words([name], NAME_STYLES[seat % len(NAME_STYLES)])
            text.highlight_regex(r"\(\d+ bulls?\b[^)]*\)", "bold red")
            text.highlight_regex(r"^ *\d+  (?=\S)", "bold")
        self.console.print(text, soft_wrap=True)


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


# -- show --------------------------------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from rich.table import Table

EXAMPLES = """\
examples:
  nimmt show match.json
  nimmt show match.json --seat 0            what seat 0 saw
  nimmt show match.json --seat Anna         the same, by name
  nimmt show match.json --seat none         what a spectator saw
  nimmt show match.json --round 2 --turn 3  one turn
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the record of a match, or - for standard input")
    eyes = parser.add_mutually_exclusive_group()
    eyes.add_argument("--seat", metavar="N", help="only what this seat saw: its number from 0, its name, or none")
    eyes.add_argument("--all", action="store_true", help="with all cards open (this is the default)")
    parser.add_argument("--round", type=whole_number(1, 10**6), metavar="N", help="only this round")
    parser.add_argument("--turn", type=whole_number(1, 10**6), metavar="N", help="only this turn (of every round)")
    add_json_argument(parser)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    story = read_story(read_record(read_bytes(args.file)))
    eyes = _eyes(args.seat, story.names)
    chosen = [scene for scene in story.scenes if _is_chosen(scene, args)]
    if story.error and (args.json or not chosen):
        raise story.error
    if not chosen and (args.round or args.turn):
        raise CommandError("The match has no such round or turn.", code="no_such_turn")
    if args.json:
        print_json(_as_data(story, chosen, eyes))
    else:
        _print_story(story, chosen, eyes, whole=not (args.round or args.turn))
    if story.error:
        raise story.error
    return FINE


def _is_chosen(scene: Scene, args: argparse.Namespace) -> bool:
    return args.round in (None, scene.round) and args.turn in (None, scene.turn)


def _eyes(word: str | None, names: Sequence[str]) -> Eyes:
    if word is None:
        return Eyes(all=True)
    if word == "none":
        return Eyes(all=False)
    if word in names:
        return Eyes(all=False, seat=names.index(word))
    if word.isdecimal() and len(word) < 5 and int(word) < len(names):
        return Eyes(all=False, seat=int(word))
    known = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
    raise CommandError(f"There is no seat {word!r:.40}. The seats: {known}.", code="no_such_seat")


# -- for programs -----------------------------------------------------------------------------------------------


def _as_data(story: Story, scenes: Sequence[Scene], eyes: Eyes) -> dict[str, Any]:
    return {
        "game": story.game.id,
        "options": story.options,
        "seats": story.record.seats,
        "steps": [data for scene in scenes if (data := _scene_data(story, scene, eyes))["events"]],
        "result": story.record.result,
    }


def _scene_data(story: Story, scene: Scene, eyes: Eyes) -> dict[str, Any]:
    step = scene.step
    open_to_them = eyes.all or (step.seat is not None and step.seat == eyes.seat)
    return {
        "round": scene.round,
        "turn": scene.turn,
        "seat": step.seat,
        **({"action" if isinstance(step.cause, Action) else "deal": step.cause} if open_to_them else {}),
        "events": [{**msgspec.to_builtins(event), "told": event.tell(story.names)} for event in scene.events(eyes)],
    }


# -- for people -------------------------------------------------------------------------------------------------


def _print_story(story: Story, scenes: Sequence[Scene], eyes: Eyes, *, whole: bool) -> None:
    page = Page(story.names)
    page.title(*_title(story, eyes))
    for number, in_round in groupby(scenes, key=lambda scene: scene.round):
        page.round(number)
        for turn, in_turn in groupby(in_round, key=lambda scene: scene.turn):
            page.turn(turn, [event for scene in in_turn for event in scene.events(eyes)])
    if whole:
        _print_scores(story)


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


def _print_scores(story: Story) -> None:
    ended = [event for scene in story.scenes for event in scene.step.events if isinstance(event, RoundEnded)]
    if len(ended) > 1:
        draw(_score_table(story.names, ended))
    result = story.record.result
    if result is None:
        print("\nThe match is not over.")
    else:
        print(f"\n{story.game.ends.get(result.reason, result.reason)}")


def _score_table(names: Sequence[str], ended: Sequence[RoundEnded]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), header_style="bold", show_footer=True, footer_style="bold")
    table.add_column("round", "total", justify="right")
    for seat, name in enumerate(names):
        table.add_column(Text(name), str(ended[-1].totals[seat]), justify="right", no_wrap=True, max_width=12)
    for event in ended:
        table.add_row(str(event.round), *map(str, event.points))
    return table

"""Tell a recorded match as people would: round by round, turn by turn, with the scores and the result.

All cards are told, or with --seat only what that seat saw. A record that breaks a rule is told up to that place;
`nimmt verify` also checks the proofs of its deals.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from nimmt.clients.cli.common import SUCCESS, CommandError, can_print, console, draw, print_json, read_bytes
from nimmt.clients.cli.flags import Parser, add_json_argument, whole_number
from nimmt.match.record import read_record
from nimmt.match.story import Eyes, Line, Scene, Story, ending, read_story, told
from nimmt.rules.game import Action
from nimmt.rules.kit.events import RoundEnded

# -- page --------------------------------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MAX_WIDTH = 100
NAME_STYLES = ("cyan", "yellow", "green", "magenta", "blue", "red")
STYLES = {"heading": "bold", "plain": "", "minor": "dim"}


class Page:
    """Prints at once, in colours if people look and plainly if not."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.width = max(40, min(shutil.get_terminal_size().columns, MAX_WIDTH))
        # Standard output that is no terminal needs none of rich.
        self.console: Console | None = console() if sys.stdout.isatty() else None

    def print(self, line: Line) -> None:
        if self.console is None:
            print(line.text)
            return
        from rich.text import Text

        text = Text(line.text, STYLES[line.weight])
        if line.weight != "heading":
            for seat, name in enumerate(self.names):
                text.highlight_words([name], NAME_STYLES[seat % len(NAME_STYLES)])
            text.highlight_regex(r"\(\d+ bulls?\b[^)]*\)", "bold red")
            text.highlight_regex(r"^ *\d+  (?=\S)", "bold")
        self.console.print(text, soft_wrap=True)


# -- show --------------------------------------------------------------------------------------------------------------

EXAMPLES = """\
examples:
  nimmt show match.json
  nimmt show match.json --seat 0            what seat 0 saw
  nimmt show match.json --seat Anna         the same, by name
  nimmt show match.json --seat none         what a spectator saw
  nimmt show match.json --round 2 --turn 3  one turn
"""


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the record of a match, or - for standard input")
    add_eyes = parser.one_of()
    add_eyes("--seat", metavar="N", help="only what this seat saw: its number from 0, its name, or none")
    add_eyes("--all", action="store_true", help="with all cards open (this is the default)")
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
    return SUCCESS


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
    for line in told(story, scenes, eyes, width=page.width, rule="─" if can_print("─") else "-"):
        page.print(line)
    if whole:
        _print_scores(story)
        print(f"\n{ending(story)}")


def _print_scores(story: Story) -> None:
    ended = [event for scene in story.scenes for event in scene.step.events if isinstance(event, RoundEnded)]
    if len(ended) > 1:
        draw(_score_table(story.names, ended))


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

"""Learn a game in the terminal by playing it, step by step.

Type what the lesson asks for; whatever else you try gets an answer and changes nothing. `auto` does the right thing for
you, ? says what can be typed.
"""

from __future__ import annotations

import argparse

from nimmt.clients.cli.common import INTERRUPTED, SUCCESS, CommandError, did_you_mean, draw, print_json
from nimmt.clients.cli.flags import Parser, add_game_argument, add_language_argument
from nimmt.clients.cli.play import SPEEDS
from nimmt.clients.terminal.words import speak, system_language, tr
from nimmt.lessons import Lesson, lessons_of
from nimmt.lessons.lesson import Language

EXAMPLES = """\
examples:
  nimmt learn                       the first lesson of 6 nimmt!
  nimmt learn buffalo --list        the lessons of Beat the Buffalo
  nimmt learn buffalo --lesson swap --language de
"""


def configure(parser: Parser) -> None:
    add_game_argument(parser, default="six", options=False)
    parser.add_argument("--lesson", default="basic", metavar="ID", help="which one (default: basic)")
    parser.add_argument("--list", action="store_true", help="list the lessons of the game")
    parser.add_argument("--json", action="store_true", help="with --list: print JSON, for programs")
    add_language_argument(parser)
    parser.add_argument("--speed", choices=SPEEDS, default="normal", help="how long each event stays (default: normal)")
    parser.add_argument("--plain", action="store_true", help="plain lines of text, even on a capable terminal")
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    lessons, language = lessons_of(args.game.id), args.language or system_language()
    speak(language)
    if args.list:
        return _list(list(lessons.values()), language, as_json=args.json)
    if args.lesson not in lessons:
        known = ", ".join(lessons) or "none"
        hint = did_you_mean(args.lesson, lessons) or "."
        raise CommandError(f"{args.game.name} has no lesson {args.lesson!r:.40}{hint} The lessons: {known}.")
    # rich and all that draws: only now that there is something to draw.
    from nimmt.clients.terminal.screen import open_screen
    from nimmt.clients.terminal.teacher import Teacher

    screen = open_screen(SPEEDS[args.speed], plain=args.plain)
    try:
        done = Teacher(lessons[args.lesson], language, screen).teach()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        screen.close()
    if done:
        print(tr("That was it. {command} plays a match.", command=f"`nimmt play {args.game.id}`"))
    else:
        print(tr("You have left the lesson."))
    return SUCCESS


def _list(lessons: list[Lesson], language: Language, *, as_json: bool) -> int:
    if as_json:
        print_json([{"id": lesson.id, "title": lesson.title.in_language(language), "minutes": lesson.minutes,
                     "steps": len(lesson.steps)} for lesson in lessons])  # fmt: skip
        return SUCCESS
    for lesson in lessons:
        title, about = lesson.title.in_language(language), lesson.about.in_language(language)
        draw(f"{lesson.id:<16} {title} ({lesson.minutes} min): {about}")
    return SUCCESS

"""Solve the puzzle of the day: a position in which one action is clearly best. You decide, and are told what it costs.

'nimmt puzzles mine GAME --to FILE' finds new ones in matches of bots, or in records; 'nimmt puzzles verify' computes
puzzles again. What counts as a puzzle, and what proves it, is in docs/puzzles.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nimmt.clients.cli.common import (
    FAILURE,
    INTERRUPTED,
    SUCCESS,
    CommandError,
    console,
    cores,
    did_you_mean,
    print_json,
    progress_bar,
    read_bytes,
    tell,
)
from nimmt.clients.cli.flags import Parser, add_json_argument, add_language_argument, whole_number
from nimmt.clients.cli.play import SPEEDS
from nimmt.insight.puzzles import (
    DIFFICULTIES,
    FIRST_DAY,
    BrokenPuzzles,
    Puzzle,
    Puzzles,
    game_of_the_day,
    games_with_puzzles,
    puzzles,
    read_puzzles,
    today,
    write_puzzles,
)
from nimmt.library.match import save_bytes
from nimmt.match.record import read_record
from nimmt.rules import registry

if TYPE_CHECKING:
    from nimmt.insight.crew import Crew
    from nimmt.insight.mining import Checked, Mine, Progress

EXAMPLES = """\
examples:
  nimmt puzzles                          today's puzzle
  nimmt puzzles six --date 2026-03-01    that of 6 nimmt! on another day
  nimmt puzzles x --practice --difficulty hard
  nimmt puzzles mine six --count 500 --to six.jsonl.gz
  nimmt puzzles mine six --records club/*.json --to club.jsonl.gz
  nimmt puzzles verify --sample 20       some of those that ship, computed again
"""
SAVED_EVERY = 10
"""Puzzles after which what was found is written down: an interruption costs little."""


def configure(parser: Parser) -> None:
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WHAT",
        help=f"a game ({', '.join(registry.GAMES)}); or mine GAME; or verify [FILE]",
    )
    add = parser.group("solving")
    add("--date", type=_day, metavar="DAY", help="the puzzle of this day by UTC, as 2026-01-31 (default: today)")
    add("--practice", action="store_true", help="one puzzle after the other")
    add("--difficulty", choices=DIFFICULTIES, help="of the puzzles to practise (default: any)")
    add("--speed", choices=SPEEDS, default="normal", help="how long each event stays (default: normal)")
    add("--plain", action="store_true", help="plain lines of text, even on a capable terminal")
    add_language_argument(parser)
    add = parser.group("mining")
    add("--to", metavar="FILE", help="where the puzzles go; one that exists is extended")
    add("--count", type=whole_number(1, 100_000), default=500, metavar="N", help="puzzles in it (default: 500)")
    add("--seed", metavar="TEXT", help="the seed of the matches (default: puzzles)")
    add(
        "--worlds",
        type=whole_number(20, 20_000),
        metavar="N",
        help="worlds for a decision, then ten times as many",
    )
    add("--jobs", type=whole_number(1, 1000), metavar="N", help="processes (default: one for each core)")
    add("--records", nargs="+", metavar="FILE", help="look through these records instead of playing matches")
    add = parser.group("verifying")
    add("--sample", type=whole_number(1, 100_000), metavar="N", help="only this many, spread over the file")
    add_json_argument(parser)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    match args.words:
        case ["mine", game]:
            return _mine(_game(game), args)
        case ["mine"]:
            raise CommandError(f"Which game is to be mined? The games: {', '.join(registry.GAMES)}.")
        case ["verify", *files]:
            return _verify(files, args)
        case []:
            return _solve(None, args)
        case [game]:
            return _solve(_game(game), args)
    raise CommandError(f"Unexpected: {' '.join(args.words[1:])!r:.60}. See 'nimmt puzzles --help'.")


def _game(word: str) -> str:
    if word not in registry.GAMES:
        hint = did_you_mean(word, [*registry.GAMES, "mine", "verify"]) or "."
        raise CommandError(f"There is no game {word!r:.40}{hint} The games: {', '.join(registry.GAMES)}.",
                           code="unknown_game")  # fmt: skip
    return word


def _day(word: str) -> date:
    try:
        day = date.fromisoformat(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a day such as 2026-01-31, not {word!r:.40}") from None
    if not FIRST_DAY <= day <= today():
        raise argparse.ArgumentTypeError(f"there are puzzles from {FIRST_DAY} to today, {today()} by UTC")
    return day


# -- solving -----------------------------------------------------------------------------------------------------------


def _solve(game: str | None, args: argparse.Namespace) -> int:
    if not games_with_puzzles():
        raise CommandError("No puzzles came with this installation.", code="no_puzzles")
    from nimmt.clients.terminal.words import speak, system_language

    day = args.date or today()
    game = game or (game_of_the_day(day) if not args.practice else games_with_puzzles()[0])
    if game not in games_with_puzzles():
        raise CommandError(f"There are no puzzles of {game} here.", code="no_puzzles")
    speak(args.language or system_language())
    if args.json:
        _print_position(puzzles(game).on(day))
        return SUCCESS
    # rich and all that draws: only now that there is something to draw.
    from nimmt.clients.terminal.puzzles import Progress, Quiz
    from nimmt.clients.terminal.screen import open_screen

    screen = open_screen(SPEEDS[args.speed], plain=args.plain)
    quiz = Quiz(screen, Progress.load())
    try:
        said = quiz.practise(game, args.difficulty) if args.practice else quiz.daily(game, day)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        screen.close()
    for line in said:
        print(screen.signs(line))
    return SUCCESS


def _print_position(puzzle: Puzzle) -> None:
    """For programs: the position, and nothing that says what is best."""
    print_json({"game": puzzle.game.id, "id": puzzle.id, "difficulty": puzzles(puzzle.game.id).level(puzzle),
                "view": puzzle.view, "actions": puzzle.actions})  # fmt: skip


# -- mining ------------------------------------------------------------------------------------------------------------


def _mine(game: str, args: argparse.Namespace) -> int:
    if args.to is None:
        raise CommandError("Where shall the puzzles go? Give --to FILE.")
    from nimmt.insight.crew import Crew

    with Crew(args.jobs or cores()) as crew:
        return _mine_with(crew, game, Path(args.to), args)


def _mine_with(crew: Crew, game: str, path: Path, args: argparse.Namespace) -> int:
    mine = _mine_for(game, path, args, crew)
    before = len(mine.lines)
    try:
        with _progress(args.count) as tick:
            for _ in _lines(mine, args, tick):
                if len(mine.lines) % SAVED_EVERY == 0:
                    _save(mine, path)
    except KeyboardInterrupt:
        _save(mine, path)
        tell(f"Interrupted. {path} has {len(mine.lines)} puzzles; the same command goes on from there.")
        return INTERRUPTED
    _save(mine, path)
    header = mine.header
    if args.json:
        print_json({"file": str(path), "puzzles": len(mine.lines), "new": len(mine.lines) - before, "header": header})
    else:
        print(f"{path}: {len(mine.lines)} puzzles, {len(mine.lines) - before} of them new.")
        print(f"Looked at {header.positions} positions of {header.matches} matches, judged by {header.evaluator}.")
    return SUCCESS


def _mine_for(game: str, path: Path, args: argparse.Namespace, crew: Crew) -> Mine:
    """A new one, or one that goes on with a file; raises `CommandError` if that does not go together."""
    from nimmt.insight.mining import WORLDS, Mine

    if not path.exists():
        return Mine(registry.get(game), seed=args.seed or "puzzles", worlds=args.worlds or WORLDS, crew=crew)
    kept = _read(path)
    for name, given, had in (
        ("game", game, kept.header.game),
        ("seed", args.seed, kept.header.seed),
        ("worlds", args.worlds, kept.header.worlds),
    ):
        if given not in {None, had}:
            raise CommandError(f"{path} was mined with the {name} {had}, not {given}: choose another file.",
                               code="other_puzzles")  # fmt: skip
    try:
        return Mine.resumed(kept, crew)
    except ValueError as error:
        raise CommandError(f"{error} Choose another file.", code="other_puzzles") from None


def _lines(mine: Mine, args: argparse.Namespace, tick: Callable[[Progress], None]) -> Iterator[Any]:
    if not args.records:
        yield from mine.dig(args.count, tick)
        return
    for name in args.records:
        yield from mine.search(read_record(read_bytes(name)), args.count, tick)


def _save(mine: Mine, path: Path) -> None:
    save_bytes(path, write_puzzles(mine.header, mine.lines))


def _read(path: Path) -> Puzzles:
    try:
        return read_puzzles(read_bytes(str(path)), str(path))
    except BrokenPuzzles as error:
        raise CommandError(str(error), code="broken_puzzles") from None


@contextmanager
def _progress(count: int) -> Iterator[Callable[[Progress], None]]:
    """A bar with the figures beside it, for people who watch."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = TextColumn("{task.description}"), BarColumn(None), MofNCompleteColumn(), TimeElapsedColumn()
    with Bar(*columns, console=console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("getting the judge ready", total=count)

        def show(now: Progress) -> None:
            told = f"{now.positions} positions of {now.matches + 1} matches"
            bar.update(task, description=told, completed=now.found)

        yield show


# -- verifying ---------------------------------------------------------------------------------------------------------


def _verify(files: Sequence[str], args: argparse.Namespace) -> int:
    """Without a file, those that ship."""
    sets = [_read(Path(file)) for file in files] or [puzzles(game) for game in games_with_puzzles()]
    chosen = [puzzle for found in sets for puzzle in _spread(found, args.sample)]
    if not chosen:
        raise CommandError("There are no puzzles to verify.", code="no_puzzles")
    from nimmt.insight.mining import check

    with progress_bar("computing again", len(chosen), at_first="getting the judge ready") as advance:
        checked = []
        for puzzle in chosen:
            checked.append(check(puzzle))
            advance()
    wrong = [one for one in checked if one.complaint]
    if args.json:
        print_json({"ok": not wrong, "checked": len(checked), "wrong": [_told(one) for one in wrong]})
    else:
        for one in wrong:
            print(f"{one.puzzle.game.id} {one.puzzle.id}: {one.complaint}.")
        print(f"{len(checked)} puzzles computed again, {len(checked) - len(wrong)} of them as they should be.")
    return FAILURE if wrong else SUCCESS


def _spread(found: Puzzles, sample: int | None) -> Sequence[Puzzle]:
    if sample is None or sample >= len(found):
        return list(found)
    return [found[number * len(found) // sample] for number in range(sample)]


def _told(one: Checked) -> dict[str, str]:
    return {"game": one.puzzle.game.id, "id": one.puzzle.id, "complaint": one.complaint}

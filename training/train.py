"""Retrain everything the bots have learned: all steps, in order.

    python training/train.py                    all games, into train/made
    python training/train.py six x              these games only
    python training/train.py --list             list the steps, their state and how long they take
    python training/train.py --quick            smoke test: every step in a few minutes, learning next to nothing
    python training/train.py --ship             into the package, replacing what ships

Stop it at any time, even with kill -9: the same command resumes from the last checkpoint and ends with the same
weights, because all randomness is seeded. Finished steps are skipped. `report.md` in the work folder links the curves.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import compete_six
import fit_six
import imitate
import learn
import learn_six
import progress
import value_six
from teaching import write_whole

from nimmt.fast.game import get_fast
from nimmt.games.six.search import players


class Step(NamedTuple):
    name: str
    game: str
    makes: tuple[str, ...]
    """Files it writes."""
    needs: tuple[str, ...]
    """Files from earlier steps that it reads."""
    minutes: int
    """Rough time on one idle core."""
    begin: Callable[[list[str]], None]
    plans: Callable[[bool], object]
    """Its hyperparameters, for a quick or a full run."""


def _imitation(game: str, minutes: int) -> Step:
    def begin(words: list[str]) -> None:
        imitate.main([game, *words])

    def plans(quick: bool) -> object:
        return imitate.plan_of(game, quick)

    return Step(game, game, ("learned.npz", "outlook.npz"), (), minutes, begin, plans)


def _learning(game: str, minutes: int) -> Step:
    def begin(words: list[str]) -> None:
        learn.main([game, *words])

    def plans(quick: bool) -> object:
        return learn.plan_of(game, quick)

    return Step(game, game, ("learned.npz",), (), minutes, begin, plans)


STEPS = (
    Step("six-tables", "six", ("six.npz",), (), 45, fit_six.main, fit_six.plan_of),
    Step("six-networks", "six", ("nets.npz",), ("six.npz",), 40, learn_six.main, learn_six.plans_of),
    Step("six-rivals", "six", ("rivals.npz",), ("six.npz",), 30, compete_six.main, compete_six.plans_of),
    Step("six-value", "six", ("value.npz",), ("nets.npz", "rivals.npz"), 15, value_six.main, value_six.plan_of),
    _learning("buffalo", 15),
    _imitation("x", 30),
    _imitation("eleven", 30),
    _imitation("baron", 40),
)
GAMES = tuple(dict.fromkeys(step.game for step in STEPS))
QUICK_MINUTES = 1


class Mismatch(Exception):
    """The work folder belongs to a run with other settings or inputs."""


class Run:
    """A run: its work folder, its output folder, and the state of its steps."""

    def __init__(self, work: Path, out: Path | None, quick: bool) -> None:
        self.work, self.out, self.quick = work, out, quick

    def folder(self, step: Step) -> Path:
        return self.work / step.name

    def made(self, game: str, file: str) -> Path:
        return home_of(game) / file if self.out is None else self.out / game / file

    def given(self, game: str, file: str) -> Path:
        """An input of a step: as made earlier in this run, or else as it ships."""
        made = self.made(game, file)
        return made if made.exists() else home_of(game) / file

    def is_finished(self, step: Step) -> bool:
        """Whether all outputs are unchanged and were made from the current inputs and settings."""
        kept = _read(self.folder(step) / "done.json")
        return kept is not None and kept["files"] == self._digests(step) and kept["settings"] == self._settings(step)

    def state(self, step: Step) -> str:
        if self.is_finished(step):
            return "finished"
        return "begun" if self.folder(step).exists() else "to do"

    def begin(self, step: Step) -> None:
        """Run the step, or resume it; raises `Mismatch`."""
        folder, settings = self.folder(step), self._settings(step)
        begun = _read(folder / "settings.json")
        if begun is not None and begun != settings:
            raise Mismatch(
                f"{folder} was begun with other settings, or from files that have changed since. "
                "Delete it, or choose another --work."
            )
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "settings.json", json.dumps(settings))
        began = time.monotonic()
        self._use_what_was_made(step)
        step.begin(self._words(step))
        done = {"files": self._digests(step), "settings": settings, "minutes": (time.monotonic() - began) / 60}
        write_whole(folder / "done.json", json.dumps(done))

    def _words(self, step: Step) -> list[str]:
        words = ["--work", str(self.folder(step)), *(["--quick"] if self.quick else [])]
        if len(step.makes) == 1:
            return [*words, "--out", str(self.made(step.game, step.makes[0]))]
        # Without --out it replaces what ships, provided it wins against that.
        return words if self.out is None else [*words, "--out", str(self.out / step.game)]

    def _use_what_was_made(self, step: Step) -> None:
        """Point 6 nimmt! at the files that earlier steps of this run have made."""
        if step.game == "six":
            files = ("six.npz", "nets.npz", "rivals.npz")
            players.TABLES, players.NETS, players.RIVALS = (self.given("six", file) for file in files)
            players.fitted.cache_clear()
            players.learned.cache_clear()

    def _settings(self, step: Step) -> dict[str, str]:
        given = {file: _digest(self.given(step.game, file)) for file in step.needs}
        return {"plan": repr(step.plans(self.quick)), **given}

    def _digests(self, step: Step) -> dict[str, str]:
        return {file: _digest(self.made(step.game, file)) for file in step.makes}


def home_of(game: str) -> Path:
    """The folder of the game's shipped files."""
    return Path(players.__file__).parent if game == "six" else get_fast(game).folder


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest() if path.exists() else "none"


def _read(path: Path) -> dict[str, object] | None:
    found: dict[str, object] | None = json.loads(path.read_text("utf-8")) if path.exists() else None
    return found


# -- telling -----------------------------------------------------------------------------------------------------------


def told(minutes: float) -> str:
    return f"{minutes / 60:.1f} hours" if minutes >= 90 else f"{max(1, round(minutes))} min"


def listing(run: Run, steps: Sequence[Step]) -> str:
    """The table that `--list` prints."""
    lines = [f"{'step':14}{'makes':28}{'state':10}about"]
    left = 0
    for step in steps:
        state, minutes = run.state(step), QUICK_MINUTES if run.quick else step.minutes
        left += 0 if state == "finished" else minutes
        lines.append(f"{step.name:14}{', '.join(step.makes):28}{state:10}{told(minutes)}")
    return "\n".join(
        [*lines, f"About {told(left)} are left, on a core that has nothing else to do." if left else "Done."]
    )


def write_overview(run: Run, steps: Sequence[Step]) -> Path:
    """Write `report.md` with links to the reports of the steps."""
    lines = ["# Training", "", "| step | makes | state | report |", "|---|---|---|---|"]
    for step in steps:
        report = run.folder(step) / "report.md"
        link = f"[how it went]({step.name}/report.md)" if report.exists() else ""
        done = _read(run.folder(step) / "done.json")
        state = f"finished, {told(float(str(done['minutes'])))}" if done and run.is_finished(step) else run.state(step)
        lines.append(f"| {step.name} | {', '.join(f'`{file}`' for file in step.makes)} | {state} | {link} |")
    run.work.mkdir(parents=True, exist_ok=True)
    path = run.work / "report.md"
    write_whole(path, "\n".join(lines) + "\n")
    return path


# -- the command -------------------------------------------------------------------------------------------------------


def parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(GAMES)}; all of them if none is named")
    parser.add_argument(
        "--work", type=Path, help="folder for checkpoints; a run resumes from them [train, or train-quick]"
    )
    parser.add_argument("--out", type=Path, help="folder for the results [made, in the work folder]")
    parser.add_argument("--ship", action="store_true", help="replace the files that ship")
    parser.add_argument("--quick", action="store_true", help="smoke test: all steps, learning next to nothing")
    parser.add_argument("--list", action="store_true", help="list the steps and exit")
    args = parser.parse_args(argv)
    for game in args.games:
        if game not in GAMES:
            parser.error(f"there is no game {game!r} to train. The games are: {', '.join(GAMES)}")
    if args.ship and (args.quick or args.out):
        parser.error("--ship is for whole runs, and says itself where things go: not with --quick or --out")
    args.work = args.work or Path("train-quick" if args.quick else "train")
    for folder in (args.work, args.out):
        if folder and folder.exists() and not folder.is_dir():
            parser.error(f"{folder} is not a folder")
    return args


def main(argv: Sequence[str] | None = None) -> int:
    args = parsed(argv)
    run = Run(args.work, None if args.ship else args.out or args.work / "made", args.quick)
    steps = [step for step in STEPS if not args.games or step.game in args.games]
    if args.list:
        print(listing(run, steps))
        return 0
    try:
        for number, step in enumerate(steps, 1):
            if run.is_finished(step):
                print(f"{step.name} ({number} of {len(steps)}) is finished.", flush=True)
                continue
            print(f"{step.name} ({number} of {len(steps)}) …", flush=True)
            run.begin(step)
            write_overview(run, steps)
        overview = write_overview(run, steps)
    except Mismatch as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        progress.stop()
        print(f"Cannot go on: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        progress.stop()
        print("Stopped. The same command goes on.", file=sys.stderr)
        return 130
    print(f"{overview} leads to the curves.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The parser of a command. Which flags there are depends on the game that is named."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any, NamedTuple, NoReturn

from nimmt.clients.cli.errors import CommandError, did_you_mean
from nimmt.rules.game import AnyGame
from nimmt.rules.registry import GAMES, get

HELP_WIDTH = 78


class GameArgument(NamedTuple):
    """How a command takes a game: whether it must be named, which one is meant otherwise, and its options."""

    action: argparse.Action
    required: bool
    default: str | None
    add_flags: Callable[[Parser, AnyGame], None] | None


class Parser(argparse.ArgumentParser):
    """A parser that raises `CommandError`, and whose flags grow with the game that is named, wherever it stands."""

    game_argument: GameArgument | None = None
    game: AnyGame | None = None
    """The game whose flags it has learnt."""

    def __init__(self, prog: str, description: str = "") -> None:
        paragraphs = [fill(" ".join(part.split()), HELP_WIDTH) for part in description.split("\n\n")]
        super().__init__(
            prog,
            description="\n\n".join(paragraphs),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.called = prog
        """With the game, if one is named."""

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith(("?", ".")) else "."
        raise CommandError(f"{message[:1].upper()}{message[1:]}{end} See '{self.called} --help'.")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        words = sys.argv[1:] if args is None else list(args)
        if self.game_argument:
            words = _game_as_word(words)
            self.learn_game(words)
        if self._subparsers is None:  # they check what is theirs
            self._check_flags(words)
        known, unknown = super().parse_known_args(words, namespace)
        if unknown:
            self._refuse(unknown[0])
        return known, unknown

    def learn_game(self, words: Sequence[str]) -> None:
        """Find the game that is named, or take the default one, and add its flags."""
        taken = self.game_argument
        if taken is None:
            return
        sure, perhaps = self._bare_words(words)
        named = next((word for word in (*sure, *perhaps) if word in GAMES), None)
        meant = named or taken.default
        if meant is not None and taken.add_flags:
            game = self.game = get(meant)
            if named is not None:
                self.called = f"{self.prog} {game.id}"
                taken.action.metavar, taken.action.help = game.id, game.name
            taken.add_flags(self, game)
        elif meant is None and taken.required:
            if sure:
                raise unknown_game(sure[0])
            if not {"-h", "--help"} & set(words):
                self.error(f"which game? The games: {', '.join(GAMES)}.")

    def _bare_words(self, words: Sequence[str]) -> tuple[list[str], list[str]]:
        """Words that are neither flags nor their values, and apart from them those that a game's flag may own."""
        sure: list[str] = []
        perhaps: list[str] = []
        before: str | None = None
        for index, word in enumerate(words):
            if word == "--":
                return [*sure, *words[index + 1 :]], perhaps
            is_flag = word.startswith("-") and len(word) > 1
            if not is_flag and before is None:
                sure.append(word)
            elif not is_flag and before not in self._option_string_actions:
                perhaps.append(word)
            before = word if is_flag and self._may_own_the_next(word) else None
        return sure, perhaps

    def _may_own_the_next(self, flag: str) -> bool:
        action = self._option_string_actions.get(flag)
        return "=" not in flag and (action is None or action.nargs != 0)

    def _check_flags(self, words: Sequence[str]) -> None:
        """Before argparse takes the value of a flag that does not exist for something else."""
        for word in words:
            if word == "--":
                return
            if word.startswith("--") and word.partition("=")[0] not in self._option_string_actions:
                self._refuse(word)

    def _refuse(self, word: str) -> NoReturn:
        if not word.startswith("-"):
            self.error(f"there is nothing to be done with {word!r:.40}")
        flags = [flag for flag in self._option_string_actions if flag.startswith("--") and not flag.startswith("--no-")]
        flag = word.partition("=")[0]
        hint = did_you_mean(flag, flags) or "."
        self.error(f"'{self.called}' has no option {flag:.40}{hint} It has: {', '.join(flags)}")


def _game_as_word(words: Sequence[str]) -> list[str]:
    """`--game six` and `--game=six` say the same as `six`."""
    end = words.index("--") if "--" in words else len(words)
    flags = [word.removeprefix("--game=") for word in words[:end]]
    return [word for index, word in enumerate(flags) if word != "--game" or index == end - 1] + list(words[end:])


def unknown_game(word: str) -> CommandError:
    hint = did_you_mean(word.lower(), GAMES)
    return CommandError(
        f"There is no game {word!r:.40}{hint or '.'} The games: {', '.join(GAMES)}.", code="unknown_game"
    )


def game_named(word: str) -> AnyGame:
    if word not in GAMES:
        raise unknown_game(word)
    return get(word)

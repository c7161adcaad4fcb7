"""How a command ends: its exit codes, and the error that carries one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

FINE = 0
NO = 1
"""The answer is no: a record that does not verify, an illegal action."""
WRONG_INPUT = 2
"""Wrong usage or input."""
CHOICE_MISSING = 3
INTERRUPTED = 130
PIPE_CLOSED = 141

EXIT_CODES = """\
exit codes:
  0  fine
  1  the answer is no: a record that does not verify, an illegal action
  2  wrong usage or input
  3  a choice is missing (referee)
  130 interrupted, 141 nobody reads the output any more
"""


class CommandError(Exception):
    """Ends the command with a sentence for people, a code for programs and an exit code."""

    def __init__(self, sentence: str, exit_code: int = WRONG_INPUT, *, code: str = "usage") -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
        self.code = code


def did_you_mean(word: str, known: Iterable[str]) -> str:
    close = get_close_matches(word[:40], list(known), 1)
    return f"; did you mean {close[0]}?" if close else ""

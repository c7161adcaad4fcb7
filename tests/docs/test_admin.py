"""What docs/admin.md and the help texts show can be typed, and every action is there."""

import re
import shlex
from pathlib import Path

import pytest

from nimmt.clients.cli.admin import ACTIONS, EXAMPLES
from nimmt.clients.cli.main import parser_of

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "admin.md").read_text("utf-8")
EVERYTHING = "\n".join([PAGE, EXAMPLES, *(action.examples for action in ACTIONS)])
SHOWN = re.findall(r"^(?:\$ |  )?nimmt (admin .+)$", EVERYTHING, re.MULTILINE)


@pytest.mark.parametrize("line", SHOWN)
def test_what_is_shown_can_be_typed(line: str) -> None:
    command, *words = shlex.split(line)
    assert parser_of(command).parse_args(words).action == words[0]


def test_every_action_is_described() -> None:
    assert len(SHOWN) > len(ACTIONS)
    for action in ACTIONS:
        assert re.search(rf"^\|.*`{action.name}\b", PAGE, re.M), action.name

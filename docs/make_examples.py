"""What commands print, positions and tables in the pages that show them: a part of `python3 dev.py generate`.

After `<!-- commands -->` stands a block of lines `$ nimmt …`, each followed by its output. Times and speeds differ from
run to run and are written as `…`. A command that fails is an example gone wrong, and nothing is written, unless
`$ echo $?` follows it: then failing is what it is there to show.

After `<!-- position NAME -->` stands the position in which the picture of that name begins, after
`<!-- variants GAME -->` and `<!-- options GAME -->` a table. Between `<!-- rules GAME -->` and `<!-- end of rules -->`
stands the text of the rules, as everybody reads it, with its pictures.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

from nimmt.clients.cli.flags import default_of, flag_of
from nimmt.lessons.pictures import beginning, pictures, plates_of
from nimmt.lessons.rulebook import Section, rulebook
from nimmt.rules.game import AnyGame, Variant
from nimmt.rules.kit.options import OptionField, option_fields
from nimmt.rules.position import to_text
from nimmt.rules.registry import get

ROOT = Path(__file__).resolve().parent.parent
ASK_CODE = "echo $?"
_BLOCK = re.compile(r"^<!-- commands -->\n```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_POSITION = re.compile(r"(^<!-- position ([\w-]+) -->)\n```text\n.*?^```$", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"(^<!-- (variants|options) (\w+) -->)\n(?:\|.*\n)*", re.MULTILINE)
_RULES = re.compile(r"(^<!-- rules (\w+) -->)\n.*?(^<!-- end of rules -->$)", re.MULTILINE | re.DOTALL)
_TIMES = re.compile(r"in [\d.]+ s \([\d,]+ a second\)")


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def renewed(text: str) -> str:
    """The page with the output of all its commands, and all its positions, as they are now."""
    text = _BLOCK.sub(lambda block: f"<!-- commands -->\n```console\n{_session(block.group(1))}```", text)
    text = _POSITION.sub(lambda block: f"{block.group(1)}\n```text\n{position(block.group(2))}```", text)
    text = _RULES.sub(lambda found: f"{found.group(1)}\n{rules(get(found.group(2)))}\n{found.group(3)}", text)
    return _TABLE.sub(lambda found: f"{found.group(1)}\n{TABLES[found.group(2)](get(found.group(3)))}", text)


def position(name: str) -> str:
    """The position before the moves of a picture."""
    game, state = beginning(pictures()[name])
    return to_text(game, state)


def variants(game: AnyGame) -> str:
    lines = [
        f"| `{variant.id}` | {variant.name} | {_seats(game, variant)} | {variant.summary} |"
        for variant in game.variants
    ]
    return "\n".join(["| id | name | players | in short |", "|---|---|---|---|", *lines, ""])


def _seats(game: AnyGame, variant: Variant) -> str:
    return f"{game.min_seats}–{variant.max_seats or game.max_seats}"


def options(game: AnyGame) -> str:
    lines = [
        f"| `{field.name}` | `{flag_of(field)}` | {field.description} | {_allowed(field)} | {default_of(field)} |"
        for field in option_fields(game.options_type)
    ]
    return "\n".join(["| option | flag | meaning | allowed | default |", "|---|---|---|---|---|", *lines, ""])


def _allowed(field: OptionField) -> str:
    return f"{field.allowed}, or none" if field.optional else field.allowed


def rules(game: AnyGame) -> str:
    """The English text, its headings one level deeper, with what the program calls each rule, and the pictures."""
    book = rulebook(game.id)
    return "\n{}\n".format("\n\n".join(_section(game, section) for section in book.sections))


def _section(game: AnyGame, section: Section) -> str:
    named = f" (`{section.id}`)" if section.id in game.rules else ""
    shown = [
        f"![{plate.title.en}](../pictures/{game.id}-{plate.name}.svg)"
        for plate in plates_of(game.id).picture
        if plate.rule == section.id
    ]
    return "\n\n".join(filter(None, [f"{'#' * (section.level + 1)} {section.title}{named}", section.text, *shown]))


TABLES = {"variants": variants, "options": options}


class Failed(Exception):
    """A command of a page ends with an error, and the page does not say that it is meant to."""


def _session(block: str) -> str:
    """Commands of one block share a folder for what they write, so that the second can read it."""
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    shown: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for command, then in zip(commands, [*commands[1:], ""], strict=True):
            if command == ASK_CODE:
                continue
            output, code = run(command, folder)
            if code and then != ASK_CODE:
                raise Failed(
                    f"{command!r} ends with exit code {code}; if that is meant, let '$ {ASK_CODE}' follow:\n{output}"
                )
            asked = f"$ {ASK_CODE}\n{code}\n" if then == ASK_CODE else ""
            shown.append(f"$ {command}\n{output}{asked}")
    return "\n".join(shown)


def run(command: str, folder: str = "") -> tuple[str, int]:
    """What a `nimmt` command prints, both streams, and its exit code. It runs here: starting Python for each would
    take long."""
    from nimmt.clients.cli import main

    words = shlex.split(command)
    if words[:1] != ["nimmt"]:
        raise ValueError(f"{command!r} is no command of nimmt")
    arguments = [word.replace("records", f"{folder}/records") if folder else word for word in words[1:]]
    stream = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream), _plain_terminal():
        code = main(arguments)
    stream.seek(0)
    output = stream.read()
    output = output.replace(f"{folder}/", "") if folder else output
    lines = [line.rstrip() for line in _TIMES.sub("in … s (… a second)", output).strip("\n").splitlines()]
    return "".join(f"{line}\n" for line in lines), code


@contextlib.contextmanager
def _plain_terminal() -> Iterator[None]:
    """Eighty columns, no colours, and paths as seen from the top of the project."""
    before, place = dict(os.environ), Path.cwd()
    os.environ.update(COLUMNS="80", NO_COLOR="1", TERM="dumb")
    os.chdir(ROOT)
    try:
        yield
    finally:
        os.chdir(place)
        os.environ.clear()
        os.environ.update(before)


def outdated() -> dict[Path, str]:
    """Pages that are not as they should be, as they should be."""
    texts = {page: page.read_text("utf-8") for page in pages()}
    return {page: new for page, text in texts.items() if (new := renewed(text)) != text}

"""What the pages say is true: links lead somewhere, commands exist, nothing that exists is missing."""

import json
import re
import shlex
from pathlib import Path

import pytest

from nimmt.match.match import verify
from nimmt.match.record import Record
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Game, Refusal
from nimmt.rules.kit.options import option_fields
from nimmt.rules.position import from_text, to_text

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TOP = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "training/README.md")]
PAGES = [*TOP, *sorted(DOCS.rglob("*.md"))]
GAMES = registry.all_games()

_FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def read(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def without_code(page: Path) -> str:
    return _FENCE.sub("", page.read_text("utf-8"))


def anchors(page: Path) -> set[str]:
    """As the pages' usual viewers make them: lower case, dashes for blanks, other signs dropped."""
    headings = re.findall(r"^#+ (.+)$", without_code(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(page: Path) -> list[str]:
    dead = []
    for link in _LINK.findall(without_code(page)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(link)
    return dead


def section(text: str, heading: str) -> str:
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    assert dead_links(page) == []


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One\n[a](#one) [b](#two) [c](none.md) [d](page.md#one) [e](https://example.org)\n", "utf-8")
    assert dead_links(page) == ["#two", "none.md"]


@pytest.mark.usefixtures("docs")
def test_an_example_that_fails_must_be_meant_to() -> None:
    import make_examples

    page = "<!-- commands -->\n```console\n$ nimmt games chess\n{}```\n"
    with pytest.raises(make_examples.Failed, match="no game 'chess'"):
        make_examples.renewed(page.format(""))
    assert make_examples.renewed(page.format("$ echo $?\n")).endswith("baron.\n$ echo $?\n2\n```\n")


@pytest.mark.parametrize("path", sorted((DOCS / "examples").iterdir()), ids=lambda path: path.name)
def test_an_example_file_is_as_it_would_be_written_today(path: Path) -> None:
    text = path.read_text("utf-8")
    if path.suffix == ".txt":
        assert to_text(*from_text(text)) == text
    else:
        assert verify(text.encode()).deals_proven


def test_the_index_leads_to_every_page() -> None:
    linked = {(DOCS / link.partition("#")[0]).resolve() for link in _LINK.findall(read("README.md"))}
    assert {page for page in DOCS.glob("*.md") if page.name != "README.md"} <= linked
    assert {DOCS / "games" / f"{game_id}.md" for game_id in registry.GAMES} <= linked


# -- games ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
class TestGamePages:
    def test_every_variant_is_named(self, game: AnyGame) -> None:
        text = read(f"games/{game.id}.md")
        # The table of variants is generated: the text around it must say what they are.
        prose = " ".join(line for line in text.splitlines() if not line.startswith("|"))
        assert [variant.name for variant in game.variants if variant.name not in prose] == []
        assert [variant.id for variant in game.variants if f"`{variant.id}`" not in text] == []

    def test_every_rule_has_a_heading(self, game: AnyGame) -> None:
        told = re.findall(r"^(?:#+ .*|- \*\*.*)\(`([\w-]+)`\)", read(f"games/{game.id}.md"), re.MULTILINE)
        assert [rule for rule in game.rules if rule not in told] == []

    def test_every_option_is_in_the_table(self, game: AnyGame) -> None:
        table = section(read(f"games/{game.id}.md"), "Options")
        assert [field.name for field in option_fields(game.options_type) if f"| `{field.name}` |" not in table] == []

    def test_there_are_pictures_questions_and_commands(self, game: AnyGame) -> None:
        text = read(f"games/{game.id}.md")
        assert text.count("](../pictures/") >= 4
        assert section(text, "Questions").count("\n**") >= 4
        assert f"nimmt play {game.id}" in section(text, "Play it here")

    def test_there_is_a_short_rules_page_in_the_package(self, game: AnyGame) -> None:
        page = ROOT / "src" / "nimmt" / "games" / game.id / "RULES.md"
        assert page.read_text("utf-8").startswith(f"# {game.name}\n")

    def test_it_has_rulings(self, game: AnyGame) -> None:
        assert section(read("rulings.md"), game.name).strip()


# -- the other pages ------------------------------------------------------------------------------------------------


def test_architecture_knows_every_package() -> None:
    folders = [path.name for path in (ROOT / "src" / "nimmt").iterdir() if (path / "__init__.py").exists()]
    assert [name for name in folders if f"| `{name}` |" not in read("architecture.md")] == []


def test_architecture_lists_every_refusal_and_no_other() -> None:
    table = section(read("architecture.md"), "Refusals")
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [str(refusal) for refusal in Refusal]


def test_architecture_lists_the_whole_protocol() -> None:
    table = section(read("architecture.md"), "A game")
    assert [name for name in Game.__abstractmethods__ if f"`{name}(" not in table] == []


def test_record_format_lists_every_field() -> None:
    table = section(read("record-format.md"), "The fields")
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(Record.__struct_fields__)


def test_the_example_record_is_right_and_shown_as_it_is() -> None:
    data = (DOCS / "examples" / "six.json").read_bytes()
    assert verify(data).deals_proven
    lines = re.findall(r"```json\n(.*?)```", read("record-format.md"), re.DOTALL)[0].splitlines()
    whole = [line for line in lines if "…" not in line]
    assert len(whole) > 15
    assert [line for line in whole if line not in data.decode().splitlines()] == []
    starts = [line.split("…")[0].rstrip(" ,") for line in lines if "…" in line]
    assert [start for start in starts if start not in data.decode()] == []


def test_the_decisions_are_all_listed() -> None:
    files = sorted(path.name for path in (DOCS / "adr").glob("0*.md"))
    assert re.findall(r"\((0\d+-[\w-]+\.md)\)", read("adr/README.md")) == files
    for number, name in enumerate(files, 1):
        assert name.startswith(f"{number:04}-")
        assert read(f"adr/{name}").startswith(f"# {number}. ")


def test_the_glossary_has_four_languages_in_every_line() -> None:
    tables = [part for part in read("glossary.md").split("\n\n") if part.startswith("| English | German |")]
    assert len(tables) >= 6
    for line in "\n".join(tables).splitlines():
        assert all(cell.strip() for cell in line.split("|")[1:5]), line


def test_the_glossary_names_every_game() -> None:
    assert [game.name for game in GAMES if f"| {game.name} |" not in read("glossary.md")] == []


def test_the_schema_page_and_the_schema_agree() -> None:
    schema = json.loads(read("record.schema.json"))
    assert list(schema["$defs"]["Record"]["properties"]) == list(Record.__struct_fields__)


# -- commands that pages only mention -------------------------------------------------------------------------------

MENTIONED = sorted(
    {
        re.split(r"[#>]", line)[0].strip()
        for page in PAGES
        for block in re.findall(r"^```sh\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
        if line.startswith("nimmt ")
    }
)


def test_commands_are_mentioned() -> None:
    assert len(MENTIONED) > 20


@pytest.mark.parametrize("line", MENTIONED)
def test_a_command_that_is_mentioned_is_understood(line: str) -> None:
    """Its flags exist and its options are allowed; it is not run."""
    from nimmt.clients.cli.flags import options_from
    from nimmt.clients.cli.main import parser_of

    _, command, *words = shlex.split(line)
    args = parser_of(command, words).parse_args(words)
    if hasattr(args, "variant") and "my-box.json" not in words:
        options_from(args, args.game)

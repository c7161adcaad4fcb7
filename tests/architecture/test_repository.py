"""What the hosting site of the repository reads: its own runs of CI, and forms for issues and pull requests."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[2]
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def test_ci_runs_what_everybody_runs_on_the_oldest_and_the_newest_python() -> None:
    job = read(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["test"]
    named = [found[1] for text in PROJECT["classifiers"] if (found := re.search(r":: (3\.\d+)$", text))]
    assert job["strategy"]["matrix"]["python"] == [named[0], named[-1]]
    assert job["steps"][-1] == {"run": "bash .ci/run"}
    assert (ROOT / ".ci" / "run").is_file()


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_can_be_read(path: Path) -> None:
    form = read(path)
    assert form["name"]
    assert form["description"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert all(field["attributes"]["label"] for field in fields)
    assert len({field["id"] for field in fields}) == len(fields)


def test_there_are_forms_for_bugs_rules_and_features() -> None:
    assert [path.stem for path in FORMS] == ["bug", "feature", "rules"]


def test_the_form_for_rules_names_every_game() -> None:
    from nimmt.rules import registry

    (game,) = [field for field in read(ROOT / ".github/ISSUE_TEMPLATE/rules.yml")["body"] if field.get("id") == "game"]
    assert game["attributes"]["options"] == [each.name for each in registry.all_games()]


def test_the_policy_supports_the_version_that_this_is() -> None:
    minor = ".".join(PROJECT["version"].split(".")[:2])
    assert f"| {minor} | yes |" in (ROOT / "SECURITY.md").read_text("utf-8")


def test_commands_that_people_are_told_to_run_exist() -> None:
    pages = [
        ROOT / "CONTRIBUTING.md",
        ROOT / "README.md",
        *(ROOT / ".github").glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
    ]
    named = {found for page in pages for found in re.findall(r"dev\.py ([a-z]+)", page.read_text("utf-8"))}
    known = re.findall(r'^    "(\w+)": \w+,$', (ROOT / "dev.py").read_text("utf-8"), re.MULTILINE)
    assert "test" in named
    assert named <= set(known)

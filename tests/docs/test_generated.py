"""Files that are made from the code are as they would be made now, and one command makes them."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load(path: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


GENERATE = load(ROOT / "docs" / "generate.py", "docs_generate")


@pytest.mark.usefixtures("docs")
@pytest.mark.parametrize("part", GENERATE.PARTS)
def test_generated_files_are_current(part: str) -> None:
    changes = GENERATE.PARTS[part].changes()
    told = [GENERATE.difference(path, text) for path, text in changes.items()]
    advice = f"If the change is meant: python3 dev.py generate {part}, and read the diff as part of the review."
    if told:
        pytest.fail("\n".join([*told, "", advice]), pytrace=False)


# -- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one part, of which one file is right, one differs, one is missing and one is too many."""
    made = {tmp_path / "out" / name: f"{name}\n" for name in ("right", "differs", "missing")}
    part = GENERATE.Part("three files", lambda: made, "out/*")
    monkeypatch.setattr(GENERATE, "ROOT", tmp_path)
    monkeypatch.setattr(GENERATE, "PARTS", {"three": part})
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "right").write_text("right\n", "utf-8")
    (tmp_path / "out" / "differs").write_text("edited by hand\n", "utf-8")
    (tmp_path / "out" / "stray").write_text("", "utf-8")
    return tmp_path / "out"


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def test_checking_tells_each_file_that_differs_and_writes_nothing(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(place)
    assert GENERATE.main(["--check"]) == 1
    told = capsys.readouterr().out
    assert "out/differs differs:\n" in told
    assert "-edited by hand\n+differs\n" in told
    assert "out/missing is missing.\n" in told
    assert "out/stray is made by nothing.\n" in told
    assert "out/right" not in told
    assert "If the changes are meant: python3 dev.py generate three\n" in told
    assert contents(place) == before


def test_writing_makes_everything_right(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert GENERATE.main(["three"]) == 0
    assert contents(place) == {name: f"{name}\n" for name in ("right", "differs", "missing")}
    assert "three: 3 changed\n" in capsys.readouterr().out
    assert GENERATE.main(["--check"]) == 0
    assert "Everything that was checked is current.\n" in capsys.readouterr().out


def test_a_long_difference_is_cut(place: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(200))
    told = GENERATE.difference(place / "right", text).splitlines()
    assert len(told) == GENERATE.SHOWN + 2
    assert told[-1] == "… and 144 lines more"


def test_what_is_taken_from_the_page_is_left_out_and_that_is_said(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taken: list[str] = []
    shot = ("pictures", lambda: taken.append("shot") or 0)
    monkeypatch.setattr(GENERATE, "FROM_THE_PAGE", {"shots": shot})
    assert GENERATE.main([]) == 0
    assert taken == []
    assert capsys.readouterr().out.endswith("Left out, as they are taken from the running page: shots.\n")
    with pytest.raises(SystemExit):
        GENERATE.main(["shots", "--check"])
    assert "cannot be checked" in capsys.readouterr().err
    assert GENERATE.main(["shots"]) == 0
    assert taken == ["shot"]


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        GENERATE.main(["cards"])
    assert "choose from" in capsys.readouterr().err


def test_dev_knows_which_parts_need_a_browser() -> None:
    assert set(GENERATE.FROM_THE_PAGE) == load(ROOT / "dev.py", "dev_of_tests").FROM_THE_PAGE

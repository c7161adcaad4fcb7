"""Settings: which one counts, and what is said about one that is wrong."""

import os
import re
from pathlib import Path

import pytest

from nimmt.server.settings import OTHER_VARIABLES, InvalidSettings, Settings, descriptions, load

ROOT = Path(__file__).parents[2]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("club.toml")


def refused(**given: object) -> str:
    with pytest.raises(InvalidSettings) as caught:
        load(**{"flags": {}, "environment": {}, **given})  # type: ignore[arg-type]
    return str(caught.value)


def test_flags_win_over_the_environment_and_that_over_the_file(file: Path) -> None:
    file.write_text('port = 1\nworkers = 2\nhost = "a"\norigins = ["http://x", "http://y"]\n', "utf-8")
    environment = {"NIMMT_PORT": "3", "NIMMT_WORKERS": "4", "NIMMT_LOG_JSON": "yes", "PORT": "5"}
    settings = load({"port": "6", "workers": None}, environment, file)
    assert settings == Settings(port=6, workers=4, host="a", log_json=True, origins=("http://x", "http://y"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# us\nhost = 'a'\nprot = 80\n", "club.toml, line 3: There is no setting 'prot'; did you mean 'port'?"),
        ("log-level = 'info'", "club.toml, line 1: There is no setting 'log-level'; did you mean 'log_level'?"),
        ("\n  'Port' = 8", "club.toml, line 2: There is no setting 'Port'; did you mean 'port'?"),
        ("colour = 1", "club.toml, line 1: There is no setting 'colour'. 'nimmt serve --help' lists them."),
        (
            "[server]\nport = 1",
            "club.toml, line 1: Settings belong at the top level, not in a section such as [server].",
        ),
        ("\nport.x = 1", "club.toml, line 2: Settings belong at the top level, not in a section such as [port]."),
        ("\nport = 99999", "club.toml, line 2: port must be a whole number from 0 to 65535, not 99999."),
        ("port = 'http'", "club.toml, line 1: port must be a whole number from 0 to 65535, not 'http'."),
        ("keep_days = 0", "club.toml, line 1: keep_days must be a whole number, 1 or more, not 0."),
        ("log_json = 'maybe'", "club.toml, line 1: log_json must be true or false, not 'maybe'."),
        ("log_level = 'loud'", "club.toml, line 1: log_level must be debug, info, warning or error, not 'loud'."),
        ("host = 8", "club.toml, line 1: host must be text, not 8."),
        (
            "origins = 8",
            "club.toml, line 1: origins must be a list of origins such as https://example.org, without a path, not 8.",
        ),
        ("host = 'a'\nport 8", "club.toml, line 2: This is not TOML: Expected '=' after a key in a key/value pair."),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(file: Path, text: str, said: str) -> None:
    file.write_text(text, "utf-8")
    assert refused(file=file) == said


def test_a_file_that_cannot_be_read(file: Path) -> None:
    assert refused(file=file) == "club.toml: No such file or directory."
    file.write_bytes(b"\xff")
    assert refused(file=file) == "club.toml is not valid UTF-8."


def test_a_slip_in_the_environment_does_not_pass_in_silence() -> None:
    assert refused(environment={"NIMMT_PROT": "1"}) == "NIMMT_PROT: There is no such setting; did you mean NIMMT_PORT?"
    said = "NIMMT_PORT: port must be a whole number from 0 to 65535, not 'tcp://192.0.2.1:80'."
    assert refused(environment={"NIMMT_PORT": "tcp://192.0.2.1:80"}) == said


def test_what_may_be_meant_for_somebody_else_is_a_warning() -> None:
    """A cluster with a service called nimmt sets such variables."""
    told: list[str] = []
    service = {"NIMMT_SERVICE_HOST": "192.0.2.1", "NIMMT_PORT_8666_TCP_PROTO": "tcp"}
    assert load({}, service, warn=told.append) == Settings()
    assert [sentence.partition(" is set, but")[0] for sentence in told] == list(service)


def test_a_flag_that_is_wrong_is_named() -> None:
    assert refused(flags={"bot_processes": "no"}).startswith("--bot-processes: bot_processes must be a whole number")


def test_our_own_variables_are_no_slips() -> None:
    """All that are named anywhere, but for settings."""
    told: list[str] = []
    names = {f"NIMMT_{name.upper()}" for name in descriptions()}
    pages = [path for top in ("src", "tests", "web/src") for path in (ROOT / top).rglob("*.py")]
    used = {
        name
        for path in [*pages, ROOT / "hatch_build.py", ROOT / "dev.py", ROOT / "web" / "vite.config.ts"]
        for name in re.findall(r"""(?:environ|env)\b[^\n]*["'](NIMMT_[A-Z_]+)["']""", path.read_text("utf-8"))
        if path != Path(__file__)
    }
    assert len(used) >= 5
    assert used - names <= OTHER_VARIABLES
    load({}, dict.fromkeys(OTHER_VARIABLES, "1"), warn=told.append)
    assert told == []


def test_the_example_of_the_page_is_right(file: Path) -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    (example,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    file.write_text(example, "utf-8")
    assert load({}, {}, file).public_url == "https://nimmt.example.org"


def test_the_environment_of_the_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in [variable for variable in os.environ if variable.startswith("NIMMT_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("NIMMT_PORT", "99")
    assert load({}).port == 99

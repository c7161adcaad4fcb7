"""No file names a package registry or a folder of the machine it was made on."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Written in pieces, or this file would be the first to be found.
HOSTS = [
    "pypi" + r"\.org",
    "python" + r"hosted\.org",
    "npm" + r"js\.(org|com)",
    "yarn" + r"pkg\.com",
    "ana" + r"conda\.org",
    "arti" + "factory",
]
FOLDERS = ["root", "home/" + r"\w+", "Users/" + r"\w+", "work", "tmp"]

# The character before tells a path of a machine from a part of an address or of a relative path.
TRACE = re.compile("|".join(HOSTS) + r"|(?<![\w.~/-])/(" + "|".join(FOLDERS) + r")/|[A-Z]:\\+Users\\", re.IGNORECASE)
INDEX_OPTION = re.compile(r"^\s*(--\S+|-i|-f)\s|://", re.MULTILINE)


def traces(text: str) -> list[str]:
    return [match.group() for match in TRACE.finditer(text)]


def project_files() -> list[Path]:
    """What is tracked, and what would be with the next `git add`."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    return [path for name in names if name and (path := ROOT / name).is_file()]


def test_no_file_names_a_registry_or_a_folder_of_a_machine() -> None:
    texts = {path: path.read_bytes() for path in project_files()}
    found = {
        path.relative_to(ROOT).as_posix(): names
        for path, content in texts.items()
        if b"\0" not in content and (names := traces(content.decode("utf-8", "replace")))
    }
    assert found == {}


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_lock_files_hold_versions_and_hashes_only(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert "--hash=sha256:" in text
    assert INDEX_OPTION.search(text.replace("    --hash=", "")) is None


@pytest.mark.parametrize(
    "text",
    [
        "https://" + "pypi" + ".org/simple",
        "files.python" + "hosted.org",
        '"resolved": "https://registry.npm' + 'js.org/x"',
        "see /" + "root/project",
        "'/" + "home/ann/nimmt'",
        "/" + "Users/ann/nimmt",
        "path=/" + "work/x",
        "C:\\" + "Users\\ann",
    ],
)
def test_a_trace_is_found(text: str) -> None:
    assert traces(text)


@pytest.mark.parametrize("text", ["docs/home/page", "https://example.org/home/page/", "homework/x", "~/tmp/x"])
def test_other_paths_are_fine(text: str) -> None:
    assert traces(text) == []


@pytest.mark.parametrize("text", ["--index-url x", "-i x", "a==1\n--find-links y", "a @ https://example.org/a"])
def test_an_index_in_a_lock_file_is_found(text: str) -> None:
    assert INDEX_OPTION.search(text)

"""The built wheel on a machine that has nothing but Python and a folder of files: no source tree, no network."""

import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from nimmt.testing.deployment import free_port

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "tests" / "archive" / "six-basic-v1.json"
PATIENCE = 300


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once, as `pip wheel` does it, with what is installed here."""
    if not (ROOT / "src" / "nimmt" / "server" / "static" / "index.html").is_file():
        pytest.skip("the page has not been built: python3 dev.py build")
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


def test_everything_is_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    source = ROOT / "src"
    files = [path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    wanted = {path.relative_to(source).as_posix() for path in files if not path.name.startswith(".")}
    assert wanted - inside == set()
    assert {name for name in inside if name.startswith("nimmt/")} - wanted <= {"nimmt/server/static/.stamp"}


def asked(lines: Iterable[str], extras: Iterable[str] = ()) -> list[Requirement]:
    """Of what metadata name as needed what is needed here, with these extras."""
    found = map(Requirement, lines)
    return [one for one in found if one.marker is None or any(one.marker.evaluate({"extra": e}) for e in ("", *extras))]


def needed_by(wheel: Path) -> Iterator[Distribution]:
    """All that a wheel says it needs, and what that needs in turn, as it is installed here."""
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        wanted = asked(message_from_bytes(archive.read(metadata)).get_all("Requires-Dist", []))
    seen: set[str] = set()
    while wanted:
        one = wanted.pop()
        if str(one) not in seen:
            seen.add(str(one))
            yield distribution(one.name)
            wanted += asked(distribution(one.name).requires or (), one.extras)


@pytest.fixture(scope="module", params=["pip", pytest.param("pipx", marks=pytest.mark.soak)])
def installed(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("machine")
    return (by_pip if request.param == "pip" else by_pipx)(wheel, folder)


def by_pip(wheel: Path, folder: Path) -> Path:
    """`nimmt`, installed beside what its wheel says it needs, and nothing else."""
    venv = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    (packages,) = venv.glob("lib/python*/site-packages")
    for needed in needed_by(wheel):
        for name in {file.parts[0] for file in needed.files or () if file.parts[0] != ".."}:
            if not (packages / name).exists():
                (packages / name).symlink_to(needed.locate_file(name))
    pip = [sys.executable, "-m", "pip", "--python", str(venv / "bin" / "python"), "install", "-q", "--no-compile"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], cwd=folder, check=True)
    return venv / "bin" / "nimmt"


def by_pipx(wheel: Path, folder: Path) -> Path:
    """`nimmt`, installed by pipx from a folder of wheels alone; it was filled on a machine that had a network."""
    files, venv, programs = folder / "wheels", folder / "venv", folder / "bin"
    lock = [line for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines() if "==" in line]
    pins = folder / "pins.txt"
    pins.write_text("\n".join(line.rstrip(" \\") for line in lock), "utf-8")
    download = [sys.executable, "-m", "pip", "download", "-q", "--only-binary=:all:", "-c", str(pins), "-d", str(files)]
    done = subprocess.run(
        [*download, str(wheel), "pipx", "pip"], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"the packages cannot be had: {done.stderr[-300:]}")
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    # What is set for this machine, where packages come from say, is not set there.
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PIPX_", "NIMMT_"))}
    bare |= {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(files), "PIP_NO_COMPILE": "1"}
    bare |= {"PIPX_HOME": str(folder / "pipx"), "PIPX_BIN_DIR": str(programs)}
    for words in (["pip", "install", "-q", "pipx"], ["pipx", "install", "nimmt"]):
        done = subprocess.run(
            [venv / "bin" / words[0], *words[1:]], cwd=folder, env=bare, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    return programs / "nimmt"


def run(nimmt: Path, folder: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [nimmt, *words], cwd=folder, input=given, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


@pytest.mark.slow
def test_it_works_far_from_its_sources(installed: Path, tmp_path: Path) -> None:
    verified = run(installed, tmp_path, "verify", str(RECORD))
    assert (verified.returncode, verified.stderr) == (0, "")
    rules = run(installed, tmp_path, "rules", "six")
    assert "bull" in rules.stdout
    played = run(installed, tmp_path, "play", "six", "--players", "2", given="\n" * 3)
    assert "Traceback" not in played.stderr
    assert re.search(r"row", played.stdout, re.IGNORECASE)


@pytest.mark.slow
def test_it_serves_the_page(installed: Path, tmp_path: Path) -> None:
    port = free_port()
    words = [installed, "serve", "--port", str(port), "--no-warm-up"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            assert f":{port}" in server.stdout.readline()
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as answer:
                page = answer.read().decode()
            script = re.search(r'src="(/assets/[^"]+)"', page)
            assert script
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{script[1]}", timeout=PATIENCE) as answer:
                assert answer.status == 200
        finally:
            server.terminate()
    assert server.returncode == 0
    assert (tmp_path / "nimmt.db").is_file()

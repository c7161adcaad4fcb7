"""The steps of a container file, one by one in an empty folder: for machines without a container engine.

    python -m nimmt.testing.container deploy/container/Containerfile [postgresql://…]

Folders of the image become folders below a temporary one; RUN, COPY and ENV are done, then the server is started as CMD
says, and must become healthy as HEALTHCHECK says. What only a container engine can do (other users, volumes) is left
out and named.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nimmt.testing.proxies import free_port

FOLDERS = ("/src", "/opt/nimmt", "/data")
"""What a container file may use of the image; all of it lies elsewhere here."""
LEFT_OUT = ("USER", "VOLUME", "EXPOSE")
PATIENCE = 120.0


class Step(NamedTuple):
    """An instruction of a container file."""

    kind: str
    words: str


def read_steps(text: str) -> Iterator[Step]:
    lines = (line for line in text.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#"))
    for line in lines:
        kind, _, words = line.strip().partition(" ")
        yield Step(kind.upper(), words.strip())


class Image:
    """What the steps make, below a folder of this machine."""

    def __init__(self, root: Path, context: Path) -> None:
        self.root, self.context, self.work = root, context, root
        self.environment: dict[str, str] = {}
        self.command: list[str] = []
        self.health: list[str] = []

    def here(self, words: str) -> str:
        """The same words with folders of this machine."""
        for folder in FOLDERS:
            words = re.sub(rf"(?<![\w./-]){folder}(?![\w-])", str(self.root) + folder, words)
        return words

    def do(self, step: Step) -> str:
        """Do a step; what was done, or that it was left out."""
        match step.kind:
            case "FROM":
                self.work = self.root
            case "WORKDIR":
                self.work = Path(self.here(step.words))
                self.work.mkdir(parents=True, exist_ok=True)
            case "RUN" if step.words.startswith("useradd"):
                return "left out: needs a system of its own"
            case "RUN":
                subprocess.run(self.here(step.words), shell=True, cwd=self.work, check=True, stdout=subprocess.DEVNULL)
            case "COPY":
                self._copy(shlex.split(step.words))
            case "ENV":
                name, _, value = self.here(step.words).partition("=")
                self.environment[name] = value
            case "CMD":
                self.command = json.loads(self.here(step.words))
            case "HEALTHCHECK":
                self.health = json.loads(self.here(step.words.partition("CMD ")[2]))
            case kind if kind in LEFT_OUT:
                return "left out: a container engine does it"
            case kind:
                raise ValueError(f"There is no way to do {kind} here.")
        return "done"

    def _copy(self, words: list[str]) -> None:
        if words[0].startswith("--from="):
            assert words[1] == words[2], "from a stage to the next things stay where they are"
            return
        *sources, target = words
        for source in sources:
            place = self.work / target / (Path(source).name if target == "./" else "")
            if (self.context / source).is_dir():
                ignored = shutil.ignore_patterns("node_modules", "static", "__pycache__")
                shutil.copytree(self.context / source, place, ignore=ignored)
            else:
                shutil.copy(self.context / source, place)


def serve(image: Image, database: str | None) -> None:
    """Start it as the image would be started; raises if it does not become healthy."""
    (image.root / "data").mkdir(exist_ok=True)
    port = str(free_port())
    here = {"PATH": os.environ["PATH"], **image.environment, "NIMMT_PORT": port, "NIMMT_HOST": "127.0.0.1"}
    if database:
        here["NIMMT_DATABASE"] = database
    check = [word.replace(":8666/", f":{port}/") for word in image.health]
    with subprocess.Popen(image.command, cwd=image.root / "data", env=here) as server:
        try:
            deadline = time.monotonic() + PATIENCE
            while subprocess.run(check, env=here, capture_output=True, check=False).returncode:
                if server.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("The server does not become healthy.")
                time.sleep(0.1)
        finally:
            server.terminate()
    if server.returncode:
        raise RuntimeError(f"The server ended with {server.returncode}.")


def main(arguments: Sequence[str]) -> int:
    file = Path(arguments[0]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        image = Image(Path(folder), file.parents[2])
        for step in read_steps(file.read_text("utf-8")):
            print(f"{step.kind} {step.words}", flush=True)
            started = time.perf_counter()
            print(f"    {image.do(step)} ({time.perf_counter() - started:.1f} s)", flush=True)
        for database in (None, *arguments[1:]):
            serve(image, database)
            print(f"healthy with {database.partition(':')[0] if database else 'a file'}, and stopped as asked")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What the recipes in `deploy/` need to be tested: proxies in front of a server, and container files step by step."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from nimmt.testing.servers import ThreadServer

# -- proxies -----------------------------------------------------------------------------------------------------------
# nginx and Caddy in front of a server, for tests of the recipes in `deploy/`.
#
# Programs that are not installed are taken from Debian's packages, without installing them: nothing is started, and
# nothing outside of this environment changes.

TIMEOUT = 60.0
KEPT = Path(sys.prefix) / "debian"
"""Where programs from Debian's packages are kept; found again as long as the environment is."""
PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", str(KEPT)])
HOST = "localhost"
RECIPES = Path(__file__).resolve().parents[3] / "deploy"
SERVER = "127.0.0.1:8666"
"""Where recipes expect the server."""


# -- programs -------------------------------------------------------------------------------------------------------


@cache
def program(name: str) -> str:
    """The path of a program; skips the test, and says why, if it cannot be had."""
    found = shutil.which(name, path=PLACES) or _unpack(name)
    if found is None:
        pytest.skip(f"{name} is not installed, and apt-get does not bring it: apt install {name}")
    return found


def _unpack(name: str) -> str | None:
    """A program out of the Debian package of the same name."""
    if not (shutil.which("apt-get") and shutil.which("dpkg")):
        return None
    KEPT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        download = ["apt-get", "download", "-qq", name]
        if _fails(download, folder) and (_fails(["apt-get", "update", "-qq"], folder) or _fails(download, folder)):
            return None
        for package in Path(folder).glob("*.deb"):
            _fails(["dpkg", "-x", str(package), "."], folder)
        for found in Path(folder).glob(f"usr/*bin/{name}"):
            found.replace(KEPT / name)  # at once, as another process may do the same
    return shutil.which(name, path=str(KEPT))


def _fails(command: list[str], folder: str) -> bool:
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode != 0


# -- what they need -------------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def adapt(recipe: Path, changes: Mapping[str, str]) -> str:
    """A recipe for this machine. Each change must change something: a recipe is tested as it stands, or not at all."""
    text = recipe.read_text("utf-8")
    for old, new in changes.items():
        assert old in text, f"{recipe.name} has no {old!r}"
        text = text.replace(old, new)
    return text


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """For this machine, signed by nobody else; and its key."""
    certificate, key = folder / "fullchain.pem", folder / "privkey.pem"
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    names = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    openssl = [program("openssl"), *words, *names, "-out", str(certificate), "-keyout", str(key)]
    subprocess.run(openssl, check=True, capture_output=True)
    return certificate, key


def trusting(certificate: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(certificate))


# -- running --------------------------------------------------------------------------------------------------------


@contextmanager
def nginx(site: str, port: int, folder: Path) -> Iterator[None]:
    """nginx with these `server` blocks, until it is not needed any more."""
    parts = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "\n".join(f"{part}_temp_path {folder}/{part};" for part in parts)
    main = f"daemon off;\nmaster_process off;\npid {folder}/pid;\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{main}http {{\naccess_log off;\n{temporary}\n{site}\n}}\n", "utf-8")
    words = [program("nginx"), "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with _running(words, port, folder):
        yield


@contextmanager
def caddy(caddyfile: str, port: int, folder: Path) -> Iterator[None]:
    options = "{\n\tadmin off\n\tgrace_period 1s\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n"
    (folder / "Caddyfile").write_text(options + caddyfile, "utf-8")
    words = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    with _running(words, port, folder):
        yield


@contextmanager
def _running(words: list[str], port: int, folder: Path) -> Iterator[None]:
    homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
    log = folder / "log"
    with (
        log.open("wb") as heard,
        subprocess.Popen(words, stdout=heard, stderr=heard, env=os.environ | homes) as process,
    ):
        try:
            deadline = time.monotonic() + TIMEOUT
            while not _listens(port):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{words[0]} does not start: {log.read_text('utf-8', 'replace')}")
                time.sleep(0.02)
            yield
        finally:
            process.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


# -- recipes --------------------------------------------------------------------------------------------------------


class Front(NamedTuple):
    """A proxy that runs, and what people need to come in there."""

    url: str
    certificate: Path


@contextmanager
def in_front(name: str, how: str, folder: Path) -> Iterator[Front]:
    """nginx or Caddy as their recipe has it, before a server of its own; for a host of its own, or below a path that is
    "passed on" or "taken off"."""
    program(name)
    port = free_port()
    certificate, key = make_certificate(folder)
    url = f"https://{HOST}:{port}{'' if how == 'own host' else '/nimmt'}"
    with ThreadServer(public_url=url, trusted_proxies="127.0.0.1") as server:
        upstream = server.url.removeprefix("http://")
        if name == "nginx":
            running = nginx(_nginx_site(how, port, upstream, folder), port, folder)
        else:
            running = caddy(_caddyfile(how, port, upstream, f"{certificate} {key}"), port, folder)
        with running:
            yield Front(url, certificate)


def _nginx_site(how: str, port: int, upstream: str, folder: Path) -> str:
    snippet = folder / "nimmt-proxy.conf"
    snippet.write_text(adapt(RECIPES / "nginx" / "nimmt-proxy.conf", {}), "utf-8")
    here = {SERVER: upstream, "snippets/nimmt-proxy.conf": str(snippet)}
    own = {
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        "nimmt.example.org": HOST,
        "/etc/ssl/nimmt": str(folder),
    }
    whole = adapt(RECIPES / "nginx" / "nimmt.conf", {**here, **own})
    if how == "own host":
        return whole
    below = adapt(RECIPES / "nginx" / "nimmt-below.conf", here)
    if how == "taken off":
        below = below.replace(f"proxy_pass http://{upstream};", f"proxy_pass http://{upstream}/;")
    # The same host, with other things to do.
    before, _, rest = whole.partition("    location / {")
    return f"{before}    location / {{ return 200 'something else'; }}\n{below}\n{rest[rest.rindex('}') :]}"


def _caddyfile(how: str, port: int, upstream: str, pair: str) -> str:
    name = f"{HOST}:{port} {{\n\ttls {pair}"
    recipe = adapt(RECIPES / "caddy" / "Caddyfile", {SERVER: upstream})
    shared, _, hosts = recipe.partition("nimmt.example.org {")
    own, _, below = hosts.partition("\nexample.org {")
    if how == "taken off":
        below = below.replace("handle /nimmt/*", "handle_path /nimmt/*")
    return f"{shared}{name}{own if how == 'own host' else below}"


# -- container ---------------------------------------------------------------------------------------------------------
# The steps of a container file, one by one in an empty folder: for machines without a container engine.
#
#     python -m nimmt.testing.deployment deploy/container/Containerfile [postgresql://…]
#
# Folders of the image become folders below a temporary one; RUN, COPY and ENV are done, then the server is started as
# CMD says, and must become healthy as HEALTHCHECK says. What only a container engine can do (other users, volumes) is
# left out and named.

FOLDERS = ("/src", "/opt/nimmt", "/data")
"""What a container file may use of the image; all of it lies elsewhere here."""
LEFT_OUT = ("USER", "VOLUME", "EXPOSE")
STEP_TIMEOUT = 120.0


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
            deadline = time.monotonic() + STEP_TIMEOUT
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

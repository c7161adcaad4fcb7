"""What one process has compiled another one can load and use: so it is on every server but the first time."""

import subprocess
import sys


def warmed_up(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "nimmt.bots", *words], capture_output=True, text=True, check=False)


def test_kernels_from_the_disk_can_be_used() -> None:
    for _ in range(2):  # the first one may have to compile
        done = warmed_up("six")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("six ")


def test_unknown_games_are_refused() -> None:
    done = warmed_up("chess")
    assert done.returncode == 2
    assert "The games are: six" in done.stderr

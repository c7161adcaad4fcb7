"""Whether other processes are still there, where /proc tells."""

from __future__ import annotations

from pathlib import Path

HAS_PROC = Path("/proc/self/stat").exists()


def is_running(pid: int) -> bool:
    """One that has ended may stay listed until somebody asks how it went."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

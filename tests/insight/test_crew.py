"""Processes that share work: none is left when the one that began is gone."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from nimmt.testing.processes import HAS_PROC, is_running

BEGIN = """
import os, time
from nimmt.insight.crew import Crew

with Crew(2) as crew:
    print(crew.ask(os.getpid)(), flush=True)
    time.sleep(3600)
"""


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
def test_nobody_works_on_when_the_one_that_began_was_killed() -> None:
    command = [sys.executable, "-c", BEGIN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as begun:
        assert begun.stdout is not None
        helper = int(begun.stdout.readline())
        assert is_running(helper)
        begun.kill()
    while is_running(helper):
        time.sleep(0.05)

"""Strong bots get ready when the server starts: what they think with is compiled, kept on disk, and people are told how
far it is."""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable

import msgspec

from nimmt.bots import BOTS, is_compiled
from nimmt.bots.levels import fast_games, strength_of
from nimmt.rules import registry
from nimmt.server.jobs import NICE

log = logging.getLogger("nimmt.server")

_PROGRESS = re.compile(r"(\w+) +(\d+) %")


class WarmUpStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How far strong bots are: `percent` of what they think with is ready. `levels` are those for which a simple bot
    still decides, by game; none once all are ready."""

    percent: int
    levels: dict[str, tuple[str, ...]]


class WarmUp:
    """How far each game is."""

    def __init__(self, games: Iterable[str] = ()) -> None:
        self._percent = dict.fromkeys(games, 0)
        """Of games whose strong bots cannot think yet without making people wait."""
        self._failed: set[str] = set()

    @property
    def cold(self) -> tuple[str, ...]:
        """Games whose strong bots are not ready."""
        return tuple(self._percent)

    def tell(self, game_id: str, percent: int) -> None:
        if game_id in self._percent:
            self._percent[game_id] = percent

    def is_ready(self, game_id: str) -> None:
        self._percent.pop(game_id, None)

    def has_failed(self, game_id: str) -> None:
        """It will not get ready, and nobody is told to wait for it."""
        self._failed.add(game_id)

    @property
    def percent(self) -> int:
        """Of all games together, by how much there is to compile for each."""
        pieces = {game_id: strength_of(registry.get(game_id)).pieces for game_id in fast_games()}
        missing = sum(pieces[game_id] * (100 - percent) for game_id, percent in self._awaited.items())
        return 100 - -(-missing // sum(pieces.values()))

    @property
    def status(self) -> WarmUpStatus:
        levels = {game_id: tuple(level for level in BOTS if is_compiled(level, game_id)) for game_id in self._awaited}
        return WarmUpStatus(percent=self.percent, levels=levels)

    @property
    def _awaited(self) -> dict[str, int]:
        return {game_id: percent for game_id, percent in self._percent.items() if game_id not in self._failed}


async def compile_apart(*words: str, tell: Callable[[str, int], None] | None = None) -> bool:
    """`python -m nimmt.bots` with these words in a process of its own, which leaves its work on the disk for all others
    and makes way for them meanwhile. Says whether that worked."""
    modestly = ["nice", "-n", str(NICE)] if shutil.which("nice") else []
    command = [*modestly, sys.executable, "-m", "nimmt.bots", "--progress", *words]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        said = ""
        while process.stdout and (line := await process.stdout.readline()):
            said = line.decode("utf-8", "replace").strip()
            if tell and (progress := _PROGRESS.fullmatch(said)):
                tell(progress[1], int(progress[2]))
        failed = bool(await process.wait())
        if failed:  # then it is compiled when it is needed
            log.warning("could not compile in advance", extra={"games": " ".join(words), "why": said})
        return not failed
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()

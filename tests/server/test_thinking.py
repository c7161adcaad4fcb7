"""Nobody waits for a compiler: until a game's strong bots are ready a simple one decides for them."""

import asyncio
from typing import Any

import pytest

from nimmt.bots import LEVELS, is_compiled
from nimmt.bots.levels import WARM_UPS
from nimmt.server import thinking
from nimmt.server.thinking import Thinkers
from nimmt.testing.servers import PATIENCE, ThreadServer


@pytest.fixture
def thought(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The levels at which bots have thought, in this process and by the simple bot."""
    levels: list[str] = []

    async def here(self: Thinkers, job: Any, *words: Any) -> bytes:
        if job is not thinking.choose:
            return b""
        levels.append(words[1])
        return thinking.choose(words[0], "greedy", *words[2:])

    monkeypatch.setattr(Thinkers, "_in_pool", here)
    return levels


async def first_thought(server: ThreadServer, anna: Any, thought: list[str]) -> str:
    thought.clear()
    here = await anna.open_table("six", 2, bots=["master"])
    await anna.do(here, "start")
    async with asyncio.timeout(PATIENCE):
        while not thought:
            await asyncio.sleep(0.02)
    return thought[0]


@pytest.mark.anyio
async def test_a_simple_bot_decides_until_the_strong_one_is_ready(
    thought: list[str], come: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[str] = []

    async def compile_one(game_id: str) -> None:
        compiled.append(game_id)

    monkeypatch.setattr(thinking, "_compile", compile_one)
    with ThreadServer(warm_up=True) as server:
        (anna,) = await come("Anna", at=server.url)
        assert await first_thought(server, anna, thought) == "greedy"
        server.run(server.platform.thinkers._warm_up())
        assert compiled == list(WARM_UPS)
        assert await first_thought(server, anna, thought) == "master"


@pytest.mark.anyio
async def test_without_warming_up_bots_think_as_they_are(thought: list[str], come: Any) -> None:
    with ThreadServer() as server:
        (anna,) = await come("Anna", at=server.url)
        assert await first_thought(server, anna, thought) == "master"


def test_only_games_that_can_be_warmed_up_have_bots_that_need_it() -> None:
    needing = {game_id for game_id in thinking.registry.GAMES for level in LEVELS if is_compiled(level, game_id)}
    assert needing == set(WARM_UPS)


@pytest.mark.anyio
async def test_stopping_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def start_something_long(*_: str, **how: Any) -> asyncio.subprocess.Process:
        started.append(await start("sleep", "60", **how))
        return started[0]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start_something_long)
    compiling = asyncio.create_task(thinking._compile("six"))
    while not started:
        await asyncio.sleep(0.01)
    compiling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await compiling
    assert started[0].returncode is not None

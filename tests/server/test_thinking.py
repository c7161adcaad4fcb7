"""Nobody waits for a compiler, nor for a bot that hangs: a simple one decides for those that are not ready in time."""

import asyncio
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from multiprocessing.connection import wait
from typing import Any, cast

import pytest

from nimmt.bots import LEVELS, is_compiled
from nimmt.bots.levels import fast_games
from nimmt.rules import registry
from nimmt.server import bot_runner, jobs
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.moments import Asked
from nimmt.server.tables.table import Table
from nimmt.server.warm_up import WarmUpStatus, compile_apart
from nimmt.server.worker_pool import Crowded, Mind, Minds
from nimmt.testing.servers import TIMEOUT, ThreadServer


@pytest.fixture
def thought(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The levels at which bots have thought, in this process and by the simple bot."""
    levels: list[str] = []

    def choose(game_id: str, level: str, *question: bytes) -> bytes:
        levels.append(level)
        return jobs.choose(game_id, "greedy", *question)

    async def here(self: Mind, seconds: float, job: Any, *words: Any) -> bytes:
        return choose(*words) if job is choose else b""

    monkeypatch.setattr(bot_runner, "choose", choose)
    monkeypatch.setattr(Mind, "do", here)
    return levels


async def first_thought(server: ThreadServer, anna: Any, thought: list[str]) -> str:
    thought.clear()
    here = await anna.open_table("six", 2, bots=["master"])
    await anna.do(here, "start")
    async with asyncio.timeout(TIMEOUT):
        while not thought:
            await asyncio.sleep(0.02)
    return thought[0]


@pytest.mark.anyio
async def test_a_simple_bot_decides_until_the_strong_one_is_ready(
    thought: list[str], come: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    compiled: list[str] = []

    async def compile_one(*words: str, **_: Any) -> bool:
        compiled.extend(words)
        return True

    monkeypatch.setattr(bot_runner, "compile_apart", compile_one)
    with ThreadServer(warm_up=True) as server, caplog.at_level(logging.INFO, "nimmt.server"):
        (anna,) = await come("Anna", at=server.url)
        assert await first_thought(server, anna, thought) == "greedy"
        server.run(server.platform.thinkers._warm_up())
        assert sorted(compiled[:-1]) == sorted(fast_games())
        assert compiled[-1] == "--only-judges", "people play before they look back"
        assert "judges are ready" in [record.message for record in caplog.records]
        assert await first_thought(server, anna, thought) == "master"


@pytest.mark.anyio
async def test_people_are_told_how_far_strong_bots_are(
    come: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[WarmUpStatus] = []

    async def do(mind: Mind, seconds: float, job: Any, *words: Any) -> bytes:
        return b""

    async def compile_one(*words: str, tell: Any = None) -> None:
        for percent in (0, 40) if tell else ():
            tell(words[0], percent)
            seen.append(server.platform.thinkers.warmth.status)

    monkeypatch.setattr(bot_runner, "compile_apart", compile_one)
    monkeypatch.setattr(Mind, "do", do)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    with ThreadServer(warm_up=True) as server, caplog.at_level(logging.INFO, "nimmt.server"):
        (anna,) = await come("Anna", at=server.url)
        at_first = await anna.get("/api/warm-up")
        server.run(server.platform.thinkers._warm_up())
        at_last = await anna.get("/api/warm-up")
        metrics = (await anna.http.get("/metrics")).text
    assert at_first["percent"] == 0
    assert at_first["levels"]["six"] == ["club", "expert", "master"]
    far = [one.percent for one in seen]
    assert far == sorted(far)
    assert 0 < far[1] < 40, "there is more to compile than the first game"
    assert at_last == {"percent": 100, "levels": {}}
    assert "nimmt_warm_up_percent 100.0" in metrics
    told = [record.__dict__ for record in caplog.records if record.message == "strong bots are ready"]
    assert [one["games_left"] for one in told] == [4, 3, 2, 1, 0]
    assert told[-1]["percent"] == 100


@pytest.mark.anyio
async def test_one_game_that_cannot_get_ready_does_not_keep_the_others_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def compile_one(*words: str, **_: Any) -> None: ...

    async def do(mind: Mind, seconds: float, job: Any, *words: Any) -> bytes:
        if job is bot_runner.prepare or words == ("six",):
            raise BrokenExecutor
        return b""

    monkeypatch.setattr(bot_runner, "compile_apart", compile_one)
    monkeypatch.setattr(Mind, "do", do)
    with ThreadServer(warm_up=True) as server:
        warmth = server.platform.thinkers.warmth
        server.run(server.platform.thinkers._warm_up())
        assert warmth.cold == ("six",)
        assert warmth.status == WarmUpStatus(percent=100, levels={}), "nobody waits for what will not come"


@pytest.mark.anyio
async def test_nobody_waits_for_a_process_that_compiles(
    thought: list[str], come: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where compiled code cannot be kept, the processes of the bots compile it themselves: that takes minutes."""
    over = threading.Event()

    async def compile_one(*words: str, **_: Any) -> bool:
        return False

    async def load(game_id: str, mind: Mind) -> bytes:
        while not over.is_set():
            await asyncio.sleep(0.01)
        return b""

    monkeypatch.setattr(bot_runner, "compile_apart", compile_one)
    monkeypatch.setattr(bot_runner, "_load", load)
    with ThreadServer(warm_up=True) as server, caplog.at_level(logging.INFO, "nimmt.server"):
        (anna,) = await come("Anna", at=server.url)
        compiling = asyncio.get_running_loop().run_in_executor(None, server.run, server.platform.thinkers._warm_up())
        assert await first_thought(server, anna, thought) == "greedy"
        assert not compiling.done()
        over.set()
        await compiling
    said = [record.message for record in caplog.records]
    assert "strong bots are ready" in said
    assert "no process was free for a bot in time; a simple one decides" not in said
    assert "judges are ready" not in said, "they could not be compiled"


@pytest.mark.anyio
async def test_without_warming_up_bots_think_as_they_are(thought: list[str], come: Any) -> None:
    with ThreadServer() as server:
        (anna,) = await come("Anna", at=server.url)
        assert await first_thought(server, anna, thought) == "master"


def test_only_games_that_can_be_warmed_up_have_bots_that_need_it() -> None:
    needing = {game_id for game_id in registry.GAMES for level in LEVELS if is_compiled(level, game_id)}
    assert needing == set(fast_games())


@pytest.mark.anyio
async def test_stopping_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def start_something_long(*_: str, **how: Any) -> asyncio.subprocess.Process:
        started.append(await start("sleep", "60", **how))
        return started[0]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start_something_long)
    compiling = asyncio.create_task(compile_apart("six"))
    while not started:
        await asyncio.sleep(0.01)
    compiling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await compiling
    assert started[0].returncode is not None


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("program", "told", "logged"),
    [
        ("print('six      3 %'); print('six      57 %'); print('six      ready after 2 s')", [3, 57], []),
        ("print('six      3 %'); raise SystemExit('The disk is full.')", [3], ["The disk is full."]),
    ],
)
async def test_the_compiler_says_how_far_it_is_and_why_it_failed(
    program: str, told: list[int], logged: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    start, heard = asyncio.create_subprocess_exec, list[tuple[str, int]]()

    async def start_instead(*_: str, **how: Any) -> asyncio.subprocess.Process:
        return await start(sys.executable, "-uc", program, **how)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start_instead)
    with caplog.at_level(logging.WARNING, "nimmt.server"):
        await compile_apart("six", tell=lambda game_id, percent: heard.append((game_id, percent)))
    assert heard == [("six", percent) for percent in told]
    assert [record.__dict__["why"] for record in caplog.records] == logged


@pytest.mark.anyio
async def test_a_process_of_the_bots_leaves_ctrl_c_to_the_server() -> None:
    """A terminal sends it to all of them, and nobody should see a traceback of each."""
    mind, pid = Mind(), cast("Callable[[], bytes]", os.getpid)
    try:
        at_first = await mind.do(TIMEOUT, pid)
        os.kill(cast("int", at_first), signal.SIGINT)
        assert await mind.do(TIMEOUT, pid) == at_first
    finally:
        mind.end()


# -- bots that hang or die ---------------------------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize(("flaw", "number"), [(time.sleep, 600), (os._exit, 1)], ids=["hangs", "dies"])
async def test_a_simple_bot_decides_for_one_that_hangs_or_dies(
    flaw: Callable[[int], Any],
    number: int,
    come: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """In a real process, the only one for all tables; the next bot has another one."""
    do, thought = Mind.do, list[str]()

    async def do_or_fail(mind: Mind, seconds: float, job: Any, *words: Any) -> bytes:
        if job is bot_runner.choose and words[1] == "casual":
            return await do(mind, 0.1 if flaw is time.sleep else seconds, flaw, number)
        answer = await do(mind, seconds, job, *words)
        thought.append(job.__name__)
        return answer

    monkeypatch.setattr(Mind, "do", do_or_fail)
    with ThreadServer() as server, caplog.at_level(logging.WARNING, "nimmt.server"):
        (anna,) = await come("Anna", at=server.url)
        for level in ("casual", "greedy"):
            table = await anna.open_table("six", 2, bots=[level], start=True)
            async with asyncio.timeout(TIMEOUT):
                while len((await anna.situation(table))["waiting"]) == 2:
                    await asyncio.sleep(0.02)
    assert thought == ["prepare", "prepare", "choose"]
    trouble = "took too long" if flaw is time.sleep else "died"
    assert f"a bots' process {trouble}; another one takes its place" in caplog.messages
    assert "a bot failed; a simple one decides" in caplog.messages


@pytest.mark.anyio
async def test_a_table_does_not_wait_until_a_process_is_free() -> None:
    minds, may_end = Minds(1), asyncio.Event()

    async def work(_: Mind) -> bytes:
        await may_end.wait()
        return b"done"

    with pytest.raises(TimeoutError):  # it has begun, and goes on
        await minds.let(work, 0.01)
    with pytest.raises(Crowded):
        await minds.let(work, 0.01)
    may_end.set()
    assert await minds.let(work, TIMEOUT) == b"done"


@pytest.mark.anyio
async def test_stopping_does_not_wait_for_a_bot_that_hangs() -> None:
    minds, minds_at_work = Minds(1), list[Mind]()

    async def work(mind: Mind) -> bytes:
        await mind.do(TIMEOUT, os.getpid)  # type: ignore[arg-type]
        minds_at_work.append(mind)
        return await mind.do(600, time.sleep, 600)  # type: ignore[arg-type]

    waiting = asyncio.create_task(minds.let(work))
    while not minds_at_work:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0)
    pool = minds_at_work[0]._pool
    assert pool is not None
    ends = [process.sentinel for process in (pool._processes or {}).values()]
    await minds.close()
    assert ends
    assert await asyncio.to_thread(wait, ends, TIMEOUT) == ends
    with pytest.raises(asyncio.CancelledError):
        await waiting


@pytest.mark.parametrize(
    ("tempo", "passed", "patience"),
    [
        (e.NoClock(), 0, 10),
        (e.NoClock(), 3600, 10),
        (e.ByTurns(hours=24), 3600, 10),
        (e.Live(seconds=30), 0, 10),
        (e.Live(seconds=30), 25, 5),
        (e.Live(seconds=5), 0, 5),
        (e.Live(seconds=5), 3600, 2),  # the server was down, or another bot of the table has used up the time
    ],
)
def test_bots_think_within_the_tempo_of_the_table(
    tempo: e.Tempo, passed: int, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = e.Opened(
        at=0, game="six", options={}, seats=2, public=False, tempo=tempo, host="anna", server_seed="00" * 32
    )
    table = Table("table", opened)
    table.asked = {0: Asked(since=1, at=1000, kind="card")}
    monkeypatch.setattr(bot_runner, "now_ms", lambda: 1000 * (passed + 1))
    assert bot_runner._patience(table, 0) == patience

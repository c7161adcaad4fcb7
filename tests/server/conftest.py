"""One server for all tests that ask nothing special of it, and people who come to it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest

from nimmt.server.bot_runner import Thinkers
from nimmt.server.tables import commands
from nimmt.testing.servers import LiveServer, Person, ThreadServer

Come = Callable[..., Awaitable[list[Person]]]


class SetTime:
    """The time that a server in this process sees: it passes when it is told to."""

    def __init__(self) -> None:
        self.ms = 1_800_000_000_000

    def time_ns(self) -> int:
        return self.ms * 1_000_000

    def passes(self, *, hours: float = 0, seconds: float = 0) -> None:
        self.ms += int(3_600_000 * hours + 1000 * seconds)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """As anybody would start it: one process, a file, bots; only the limits are lifted."""
    with LiveServer(str(tmp_path_factory.mktemp("server") / "nimmt.db")) as live:
        yield live


@pytest.fixture
async def come(server: LiveServer) -> AsyncIterator[Come]:
    """People come in: `anna, ben = await come("Anna", "Ben")`; elsewhere with `at=url`."""
    here: list[Person] = []

    async def come_in(*names: str, at: str = server.url) -> list[Person]:
        people = [Person(at) for _ in names]
        here.extend(people)
        return [await person.come_in(name) if name else person for person, name in zip(people, names, strict=True)]

    yield come_in
    for person in here:
        await person.close()


@pytest.fixture(autouse=True)
def bots_start_when_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server in this process starts another one for its bots when the first of them has a turn, not before."""
    monkeypatch.setattr(Thinkers, "warm_up", lambda self: None)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> SetTime:
    set_time = SetTime()
    monkeypatch.setattr(commands, "time", set_time)
    return set_time


@pytest.fixture
def timed(time: SetTime) -> Iterator[ThreadServer]:
    """A server that sees the set time."""
    with ThreadServer() as server:
        yield server

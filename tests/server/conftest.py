"""One server for all tests that ask nothing special of it, and people who come to it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest

from nimmt.testing.servers import LiveServer, Person

Come = Callable[..., Awaitable[list[Person]]]


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

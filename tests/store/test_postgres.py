"""What only PostgreSQL can get wrong: connections that break, a server that restarts, answers that get lost."""

import asyncio
import contextlib
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import asyncpg
import pytest

from nimmt.store import Appended, StoreError, Unavailable, postgres
from nimmt.store.postgres import PostgresStore
from nimmt.testing.postgres import PostgresServer
from nimmt.testing.stores import listing, opened
from nimmt.testing.stores.logs import of_one_key_many_times_at_once_one_counts

Scene = Callable[[PostgresStore], Awaitable[None]]


def play(url: str, scene: Scene) -> None:
    async def run() -> None:
        store = PostgresStore(url)
        async with opened(lambda: store):
            await scene(store)

    asyncio.run(run())


async def administer(url: str, *statements: str) -> list[asyncpg.Record]:
    """As somebody else, on a connection of their own."""
    connection = await asyncpg.connect(url)
    try:
        for statement in statements[:-1]:
            await connection.execute(statement)
        return list(await connection.fetch(statements[-1]))
    finally:
        await connection.close()


async def break_connections(url: str) -> int:
    """Those of the store; how many there were. What was broken before may not have gone yet."""
    ours = "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'nimmt'"
    return len(await administer(url, f"SELECT pg_terminate_backend(pid) {ours}"))


# -- the server goes and comes back -----------------------------------------------------------------------------------


def test_a_restart_is_survived(
    postgres_server: PostgresServer, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However long a busy machine takes to start it.
    monkeypatch.setattr(postgres, "RETRIES", (*postgres.RETRIES, *[1.0] * 30))

    async def scene(store: PostgresStore) -> None:
        await store.append("t", 0, [b"1"], listing())
        for end in (postgres_server.stop, postgres_server.crash):
            await asyncio.gather(*(store.read("t") for _ in range(20)))  # all connections are in use
            await asyncio.to_thread(end)
            start = asyncio.create_task(asyncio.to_thread(postgres_server.start))
            assert (await store.read("t"))[0] == b"1"  # waits for it
            length = len(await store.read("t"))
            assert (await store.append("t", length, [b"x"], listing())).length == length + 1
            await start
        assert await store.read("t") == [b"1", b"x", b"x"]

    play(postgres_url, scene)


def test_while_the_server_is_away_it_is_unavailable(postgres_server: PostgresServer, postgres_url: str) -> None:
    async def scene(store: PostgresStore) -> None:
        await store.put("k", "n", b"data")
        await asyncio.to_thread(postgres_server.stop)
        try:
            began = time.monotonic()
            asked = [
                store.read("t"),
                store.append("t", 0, [b"x"], listing()),
                store.append("t", 0, [b"x"], listing(), "k"),
                store.take("k", "n"),
                store.notify("nimmt", ["t"]),
                store.check(),
                anext(store.export()),
                PostgresStore(postgres_url).open(),
            ]
            results = await asyncio.gather(*asked, return_exceptions=True)
            assert [type(result) for result in results] == [Unavailable] * len(asked)
            assert time.monotonic() - began < 20
        finally:
            await asyncio.to_thread(postgres_server.start)
        assert (await store.append("t", 0, [b"x"], listing())).length == 1
        assert await store.take("k", "n") == b"data"

    play(postgres_url, scene)


def test_broken_connections_are_made_anew(postgres_url: str) -> None:
    async def scene(store: PostgresStore) -> None:
        await asyncio.gather(*(store.append(f"t{n}", 0, [b"x"], listing()) for n in range(20)))
        for length in range(1, 4):
            assert await break_connections(postgres_url) >= (postgres.CONNECTIONS if length == 1 else 1)
            results = await asyncio.gather(
                *(store.append(f"t{n}", length, [b"x"], listing(), f"k{length}") for n in range(20))
            )
            assert [appended.length for appended in results] == [length + 1] * 20
            assert await break_connections(postgres_url) >= 1
            logs = await asyncio.gather(*(store.read(f"t{n}") for n in range(20)))
            assert logs == [[b"x"] * (length + 1)] * 20

    play(postgres_url, scene)


# -- an answer gets lost ----------------------------------------------------------------------------------------------


class Cable:
    """Between the store and the server. It can be cut so that a question arrives and its answer does not."""

    def __init__(self, url: str) -> None:
        self._target = f"{parse_qs(urlsplit(url).query)['host'][0]}/.s.PGSQL.5432"
        self._folder = tempfile.mkdtemp(prefix="nimmt-cable-")
        self.url = url.partition("?")[0] + f"?host={quote(self._folder, safe='')}"
        self.lose_answers = 0
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def plugged(self) -> AsyncIterator[None]:
        server = await asyncio.start_unix_server(self._connect, f"{self._folder}/.s.PGSQL.5432")
        try:
            yield
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            shutil.rmtree(self._folder)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_unix_connection(self._target)
        pumps = [self._pump(reader, up_writer, False), self._pump(up_reader, writer, True)]
        tasks = {asyncio.create_task(pump) for pump in pumps}
        self._tasks |= tasks
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, up_writer):
            end.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_answer: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(2**16):
                if is_answer and self.lose_answers:
                    self.lose_answers -= 1
                    return
                writer.write(data)
                await writer.drain()


def with_cable(url: str, scene: Callable[[PostgresStore, Cable], Awaitable[None]]) -> None:
    async def run() -> None:
        cable = Cable(url)
        async with cable.plugged():
            store = PostgresStore(cable.url)
            async with opened(lambda: store):
                await store.append("t", 0, [b"1"], listing())  # one connection that has asked this before
                await scene(store, cable)

    asyncio.run(run())


def test_an_append_with_a_key_is_repeated_and_counts_once(postgres_url: str) -> None:
    async def scene(store: PostgresStore, cable: Cable) -> None:
        for length in range(1, 5):
            cable.lose_answers = 1
            appended = await store.append("t", length, [b"x"], listing(), f"k{length}")
            assert appended == Appended(length + 1, is_new=False)  # all that the second attempt can say
            assert not cable.lose_answers
        assert await store.read("t") == [b"1", *[b"x"] * 4]

    with_cable(postgres_url, scene)


def test_an_append_without_a_key_is_not_repeated(postgres_url: str) -> None:
    async def scene(store: PostgresStore, cable: Cable) -> None:
        cable.lose_answers = 1
        with pytest.raises(Unavailable):
            await store.append("t", 1, [b"x"], listing())
        assert await store.read("t") == [b"1", b"x"]  # it was done, and only once

    with_cable(postgres_url, scene)


def test_taking_is_not_repeated(postgres_url: str) -> None:
    """The second attempt would find nothing, and the one who has it would be told that there was none."""

    async def scene(store: PostgresStore, cable: Cable) -> None:
        await store.put("k", "n", b"data")
        assert await store.take("k", "other") is None
        cable.lose_answers = 1
        with pytest.raises(Unavailable):
            await store.take("k", "n")

    with_cable(postgres_url, scene)


def test_reading_is_repeated(postgres_url: str) -> None:
    async def scene(store: PostgresStore, cable: Cable) -> None:
        await store.read("t")
        cable.lose_answers = 1
        assert await store.read("t") == [b"1"]
        cable.lose_answers = 1
        assert (await store.put_if_absent("k", "n", b"data")) == b"data"

    with_cable(postgres_url, scene)


# -- the database's own settings --------------------------------------------------------------------------------------


def test_defaults_of_the_database_do_not_matter(postgres_url: str) -> None:
    name = urlsplit(postgres_url).path.strip("/")

    async def scene(store: PostgresStore) -> None:
        await administer(
            postgres_url,
            f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'",
            f"ALTER DATABASE {name} SET synchronous_commit = off",
            "SELECT 1",
        )
        await break_connections(postgres_url)
        await of_one_key_many_times_at_once_one_counts(store)
        ((durable,),) = await store._change("SHOW synchronous_commit")
        assert durable == "on"
        await store.notify("nimmt", ["t"])
        ((durable,),) = await store._change("SHOW synchronous_commit")
        assert durable == "on"

    play(postgres_url, scene)


@pytest.fixture
def poor_url(postgres_url: str) -> Iterator[str]:
    """The same database for one who may have two connections."""
    name = urlsplit(postgres_url).path.strip("/")
    asyncio.run(
        administer(
            postgres_url,
            "CREATE ROLE poor LOGIN CONNECTION LIMIT 2",
            f"ALTER DATABASE {name} OWNER TO poor",
            "SELECT 1",
        )
    )
    yield postgres_url.replace("nimmt@", "poor@")
    asyncio.run(administer(postgres_url, "REASSIGN OWNED BY poor TO nimmt", "DROP ROLE poor", "SELECT 1"))


def test_too_many_connections_are_no_traceback(poor_url: str) -> None:
    async def scene(store: PostgresStore) -> None:
        sent = [store.append(f"t{n}", 0, [b"x"], listing()) for n in range(30)]
        results = await asyncio.gather(*sent, return_exceptions=True)
        assert {type(result) for result in results} <= {Appended, Unavailable}
        assert Appended(1) in results
        await asyncio.sleep(0.1)
        assert (await store.append("later", 0, [b"x"], listing())).length == 1

    play(poor_url, scene)


@pytest.mark.parametrize("address", ["postgresql://host:word/db", "postgresql://x@localhost:1/db?sslmode=nonsense"])
def test_an_address_that_makes_no_sense_is_refused(address: str) -> None:
    with pytest.raises(StoreError) as caught:
        asyncio.run(PostgresStore(address).open())
    assert type(caught.value) is StoreError


def test_an_unknown_database_is_unavailable(postgres_server: PostgresServer) -> None:
    with pytest.raises(Unavailable, match="does not exist"):
        asyncio.run(PostgresStore(postgres_server.url("nowhere")).open())


def test_a_password_is_not_told(tmp_path: Path) -> None:
    with pytest.raises(Unavailable) as caught:
        asyncio.run(PostgresStore(f"postgresql://anna:secret@/db?host={tmp_path}").open())
    assert "secret" not in str(caught.value)


# -- notifications, and a race ----------------------------------------------------------------------------------------


def test_a_notification_reaches_who_listens(postgres_url: str) -> None:
    async def scene(store: PostgresStore) -> None:
        heard: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        listener = await asyncio.wait_for(asyncpg.connect(store.url), 10)
        await listener.add_listener("nimmt", lambda _, __, channel, payload: heard.put_nowait((channel, str(payload))))
        await store.notify("nimmt", ["7/table ü"])
        await store.notify("other", ["x"])
        await store.notify("nimmt", ["second"])
        assert await asyncio.wait_for(heard.get(), 10) == ("nimmt", "7/table ü")
        assert await asyncio.wait_for(heard.get(), 10) == ("nimmt", "second")
        await listener.close()
        with pytest.raises(StoreError):
            await store.notify("nimmt", ["x" * 9000])

    play(postgres_url, scene)


def test_a_table_made_while_it_is_being_deleted_stays_whole(postgres_url: str) -> None:
    """Deleting finds no table and then, because somebody has just made it, its entries."""
    slowly = (
        "CREATE FUNCTION slowly() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END'"
    )
    trigger = "CREATE TRIGGER slow AFTER DELETE ON tables FOR EACH STATEMENT EXECUTE FUNCTION slowly()"

    async def scene(store: PostgresStore) -> None:
        await administer(postgres_url, slowly, trigger, "SELECT 1")
        deleting = asyncio.create_task(store.delete("t"))
        sleeping = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
        while not deleting.done() and not await administer(postgres_url, sleeping):
            await asyncio.sleep(0.01)
        assert not deleting.done()
        assert (await store.append("t", 0, [b"1"], listing(guests=("anna",)), "k")).length == 1
        await deleting
        assert await store.read("t") == [b"1"]
        assert await store.find_key("t", "k") == 1
        assert len(await store.tables_of("anna", 9)) == 1

    play(postgres_url, scene)


def test_closing_does_not_wait_for_a_server_that_is_gone(postgres_server: PostgresServer, postgres_url: str) -> None:
    async def run() -> float:
        store = PostgresStore(postgres_url)
        await store.open()
        await store.check()
        await asyncio.to_thread(postgres_server.crash)
        began = time.monotonic()
        await store.close()
        return time.monotonic() - began

    try:
        assert asyncio.run(run()) < 12
    finally:
        postgres_server.start()

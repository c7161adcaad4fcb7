"""Fair deals on a server: commitments are listed before they are shown, and contributions come after them."""

import asyncio
import json
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from nimmt.match.match import verify
from nimmt.match.shuffle import (
    MAX_CONTRIBUTION_LENGTH,
    CommitmentList,
    Head,
    ListedCommitment,
    ListError,
    check_opening,
    commitment,
    entry_hash,
    extended,
    followed,
    public_name,
)
from nimmt.server.tables.commands import new_table_id
from nimmt.server.tables.commitments import MAX_PAGE, Commitments
from nimmt.store import Conflict, Store, Unavailable
from nimmt.store.backup import backup, restore
from nimmt.store.contract import make_store
from nimmt.testing.servers import Json, LiveServer, Person, ServerRefused, ThreadServer, play_on

pytestmark = pytest.mark.anyio

STORES = ["memory", "sqlite", "postgresql"]


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        url: str = request.getfixturevalue("postgres_url")
        return url
    return "memory" if request.param == "memory" else str(tmp_path / "nimmt.db")


async def refused(code: str, coroutine: Any) -> None:
    with pytest.raises(ServerRefused) as error:
        await coroutine
    assert error.value.code == code


async def the_list(person: Person) -> list[ListedCommitment]:
    """All of it, checked."""
    entries: list[ListedCommitment] = []
    while True:
        answer = await person.ask("GET", f"/api/commitments?after={len(entries)}")
        page = msgspec.json.decode(answer.content, type=CommitmentList)
        if not page.entries:
            break
        entries += page.entries
    assert followed(Head(), entries) == Head(length=page.length, hash=page.head)
    for entry in entries:
        check_opening(entry)
    return entries


async def entry_of(person: Person, table: str) -> ListedCommitment:
    (found,) = [entry for entry in await the_list(person) if entry.table == public_name(table)]
    return found


# -- contributions ----------------------------------------------------------------------------------------------------


async def test_contributions_come_after_the_commitment(come: Any) -> None:
    """The commitment is told with the id of the table, and nothing that was said before counts."""
    (anna,) = await come("Anna")
    await refused("bad_request", anna.open_table("six", 2, contribution="too early"))
    opened = await anna.post("/api/tables", {"game": "six", "seats": 2, "bots": ["random"]})
    before = await anna.situation(opened["id"])
    assert before["fair"]["commitment"] == opened["commitment"]
    assert before["fair"]["listed"] == opened["listed"]
    assert (await entry_of(anna, opened["id"])).commitment == opened["commitment"]
    assert [chair["contributed"] for chair in before["chairs"]] == [False, False]
    await anna.do(opened["id"], "contribute", contribution="my own words")
    after = await anna.situation(opened["id"])
    assert [chair["contributed"] for chair in after["chairs"]] == [True, False]
    assert after["fair"] == before["fair"]
    await anna.do(opened["id"], "start")
    assert (await anna.situation(opened["id"]))["fair"]["contributions"] == ["my own words", ""]


async def test_the_last_contribution_before_the_start_counts(come: Any) -> None:
    anna, ben, cleo = await come("Anna", "Ben", "Cleo")
    table = await anna.open_table("six", 3)
    await ben.do(table, "join", contribution="first")
    await ben.do(table, "contribute", contribution="second")
    length = (await ben.look(table))["n"]
    await ben.do(table, "contribute", contribution="second")
    assert (await ben.look(table))["n"] == length
    await refused("not_seated", cleo.do(table, "contribute", contribution="from outside"))
    await cleo.do(table, "join")
    await cleo.do(table, "contribute", contribution="hers")
    await anna.do(table, "swap", one=1, other=2)
    # Anna never contributes, and nobody has to wait for her.
    await anna.do(table, "start")
    fair = (await cleo.situation(table))["fair"]
    assert fair["contributions"] == ["", "hers", "second"]
    await refused("not_waiting", ben.do(table, "contribute", contribution="too late"))
    assert (await cleo.situation(table))["fair"] == fair


async def test_who_stands_up_takes_the_contribution_along(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("six", 2, bots=[])
    await ben.do(table, "join", contribution="ben")
    await ben.do(table, "leave")
    await anna.do(table, "bot", seat=1, level="random")
    await anna.do(table, "start")
    assert (await anna.situation(table))["fair"]["contributions"] == ["", ""]


@pytest.mark.parametrize(
    "contribution", ["", "x" * (MAX_CONTRIBUTION_LENGTH + 1), 7, None, ["a"], {}, b'{"contribution": "\\ud800"}']
)
async def test_what_is_no_contribution_is_refused(come: Any, contribution: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2)
    before = await anna.look(table)
    body = contribution if isinstance(contribution, bytes) else {"contribution": contribution}
    await refused("bad_request", anna.post(f"/api/tables/{table}/contribute", body))
    await refused("bad_request", anna.post(f"/api/tables/{table}/contribute", {}))
    assert await anna.look(table) == before


@pytest.mark.parametrize("contribution", ["x", "\0", "🐮" * MAX_CONTRIBUTION_LENGTH, " ", "ё\n\t"])
async def test_a_contribution_is_kept_to_the_letter(come: Any, contribution: str) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2, bots=["random"], options={"rounds": 1})
    await anna.do(table, "contribute", contribution=contribution)
    await anna.do(table, "start")
    assert (await anna.situation(table))["fair"]["contributions"] == [contribution, ""]
    await play_on([anna], table, Random(1))
    assert verify(await anna.record(table)).deals_proven is True


async def test_a_rematch_has_a_commitment_of_its_own(come: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 2, bots=["random"], options={"rounds": 1}, start=True)
    await play_on([anna], table, Random(1))
    again = await anna.do(table, "rematch")
    assert again["commitment"] == (await anna.situation(again["id"]))["fair"]["commitment"]
    assert again["commitment"] != (await anna.situation(table))["fair"]["commitment"]
    assert (await entry_of(anna, again["id"])).index == again["listed"]


async def test_a_restart_between_commitment_and_start_changes_nothing(tmp_path: Path) -> None:
    with LiveServer(str(tmp_path / "nimmt.db")) as server:
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
            opened = await anna.post(
                "/api/tables", {"game": "six", "seats": 2, "bots": ["random"], "options": {"rounds": 1}}
            )
            await anna.do(opened["id"], "contribute", contribution="mine")
            server.restart()
            assert (await anna.situation(opened["id"]))["fair"]["commitment"] == opened["commitment"]
            await anna.do(opened["id"], "start")
            await play_on([anna], opened["id"], Random(2))
            record = json.loads(await anna.record(opened["id"]))
            assert record["fairness"]["commitment"] == opened["commitment"]
            assert record["fairness"]["contributions"] == ["mine", ""]
            assert (await entry_of(anna, opened["id"])).server_seed == record["fairness"]["server_seed"]


# -- the list ---------------------------------------------------------------------------------------------------------


async def test_the_list_says_what_became_of_every_table(database: str) -> None:
    with ThreadServer(database) as server:
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
            game: Json = {"bots": ["random"], "options": {"rounds": 1}}
            waiting = await anna.open_table("six", 2)
            closed = await anna.open_table("six", 2)
            await anna.do(closed, "close")
            given_up = await anna.open_table("six", 2, **game, start=True)
            await anna.do(given_up, "close")
            played = await anna.open_table("six", 2, **game, start=True)
            sealed = await entry_of(anna, played)
            assert (sealed.state, sealed.server_seed) == ("sealed", None)
            await play_on([anna], played, Random(3))
            states = {entry.table: entry.state for entry in await the_list(anna)}
            assert states == {
                public_name(waiting): "sealed",
                public_name(closed): "never",
                public_name(given_up): "never",
                public_name(played): "opened",
            }
            seed = (await anna.situation(played))["fair"]["server_seed"]
            assert (await entry_of(anna, played)).server_seed == seed
            # Tables are forgotten, what became of them is not.
            for table in (played, given_up, waiting):
                server.run(server.platform.tables.forget_for_good(table))
            await refused("no_such_table", anna.look(played))
            assert (await entry_of(anna, played)).server_seed == seed
            assert (await entry_of(anna, given_up)).state == (await entry_of(anna, waiting)).state == "never"


async def test_the_list_tells_no_secrets(come: Any) -> None:
    anna, nobody = await come("Anna", "")
    table = await anna.open_table("six", 2, bots=["random"], start=True)
    answer = await nobody.ask("GET", "/api/commitments")
    assert table not in answer.text
    assert anna.id not in answer.text
    entry = json.loads(answer.content)["entries"][0]
    assert set(entry) == {"index", "table", "commitment", "at", "previous", "hash", "state", "server_seed"}
    for path in ("", "/updates", "/record", "/steps", "/hands"):
        await refused("no_such_table", nobody.get(f"/api/tables/{entry['table']}{path}"))
        await refused("no_such_table", nobody.get(f"/api/tables/commitments{path}"))
    await refused("no_such_table", anna.do("commitments", "join"))
    await refused("no_such_table", anna.do("commitments", "say", text="hello"))


async def test_pages_are_bounded_and_may_be_kept(come: Any) -> None:
    (anna,) = await come("Anna")
    tables = [await anna.open_table("six", 2) for _ in range(3)]
    last = (await entry_of(anna, tables[-1])).index
    page = await anna.get(f"/api/commitments?after={last - 3}&limit=2")
    assert [entry["index"] for entry in page["entries"]] == [last - 2, last - 1]
    for query in ("after=-1", f"after={2**31}", "limit=0", f"limit={MAX_PAGE + 1}", "after=x"):
        await refused("bad_request", anna.get(f"/api/commitments?{query}"))
    assert (await anna.get(f"/api/commitments?after={2**31 - 1}"))["entries"] == []
    path = f"/api/commitments?after={last - 3}&limit=2"
    first = await anna.ask("GET", path)
    assert first.headers["cache-control"] == "public, max-age=5"
    again = await anna.ask("GET", path, if_none_match=first.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")
    for table in tables:
        await anna.do(table, "close")
    settled = await anna.ask("GET", path, if_none_match=first.headers["etag"])
    assert (settled.status_code, settled.headers["cache-control"]) == (200, "public, max-age=3600")


async def test_opening_twice_with_a_key_is_listed_once(come: Any) -> None:
    (anna,) = await come("Anna")
    body: Json = {"game": "six", "seats": 2}
    one = await anna.post("/api/tables", body, key="once")
    assert await anna.post("/api/tables", body, key="once") == one
    assert (await entry_of(anna, one["id"])).index == one["listed"]


async def test_a_refused_table_is_not_listed(come: Any) -> None:
    (anna,) = await come("Anna")
    before = (await anna.get("/api/commitments?limit=1"))["length"]
    await refused("bad_options", anna.open_table("six", 99 // 9, options={"target": -1}))
    await refused("table_full", anna.open_table("six", 2, bots=["random"] * 2))
    assert (await anna.get("/api/commitments?limit=1"))["length"] == before


# -- many at once -----------------------------------------------------------------------------------------------------


async def opened_stores(stack: AsyncExitStack, database: str, number: int) -> list[Store]:
    """As several processes have them; memory is shared by nobody else."""
    stores = [make_store(database) for _ in range(1 if database == "memory" else number)]
    for store in stores:
        await store.open()
        stack.push_async_callback(store.close)
    return stores


async def test_the_list_has_no_forks_and_loses_nothing(database: str) -> None:
    async with AsyncExitStack() as stack:
        stores = await opened_stores(stack, database, 4)
        lists = [Commitments(stores[number % len(stores)]) for number in range(4)]
        names = [new_table_id() for _ in range(120)]
        adding = [lists[number % 4].add(name, public_name(name), number) for number, name in enumerate(names)]
        numbers = await asyncio.gather(*adding)
        page = await lists[0].page(0)
        assert followed(Head(), page.entries) == Head(length=120, hash=page.head)
        assert {entry.index: entry.table for entry in page.entries} == {
            number: public_name(name) for number, name in zip(numbers, names, strict=True)
        }


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_the_list_holds_with_several_processes(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:  # fmt: skip
    database = str(tmp_path / "nimmt.db") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    with LiveServer(database, workers=2) as server:
        people = [Person(server.url) for _ in range(6)]
        try:
            for number, person in enumerate(people):
                await person.come_in(f"Person {number}")

            async def open_some(person: Person) -> list[Json]:
                return [await person.post("/api/tables", {"game": "six", "seats": 2}) for _ in range(5)]

            opened = [table for some in await asyncio.gather(*map(open_some, people)) for table in some]
            listed = {entry.index: entry.commitment for entry in await the_list(people[0])}
            assert {table["listed"]: table["commitment"] for table in opened} == listed
            assert len(listed) == 30
            before = (await the_list(people[0]))[-1].head()
            server.restart()
            await people[0].open_table("six", 2)
            entries = await the_list(people[0])
            assert entries[before.length - 1].head() == before
            assert len(entries) == 31
        finally:
            for person in people:
                await person.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_backup_brings_the_list_back(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    database = str(tmp_path / "nimmt.db") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    file, other = tmp_path / "backup", str(tmp_path / "other.db")
    async with AsyncExitStack() as stack:
        (store,) = await opened_stores(stack, database, 1)
        for number in range(3):
            await Commitments(store).add(new_table_id(), public_name(str(number)), number)
        before = await Commitments(store).page(0)
        await backup(database, file)
        await restore(file, other)
        (copy,) = await opened_stores(stack, other, 1)
        assert await Commitments(copy).page(0) == before
        assert await Commitments(copy).add(new_table_id(), public_name("more"), 9) == 4


class Troubled:
    """A store where somebody else is always faster, or that is away."""

    def __init__(self, store: Store, error: Exception) -> None:
        self._store, self._error, self.appends = store, error, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, *_: Any) -> int:
        self.appends += 1
        await asyncio.sleep(0)
        raise self._error


@pytest.mark.parametrize("error", [Conflict("faster"), Unavailable("away")])
async def test_nobody_waits_for_ever_for_a_place_in_the_list(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr("nimmt.server.tables.commitments.ATTEMPTS", 3)
    memory = make_store("memory")
    store: Any = Troubled(memory, error)
    adding = [Commitments(store).add(new_table_id(), public_name("x"), 0) for _ in range(3)]
    for result in await asyncio.gather(*adding, return_exceptions=True):
        assert isinstance(result, Exception)
    assert await Commitments(memory).head() == Head()


async def test_who_gives_up_while_writing_takes_nobody_along_for_ever() -> None:
    class Slow(Troubled):
        async def append(self, *_: Any) -> int:
            await asyncio.sleep(3600)
            raise AssertionError

    store: Any = Slow(make_store("memory"), Conflict())
    commitments = Commitments(store)
    one = asyncio.create_task(commitments.add(new_table_id(), public_name("1"), 0))
    await asyncio.sleep(0)
    two = asyncio.create_task(commitments.add(new_table_id(), public_name("2"), 0))
    await asyncio.sleep(0.01)
    commitments._store = make_store("memory")
    one.cancel()
    with suppress(asyncio.CancelledError):
        await one
    assert await two == 1


async def test_a_table_that_was_never_there_counts_as_never_opened_after_a_while() -> None:
    """The process died between the two: the entry stays, and nobody will ever open it."""
    now = 10_000_000
    commitments = Commitments(make_store("memory"), lambda: now)
    await commitments.add(new_table_id(), public_name("x"), now)
    assert (await commitments.page(0)).entries[0].state == "sealed"
    now += 2 * 3_600_000
    assert (await commitments.page(0)).entries[0].state == "never"


# -- the chain itself -------------------------------------------------------------------------------------------------


@pytest.fixture
def chain() -> list[ListedCommitment]:
    head, entries = Head(), list[ListedCommitment]()
    for number in range(4):
        seed = bytes([number]) * 32
        entry = extended(head, public_name(str(number)), commitment(seed), 1000 + number)
        facts = msgspec.structs.asdict(entry)
        entries.append(ListedCommitment(**facts, state="opened", server_seed=seed.hex()))
        head = entry.head()
    return entries


def test_every_change_of_the_list_is_noticed(chain: list[ListedCommitment]) -> None:
    assert followed(Head(), chain) == chain[-1].head()
    other = "f" * 64
    for changes in ({"table": other}, {"commitment": other}, {"at": 1}, {"previous": other}, {"hash": other}):
        for place in range(4):
            changed = [*chain]
            changed[place] = msgspec.structs.replace(chain[place], **changes)
            with pytest.raises(ListError):
                followed(Head(), changed)
    for place in range(3):
        with pytest.raises(ListError):
            followed(Head(), chain[:place] + chain[place + 1 :])
    with pytest.raises(ListError):
        followed(Head(), [chain[0], *chain])


def test_what_is_called_opened_must_be(chain: list[ListedCommitment]) -> None:
    check_opening(chain[0])
    for seed in ("00" * 32, "no hex", None):
        wrong = msgspec.structs.replace(chain[1], server_seed=seed)
        with pytest.raises(ListError):
            check_opening(wrong)
    with pytest.raises(ListError):
        check_opening(msgspec.structs.replace(chain[1], state="never"))


def test_the_hash_is_that_of_the_page() -> None:
    """Shared with the page's own test, web/tests/fair.test.ts, by docs/shuffle.md."""
    import re
    import tomllib

    page = (Path(__file__).parents[2] / "docs" / "shuffle.md").read_text("utf-8")
    vector = tomllib.loads("\n".join(re.findall(r"^```toml\n(.*?)^```", page, re.M | re.S)))["entry"]
    assert public_name(vector["table_id"]) == vector["table"]
    facts = (vector["index"], vector["table"], vector["commitment"], vector["at"], vector["previous"])
    assert entry_hash(*facts) == vector["hash"]

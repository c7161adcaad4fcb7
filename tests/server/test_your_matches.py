"""Your matches and statistics: right, your own and nobody else's, durable, and made anew where they are missing."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from random import Random
from typing import Any

import msgspec
import pytest

from nimmt.match.match import replay, single_deal
from nimmt.match.record import read_record
from nimmt.rules import registry
from nimmt.server.people.matches import Filter, Played, _read, statistics_of
from nimmt.server.tables.log_entries import NoClock
from nimmt.server.tables.messages import Chair, StoredCard
from nimmt.server.tables.summary import VERSION, Summary
from nimmt.store import Listing
from nimmt.store.contract import make_store
from nimmt.testing.postgres import PostgresServer
from nimmt.testing.random_play import play_match
from nimmt.testing.servers import House, Json, LiveServer, Person, ThreadServer, play_on, refused

pytestmark = [pytest.mark.anyio, pytest.mark.in_turn("place")]

ONE_ROUND = {"rounds": 1}


@pytest.fixture(scope="module", params=["sqlite", "postgresql 2"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[Any]]]:
    kind, _, count = request.param.partition(" ")
    with ExitStack() as stack:
        if kind == "sqlite":
            database = str(tmp_path_factory.mktemp("matches") / "nimmt.db")
        else:
            postgres: PostgresServer = request.getfixturevalue("postgres_server")
            database = postgres.new_database()
            stack.callback(postgres.drop_database, database)
        yield database, [stack.enter_context(LiveServer(database)) for _ in range(int(count or 1))]


@pytest.fixture
async def house(place: tuple[str, list[LiveServer]]) -> AsyncIterator[House]:
    house = House(*place)
    yield house
    await house.close()


async def matches_of(person: Person, query: str = "") -> Json:
    """When all that had to be counted first is."""
    while (found := await person.get(f"/api/me/matches?{query}"))["pending"]:
        await asyncio.sleep(0.01)
    return dict(found)


async def finished(people: list[Person], game: str = "six", seed: int = 1, **more: Any) -> str:
    """A match of these people, played to its end."""
    table = await people[0].open_table(game, more.pop("seats", len(people)), **more)
    for person in people[1:]:
        await person.do(table, "join")
    await people[0].do(table, "start")
    await play_on(people, table, Random(seed))
    return table


# -- with a server ----------------------------------------------------------------------------------------------------


async def test_a_match_is_counted_as_its_record_tells(house: House) -> None:
    anna, ben, cleo = await house.come("Anna", "Ben", "Cleo")
    table = await finished([anna, ben], options=ONE_ROUND)
    house.restart()
    record = read_record(await anna.record(table))
    events = [event for step in replay(record) for event in step.events]
    assert record.result is not None
    # 24 cards do not fit into four rows of five: somebody has taken some.
    assert any(event.taker() is not None for event in events)
    for seat, person in enumerate([anna, ben]):
        there = house.elsewhere(person)
        (match,) = (await matches_of(there))["matches"]
        assert (match["id"], match["seat"], match["rounds"], match["counted"]) == (table, seat, 1, True)
        assert [one["points"] for one in match["seats"]] == list(record.result.points)
        assert [n for n, one in enumerate(match["seats"]) if one["won"]] == list(record.result.winners)
        assert match["takes"] == sum(event.taker() == seat for event in events)
        counted = await there.get("/api/me/statistics")
        (six,) = counted["games"]
        assert (six["game"], six["takes"], six["taken"]) == ("six", "rows", match["takes"])
        assert (six["points"], six["counts"]["wins"]) == (
            record.result.points[seat],
            int(seat in record.result.winners),
        )
        assert [one["name"] for one in counted["against"]] == [["Ben"], ["Anna"]][seat]
    assert (await matches_of(cleo))["all"] == 0


async def test_nobody_is_told_of_matches_of_others_or_of_running_ones(house: House) -> None:
    anna, ben, nobody = await house.come("Anna", "Ben", "")
    table = await finished([anna, ben], options=ONE_ROUND, public=True)
    running = await anna.open_table("six", 2, bots=["random"], start=True)
    for path in ("matches", "statistics"):
        await refused("not_signed_in", nobody.get(f"/api/me/{path}"))
        told = json.dumps(await anna.get(f"/api/me/{path}"))
        assert anna.id not in told
        assert ben.id not in told
        assert running not in told
        assert "Ben" in told
        assert table in told
    # Lists of tables tell who sits there, and nothing that is kept for statistics.
    (listed,) = [card for card in await anna.get("/api/tables/mine") if card["id"] == table]
    assert "summary" not in listed
    assert ben.id not in json.dumps(listed)


async def test_matches_from_before_there_were_summaries_are_counted_when_somebody_asks(house: House) -> None:
    anna, ben = await house.come("Anna", "Ben")
    tables = [await finished([anna, ben], options=ONE_ROUND, seed=seed) for seed in range(2)]
    before = await matches_of(anna)
    store = make_store(house.database)
    await store.open()
    for table in tables:
        listing = await store.listing(table)
        assert listing is not None
        card = json.loads(listing.card)
        del card["summary"]
        old = msgspec.structs.replace(listing, card=json.dumps(card).encode())
        await store.append(table, len(await store.read(table)), (), old)
    house.restart()
    assert (await anna.get("/api/me/matches"))["pending"] == 2
    assert await matches_of(anna) == before
    # Once and for all, and for everybody who played there.
    assert (await ben.get("/api/me/statistics"))["pending"] == 0
    await store.close()


async def test_who_is_forgotten_is_nobody_in_the_matches_of_others(house: House) -> None:
    anna, ben = await house.come("Anna", "Ben")
    table = await finished([anna, ben], options=ONE_ROUND)
    data = (await anna.ask("GET", "/api/me/data")).json()
    (own,) = data["tables"]
    assert own["summary"]["takes"] == (await matches_of(anna))["matches"][0]["takes"]
    assert (await ben.ask("DELETE", "/api/me", {})).status_code == 204
    (match,) = (await matches_of(anna))["matches"]
    assert [one["name"] for one in match["seats"]] == ["Anna", "N. N."]
    assert [one["name"] for one in (await anna.get("/api/me/statistics"))["against"]] == ["N. N."]
    store = make_store(house.database)
    await store.open()
    listing = await store.listing(table)
    assert listing is not None
    assert ben.id.encode() not in listing.card
    await store.close()


async def test_what_is_taken_off_the_list_counts_no_more(house: House) -> None:
    anna, ben = await house.come("Anna", "Ben")
    table = await finished([anna, ben], options=ONE_ROUND)
    await anna.do(table, "unlist")
    assert (await matches_of(anna))["all"] == 0
    assert (await matches_of(ben))["all"] == 1


async def test_a_match_that_a_bot_played_for_you_is_listed_but_not_counted(house: House) -> None:
    anna, ben = await house.come("Anna", "Ben")
    table = await anna.open_table("six", 2, options=ONE_ROUND)
    await ben.do(table, "join")
    await anna.do(table, "start")
    await play_on([anna, ben], table, Random(1), steps=2)
    await anna.do(table, "leave")
    await play_on([ben], table, Random(1))
    (match,) = (await matches_of(anna))["matches"]
    assert not match["counted"]
    counted = await anna.get("/api/me/statistics")
    assert (counted["counts"]["matches"], counted["uncounted"], counted["against"]) == (0, 1, [])
    assert (await ben.get("/api/me/statistics"))["counts"]["matches"] == 1


@pytest.mark.parametrize("query", ["company=nobody", "result=maybe", "skip=-1", "limit=101", f"search={'x' * 101}"])
async def test_a_question_that_makes_no_sense_is_refused(house: House, query: str) -> None:
    (anna,) = await house.come("Anna")
    await refused("bad_request", anna.get(f"/api/me/matches?{query}"))


# -- without one ------------------------------------------------------------------------------------------------------

NAMES = {"anna": "Anna", "ben": "Ben", "cem": "Cem Öztürk"}


def made(number: int, game: str = "six", points: tuple[int, ...] = (5, 9), **more: Any) -> tuple[str, Listing]:
    """A listing of a finished match; people by their ids, bots by their levels."""
    players = more.get("players", ("anna", "ben"))
    chairs = [
        Chair(kind="person", name=NAMES[player]) if player in NAMES else Chair(kind="bot", name="Bella", level=player)
        for player in players
    ]
    best = max(points) if more.get("high") else min(points)
    summary = Summary(
        version=more.get("version", VERSION),
        began=number * 1000,
        ended=number * 1000 + 500,
        rounds=more.get("rounds", 2),
        reason="points",
        points=points,
        winners=tuple(seat for seat, own in enumerate(points) if own == best),
        takes=tuple(range(len(points))),
        decisions=(20,) * len(points),
        by_bots=(more.get("by_bot", 0),) * len(points),
        guests=tuple(player if player in NAMES else None for player in players),
    )
    options = more.get("options", {})
    card = StoredCard(game=game, options=options, tempo=NoClock(), chairs=tuple(chairs), summary=summary)
    guests = tuple(player for player in players if player in NAMES)
    return f"t{number}", Listing("over", False, game, guests, number, None, msgspec.json.encode(card))


def played(*listed: tuple[str, Listing], guest: str = "anna") -> list[Played]:
    matches, missing = _read(guest, listed)
    assert not missing
    return matches


MATCHES = [
    made(1),
    made(2, points=(9, 5)),
    made(3, points=(1, 2, 3), players=("anna", "normal", "normal")),
    made(4, "x", players=("cem", "anna"), points=(3, 3)),
    made(5, options={"draft": True}, players=("anna", "ben", "cem"), points=(7, 8, 9)),
]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Filter(), [5, 4, 3, 2, 1]),
        (Filter(game="x"), [4]),
        (Filter(company="bots"), [3]),
        (Filter(company="people"), [5, 4, 2, 1]),
        (Filter(result="lost"), [2]),
        (Filter(result="won", game="six"), [5, 3, 1]),
        (Filter(search="BEN"), [5, 2, 1]),
        (Filter(search="öz cem"), [5, 4]),
        (Filter(search="anna"), []),
        (Filter(search="cem", game="six", variant="draft"), [5]),
    ],
)
def test_matches_are_filtered(wanted: Filter, found: list[int]) -> None:
    assert [match.id for match in played(*MATCHES) if wanted.fits(match)] == [f"t{number}" for number in found]


def test_statistics_add_up() -> None:
    told = statistics_of(played(*MATCHES, made(6, by_bot=11)), Filter())
    assert (told.counts.matches, told.counts.wins, told.uncounted) == (5, 4, 1)
    assert told.counts.fair == pytest.approx(1 / 2 + 1 / 2 + 1 / 3 + 2 / 2 + 1 / 3, abs=0.001)
    six, x = told.games
    assert (six.game, six.counts.matches, six.points, six.counts.rounds, six.best) == ("six", 4, 22, 8, 0.5)
    assert (x.game, x.taken) == ("x", 1)
    assert [(one.seats, one.counts.matches, one.counts.wins) for one in told.seats] == [(2, 3, 2), (3, 2, 2)]
    ben, cem, bots = sorted(told.against, key=lambda one: one.name or one.kind)
    assert (ben.name, ben.matches, ben.ahead, ben.contested, ben.wins) == ("Ben", 3, 2, 3, 2)
    assert (bots.kind, bots.level, bots.matches, bots.ahead, bots.contested) == ("bot", "normal", 1, 2, 2)
    assert (cem.name, cem.matches, cem.ahead, cem.wins) == ("Cem Öztürk", 2, 1, 2)
    assert [point.id for point in told.course] == ["t1", "t2", "t3", "t4", "t5"]
    assert told.variants == {"six": ("basic", "draft"), "x": ("basic",)}


def test_where_points_are_good_most_of_them_is_best() -> None:
    good = {"bulls_are_good": True}
    told = statistics_of(played(made(1, "baron", points=(4, 1), options=good, high=True), made(2, "baron")), Filter())
    assert {(one.high_wins, one.best) for one in told.games} == {(True, 2.0), (False, 2.5)}
    assert told.against[0].ahead == 2


def test_a_team_wins_together_and_is_not_measured_against_chance() -> None:
    told = statistics_of(played(made(1, "buffalo", points=(4, 4))), Filter())
    assert (told.counts.wins, told.counts.contested, told.counts.fair) == (1, 0, 0)
    assert (told.against[0].wins, told.against[0].contested) == (1, 0)


def test_games_that_are_gone_are_counted_as_far_as_possible() -> None:
    (game,) = statistics_of(played(made(1, "gone")), Filter()).games
    assert (game.game, game.takes, game.counts.wins) == ("gone", None, 1)


def test_summaries_of_another_version_are_made_anew() -> None:
    assert _read("anna", [made(1, version=VERSION + 1)]) == ([], ["t1"])


async def test_thousands_of_matches_are_told_in_pages() -> None:
    with ThreadServer() as server:
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
            server.run(_fill(server, anna.id, 2000))
            first = await anna.get("/api/me/matches?limit=50")
            last = await anna.get("/api/me/matches?limit=50&skip=1990")
            assert (first["total"], len(first["matches"]), len(last["matches"])) == (2000, 50, 10)
            ended = [match["ended"] for match in first["matches"] + last["matches"]]
            assert ended == sorted(ended, reverse=True)
            assert (await anna.get("/api/me/statistics"))["counts"]["matches"] == 2000


async def _fill(server: ThreadServer, guest: str, count: int) -> None:
    for number in range(count):
        table, listing = made(number)
        card = listing.card.replace(b'"anna"', json.dumps(guest).encode())
        listing = msgspec.structs.replace(listing, guests=(guest,), card=card)
        await server.platform.store.append(table, 0, [b"{}"], listing)


async def test_a_log_that_cannot_be_read_is_not_waited_for() -> None:
    with ThreadServer() as server:
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
            _, listing = made(1, version=0)
            listing = msgspec.structs.replace(listing, guests=(anna.id,))
            server.run(server.platform.store.append("broken", 0, [b'{"type":"Closed"'], listing))
            assert (await matches_of(anna))["all"] == 0


# -- what games count -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", sorted(registry.GAMES))
def test_every_game_says_who_takes_something(game_id: str) -> None:
    """In a whole match somebody takes a row or a pile, and only people at the table do."""
    game = registry.get(game_id)
    steps = play_match(game, single_deal(game, game.options_type()), 3, Random(3))
    takers = {event.taker() for step in steps for event in step.events}
    took = takers - {None}
    assert took <= {0, 1, 2}
    assert bool(took) == (game.takes is not None)

"""People who are not there are called when it becomes their turn in a match over days: once, in all their browsers, by
messages that only those can read; and never where they do not want it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from nimmt.server.calls import webpush
from nimmt.server.calls.caller import BACK_OFF, GRACE, Caller
from nimmt.server.calls.subscriptions import MAX_SUBSCRIPTIONS, Quiet, quiet_until
from nimmt.server.calls.webpush import CURVE, PADDED, Receiver, b64decode, b64encode, encrypt, point
from nimmt.server.http.bodies import Subscribe
from nimmt.testing.push import Browser, PushService, claims_of
from nimmt.testing.servers import Json, Person, ThreadServer, asks, refused

pytestmark = pytest.mark.anyio

OVER_DAYS = {"kind": "turns", "hours": 24}

# -- the messages ------------------------------------------------------------------------------------------------------


def test_a_message_is_encrypted_as_the_rfc_shows_it() -> None:
    """RFC 8291, section 5 and appendix A."""
    theirs = _key("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
    ours = _key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    receiver = Receiver.read(b64encode(point(theirs.public_key())), "BTBZMqHH6r4Tts7J_aSIgg")
    salt = b64decode("DGv6ra1nlYgDCS1FRnbzlw")
    body = encrypt(b"When I grow up, I want to be a watermelon", receiver, ours, salt, padded=0)
    assert b64encode(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_the_token_of_the_rfc_is_read_like_our_own() -> None:
    """RFC 8292, section 2.4: signatures are never twice the same, so ours are proven by what reads this one."""
    token = (
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1"
        "YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L"
        "9OkSSHzvoD1oA"
    )
    key = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
    claims = {"aud": "https://push.example.net", "exp": 1453523768, "sub": "mailto:push@example.com"}
    assert claims_of(f"vapid t={token}, k={key}", key) == claims


def _key(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(b64decode(text), "big"), CURVE)


# -- a server, a push service, and two people --------------------------------------------------------------------------


@pytest.fixture
def push() -> Iterator[PushService]:
    with PushService() as service:
        yield service


@pytest.fixture
def house(time: Any) -> Iterator[ThreadServer]:
    with ThreadServer(push_private=True, push_contact="mailto:host@example.org", calls_per_hour=3) as server:
        yield server


@pytest.fixture
async def people(house: ThreadServer) -> AsyncIterator[tuple[Person, Person]]:
    async with Person(house.url) as anna, Person(house.url) as ben:
        yield await anna.come_in("Anna"), await ben.come_in("Ben")


async def begun(anna: Person, ben: Person, tempo: Json = OVER_DAYS) -> str:
    table = await anna.open_table("six", 2, tempo=tempo)
    await ben.do(table, "join")
    await anna.do(table, "start")
    return table


async def act(person: Person, table: str) -> None:
    situation = await person.situation(table)
    assert asks(situation)
    await person.act(table, situation["legal"][0], situation["decision"])


async def turn(anna: Person, ben: Person, table: str) -> set[int]:
    """Both play a card, and whoever has to takes a row, until both have to play the next one; what Ben was asked."""
    decision = (await ben.situation(table))["decision"]
    asked = {decision}
    while True:
        for person in (anna, ben):
            if asks(await person.situation(table)):
                await act(person, table)
            now = await ben.situation(table)
            asked |= {now["decision"]} if asks(now) else set()
            if asks(now) and now["decision"] != decision and asks(await anna.situation(table)):
                return asked


def everything_sent(*servers: ThreadServer) -> None:
    """Let servers do all that is to be done now."""

    async def finish(caller: Caller) -> None:
        await caller.idle()
        await caller.look()
        await caller.idle()

    for server in servers:
        server.run(finish(server.platform.caller))


async def test_a_call_says_which_table_waits_and_only_the_browser_can_read_it(
    house: ThreadServer, push: PushService, people: tuple[Person, Person]
) -> None:
    anna, ben = people
    browser = Browser(push)
    key = (await ben.get("/api/me/calls"))["key"]
    await ben.post("/api/me/calls", browser.subscription())
    table = await begun(anna, ben)
    everything_sent(house)
    (pushed,) = browser.received
    assert browser.read(pushed) == {"kind": "turn", "game": "six", "table": table}
    assert len(pushed.body) == 16 + 4 + 1 + 65 + PADDED + 16
    claims = claims_of(pushed.headers["authorization"], key)
    assert claims["aud"] == push.url
    assert claims["sub"] == "mailto:host@example.org"
    assert pushed.headers["ttl"] == str(24 * 3600)
    assert len(pushed.headers["topic"]) == 32
    assert table not in str(pushed.headers)
    assert ben.id not in str(pushed.headers)


async def test_a_decision_is_called_for_once_and_the_next_one_takes_its_place(
    house: ThreadServer, push: PushService, people: tuple[Person, Person]
) -> None:
    anna, ben = people
    browser = Browser(push)
    await ben.post("/api/me/calls", browser.subscription())
    table = await begun(anna, ben)
    await act(anna, table)  # he is still waited for: no news for him
    everything_sent(house)
    house.run(house.platform.caller.catch_up())
    everything_sent(house)
    assert len(browser.received) == 1
    asked = await turn(anna, ben, table)
    everything_sent(house)
    assert 2 <= len(browser.received) <= len(asked)  # a row may have been taken before anybody could be called for it
    assert len({pushed.headers["topic"] for pushed in browser.received}) == 1


@pytest.mark.parametrize("tempo", [{"kind": "none"}, {"kind": "live", "seconds": 30}], ids=lambda tempo: tempo["kind"])
async def test_nobody_is_called_to_a_table_where_people_sit_together(
    house: ThreadServer, push: PushService, people: tuple[Person, Person], tempo: Json
) -> None:
    anna, ben = people
    await ben.post("/api/me/calls", Browser(push).subscription())
    await begun(anna, ben, tempo)
    everything_sent(house)
    house.run(house.platform.caller.catch_up())
    everything_sent(house)
    assert push.received == []


async def test_who_is_there_is_not_called_but_who_has_gone_without_a_word_is(
    house: ThreadServer, push: PushService, people: tuple[Person, Person], time: Any
) -> None:
    anna, ben = people
    browser = Browser(push)
    await ben.post("/api/me/calls", browser.subscription())
    table = await anna.open_table("six", 2, tempo=OVER_DAYS)
    await ben.do(table, "join")
    async with ben.socket(table) as socket:
        await socket.next()
        await anna.do(table, "start")
        everything_sent(house)
        assert browser.received == []
    await anna.situation(table)
    while house.platform.presence.is_connected(table, ben.id):
        await asyncio.sleep(0.01)
    everything_sent(house)
    assert browser.received == []  # perhaps he comes back at once
    time.passes(seconds=GRACE / 1000 + 1)
    everything_sent(house)
    assert len(browser.received) == 1


async def test_who_decides_leaves_or_is_replaced_in_time_is_not_called(
    house: ThreadServer, push: PushService, people: tuple[Person, Person], time: Any
) -> None:
    anna, ben = people
    browser = Browser(push)
    await ben.post("/api/me/calls", browser.subscription())
    push.answers = [(503, {}), (503, {})]
    decided, left = await begun(anna, ben), await begun(anna, ben)
    everything_sent(house)
    assert len(browser.received) == 2
    await act(ben, decided)
    await ben.do(left, "leave")
    time.passes(seconds=BACK_OFF[0] / 1000 + 1)
    everything_sent(house)
    house.run(house.platform.caller.catch_up())
    everything_sent(house)
    assert len(browser.received) == 2


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_forgotten(
    house: ThreadServer, push: PushService, people: tuple[Person, Person], status: int
) -> None:
    anna, ben = people
    browser, other = Browser(push), Browser(push)
    push.answers = [(status, {})]
    await ben.post("/api/me/calls", browser.subscription())
    await begun(anna, ben)
    everything_sent(house)
    assert (await ben.get("/api/me/calls"))["subscriptions"] == []
    await ben.post("/api/me/calls", other.subscription())
    await begun(anna, ben)
    everything_sent(house)
    assert (len(browser.received), len(other.received)) == (1, 1)


@pytest.mark.parametrize(("answer", "wait"), [((429, {"Retry-After": "600"}), 600), ((500, {}), 30), ((503, {}), 30)])
async def test_a_busy_service_is_asked_again_later_and_not_sooner(
    house: ThreadServer,
    push: PushService,
    people: tuple[Person, Person],
    time: Any,
    answer: tuple[int, dict[str, str]],
    wait: int,
) -> None:
    anna, ben = people
    browser = Browser(push)
    await ben.post("/api/me/calls", browser.subscription())
    push.answers = [answer]
    await begun(anna, ben)
    everything_sent(house)
    time.passes(seconds=wait - 2)
    everything_sent(house)
    assert len(browser.received) == 1
    time.passes(seconds=3)
    everything_sent(house)
    everything_sent(house)
    assert len(browser.received) == 2


async def test_a_service_that_never_works_is_given_up(
    house: ThreadServer, push: PushService, people: tuple[Person, Person], time: Any
) -> None:
    anna, ben = people
    browser = Browser(push)
    await ben.post("/api/me/calls", browser.subscription())
    push.answers = [(500, {})] * 20
    await begun(anna, ben, {"kind": "turns", "hours": 300})
    for wait in (0, *BACK_OFF, BACK_OFF[-1], BACK_OFF[-1]):
        time.passes(seconds=wait / 1000 + 1)
        everything_sent(house)
    assert len(browser.received) == 1 + len(BACK_OFF)


async def test_a_call_survives_a_restart_and_so_do_the_key_and_the_browser(
    push: PushService, time: Any, tmp_path: Path
) -> None:
    browser, keys, settings = Browser(push), [], {"push_private": True}
    push.answers = [(503, {})]
    with ThreadServer(str(tmp_path / "nimmt.db"), **settings) as server:
        async with Person(server.url) as anna, Person(server.url) as ben:
            await anna.come_in("Anna"), await ben.come_in("Ben")
            await ben.post("/api/me/calls", browser.subscription())
            keys.append((await ben.get("/api/me/calls"))["key"])
            table = await begun(anna, ben)
            everything_sent(server)
            cookies = ben.http.cookies
    time.passes(seconds=BACK_OFF[0] / 1000 + 1)
    with ThreadServer(str(tmp_path / "nimmt.db"), **settings) as server:
        async with Person(server.url) as ben:
            ben.http.cookies = cookies
            keys.append((await ben.get("/api/me/calls"))["key"])
        everything_sent(server)
    assert browser.read(browser.received[1])["table"] == table
    assert len(browser.received) == 2
    assert keys[0] == keys[1]


async def test_what_a_process_that_died_has_not_noted_is_found(
    push: PushService, time: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser(push)
    with monkeypatch.context() as dying, ThreadServer(str(tmp_path / "nimmt.db"), push_private=True) as server:
        dying.setattr(Caller, "look_at", lambda *_: None)
        server.platform.tables.on_change = lambda _: None
        async with Person(server.url) as anna, Person(server.url) as ben:
            await anna.come_in("Anna"), await ben.come_in("Ben")
            await ben.post("/api/me/calls", browser.subscription())
            await begun(anna, ben)
    with ThreadServer(str(tmp_path / "nimmt.db"), push_private=True) as server:
        server.run(server.platform.caller.catch_up())
        everything_sent(server)
    assert len(browser.received) == 1


async def test_of_two_processes_one_calls(push: PushService, time: Any, postgres_url: str) -> None:
    """Both know of every call, and look for what is due at the same time."""
    browsers = [Browser(push) for _ in range(5)]
    with ExitStack() as stack:
        one, other = (stack.enter_context(ThreadServer(postgres_url, push_private=True)) for _ in range(2))
        async with Person(one.url) as anna, Person(other.url) as ben:
            await anna.come_in("Anna"), await ben.come_in("Ben")
            for browser in browsers:
                await ben.post("/api/me/calls", browser.subscription())
            tables = [await begun(anna, ben) for _ in range(3)]

            async def look(server: ThreadServer) -> None:
                for work in (server.platform.caller.catch_up, server.platform.caller.look) * 5:
                    await asyncio.to_thread(server.run, work())

            await asyncio.gather(look(one), look(other))
            everything_sent(one, other)
    for browser in browsers:
        assert sorted(browser.read(pushed)["table"] for pushed in browser.received) == sorted(tables)


# -- what people want --------------------------------------------------------------------------------------------------


async def test_in_quiet_hours_a_call_waits_for_the_morning(
    house: ThreadServer, push: PushService, people: tuple[Person, Person], time: Any
) -> None:
    anna, ben = people
    browser = Browser(push)
    minute = time.ms // 60_000 % (24 * 60)
    quiet = {"start": minute, "end": (minute + 8 * 60) % (24 * 60)}
    await ben.post("/api/me/calls", browser.subscription(quiet=quiet, zone="UTC"))
    await begun(anna, ben)
    everything_sent(house)
    time.passes(hours=7.9)
    everything_sent(house)
    assert browser.received == []
    time.passes(hours=0.2)
    everything_sent(house)
    assert len(browser.received) == 1


NIGHT = Quiet(22 * 60, 7 * 60)


@pytest.mark.parametrize(
    ("quiet", "zone", "now", "until"),
    [
        (None, "UTC", "2026-11-17T03:00Z", None),
        (NIGHT, "UTC", "2026-11-17T21:59Z", None),
        (NIGHT, "UTC", "2026-11-17T22:00Z", "2026-11-18T07:00Z"),
        (NIGHT, "UTC", "2026-11-17T06:59Z", "2026-11-17T07:00Z"),
        (NIGHT, "UTC", "2026-11-17T07:00Z", None),
        (NIGHT, "Europe/Berlin", "2026-11-17T21:30Z", "2026-11-18T06:00Z"),
        (NIGHT, "America/New_York", "2026-11-17T06:59Z", "2026-11-17T12:00Z"),
        (NIGHT, "Europe/Berlin", "2026-10-24T21:00Z", "2026-10-25T06:00Z"),  # clocks are set back in this night
        (Quiet(60, 120), "UTC", "2026-11-17T01:30Z", "2026-11-17T02:00Z"),
        (Quiet(60, 60), "UTC", "2026-11-17T01:00Z", None),
    ],
)
def test_quiet_hours_go_by_the_clock_of_the_reader(quiet: Quiet | None, zone: str, now: str, until: str | None) -> None:
    def at(text: str) -> int:
        return int(datetime.fromisoformat(text).timestamp() * 1000)

    assert quiet_until(quiet, zone, at(now)) == (until and at(until))


async def test_nobody_is_called_more_often_than_the_limit(
    house: ThreadServer, push: PushService, people: tuple[Person, Person], time: Any
) -> None:
    anna, ben = people
    browser = Browser(push)
    await ben.post("/api/me/calls", browser.subscription())
    for _ in range(5):
        await begun(anna, ben)
        everything_sent(house)
    assert len(browser.received) == 3
    time.passes(hours=1.01)
    everything_sent(house)
    assert len({browser.read(pushed)["table"] for pushed in browser.received}) == len(browser.received) == 5


async def test_every_browser_is_called_and_can_be_taken_off_alone(
    house: ThreadServer, push: PushService, people: tuple[Person, Person]
) -> None:
    anna, ben = people
    phone, laptop = Browser(push), Browser(push)
    taken_off = await ben.post("/api/me/calls", phone.subscription())
    await ben.post("/api/me/calls", laptop.subscription())
    await ben.post("/api/me/calls", laptop.subscription(quiet={"start": 1, "end": 2}))  # changed, not a second one
    await begun(anna, ben)
    everything_sent(house)
    assert (await ben.ask("DELETE", f"/api/me/calls/{taken_off['id']}")).status_code == 204
    await begun(anna, ben)
    everything_sent(house)
    assert (len(phone.received), len(laptop.received)) == (1, 2)
    assert (await ben.ask("DELETE", "/api/me/calls")).status_code == 204
    await begun(anna, ben)
    everything_sent(house)
    assert (len(phone.received), len(laptop.received)) == (1, 2)


async def test_browsers_are_limited_and_each_is_one_persons(
    house: ThreadServer, push: PushService, people: tuple[Person, Person], time: Any
) -> None:
    anna, ben = people
    browsers = [Browser(push) for _ in range(MAX_SUBSCRIPTIONS + 1)]
    ids = []
    for browser in browsers:
        time.passes(seconds=1)
        ids.append((await ben.post("/api/me/calls", browser.subscription()))["id"])
    found = [one["id"] for one in (await ben.get("/api/me/calls"))["subscriptions"]]
    assert found == ids[1:]
    await anna.post("/api/me/calls", browsers[-1].subscription())  # she uses his browser now
    assert len((await ben.get("/api/me/calls"))["subscriptions"]) == MAX_SUBSCRIPTIONS - 1


async def test_a_device_that_is_logged_out_is_called_no_more(
    house: ThreadServer, push: PushService, people: tuple[Person, Person]
) -> None:
    _, ben = people
    here, there = Browser(push), Browser(push)
    await ben.post("/api/me/calls", here.subscription())
    async with Person(house.url) as phone:
        await phone.post("/api/me/claim", {"code": (await ben.post("/api/me/link"))["code"]})
        await phone.post("/api/me/calls", there.subscription())
        assert len((await ben.get("/api/me/calls"))["subscriptions"]) == 2
        await ben.post("/api/me/log-out")
    (left,) = (await ben.get("/api/me/calls"))["subscriptions"]
    assert left["id"] == (await ben.post("/api/me/calls", here.subscription()))["id"]


async def test_ones_data_holds_the_browsers_and_goes_with_them(
    house: ThreadServer, push: PushService, people: tuple[Person, Person]
) -> None:
    anna, ben = people
    browser = Browser(push)
    push.answers = [(503, {})]
    await ben.post("/api/me/calls", browser.subscription(zone="Europe/Warsaw"))
    await begun(anna, ben)
    everything_sent(house)
    answer = await ben.ask("GET", "/api/me/data")
    (told,) = answer.json()["calls"]
    assert told["zone"] == "Europe/Warsaw"
    assert told["service"] == "127.0.0.1"
    assert browser.path not in answer.text
    assert browser.subscription()["auth"] not in answer.text
    await ben.ask("DELETE", "/api/me")

    async def everything() -> str:
        return "\n".join([repr(row) async for row in house.platform.store.export()])

    kept = house.run(everything())
    assert browser.path not in kept
    assert f"push:{ben.id}" not in kept
    assert '"subscription"' not in kept


async def test_matches_that_wait_for_somebody_are_told_to_them(people: tuple[Person, Person]) -> None:
    anna, ben = people
    one, other = await begun(anna, ben), await begun(anna, ben, {"kind": "none"})
    await act(ben, one)
    (waiting,) = await ben.get("/api/me/waiting")
    assert waiting["table"] == other
    assert waiting["game"] == "six"
    assert {waiting["table"] for waiting in await anna.get("/api/me/waiting")} == {one, other}


# -- what is refused ---------------------------------------------------------------------------------------------------

BROWSER = Subscribe.EXAMPLE
BAD = {
    "no https": "http://push.example.net/1",
    "another port": "https://push.example.net:8443/1",
    "an address in numbers": "https://93.184.216.34/1",
    "loopback": "https://127.0.0.1/1",
    "loopback in disguise": "https://2130706433/1",
    "loopback in hexadecimal": "https://0x7f.1/1",
    "IPv6": "https://[::1]/1",
    "a name of this network": "https://database/1",
    "somebody else's name": "https://push.example.net@127.0.0.1/1",
    "no address": "push",
    "a line break": "https://push.example.net/\r\nhost: x",
    "not a number": "https://push.example.net:x/1",
}


async def test_endpoints_that_are_no_push_service_are_refused(timed: ThreadServer) -> None:
    async with Person(timed.url) as anna:
        await anna.come_in("Anna")
        for endpoint in BAD.values():
            body = {**BROWSER, "endpoint": endpoint}
            await refused("bad_subscription", anna.post("/api/me/calls", body))
        assert (await anna.get("/api/me/calls"))["subscriptions"] == []


async def test_keys_and_zones_that_make_no_sense_are_refused(timed: ThreadServer) -> None:
    async with Person(timed.url) as anna:
        await anna.come_in("Anna")
        for change in ({"p256dh": "AAAA"}, {"auth": "AAAA"}, {"zone": "Moon/Tycho"}, {"zone": "../etc"}):
            await refused("bad_subscription", anna.post("/api/me/calls", {**BROWSER, **change}))
        await anna.post("/api/me/calls", BROWSER)


INSIDE = ["127.0.0.1", "10.0.0.5", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "::1", "fe80::1%eth0",
          "fd00::1", "::ffff:10.0.0.5", "64:ff9b::a00:5", "2002:a00:5::", "224.0.0.1"]  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
async def test_a_name_that_leads_inside_is_not_followed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if only one of its addresses does: nobody says which one would be taken."""
    loop = asyncio.get_running_loop()

    async def names(host: str, port: int, **_: Any) -> list[Any]:
        return [(2, 1, 6, "", (found, port)) for found in ("93.184.216.34", address)]

    monkeypatch.setattr(loop, "getaddrinfo", names)
    with pytest.raises(webpush.BadEndpoint):
        await webpush.resolve("https://push.example.net/1")


async def test_a_name_is_looked_up_once_and_its_certificate_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def names(host: str, port: int, **_: Any) -> list[Any]:
        return [(2, 1, 6, "", ("93.184.216.34", port))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", names)
    target = await webpush.resolve("https://push.example.net/1?a=b")
    assert str(target.url) == "https://93.184.216.34/1?a=b"
    assert target.headers == {"host": "push.example.net"}
    assert target.extensions == {"sni_hostname": "push.example.net"}


async def test_a_server_that_calls_nobody_says_so(time: Any) -> None:
    with PushService() as push, ThreadServer(push=False, push_private=True) as server:
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
            assert (await anna.get("/api/me/calls"))["key"] is None
            await refused("no_calls", anna.post("/api/me/calls", Browser(push).subscription()))

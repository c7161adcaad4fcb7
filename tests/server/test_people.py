"""Who comes: guests, the same guest on another device, programs with tokens; what they say; deals they can check."""

import asyncio
import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nimmt.clients.remote import Client
from nimmt.match.match import verify
from nimmt.match.shuffle import make_deal, root
from nimmt.rules import registry
from nimmt.rules.game import DealRequest
from nimmt.server.people.names import clean_name, distinct
from nimmt.testing.servers import LiveServer, Person, ServerRefused, ThreadServer, play_on

pytestmark = pytest.mark.anyio

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


async def refused(code: str, asking: Any) -> None:
    with pytest.raises(ServerRefused) as caught:
        await asking
    assert caught.value.code == code


# -- guests -----------------------------------------------------------------------------------------------------------


async def test_a_nickname_is_all_it_takes(come: Any) -> None:
    (nobody,) = await come("")
    await refused("not_signed_in", nobody.get("/api/me"))
    answer = await nobody.ask("POST", "/api/guests", {"name": "  Anna \u202e\u0000 Zoë\n"})
    assert answer.status_code == 201
    assert answer.json()["name"] == "Anna Zoë"
    assert (await nobody.get("/api/me")) == answer.json()
    await nobody.post("/api/me", {"name": "Berta"})
    assert (await nobody.get("/api/me")) == {"id": answer.json()["id"], "name": "Berta"}
    for name in ("", "   ", "\u0000", "x" * 31, "\u202e"):
        await refused("bad_name" if 0 < len(name) < 31 else "bad_request", nobody.post("/api/guests", {"name": name}))


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("\N{ZERO WIDTH SPACE}Anna\N{SOFT HYPHEN}", "Anna"),
        ("\N{FAMILY}\N{ZERO WIDTH JOINER}", "\N{FAMILY}"),
        ("👩‍👩‍👧‍👦 Ünal", "👩‍👩‍👧‍👦 Ünal"),
        ("🏳️‍🌈", "🏳️‍🌈"),
        ("नमस्ते", "नमस्ते"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}An\N{ZERO WIDTH NO-BREAK SPACE}na\N{POP DIRECTIONAL FORMATTING}", "Anna"),
        ("An\N{ZERO WIDTH JOINER}n\N{WORD JOINER}a\N{INVISIBLE SEPARATOR}", "Anna"),
        ("Anna\N{TAG LATIN SMALL LETTER B}\N{VARIATION SELECTOR-17}\N{MONGOLIAN FREE VARIATION SELECTOR ONE}", "Anna"),
        ("A\N{VARIATION SELECTOR-16}nna\N{COMBINING ENCLOSING CIRCLE}", "Anna"),
        ("\N{IDEOGRAPHIC SPACE}An\N{NO-BREAK SPACE}\N{LINE SEPARATOR}\N{HANGUL FILLER}na\t", "An na"),
        ("Zoe\N{COMBINING DIAERESIS}", "Zoë"),
        ("Nguyễn", "Nguyễn"),
        ("שָּׁלוֹם", "שָּׁלוֹם"),
        ("スーパー 太郎", "スーパー 太郎"),
        ("علی\N{ZERO WIDTH NON-JOINER}رضا ۱۲", "علی\N{ZERO WIDTH NON-JOINER}رضا ۱۲"),
        ("ශ්\N{ZERO WIDTH JOINER}රී", "ශ්\N{ZERO WIDTH JOINER}රී"),
        ("🐄", "🐄"),
        ("\U0001fa77", "\U0001fa77"),  # younger than some Pythons
        ("👩🏽‍🚀 1️⃣", "👩🏽‍🚀 1️⃣"),
        ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
        ("Ivan Иванов", "Ivan Иванов"),
        ("\N{MUSICAL SYMBOL NULL NOTEHEAD}", None),
        ("\N{OBJECT REPLACEMENT CHARACTER}", None),
        ("\N{TAG LATIN SMALL LETTER B}", None),
        ("\N{HALFWIDTH HANGUL FILLER}\N{COMBINING GRAPHEME JOINER}", None),
        ("A" + 9 * "\N{THAI CHARACTER MAI HAN-AKAT}", None),
        (5 * "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}", None),
        ("\N{CHEROKEE LETTER GO}nna", None),
        ("An\N{ARMENIAN SMALL LETTER VO}a", None),
        ("S\N{THAI DIGIT ZERO}o", None),
        ("You", None),
        ("\N{GREEK CAPITAL LETTER UPSILON}оu", None),
        ("b0t", None),
        ("Host.", None),
        ("\N{HANGUL FILLER}\N{HANGUL FILLER}", None),
        ("\N{BRAILLE PATTERN BLANK}", None),
        ("\N{ZERO WIDTH SPACE}", None),
        ("\N{COMBINING ACUTE ACCENT}", None),
        ("Z\u0301\u0302\u0303\u0304\u0305algo", None),
    ],
)
async def test_a_name_can_be_seen(written: str, shown: str | None, come: Any) -> None:
    (nobody,) = await come("")
    if shown is None:
        await refused("bad_name", nobody.post("/api/guests", {"name": written}))
    else:
        assert (await nobody.post("/api/guests", {"name": written}))["name"] == shown


ANNAS = ["Anna", "anna", "Аnnа", "Änna", "An na", "Ａｎｎａ", "ANNA.", "Anna’", "ᴀɴɴᴀ", "𝐀𝐧𝐧𝐚", "🅰nna", "Aηηa", "ꓮꓠꓠꓮ"]


@pytest.mark.parametrize("name", ANNAS)
async def test_nobody_can_pass_for_somebody_else_at_a_table(name: str, come: Any) -> None:
    anna, other, ben = await come("Anna", name, "Ben")
    table = await anna.open_table("six", 4, bots=["random"])
    await other.do(table, "join")
    await ben.do(table, "join")
    chairs = (await anna.situation(table))["chairs"]
    assert [chair["name"] for chair in chairs] == [
        "Anna",
        f"{(await other.get('/api/me'))['name']} (2)",
        "Ben",
        "Dario",
    ]
    said = await other.do(table, "say", text="It is me")
    assert (await anna.look(table))["chat"][-1] == {
        "type": "ChatSaid", "n": said["n"], "name": chairs[1]["name"], "seat": 1, "text": "It is me",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Вера", "вера"),
        ("Вера", "BEPA"),
        ("вера", "BEPA"),
        ("Νίκος", "νικος"),
        ("Łukasz", "Lukasz"),
        ("Ida", "\N{CYRILLIC LETTER PALOCHKA}da"),
        ("Paul", "Pau\N{LATIN LETTER DENTAL CLICK}"),
        ("Cleo", "\N{GREEK CAPITAL LUNATE SIGMA SYMBOL}leo"),
        ("علی", "علـی"),
        ("👩", "👩️"),
        ("🏴", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
        ("...", "..."),
    ],
)
def test_names_that_can_be_taken_for_each_other(one: str, other: str) -> None:
    assert distinct(clean_name(other), [clean_name(one)]) == f"{clean_name(other)} (2)"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "Anna (2)"), ("Eva", "Ena"), ("Lucia", "Luda"), ("Анна", "Алла"), ("Иван", "Ivan"), ("🐄", "🐂")],
)
def test_names_that_nobody_mixes_up(one: str, other: str) -> None:
    assert distinct(clean_name(other), [clean_name(one)]) == other


async def test_who_only_watches_is_told_apart_from_players(come: Any) -> None:
    anna, other = await come("Anna", "Аnna")
    table = await anna.open_table("six", 2)
    await other.do(table, "say", text="I give up")
    said = (await anna.look(table))["chat"][-1]
    assert (said["seat"], said["name"]) == (None, "Аnna (2)")


async def test_another_name_holds_for_other_tables(come: Any) -> None:
    """Who sits at a table already does not become somebody else there, neither in the seats nor in the chat."""
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("six", 3, bots=["random"])
    await ben.do(table, "join")
    for name in ("Anna", "Cleo"):
        await ben.post("/api/me", {"name": name})
        await ben.do(table, "say", text="It is me")
        look = await anna.look(table)
        assert [chair["name"] for chair in look["situation"]["chairs"]] == ["Anna", "Ben", "Cleo"]
        assert look["chat"][-1]["name"] == "Ben"
    await ben.do(table, "leave")
    await ben.do(table, "join")
    assert (await anna.situation(table))["chairs"][1]["name"] == "Cleo (2)"


async def test_bots_are_called_the_same_on_the_page_and_in_the_record(come: Any) -> None:
    bruno, alma = await come("Bruno", "Alma")
    table = await bruno.open_table("six", 4, bots=["random", "random"], options={"rounds": 1})
    await alma.do(table, "join")
    await bruno.do(table, "start")
    await play_on([bruno, alma], table, Random(4))
    names = [chair["name"] for chair in (await bruno.situation(table))["chairs"]]
    assert names == ["Bruno", "Alma", "Cleo", "Dario"]
    record = json.loads(await bruno.record(table))
    assert [seat["name"] for seat in record["seats"]] == names
    (listed,) = await alma.get("/api/tables/mine")
    assert [chair["name"] for chair in listed["chairs"]] == names


async def test_a_link_carries_seats_to_another_device_once(come: Any) -> None:
    anna, phone, thief = await come("Anna", "", "")
    table = await anna.open_table("six", 2)
    code = (await anna.post("/api/me/link"))["code"]
    assert (await phone.post("/api/me/claim", {"code": code}))["id"] == anna.id
    assert (await phone.situation(table))["you"] == 0
    assert [card["id"] for card in await phone.get("/api/tables/mine")] == [table]
    await refused("no_such_link", thief.post("/api/me/claim", {"code": code}))
    await refused("no_such_link", thief.post("/api/me/claim", {"code": "guess"}))
    await refused("not_signed_in", thief.post("/api/me/link"))


async def test_a_link_expires(timed: ThreadServer, time: Any, come: Any) -> None:
    anna, phone = await come("Anna", "", at=timed.url)
    codes = [(await anna.post("/api/me/link"))["code"] for _ in range(2)]
    time.passes(seconds=14 * 60)
    await phone.post("/api/me/claim", {"code": codes[0]})
    time.passes(seconds=61)
    await refused("no_such_link", phone.post("/api/me/claim", {"code": codes[1]}))


async def test_of_two_who_claim_a_link_one_gets_it(come: Any) -> None:
    anna, *others = await come("Anna", *[""] * 6)
    code = (await anna.post("/api/me/link"))["code"]
    answers = await asyncio.gather(*[other.ask("POST", "/api/me/claim", {"code": code}) for other in others])
    assert sorted(answer.status_code for answer in answers) == [200, 404, 404, 404, 404, 404]


# -- programs ---------------------------------------------------------------------------------------------------------


async def with_token(person: Person, *scopes: str) -> Person:
    fresh = await person.post("/api/tokens", {"name": "a bot", "scopes": scopes})
    return Person(person.url, fresh["token"])


async def test_a_token_may_do_what_its_scopes_say(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("six", 2)
    reads, plays, opens = [await with_token(ben, scope) for scope in ("read", "play", "tables")]
    try:
        # Reading
        assert (await reads.get("/api/me"))["id"] == ben.id
        assert (await reads.look(table))["situation"]["you"] is None
        await reads.get("/api/tables/mine")
        for path in ("/api/me", f"/api/tables/{table}", f"/api/tables/{table}/updates", "/api/tables/mine"):
            await refused("forbidden", plays.get(path))
        await refused("forbidden", opens.look(table))
        for asking in (plays, opens):
            with pytest.raises(ServerRefused, match="forbidden"):
                async with asking.lines(f"/api/stream/tables/{table}"):
                    pass
        # Playing
        await refused("forbidden", reads.do(table, "join"))
        await refused("forbidden", opens.do(table, "join"))
        await plays.do(table, "join")
        await plays.do(table, "say", text="Hello!")
        await refused("forbidden", reads.do(table, "say", text="Hello!"))
        await anna.do(table, "start")
        action = (await reads.situation(table))["legal"][0]
        await refused("forbidden", reads.act(table, action))
        await refused("forbidden", opens.act(table, action))
        await plays.act(table, action)
        # Tables
        await refused("forbidden", plays.open_table("six", 2))
        await refused("forbidden", reads.open_table("six", 2))
        own = await opens.open_table("six", 2)
        await refused("forbidden", plays.do(own, "start"))
        await opens.do(own, "bot", seat=1, level="greedy")
        # Nobody but the person
        full = await with_token(ben, "read", "play", "tables")
        for method, path, body in (
            ("GET", "/api/tokens", None),
            ("POST", "/api/tokens", {"name": "another"}),
            ("DELETE", "/api/tokens/x", None),
            ("POST", "/api/me", {"name": "Not Ben"}),
            ("POST", "/api/me/link", None),
        ):
            assert (await full.ask(method, path, body)).json()["error"]["code"] == "forbidden"
        await full.close()
    finally:
        for program in (reads, plays, opens):
            await program.close()


async def test_programs_carry_a_mark(come: Any) -> None:
    """In seats, lists and records; also where a person has joined and a program plays."""
    anna, ben, cleo = await come("Anna", "Ben", "Cleo")
    async with await with_token(ben, "read", "play") as bens, await with_token(cleo, "read", "play") as cleos:
        table = await anna.open_table("six", 3, public=True, options={"rounds": 1})
        await bens.do(table, "join")
        await cleo.do(table, "join")
        await anna.do(table, "start")
        marks = [chair["program"] for chair in (await anna.situation(table))["chairs"]]
        assert marks == [False, True, False]
        situation = await cleos.situation(table)
        await cleos.act(table, situation["legal"][0])
        (listed,) = [card for card in await anna.get("/api/tables/mine") if card["id"] == table]
        assert [chair["program"] for chair in listed["chairs"]] == [False, True, True]
        await play_on([anna, bens, cleo], table, Random(6))
        record = json.loads(await anna.record(table))
        assert [seat["player"] for seat in record["seats"]] == ["person", "program", "program"]


async def test_a_token_that_was_taken_back_is_no_good(come: Any) -> None:
    ben, nobody = await come("Ben", "")
    fresh = await ben.post("/api/tokens", {"name": "a bot"})
    listed = await ben.get("/api/tokens")
    assert listed == [fresh["info"]]
    assert fresh["info"]["scopes"] == ["read", "play"]
    assert fresh["token"] not in json.dumps(listed)
    async with Person(ben.url, fresh["token"]) as program:
        await program.get("/api/me")
        await ben.ask("DELETE", f"/api/tokens/{fresh['info']['id']}")
        await refused("bad_token", program.get("/api/me"))
    assert await ben.get("/api/tokens") == []
    for value in ("Bearer x", "Bearer", "Basic QTpC", "nonsense", fresh["token"], f"Bearer {ben.cookie}"):
        answer = await nobody.ask("GET", "/api/me", authorization=value)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "bad_token")


async def test_tokens_made_at_once_are_all_listed(come: Any) -> None:
    (ben,) = await come("Ben")
    made = await asyncio.gather(*[ben.post("/api/tokens", {"name": f"bot {n}"}) for n in range(20)])
    assert {info["id"] for info in await ben.get("/api/tokens")} == {fresh["info"]["id"] for fresh in made}
    await refused("forbidden", ben.post("/api/tokens", {"name": "one too many"}))
    await asyncio.gather(*[ben.ask("DELETE", f"/api/tokens/{fresh['info']['id']}") for fresh in made])
    assert await ben.get("/api/tokens") == []


async def test_streams_tell_programs_of_their_matches(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    old = await anna.open_table("x", 2, bots=["greedy"], start=True)
    table = await anna.open_table("six", 2, options={"rounds": 1})
    program = await with_token(ben, "read", "play")
    async with program, program.lines("/api/stream/events") as events, anna.lines("/api/stream/events") as hers:
        assert json.loads(await anext(hers)) == {"type": "MatchBegun", "table": old, "game": "x"}
        await program.do(table, "join")
        await anna.do(table, "start")
        begun = {"type": "MatchBegun", "table": table, "game": "six"}
        assert [json.loads(await anext(stream)) for stream in (events, hers)] == [begun, begun]
        async with program.lines(f"/api/stream/tables/{table}?after=3") as lines:
            first = json.loads(await anext(lines))
            assert (first["n"], first["note"]["type"], first["situation"]["you"]) == (4, "MatchStarted", 1)
            await play_on([anna, ben], table, Random(1))
            numbers = [first["n"]]
            while (message := json.loads(await anext(lines)))["situation"]["phase"] != "over":
                numbers.append(message["n"])
            assert numbers == list(range(4, message["n"]))
            await anna.do(table, "rematch")
            assert json.loads(await anext(lines))["note"]["type"] == "RematchOffered"
            with pytest.raises(StopAsyncIteration):  # there is nothing more to tell here
                await anext(lines)
        over = {"type": "MatchOver", "table": table, "game": "six"}
        assert [json.loads(await anext(stream)) for stream in (events, hers)] == [over, over]


def test_the_example_bot_plays_a_match(server: LiveServer) -> None:
    done = subprocess.run([sys.executable, BOT, server.url], capture_output=True, text=True, check=False, timeout=180)
    assert done.returncode == 0, done.stderr
    assert "'reason': 'rounds'" in done.stdout
    assert len([line for line in BOT.read_text().splitlines() if line and not line.startswith(('"""', "python"))]) <= 20


def test_the_client_for_programs_waits_and_says_what_is_wrong(server: LiveServer) -> None:
    from nimmt.clients.remote import Refused

    with Client(server.url) as client:
        client.come_in("Bo")
        table = client.open_table("six", 2)
        client.join(client.open_table("six", 2, join=False))
        with pytest.raises(Refused) as caught:
            client.start(table)
        assert (caught.value.code, caught.value.status) == ("seats_empty", 409)
        client.say(table, "Anybody there?")
        client.leave(table)
        assert client.look(table)["chat"][0]["text"] == "Anybody there?"


# -- talking ----------------------------------------------------------------------------------------------------------


async def test_people_talk_at_a_table(come: Any) -> None:
    anna, ben, cleo = await come("Anna", "Ben", "Cleo")
    table = await anna.open_table("six", 2)
    await ben.do(table, "join")
    async with ben.socket(table) as socket:
        await socket.next()
        await anna.do(table, "say", text="  Hello\u0000\n\u202e Ben ")
        await cleo.do(table, "say", text="<b>Hi</b>")
        told = [(await socket.next())["note"] for _ in range(2)]
    assert told == [
        {"type": "ChatSaid", "n": 4, "name": "Anna", "seat": 0, "text": "Hello Ben"},
        {"type": "ChatSaid", "n": 5, "name": "Cleo", "seat": None, "text": "<b>Hi</b>"},
    ]
    assert (await cleo.look(table))["chat"] == told
    for text in ("", "   ", "\u202e", "\n\n"):
        await refused("bad_request" if not text else "nothing_to_say", ben.do(table, "say", text=text))
    await ben.do(table, "say", text="x" * 300)
    await refused("bad_request", ben.do(table, "say", text="x" * 301))
    for number in range(100):
        await ben.do(table, "say", text=f"{number}")
    chat = (await cleo.look(table))["chat"]
    assert [said["text"] for said in chat] == [f"{number}" for number in range(100)]


async def test_nobody_talks_while_the_team_chooses_cards(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("buffalo", 2)
    await ben.do(table, "join")
    await anna.do(table, "say", text="Low cards first?")
    await anna.do(table, "start")
    assert (await anna.situation(table))["chat_open"] is False
    await refused("chat_closed", ben.do(table, "say", text="I have 104."))
    await anna.act(table, (await anna.situation(table))["legal"][0])
    await refused("chat_closed", anna.do(table, "say", text="I played 3."))
    await ben.act(table, (await ben.situation(table))["legal"][0])
    situation = await ben.situation(table)
    assert situation["waiting"][0]["kind"] == "special"
    assert situation["chat_open"] is True
    await ben.do(table, "say", text="Shall we push it?")


@pytest.mark.parametrize("game", [game for game in registry.all_games() if game.id != "buffalo"], ids=lambda g: g.id)
async def test_in_other_games_people_talk_whenever_they_like(game: Any, come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table(game.id, 2)
    await ben.do(table, "join")
    await anna.do(table, "start")
    await ben.do(table, "say", text="Nice cards.")


# -- deals ------------------------------------------------------------------------------------------------------------


async def test_deals_can_be_checked_by_everybody(come: Any) -> None:
    anna, ben, nobody = await come("Anna", "Ben", "")
    table = await anna.open_table("six", 3, options={"rounds": 2}, bots=["random"])
    promised = (await nobody.situation(table))["fair"]
    assert promised["server_seed"] is None
    assert promised["contributions"] == []
    await anna.do(table, "contribute", contribution="from Anna")
    await ben.do(table, "join", contribution="from Ben")
    await anna.do(table, "swap", one=0, other=1)
    await anna.do(table, "start")
    playing = (await nobody.situation(table))["fair"]
    assert playing == {**promised, "contributions": ["from Ben", "from Anna", ""]}
    await play_on([anna, ben], table, Random(7))

    shown = (await nobody.situation(table))["fair"]
    seed = bytes.fromhex(shown["server_seed"])
    assert sha256(seed).hexdigest() == promised["commitment"] == shown["commitment"]
    told = await nobody.updates(table)
    assert {update["situation"]["fair"]["commitment"] for update in told} == {promised["commitment"]}
    assert {update["situation"]["fair"]["server_seed"] for update in told[:-1]} == {None}

    data = await nobody.record(table)
    assert verify(data).deals_proven is True
    record = json.loads(data)
    assert record["fairness"]["contributions"] == playing["contributions"]
    request = DealRequest({"numbers": tuple(range(1, 105))})
    for index, deal in enumerate(record["deals"]):
        theirs = make_deal(root(seed, ["from Ben", "from Anna", ""]), index, request)
        assert list(theirs.decks["numbers"]) == deal["decks"]["numbers"]
        assert theirs != make_deal(root(seed, ["", "from Anna", ""]), index, request)

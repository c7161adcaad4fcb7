"""What people can do at tables: open, sit, swap, start, play to the end, play again, leave."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from nimmt.games.baron.deck import shipped_deck
from nimmt.match.match import replay, verify
from nimmt.match.record import read_record
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Variant
from nimmt.rules.kit.options import OptionField, option_fields
from nimmt.server.http.sockets import FAR_BEHIND
from nimmt.testing.servers import Json, LiveServer, Person, ServerRefused, any_action, asks, play_on

pytestmark = pytest.mark.anyio

VARIANTS = [
    pytest.param(game, variant, marks=() if variant in (game.variants[0], game.variants[-1]) else pytest.mark.soak)
    for game in registry.all_games()
    for variant in game.variants
]
"""The first of a game, and the last, which has the most in it."""
SHORT = {"six": {"rounds": 1}, "x": {"rounds": 1}, "eleven": {"rounds": 1}, "baron": {}, "buffalo": {}}


async def refused(code: str, asking: Any) -> None:
    with pytest.raises(ServerRefused) as caught:
        await asking
    assert caught.value.code == code


# -- whole evenings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "variant"), VARIANTS, ids=lambda thing: thing.id)
async def test_every_variant_from_the_door_to_the_rematch(game: AnyGame, variant: Variant, come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    options = {**variant.options, **SHORT[game.id]}
    table = await anna.open_table(game.id, 3, options=options, bots=["greedy"], public=True)
    await ben.do(table, "join", seat=1)
    await anna.do(table, "start")
    end = await play_on([anna, ben], table, Random(f"{game.id} {variant.id}"))

    assert end["phase"] == "over"
    assert end["outcome"]["reason"] in game.ends
    assert end["waiting"] == []
    verdict = verify(await ben.record(table))
    assert (verdict.game, verdict.seats, verdict.outcome and verdict.outcome.reason) == (
        game.id,
        3,
        end["outcome"]["reason"],
    )
    await check_waiting(game, anna, table)

    again = (await ben.do(table, "rematch"))["id"]
    assert (await anna.do(table, "rematch"))["id"] == again
    snapshot = await anna.look(again)
    assert snapshot["table"]["options"] == options
    assert snapshot["table"]["rematch_of"] == table
    assert [chair["name"] for chair in snapshot["situation"]["chairs"]] == ["Anna", "Ben", "Cleo"]
    assert [(await person.situation(again))["is_host"] for person in (anna, ben)] == [False, True]
    await ben.do(again, "start")
    await anna.do(again, "leave")
    assert (await ben.situation(again))["chairs"][0]["away"] == "left"


async def check_waiting(game: AnyGame, person: Person, table: str) -> None:
    """At every moment exactly those are waited for whom the rules wait for, and for what."""
    states = [step.state for step in replay(read_record(await person.record(table))) if step.seat is not None]
    told = [update for update in await person.updates(table) if update["note"] and update["note"]["type"] == "Decided"]
    assert len(told) == len(states)
    for update, state, following in zip(told, states, [*states[1:], None], strict=True):
        waiting = {waiting["seat"]: waiting["kind"] for waiting in update["situation"]["waiting"]}
        if game.deal_request(state) is None:  # else the deal has been made at once
            assert waiting == {decision.seat: decision.kind for decision in game.pending(state)}
        else:
            assert following is not None
            assert waiting
        decision = update["situation"]["decision"]
        assert decision is None or decision <= update["n"]


async def test_ten_people_in_one_match(come: Any) -> None:
    people = await come(*[f"P{number}" for number in range(10)])
    table = await people[0].open_table("six", 10, options={"rounds": 1})
    for person in people[1:]:
        await person.do(table, "join")
    await people[0].do(table, "start")
    rng = Random(10)
    for _ in range(10):
        situations = await asyncio.gather(*[person.situation(table) for person in people])
        assert all(len(situation["waiting"]) == 10 for situation in situations)
        hands = [tuple(situation["view"]["hand"]) for situation in situations]
        assert len(set(sum(hands, ()))) == sum(map(len, hands))
        await asyncio.gather(
            *[
                person.act(table, any_action(situation["legal"], rng), situation["decision"])
                for person, situation in zip(people, situations, strict=True)
            ]
        )
        while (now := await people[0].situation(table))["waiting"] and now["waiting"][0]["kind"] == "row":
            await people[now["waiting"][0]["seat"]].act(table, {"type": "ChooseRow", "row": 1})
    assert now["phase"] == "over"
    assert verify(await people[9].record(table)).actions >= 100


def odd_values(field: OptionField) -> list[Any]:
    """What the option can be besides its default."""
    match field.kind:
        case "flag":
            return [not field.default]
        case "number":
            return [field.least, field.most]
        case "choice":
            return [choice for choice in field.choices if choice != field.default]
        case "choices":
            return [[choice] for choice in field.choices]
    return [json.loads(msgspec.json.encode(shipped_deck()))]


OPTIONS = [
    (game, {field.name: value})
    for game in registry.all_games()
    for field in option_fields(game.options_type)
    for value in odd_values(field)
]


@pytest.mark.parametrize(("game", "options"), OPTIONS, ids=lambda x: x.id if hasattr(x, "id") else f"{x}"[:40])
async def test_every_option_can_be_chosen_and_played(game: AnyGame, options: Json, come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    seats = 7 if options.get("starter") == 6 else 2
    table = await anna.open_table(game.id, seats, options=options, bots=["random"] * (seats - 2))
    await ben.do(table, "join")
    assert (await ben.look(table))["table"]["options"] == options
    await anna.do(table, "start")
    await play_on([anna, ben], table, Random(1), steps=4)
    (name, value), *_ = options.items()
    assert (await anna.situation(table))["view"]["table"]["options"][name] == value


@pytest.mark.parametrize("game", registry.all_games(), ids=lambda game: game.id)
async def test_tables_that_no_match_can_be_played_at_are_not_opened(game: AnyGame, come: Any) -> None:
    (anna,) = await come("Anna")
    before = await anna.get("/api/tables/mine")
    for seats in (game.min_seats - 1 or 20, game.max_seats + 1):
        await refused("bad_options", anna.open_table(game.id, seats))
    await refused("bad_options", anna.open_table(game.id, 3, options={"nonsense": 1}))
    await refused("bad_options", anna.open_table("chess", 2))
    await refused("unknown_level", anna.open_table(game.id, 3, bots=["stockfish"]))
    await refused("unknown_level", anna.open_table(game.id, 3, bots=["", None]))
    await refused("table_full", anna.open_table(game.id, 3, bots=["random"] * 3))
    await refused("seats_empty", anna.open_table(game.id, 3, start=True))
    assert await anna.get("/api/tables/mine") == before


async def test_bots_sit_where_the_host_wants_them(come: Any) -> None:
    (anna,) = await come("Anna")
    table = await anna.open_table("six", 5, bots=["random", None, "greedy"])
    chairs = (await anna.situation(table))["chairs"]
    assert [chair["level"] for chair in chairs] == [None, None, "random", None, "greedy"]
    await refused("seats_empty", anna.open_table("six", 3, bots=["random", None], start=True))


async def test_options_the_rulebook_advises_against_come_with_a_warning(come: Any) -> None:
    (anna,) = await come("Anna")
    body = {"game": "six", "seats": 3, "options": {"fan": ["cow", "twist"]}}
    assert (await anna.post("/api/tables", body))["warnings"] == [
        "The rulebook advises one kind of fan card at a time."
    ]


# -- before the start -------------------------------------------------------------------------------------------------


async def test_people_and_bots_change_seats_while_they_wait(come: Any) -> None:
    anna, ben, cleo = await come("Anna", "Ben", "Cleo")
    table = await anna.open_table("six", 4)

    async def seated() -> list[str]:
        return [chair["name"] for chair in (await cleo.situation(table))["chairs"]]

    await ben.do(table, "join", seat=3)
    await anna.do(table, "bot", seat=1, level="greedy")
    await anna.do(table, "bot", seat=2, level="random")
    assert await seated() == ["Anna", "Bruno", "Cleo", "Ben"]
    await refused("seat_taken", cleo.do(table, "join", seat=1))
    await refused("table_full", cleo.do(table, "join"))
    await refused("already_seated", ben.do(table, "join"))
    await refused("seat_taken", anna.do(table, "bot", seat=3, level="greedy"))
    await anna.do(table, "bot", seat=2, level="greedy")
    await anna.do(table, "clear", seat=1)
    await anna.do(table, "swap", one=0, other=3)
    await cleo.do(table, "join", contribution="c")
    assert await seated() == ["Ben", "Cleo (2)", "Cleo", "Anna"]
    assert [(await person.situation(table))["you"] for person in (anna, ben, cleo)] == [3, 0, 1]
    for seat in (-1, 4, 10**20):
        await refused("no_such_seat", anna.do(table, "swap", one=0, other=seat))
        await refused("no_such_seat", anna.do(table, "clear", seat=seat))
        await refused("no_such_seat", anna.do(table, "bot", seat=seat, level="greedy"))
    await anna.do(table, "swap", one=1, other=1)
    await cleo.do(table, "leave")
    assert await seated() == ["Ben", "", "Cleo", "Anna"]
    await refused("seats_empty", anna.do(table, "start"))
    await refused("not_host", ben.do(table, "start"))
    for command in ({"command": "bot", "seat": 1, "level": "greedy"}, {"command": "clear", "seat": 2}):
        await refused("not_host", ben.do(table, **command))
    await refused("not_host", ben.do(table, "swap", one=0, other=1))
    await refused("not_host", ben.do(table, "close"))
    await anna.do(table, "bot", seat=1, level="random")
    await anna.do(table, "start")
    for command in ({"command": "join"}, {"command": "bot", "seat": 1, "level": "greedy"}, {"command": "start"}):
        await refused("not_waiting", anna.do(table, **command))
    notes = [update["note"] for update in await ben.updates(table)]
    assert [note["type"] for note in notes if note] == [
        "PlayerJoined", "PlayerJoined", "BotJoined", "BotJoined", "BotJoined", "BotLeft", "SeatsSwapped",
        "PlayerJoined", "PlayerLeft", "BotJoined", "MatchStarted", *["Decided"] * (len(notes) - 12),
    ]  # fmt: skip


async def test_the_host_removes_somebody_who_cannot_come_back(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("six", 2)
    await ben.do(table, "join")
    async with ben.socket(table) as socket:
        await socket.next()
        await anna.do(table, "clear", seat=1)
        note = (await socket.next())["note"]
    assert note == {"type": "PlayerLeft", "seat": 1, "name": "Ben", "removed": True}
    await refused("removed", ben.do(table, "join"))
    await refused("removed", ben.do(table, "say", text="But why?"))
    await refused("forbidden", anna.do(table, "clear", seat=0))


async def test_a_command_meant_for_an_older_table_is_refused(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("six", 2)
    seen = (await anna.look(table))["n"]
    await ben.do(table, "join")
    await refused("stale_version", anna.do(table, "bot", seat=1, level="greedy", expected=seen))
    await refused("stale_version", anna.do(table, "start", expected=seen))
    seen = (await anna.look(table))["n"]
    # Whoever adds to the shuffle, or says something, changes nothing that the host could have had in mind.
    await anna.do(table, "contribute", contribution="something")
    await anna.do(table, "say", text="Shall we?")
    await anna.do(table, "start", expected=seen)


async def test_the_host_gives_a_table_up(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("six", 2, public=True)
    assert table in [card["id"] for card in await ben.get("/api/tables")]
    await anna.do(table, "close")
    assert table not in [card["id"] for card in await ben.get("/api/tables")]
    for command in ("join", "start"):
        await refused("table_closed", anna.do(table, command))
    await refused("table_closed", anna.do(table, "say", text="hm"))
    assert (await ben.situation(table))["phase"] == "closed"


async def test_public_tables_are_listed_and_private_ones_are_not(come: Any) -> None:
    anna, ben, nobody = await come("Anna", "Ben", "")
    public = await anna.open_table("x", 2, public=True, tempo={"kind": "turns", "hours": 24})
    private = await anna.open_table("x", 2)
    listed = {card["id"]: card for card in await nobody.get("/api/tables")}
    assert public in listed
    assert private not in listed
    assert listed[public] | {"updated": 0} == {
        "id": public,
        "game": "x",
        "options": {},
        "phase": "waiting",
        "tempo": {"kind": "turns", "hours": 24},
        "chairs": [
            {**chair, "missed": 0, "program": False, "pace": pace, "wanting_stand_in": [], "contributed": False}
            for chair, pace in (
                ({"kind": "person", "name": "Anna", "level": None, "away": None}, "instant"),
                ({"kind": "empty", "name": "", "level": None, "away": None}, "normal"),
            )
        ],
        "updated": 0,
        "you": None,
        "waiting": [],
        "paused": False,
        "standing": None,
        "winners": None,
        "practice": False,
    }
    assert {card["id"] for card in await anna.get("/api/tables/mine")} == {public, private}
    assert await ben.get("/api/tables/mine") == []
    await refused("not_signed_in", nobody.get("/api/tables/mine"))


@pytest.mark.parametrize("game", registry.all_games(), ids=lambda game: game.id)
async def test_a_list_says_how_every_match_stands(game: AnyGame, come: Any) -> None:
    """Protects the home of the page: whose turn it is until when, how far the match is, who has how many points, and in
    the end who has won."""
    anna, ben, nobody = await come("Anna", "Ben", "")
    tempo = {"kind": "turns", "hours": 6}
    table = await anna.open_table(game.id, 2, options=SHORT[game.id], public=True, tempo=tempo)
    await ben.do(table, "join")

    async def listed(person: Person, path: str = "/mine") -> Json:
        cards: dict[str, Json] = {card["id"]: card for card in await person.get(f"/api/tables{path}")}
        return cards[table]

    await anna.do(table, "start")
    for step in range(20):
        situation = await play_on([anna, ben], table, Random(step), steps=1)
        if situation["phase"] == "over":
            break
        card, shown = await listed(nobody, "/"), (await nobody.situation(table))["waiting"]
        assert card["waiting"] == [{"seat": one["seat"], "deadline": one["deadline"]} for one in shown]
        assert all(one["deadline"] for one in card["waiting"])
        assert (card["winners"], card["you"], card["paused"]) == (None, None, False)
        assert 1 <= card["standing"]["round"] <= (card["standing"]["rounds"] or 1)
        assert await listed(anna) == card | {"you": 0}
        assert await listed(ben) == card | {"you": 1}
    end = await play_on([anna, ben], table, Random(1))
    card, known = await listed(anna), slice(1 if game.cooperative else None)
    assert (card["waiting"], card["winners"]) == ([], end["outcome"]["winners"])
    assert card["standing"]["points"][known] == end["outcome"]["points"][known]
    await anna.do(table, "unlist")
    assert (await listed(ben))["you"] == 1, "whoever else has taken it off their list"


async def test_who_is_far_behind_gets_a_snapshot(come: Any) -> None:
    """Nobody watches hundreds of messages one by one, and telling them would keep the server busy."""
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("six", 2)
    await ben.do(table, "join")
    for number in range(FAR_BEHIND):
        await anna.do(table, "say", text=f"{number}")
    n = (await anna.look(table))["n"]
    for after, first in ((n - FAR_BEHIND, n - FAR_BEHIND + 1), (n - FAR_BEHIND - 1, n), (0, n)):
        async with ben.socket(table, after=after) as socket:
            told = await socket.next()
            assert (told["type"], told["n"]) == ("Update" if first < n else "Snapshot", first)
    assert [update["n"] for update in await ben.updates(table)] == [*range(1, n + 1)], "nothing is lost by that"


async def test_a_host_may_only_look_on(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("six", 3, join=False, bots=["greedy", "greedy"])
    await ben.do(table, "join")
    await anna.do(table, "start")
    situation = await anna.situation(table)
    assert (situation["you"], situation["is_host"], situation["view"]["hand"]) == (None, True, [])
    await refused("not_seated", anna.act(table, {"type": "PlayCard", "card": 1}))


# -- in the match -----------------------------------------------------------------------------------------------------


async def test_spectators_see_what_spectators_may_see(come: Any) -> None:
    anna, ben, cleo, nobody = await come("Anna", "Ben", "Cleo", "")
    table = await anna.open_table("six", 2, public=True)
    await ben.do(table, "join")
    async with cleo.socket(table) as socket:
        await socket.next()
        await anna.do(table, "start")
        card = (await anna.situation(table))["view"]["hand"][3]
        await anna.act(table, {"type": "PlayCard", "card": card})
        started, chosen = await socket.next(), await socket.next()
    assert started["events"][0]["hands"] == [None, None]
    assert chosen["note"] == {"type": "Decided", "seat": 0, "by_bot": False}
    assert chosen["events"] == [{"type": "CardChosen", "seat": 0, "play": None}]
    for watcher in (cleo, nobody):
        situation = await watcher.situation(table)
        assert (situation["you"], situation["legal"], situation["decision"]) == (None, [], None)
        assert (situation["view"]["seat"], situation["view"]["hand"]) == (None, [])
        assert [waiting["seat"] for waiting in situation["waiting"]] == [1]
    await refused("not_seated", cleo.act(table, {"type": "PlayCard", "card": card}))
    await refused("not_signed_in", nobody.act(table, {"type": "PlayCard", "card": card}))


async def test_a_finished_match_can_be_looked_at_from_any_seat(come: Any, tmp_path: Path) -> None:
    anna, ben, nobody = await come("Anna", "Ben", "")
    table = await anna.open_table("six", 2, options={"rounds": 1})
    await ben.do(table, "join")
    await anna.do(table, "start")
    for asking in (anna.get(f"/api/tables/{table}/steps"), anna.get(f"/api/tables/{table}/hands"), anna.record(table)):
        await refused("not_over", asking)
    seen: dict[int, list[Json]] = {}
    await play_on([anna, ben], table, Random(3))
    for seat, person in enumerate((anna, ben)):
        seen[seat] = [update for update in await person.updates(table) if update["situation"]["view"]]
    for seat in (0, 1):
        steps = await nobody.get(f"/api/tables/{table}/steps?seat={seat}")
        assert [step["situation"] | {"is_host": False} for step in seen[seat]] == [step["situation"] for step in steps]
        assert [step["events"] for step in seen[seat]] == [step["events"] for step in steps]
        hands = await nobody.get(f"/api/tables/{table}/hands")
        assert [(step["n"], step["situation"]["view"]["hand"]) for step in steps] == [
            (moment["n"], moment["hands"][seat]) for moment in hands
        ]
    steps = await nobody.get(f"/api/tables/{table}/steps")
    assert {step["situation"]["view"]["seat"] for step in steps} == {None}
    some = await nobody.get(f"/api/tables/{table}/steps?after={steps[4]['n']}")
    assert some == steps[5:]
    await refused("no_such_seat", nobody.get(f"/api/tables/{table}/steps?seat=2"))

    file = tmp_path / "record.json"
    file.write_bytes(await nobody.record(table))
    done = subprocess.run([sys.executable, "-m", "nimmt", "verify", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


async def test_rematch_is_for_those_who_played(come: Any) -> None:
    anna, ben, cleo = await come("Anna", "Ben", "Cleo")
    table = await anna.open_table("six", 2, options={"rounds": 1})
    await ben.do(table, "join")
    await anna.do(table, "start")
    await refused("not_over", anna.do(table, "rematch"))
    await play_on([anna, ben], table, Random(4))
    await refused("not_seated", cleo.do(table, "rematch"))
    async with cleo.socket(table) as socket:
        await socket.next()
        await refused("bad_request", anna.do(table, "rematch", contribution="mine"))
        again = (await anna.do(table, "rematch"))["id"]
        assert (await socket.next())["note"] == {"type": "RematchOffered", "table": again}
    assert (await anna.do(table, "rematch"))["id"] == again
    assert [chair["name"] for chair in (await anna.situation(again))["chairs"]] == ["Anna", ""]
    await anna.do(again, "contribute", contribution="mine")
    await ben.do(table, "rematch")
    await ben.do(again, "contribute", contribution="yours")
    await anna.do(again, "start")
    assert (await cleo.situation(again))["fair"]["contributions"] == ["mine", "yours"]


async def test_what_is_decided_before_all_have_chosen_may_be_changed(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("six", 2)
    await ben.do(table, "join")
    await anna.do(table, "start")
    situation = await anna.situation(table)
    first, second = situation["view"]["hand"][:2]
    await anna.act(table, {"type": "PlayCard", "card": first}, situation["decision"])
    changed = await anna.situation(table)
    assert not asks(changed)
    assert (changed["decision"], changed["view"]["choice"]["card"]) == (situation["decision"], first)
    await anna.act(table, {"type": "PlayCard", "card": second}, situation["decision"])
    await ben.act(table, (await ben.situation(table))["legal"][0])
    revealed = [event for update in await ben.updates(table) for event in update["events"] if "plays" in event]
    assert second in [play["card"] for play in revealed[0]["plays"]]
    await refused("stale_decision", anna.act(table, {"type": "PlayCard", "card": first}, situation["decision"]))


# -- restarting, coming back ------------------------------------------------------------------------------------------


async def test_a_restarted_server_goes_on(tmp_path: Path, come: Any) -> None:
    with LiveServer(str(tmp_path / "nimmt.db")) as server:
        anna, ben = await come("Anna", "Ben", at=server.url)
        table = await anna.open_table("six", 3, options={"rounds": 1}, bots=["greedy"])
        await ben.do(table, "join")
        await anna.do(table, "start")
        rng = Random(5)
        for _ in range(3):
            await play_on([anna, ben], table, rng, steps=4)
            before = await anna.look(table)
            server.restart()
            after = await anna.look(table)
            assert before["n"] <= after["n"]
            assert (await anna.updates(table))[: before["n"]][-1]["situation"] == before["situation"]
            assert (await ben.get("/api/me"))["name"] == "Ben"
        assert (await play_on([anna, ben], table, rng))["phase"] == "over"
        assert verify(await anna.record(table)).deals_proven
        assert server.stop() == 0
        assert "error" not in server.log


async def test_reconnecting_brings_exactly_what_was_missed(come: Any) -> None:
    anna, ben = await come("Anna", "Ben")
    table = await anna.open_table("six", 3, options={"rounds": 1}, bots=["random"])
    await ben.do(table, "join")
    async with anna.socket(table, after=0) as socket:
        await anna.do(table, "start")
        rng, told, after = Random(6), [], 0
        everything = asyncio.create_task(socket.until(lambda message: message["situation"]["phase"] == "over"))
        while (await play_on([anna, ben], table, rng, steps=1 + rng.randrange(5)))["phase"] != "over":
            async with anna.socket(table, after=after) as another:
                new = await another.until_number((await anna.look(table))["n"])
            told += new
            after = new[-1]["n"]
        told += await anna.updates(table, after)
        assert [message["n"] for message in told] == list(range(1, told[-1]["n"] + 1))
        assert await everything == told
    async with anna.socket(table, after=10**6) as ahead:
        assert (await ahead.next())["type"] == "Snapshot"
    async with anna.lines(f"/api/stream/tables/{table}?after=3") as lines:
        assert [(await anext(lines)) for _ in told[3:]] == socket.frames[3:]

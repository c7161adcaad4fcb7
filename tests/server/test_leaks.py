"""Nobody learns from the server what they may not know: two matches that agree on what somebody may know send them the
same bytes, over the real wire. Snapshots, updates by socket and stream, answers, errors, lists and exports.

A match is planned by random play. Its twin has other cards wherever the viewer has not seen any, and other choices
where choices are still secret. Both are played on a real server, and all that the viewer receives is compared.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack
from random import Random
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest

from nimmt.match.record import decode_action
from nimmt.match.shuffle import SEED_BYTES, Dealer
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Cards, Deal, DealRequest, IllegalAction, Options, Seat
from nimmt.rules.kit.options import variant_options
from nimmt.server.tables import commands, messages, projection, state, table
from nimmt.server.tables.commitments import LIST
from nimmt.testing.laws.secrecy import heard
from nimmt.testing.random_play import pick, play_match, shuffled, some
from nimmt.testing.servers import Json, Person, ThreadServer

pytestmark = pytest.mark.anyio

TABLE = "the-table-under-test-0"
SEATS = 3
VARIANTS = [(game, variant.id) for game in registry.all_games() for variant in game.variants]
MOMENTS: dict[tuple[int, int], tuple[Seat | None, ...]] = {
    (1, 6): (0, None),
    (8, 25): (SEATS - 1,),
    (28, 70): (0, None),
}
"""After how many actions, at least and at most, the worlds are compared, and as whom: seats or a spectator."""


# -- planning ---------------------------------------------------------------------------------------------------------


class Plan(NamedTuple):
    """A match up to some moment."""

    game: AnyGame
    options: Options
    variant: str
    deals: tuple[Deal, ...]
    moves: tuple[tuple[Seat, Action], ...]


class Played(NamedTuple):
    """A plan carried out by the rules alone: the states and events after the start and after each move."""

    states: list[Any]
    events: list[Any]
    dealt: int
    """The index of the first state after the last deal."""


def play(plan: Plan) -> Played:
    """Raises `IllegalAction` if the plan cannot be carried out."""
    deals = iter(plan.deals)
    played = Played([], [], 0)

    def note(state: Any, events: tuple[Any, ...]) -> Played:
        nonlocal played
        if plan.game.deal_request(state) is not None:
            state, more = plan.game.deal(state, next(deals))
            events += more
            played = played._replace(dealt=len(played.states))
        played.states.append(state)
        played.events.append(events)
        return played

    note(plan.game.setup(plan.options, SEATS), ())
    for seat, action in plan.moves:
        note(*plan.game.apply(played.states[-1], seat, action))
    return played


def make_plan(game: AnyGame, variant: str, rng: Random, length: int) -> Plan:
    options = variant_options(game, variant)
    deals: list[Deal] = []
    moves: list[tuple[Seat, Action]] = []
    for step in play_match(game, options, SEATS, rng, restless=0.15):
        if isinstance(step.cause, Deal):
            deals.append(step.cause)
        elif len(moves) < length and game.outcome(step.state) is None:
            assert step.seat is not None
            moves.append((step.seat, step.cause))
        else:
            break
    return Plan(game, options, variant, tuple(deals), tuple(moves))


def openly(variant: str) -> int:
    """So many actions come first that hide nothing from anybody."""
    return 10 * SEATS if "draft" in variant else 0


def number(game: AnyGame, deck: str, card: int) -> int:
    """How `unseen` numbers a card."""
    return card + 1000 if (game.id, deck) == ("buffalo", "specials") else card


def hidden_cards(plan: Plan, played: Played, viewer: Seat | None) -> set[int]:
    """What the viewer has not seen at any moment since the last deal."""
    since = played.states[played.dealt :]
    return set.intersection(*[set(plan.game.unseen(plan.game.view(state, viewer))) for state in since])


def secret_choices(played: Played, plan: Plan) -> set[int]:
    """Moves whose card nobody has seen: it was taken back, or is not revealed yet."""
    found = set()
    for index, (seat, action) in enumerate(plan.moves):
        if type(action).__name__ != "PlayCard":
            continue
        for later, (other, _) in enumerate(plan.moves[index:], index):
            if later > index and other == seat:
                found.add(index)
                break
            if any(type(event).__name__ == "CardsRevealed" for event in played.events[later + 1]):
                break
        else:
            found.add(index)
    return found


def make_twin(plan: Plan, viewer: Seat | None, rng: Random) -> Plan:
    """A match that the viewer cannot tell from this one, as different as can be found."""
    played = play(plan)
    secret = {index for index in secret_choices(played, plan) if plan.moves[index][0] != viewer}
    twin = _choose_anew(plan, secret, rng) or plan
    hidden = hidden_cards(plan, played, viewer)
    for _ in range(60 if hidden else 0):
        changed = _choose_anew(_swap(twin, hidden, rng), secret, rng)
        if changed is not None and _looks_alike(played, changed, viewer):
            twin = changed
    return twin


def _swap(plan: Plan, hidden: set[int], rng: Random) -> Plan:
    """Two hidden cards change places in the last deal."""
    decks = {}
    for deck, cards in plan.deals[-1].decks.items():
        order = list(cards)
        places = [place for place, card in enumerate(order) if number(plan.game, deck, card) in hidden]
        if len(places) > 1:
            one, other = some(rng, shuffled(rng, places), 2)
            order[one], order[other] = order[other], order[one]
        decks[deck] = tuple(order)
    return plan._replace(deals=(*plan.deals[:-1], Deal(decks)))


def _choose_anew(plan: Plan, secret: set[int], rng: Random) -> Plan | None:
    """The plan with other secret choices; None if it cannot be carried out."""
    game, deals = plan.game, iter(plan.deals)
    state, moves = game.setup(plan.options, SEATS), list[tuple[Seat, Action]]()
    for index, (seat, action) in enumerate(plan.moves):
        if game.deal_request(state) is not None:
            state, _ = game.deal(state, next(deals))
        if index in secret:
            choices = [choice for choice in game.legal(state, seat) if type(choice).__name__ == "PlayCard"]
            action = pick(rng, [choice for choice in choices if choice != action] or choices)  # noqa: PLW2901
        try:
            state, _ = game.apply(state, seat, action)
        except IllegalAction:
            return None
        moves.append((seat, action))
    return plan._replace(moves=tuple(moves))


def _looks_alike(played: Played, twin: Plan, viewer: Seat | None) -> bool:
    """Can the rules be carried out in the same way? What somebody does may tell what they hold."""
    there = play(twin)
    views = [
        [msgspec.json.encode(twin.game.view(state, viewer)) for state in world.states] for world in (played, there)
    ]
    sounds = [[heard(events, viewer) for events in world.events] for world in (played, there)]
    return views[0] == views[1] and sounds[0] == sounds[1]


# -- playing it on a server -------------------------------------------------------------------------------------------


class Stage:
    """A server on which matches go as planned: everything that chance or time would decide is decided here."""

    def __init__(self, server: ThreadServer, people: list[Person], spectators: list[Person], time: Any) -> None:
        self.server, self.people, self.spectators, self.time = server, people, spectators, time

    async def put_on(self, plan: Plan, seed: str, viewers: Sequence[Seat | None]) -> dict[Seat | None, list[Any]]:
        """All that these viewers receive, in order."""
        self.server.run(self._clear(plan, seed))
        self.time.ms = 1_800_000_000_000
        eyes = [(viewer, person) for viewer in viewers for person in self._eyes(viewer)]
        received: dict[Seat | None, list[Any]] = {viewer: [] for viewer in viewers}
        host, *others = self.people
        await host.open_table(plan.game.id, SEATS, options=_variant(plan), public=True)
        async with AsyncExitStack() as stack:
            following = [
                (
                    viewer,
                    await stack.enter_async_context(person.socket(TABLE)),
                    await stack.enter_async_context(person.lines(f"/api/stream/tables/{TABLE}")),
                )
                for viewer, person in eyes
            ]
            for person in others:
                await person.do(TABLE, "join", contribution="mine")
            await host.do(TABLE, "start")
            n = self.server.run(self._perform(plan))
            for viewer, socket, lines in following:
                await socket.until_number(n)
                received[viewer] += [*socket.frames, *await _until_number(lines, n)]
        for viewer, person in eyes:
            received[viewer] += [await answer for answer in self._questions(plan, viewer, person)]
            async with person.socket(TABLE, after=n - 2) as socket:
                await socket.until_number(n)
                received[viewer] += socket.frames
        return received

    async def _perform(self, plan: Plan) -> int:
        """What everybody does. How commands come in is no matter here, so this goes the short way."""
        n = 0
        for seat, action in plan.moves:
            self.time.passes(seconds=1)
            guest, data = self.people[seat].id, msgspec.to_builtins(action)
            _, n = await self.server.platform.tables.do(TABLE, lambda t: t.act(guest, data, None, self.time.ms))  # noqa: B023
            await asyncio.sleep(0)
        return n

    def _eyes(self, viewer: Seat | None) -> list[Person]:
        return [self.people[viewer]] if viewer is not None else self.spectators

    async def _clear(self, plan: Plan, seed: str) -> None:
        platform = self.server.platform
        await platform.store.delete(TABLE)
        await platform.store.delete(LIST)  # the number of a commitment says how many tables there were before
        platform.tables.forget(TABLE)
        PLANNED.clear()
        PLANNED.update(seed=seed, deals=plan.deals)

    def _questions(self, plan: Plan, viewer: Seat | None, person: Person) -> Iterator[Any]:
        for path in ("", "/updates", "/steps", "/record"):
            yield seen(person.ask("GET", f"/api/tables/{TABLE}{path}"))
        for path in ("/api/tables", "/api/tables/mine"):
            yield seen(person.ask("GET", path))
        for action in _illegal(plan, viewer):
            yield seen(person.ask("POST", f"/api/tables/{TABLE}/act", {"action": action}))
        yield seen(person.ask("POST", f"/api/tables/{TABLE}/rematch", {}))


async def _until_number(lines: AsyncIterator[bytes], n: int) -> list[bytes]:
    found = [await anext(lines)]
    while msgspec.json.decode(found[-1])["n"] < n:
        found.append(await anext(lines))
    return found


async def seen(asking: Any) -> tuple[int, list[tuple[str, str]], bytes]:
    """An answer as it came, but for the time of day."""
    answer: httpx.Response = await asking
    headers = sorted((name, value) for name, value in answer.headers.multi_items() if name != "date")
    return answer.status_code, headers, answer.content


def _variant(plan: Plan) -> Json:
    return next(variant.options for variant in plan.game.variants if variant.id == plan.variant)


def _illegal(plan: Plan, viewer: Seat | None) -> list[Json]:
    """Actions that the rules refuse to the viewer now, cards that others hold among them."""
    game, played = plan.game, play(plan)
    state, rng = played.states[-1], Random(1)
    hidden = [card for card in sorted(hidden_cards(plan, played, viewer)) if card < 1000]
    numbers = [*some(rng, hidden, 3), 0, 1, 10**6]
    legal = set(game.legal(state, viewer)) if viewer is not None else set()
    found = []
    for kind in game.action_types:
        fields = [field.name for field in msgspec.structs.fields(kind) if field.name != "twisted"]
        for value in numbers if fields else [0]:
            filled: Any = {"type": "Stop", "row": value} if fields == ["use"] else value
            action = {"type": kind.__name__, **dict.fromkeys(fields, filled)}
            if decode_action(game, msgspec.json.encode(action)) not in legal:
                found.append(action)
    return some(rng, found, 6)


PLANNED: dict[str, Any] = {}


class PlannedDealer(Dealer):
    def deal(self, index: int, request: DealRequest) -> Deal:
        deal: Deal = PLANNED["deals"][index]
        assert {deck: sorted(cards) for deck, cards in deal.decks.items()} == {
            deck: sorted(cards) for deck, cards in request.decks.items()
        }
        return deal


class PlannedSecrets:
    def token_hex(self, size: int) -> str:
        assert size == SEED_BYTES
        seed: str = PLANNED["seed"]
        return seed


@pytest.fixture
async def stage(timed: ThreadServer, time: Any, come: Any, monkeypatch: pytest.MonkeyPatch) -> Stage:
    monkeypatch.setattr(state, "Dealer", PlannedDealer)
    monkeypatch.setattr(commands, "secrets", PlannedSecrets())
    monkeypatch.setattr(commands, "new_table_id", lambda: TABLE)
    # Each world has a seed of its own, so that a seed that got out would be noticed; its hash is no secret.
    monkeypatch.setattr(projection, "_commitment", lambda seed: "0" * 64)
    *people, spectator, nobody = await come("Anna", "Ben", "Cleo", "Dora", "", at=timed.url)
    return Stage(timed, people, [spectator, nobody], time)


async def compare(stage: Stage, plan: Plan, viewers: Sequence[Seat | None], rng: Random) -> int:
    """Fails if a viewer receives anything else in a world that is the same for them; how many bytes were compared."""
    here = await stage.put_on(plan, secrets.token_hex(SEED_BYTES), viewers)
    total = 0
    for viewer in viewers:
        twin = make_twin(plan, viewer, rng)
        there = (await stage.put_on(twin, secrets.token_hex(SEED_BYTES), [viewer]))[viewer]
        assert len(there) == len(here[viewer])
        for this, that in zip(here[viewer], there, strict=True):
            assert this == that, f"{viewer} notices a difference"
            total += len(this if isinstance(this, bytes) else this[2])
    return total


# -- the tests --------------------------------------------------------------------------------------------------------


@pytest.mark.each_once
@pytest.mark.parametrize("span", MOMENTS, ids=lambda span: f"{span[0]}-{span[1]}")
@pytest.mark.parametrize(("game", "variant"), VARIANTS, ids=lambda thing: getattr(thing, "id", thing))
async def test_the_same_bytes_whatever_is_hidden(stage: Stage, game: AnyGame, variant: str, span: Any) -> None:
    rng = Random(f"{game.id} {variant} {span}")
    length = openly(variant) + span[0] + int(rng.random() * (span[1] - span[0] + 1))
    plan = make_plan(game, variant, rng, length)
    assert await compare(stage, plan, MOMENTS[span], rng) > 10_000


@pytest.mark.parametrize(("game", "variant"), VARIANTS, ids=lambda thing: getattr(thing, "id", thing))
def test_twins_differ(game: AnyGame, variant: str) -> None:
    """The comparison above is worth something: nearly always the twin has other cards or choices."""
    rng, different = Random(f"{game.id} {variant}"), 0
    for length in (3, 5, 11, 17, 23):
        plan = make_plan(game, variant, rng, openly(variant) + length)
        for viewer in (0, None):
            different += make_twin(plan, viewer, rng) != plan
    assert different >= 8


def leaks_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = projection.situation

    def situation(tbl: Any, moment: Any, seat: Seat | None, *, is_host: bool) -> messages.Situation:
        told = honest(tbl, moment, seat, is_host=is_host)
        if moment.state is None:
            return told
        return msgspec.structs.replace(told, view=tbl.game.view(moment.state, 1))

    monkeypatch.setattr(projection, "situation", situation)


def leaks_events(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = projection.update

    def update(tbl: Any, moment: Any, seat: Seat | None, **more: Any) -> messages.Update:
        return msgspec.structs.replace(honest(tbl, moment, seat, **more), events=moment.events)

    monkeypatch.setattr(projection, "update", update)


def leaks_in_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What others see of an event, folded into what they see."""
    honest = projection.changes

    def changes(game: Any, state: Any, seat: Seat | None, seen: Any) -> Any:
        return honest(game, state, 1, seen)

    monkeypatch.setattr(projection, "changes", changes)


def leaks_in_foresight(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many bulls the others hold."""
    honest = projection.situation

    def situation(tbl: Any, moment: Any, seat: Seat | None, *, is_host: bool) -> messages.Situation:
        told = honest(tbl, moment, seat, is_host=is_host)
        hidden = sum(sum(hand) for hand in moment.state.hands[1:2]) if moment.state is not None else 0
        foreseen = [msgspec.structs.replace(one, bulls=one.bulls + hidden) for one in told.foreseen]
        return msgspec.structs.replace(told, foreseen=tuple(foreseen))

    monkeypatch.setattr(projection, "situation", situation)


def leaks_in_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = table.Table.act

    def act(self: Any, *words: Any) -> Any:
        try:
            return honest(self, *words)
        except commands.Refused as error:
            hands = self.match.state.hands if self.match else ""
            raise commands.Refused(error.code, f"{error} {hands}") from None

    monkeypatch.setattr(table.Table, "act", act)


def leaks_in_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = table.Table.listing

    def listing(self: Any) -> Any:
        made = honest(self)
        hands: Cards = sum(self.match.state.hands, ()) if self.match else ()
        return msgspec.structs.replace(made, updated=made.updated + sum(hands))

    monkeypatch.setattr(table.Table, "listing", listing)


def leaks_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = projection._fair

    def fair(tbl: Any, moment: Any) -> messages.Fair:
        return msgspec.structs.replace(honest(tbl, moment), server_seed=tbl.opened.server_seed)

    monkeypatch.setattr(projection, "_fair", fair)


def leaks_by_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is waited for, the one with the lowest card first."""
    honest = projection.situation

    def situation(tbl: Any, moment: Any, seat: Seat | None, *, is_host: bool) -> messages.Situation:
        told = honest(tbl, moment, seat, is_host=is_host)
        if moment.state is None:
            return told
        waiting = sorted(told.waiting, key=lambda waiting: moment.state.hands[waiting.seat])
        return msgspec.structs.replace(told, waiting=tuple(waiting))

    monkeypatch.setattr(projection, "situation", situation)


LEAKS = [
    leaks_a_hand,
    leaks_events,
    leaks_in_changes,
    leaks_in_foresight,
    leaks_in_errors,
    leaks_in_lists,
    leaks_the_seed,
    leaks_by_order,
]


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
async def test_a_leak_would_be_noticed(stage: Stage, monkeypatch: pytest.MonkeyPatch, leak: Any) -> None:
    rng = Random(3)
    plan = make_plan(registry.get("six"), "basic", rng, 7)
    leak(monkeypatch)
    with pytest.raises(AssertionError, match="notices a difference"):
        await compare(stage, plan, (0, None), rng)

"""Laws of play and of what is written down of it: rules, views and folds; records, positions and sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeAlias, Union

import msgspec

from nimmt.match.match import Match, replay, verify
from nimmt.match.record import SeatInfo, read_record, write_record
from nimmt.match.shuffle import SEED_BYTES, Dealer
from nimmt.rules.game import (
    Action,
    AnyGame,
    Deal,
    DealRequest,
    Event,
    IllegalAction,
    InvalidDeal,
    Options,
    Outcome,
    Refusal,
    Seat,
)
from nimmt.rules.kit.events import MatchEnded, RoundEnded
from nimmt.rules.position import from_json, from_text, to_json, to_text
from nimmt.testing.corruption import ENORMOUS, invented, near_misses
from nimmt.testing.random_play import MAX_STEPS, Step, pick, random_action, random_deal, some

# -- basics ------------------------------------------------------------------------------------------------------------
# What all laws need: saying where one is broken, and what a game may add of its own.

Law: TypeAlias = Callable[[AnyGame, Any], None]
"""Takes a game and a state; raises an AssertionError, best made by `broken`."""


def fewest_points_win(state: Any, outcome: Outcome) -> Sequence[Seat]:
    del state
    return [seat for seat, points in enumerate(outcome.points) if points == min(outcome.points)]


def lies_hidden(place: str, viewer: Seat | None) -> bool:
    """Whether cards that came to this place by the deal are hidden from a seat (None: a spectator)."""
    hidden = "draw pile" in place or place.startswith("the hand of seat ")
    return hidden and place != f"the hand of seat {viewer}"


def card_itself(deck: str, card: int) -> int:
    del deck
    return card


class Hooks(NamedTuple):
    """What the kit cannot know of a game by itself. The defaults suit most games."""

    winners: Callable[[Any, Outcome], Sequence[Seat]] = fewest_points_win
    """Who should have won, worked out anew from the last state and the points."""
    laws: tuple[Law, ...] = ()
    """Laws of the game's own, such as the order of its rows; asked after every step."""
    open_decisions: frozenset[str] = frozenset()
    """Kinds of decisions that several seats make at once but openly. All others of that sort must stay secret."""
    hides: Callable[[str, Seat | None], bool] = lies_hidden
    """Whether a place, as `Game.cards` names it, is hidden from a seat."""
    number: Callable[[str, int], int] = card_itself
    """How `Game.cards` numbers a card of a deck, where several decks use the same numbers."""
    longest: int = 5_000
    """No match of random play has more steps."""


def broken(game: AnyGame, state: Any, sentence: str) -> AssertionError:
    return AssertionError(f"{game.id}: {sentence}\n\n{to_text(game, state)}")


@contextmanager
def located(game: AnyGame, state: Any) -> Iterator[None]:
    """Whatever goes wrong inside also says in which position."""
    try:
        yield
    except Exception as error:
        error.add_note(to_text(game, state))
        raise


def viewers(state: Any) -> list[Seat | None]:
    """Everybody who may look: a spectator and all seats."""
    return [None, *range(state.table.seats)]


def encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)


def named(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


# -- documents ---------------------------------------------------------------------------------------------------------

UNFINISHED = (2, 17, 60)
"""After so many steps a match is recorded though it is not over."""

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana", "Ida", "Jon")


def positions_survive(game: AnyGame, state: Any) -> None:
    """Protects positions on paper: as text and as JSON they are read back as they were, and are accepted."""
    text, data = to_text(game, state), to_json(game, state)
    with located(game, state):
        from_words, from_data = from_text(text), from_json(data)
    if from_words != (game, state) or to_text(*from_words) != text:
        raise broken(game, state, "the text is read as another position.")
    if from_data != (game, state) or to_json(*from_data) != data:
        raise broken(game, state, "the JSON is read as another position.")


def states_are_values(game: AnyGame, step: Step) -> None:
    """Protects search and replay: going on from a state leaves it as it was; equal states are equal by value."""
    before, frozen = step.before, encoded(step.before)
    if step.seat is not None and isinstance(step.cause, msgspec.Struct):
        game.apply(before, step.seat, step.cause)  # type: ignore[arg-type]
    if encoded(before) != frozen:
        raise broken(game, before, f"{step.cause} changes the state that it is applied to.")
    copy = msgspec.json.decode(frozen, type=game.state_type)
    if copy != before or hash(copy) != hash(before):
        raise broken(game, before, "a copy of the state is not equal to it, or has another hash.")
    for value in (before, before.table):
        try:
            value.seats = value.table = None
        except AttributeError:
            continue
        raise broken(game, before, f"{type(value).__name__} can be changed.")


def views_survive_json(game: AnyGame, state: Any) -> None:
    """Protects clients: a view that was sent is the view that arrives, and it says whose it is."""
    for viewer in viewers(state):
        view = game.view(state, viewer)
        if view.seat != viewer:
            raise broken(game, state, f"the view of {named(viewer)} says that it is the view of {view.seat}.")
        if msgspec.json.decode(encoded(view), type=game.view_type) != view:
            raise broken(game, state, f"the view of {named(viewer)} is another one after a journey as JSON.")


@cache
def _event_decoder(game: AnyGame) -> msgspec.json.Decoder[Event]:
    return msgspec.json.Decoder(Union[game.event_types])  # noqa: UP007


def events_survive_json(game: AnyGame, step: Step) -> None:
    """Protects clients: what a seat is told of an event arrives as it was sent."""
    for event in step.events:
        for viewer in viewers(step.state):
            seen = event.seen_by(viewer)
            if seen is None:
                continue
            if seen.seen_by(viewer) != seen:
                raise broken(game, step.state, f"{named(viewer)} would see {seen} in different ways.")
            if _event_decoder(game).decode(encoded(seen)) != seen:
                raise broken(game, step.state, f"{seen} is another event after a journey as JSON.")


def events_can_be_told(game: AnyGame, step: Step) -> None:
    """Protects readers: every event, and what anybody sees of it, is told in whole sentences."""
    names = NAMES[: step.state.table.seats]
    for event in step.events:
        for viewer in viewers(step.state):
            for told in (event, event.seen_by(viewer)):
                with located(game, step.state):
                    text = "nothing." if told is None else told.tell(names)
                lines = text.split("\n")
                if not all(line.strip() == line and line[:-1] and line.endswith(".") for line in lines):
                    raise broken(game, step.state, f"{told} is told as {text!r}, which is no whole sentence.")
                if "None" in text or "()" in text:
                    raise broken(game, step.state, f"{told} is told as {text!r}: is that for people?")


def records_verify(game: AnyGame, options: Options, seats: int, rng: Random) -> None:
    """Protects old matches: a match played is a record that verifies and replays through the same states, both when
    it is over and while it is still going on."""
    seed = bytes(int(rng.random() * 256) for _ in range(SEED_BYTES))
    dealer = Dealer(seed, [name.lower() for name in NAMES[:seats]])
    match = Match(game, options, [SeatInfo(name) for name in NAMES[:seats]], dealer)
    states = [match.state]
    while match.outcome is None and len(states) < MAX_STEPS:
        seat = pick(rng, game.pending(match.state)).seat
        match.act(seat, random_action(game, match.state, seat, rng))
        states.append(match.state)
        if len(states) in UNFINISHED:
            _check_record(match, states)
    _check_record(match, states)


def _check_record(match: Match, states: list[Any]) -> None:
    record = match.record()
    data = write_record(record)
    if write_record(read_record(data)) != data:
        raise broken(match.game, match.state, "the record is read as another one.")
    with located(match.game, match.state):
        verdict = verify(data)
        replayed = [step.state for step in replay(record)]
    if verdict.outcome != match.outcome or verdict.deals_proven is not _proven(match):
        raise broken(match.game, match.state, f"the record proves something else: {verdict}.")
    rest = iter(replayed)  # where a new round begins the replay has one state more, that before the deal
    if not all(state in rest for state in states[1:]) or list(rest):
        raise broken(match.game, match.state, "the record replays through other states.")


def _proven(match: Match) -> bool | None:
    return None if not match.deals else match.outcome is not None


# -- playing -----------------------------------------------------------------------------------------------------------
# Laws of play: cards stay, points add up, somebody can always go on, matches end.


def cards_are_conserved(game: AnyGame, step: Step) -> None:
    """Protects the deck: between two deals no card appears or vanishes, and none is ever in two places."""
    lying = _all_cards(game, step.state)
    if len(set(lying)) != len(lying):
        twice = sorted({card for card in lying if lying.count(card) > 1})
        raise broken(game, step.state, f"cards lie in two places: {twice}.")
    if not isinstance(step.cause, Deal):
        gone, new = set(_all_cards(game, step.before)) - set(lying), set(lying) - set(_all_cards(game, step.before))
        if gone or new:
            raise broken(game, step.state, f"{step.cause} makes {sorted(gone)} vanish and {sorted(new)} appear.")


def _all_cards(game: AnyGame, state: Any) -> list[int]:
    return [card for cards in game.cards(state).values() for card in cards]


def somebody_can_go_on(game: AnyGame, state: Any) -> None:
    """Protects every match from getting stuck: until the end either a deal is due or somebody is waited for; who is
    waited for can act; nobody can act while a deal is due or after the end; legal actions are listed once each."""
    over, due = game.outcome(state) is not None, game.deal_request(state) is not None
    pending = game.pending(state)
    if over + due + bool(pending) != 1:
        raise broken(game, state, f"over: {over}, a deal is due: {due}, waited for: {pending}.")
    waited_for = [decision.seat for decision in pending]
    if waited_for != sorted(set(waited_for)) or not set(waited_for) <= set(range(state.table.seats)):
        raise broken(game, state, f"pending must name seats once each and in order, not {waited_for}.")
    for seat in range(state.table.seats):
        legal = game.legal(state, seat)
        if len(set(legal)) != len(legal):
            raise broken(game, state, f"legal({seat}) lists an action twice.")
        if seat in waited_for and not legal:
            raise broken(game, state, f"seat {seat} is waited for and can do nothing.")
        if legal and (over or due):
            raise broken(game, state, f"seat {seat} can act while nobody should: {legal[0]}.")


def every_legal_action_applies(game: AnyGame, state: Any, rng: Random, most: int = 30) -> None:
    """Protects from a `legal` that promises too much: each action is accepted and leads to a sound state."""
    for seat in range(state.table.seats):
        for action in some(rng, game.legal(state, seat), most):
            with located(game, state):
                after, events = game.apply(state, seat, action)
                game.check(after)
            if not events:
                raise broken(game, state, f"{action} by seat {seat} happens without an event.")


def deals_are_checked(game: AnyGame, state: Any, rng: Random) -> None:
    """Protects from marked cards: a deal is accepted only when it is due and has exactly the cards asked for."""
    request = game.deal_request(state)
    if request is None:
        _refuses_deal(game, state, Deal({}))
        _refuses_deal(game, state, Deal({"numbers": tuple(range(1, 105))}))
        return
    for deal in spoilt_deals(request, rng):
        _refuses_deal(game, state, deal)


def spoilt_deals(request: DealRequest, rng: Random) -> list[Deal]:
    """Deals that look nearly right."""
    good = random_deal(request, rng).decks
    spoilt = [Deal({}), Deal(good | {"more": (1,)})]
    for deck, cards in good.items():
        spoilt += [Deal({name: order for name, order in good.items() if name != deck})]
        spoilt += [Deal(good | {deck: order}) for order in ((), (*cards, 1), (*cards, 0), (10**9, -1, 2**63))]
        if cards:
            lacking, doubled = cards[:-1], (*cards[:-1], cards[0] if len(cards) > 1 else 0)
            spoilt += [Deal(good | {deck: order}) for order in (lacking, doubled, (*cards[:-1], -cards[-1]))]
    return spoilt


def _refuses_deal(game: AnyGame, state: Any, deal: Deal) -> None:
    before = encoded(state)
    try:
        game.deal(state, deal)
    except InvalidDeal as error:
        if not str(error) or encoded(state) != before:
            raise broken(game, state, "a refused deal needs a sentence and changes nothing.") from error
        return
    raise broken(game, state, f"this deal should be refused: {deal}.")


def everything_is_explained(game: AnyGame, step: Step) -> None:
    """Protects the explanations: whatever name turns up in play, the game has a type or a sentence for it."""
    for event in step.events:
        if type(event) not in game.event_types:
            raise broken(game, step.state, f"{type(event).__name__} is not among the event_types.")
        if (rule := getattr(event, "rule", None)) is not None and rule not in game.rules:
            raise broken(game, step.state, f"{event} names a rule that is not in rules.")
    if isinstance(step.cause, Action) and type(step.cause) not in game.action_types:
        raise broken(game, step.state, f"{type(step.cause).__name__} is not among the action_types.")
    for decision in game.pending(step.state):
        if decision.kind not in game.decisions:
            raise broken(game, step.state, f"the decision {decision.kind!r} is not in decisions.")
    outcome = game.outcome(step.state)
    if outcome is not None and outcome.reason not in game.ends:
        raise broken(game, step.state, f"the reason {outcome.reason!r} is not in ends.")


def events_lead_to_the_view(game: AnyGame, step: Step) -> None:
    """Protects everybody who is told a match event by event: folding what somebody sees of a step over their old view
    gives their new one, so that nothing changes of which nobody was told."""
    for viewer in viewers(step.state):
        folded, view = game.view(step.before, viewer), game.view(step.state, viewer)
        with located(game, step.before):
            for event in step.events:
                if (seen := event.seen_by(viewer)) is not None:
                    folded = game.after(folded, seen)
        if folded != view:
            differing = "; ".join(_differences(folded, view))
            raise broken(game, step.before, f"after {step.events} the view of {named(viewer)} has {differing}.")


def the_table_says_what_is_foreseen(game: AnyGame, step: Step) -> None:
    """Protects previews, which are kept while the table stays as it is: what is foreseen of an action follows from the
    table, whatever else has happened; and it names a rule that the game explains."""
    for seat in range(step.state.table.seats):
        old, new = game.view(step.before, seat), game.view(step.state, seat)
        for action in game.legal(step.state, seat):
            foreseen = game.foresee(new, action)
            if old.table == new.table and game.foresee(old, action) != foreseen:
                raise broken(game, step.state, f"{action} is foreseen otherwise than before, at the same table.")
            if unknown := {one.rule for one in foreseen} - game.rules.keys():
                raise broken(game, step.state, f"what is foreseen of {action} names {unknown}, not in rules.")


def _differences(folded: Any, view: Any) -> Iterator[str]:
    """What two values of one type do not agree about, table fields by their own names."""
    for name in type(view).__struct_fields__:
        here, there = getattr(folded, name), getattr(view, name)
        if here != there and isinstance(there, msgspec.Struct) and type(here) is type(there):
            yield from _differences(here, there)
        elif here != there:
            yield f"{name} = {here}, not {there}"


def points_add_up(game: AnyGame, steps: Sequence[Step], hooks: Hooks) -> None:
    """Protects the scores: totals are the sums of the rounds, the outcome has the totals and the right winners."""
    last, happened = steps[-1].state, [event for step in steps for event in step.events]
    sums: tuple[int, ...] = ()
    for number, ended in enumerate((event for event in happened if isinstance(event, RoundEnded)), 1):
        sums = tuple(map(sum, zip(sums or (0,) * len(ended.points), ended.points, strict=True)))
        if ended.round != number or ended.totals != sums:
            raise broken(game, last, f"{ended} should be round {number} with the totals {sums}.")
    outcome = game.outcome(last)
    if outcome is None:
        raise broken(game, last, "the match is not over.")
    if [event for event in happened if isinstance(event, MatchEnded)] != [MatchEnded(outcome)]:
        raise broken(game, last, f"the match must end once, with {outcome}.")
    if sums and outcome.points != sums:
        raise broken(game, last, f"the points in total are {sums}, not {outcome.points}.")
    if tuple(outcome.winners) != tuple(hooks.winners(last, outcome)):
        raise broken(game, last, f"the winners should be {hooks.winners(last, outcome)}: {outcome}.")


def standings_are_public(game: AnyGame, steps: Sequence[Step]) -> None:
    """Protects lists of tables: how a match stands is the same for all eyes, so it tells no secret; and it agrees with
    the rounds and the outcome."""
    for step in steps:
        standing = game.standing(game.view(step.state, None))
        if standing is None:
            return
        seats = () if standing.sides else range(len(standing.points))
        if any(game.standing(game.view(step.state, seat)) != standing for seat in seats):
            raise broken(game, step.state, "a seat sees another standing than a spectator.")
        if standing.rounds is not None and standing.round > standing.rounds:
            raise broken(game, step.state, f"this is round {standing.round} of {standing.rounds}.")
        ended = [event.totals for event in step.events if isinstance(event, RoundEnded)]
        outcome = game.outcome(step.state)
        known = outcome.points if outcome and not standing.sides else ended[-1] if ended else standing.points
        if standing.points != known:
            raise broken(game, step.state, f"the points are {known}, not {standing.points}.")


def the_same_play_gives_the_same_match(game: AnyGame, options: Options, seats: int, steps: Sequence[Step]) -> None:
    """Protects records: the same deals and actions lead to the same states and events again."""
    state = game.setup(options, seats)
    for step in steps:
        if isinstance(step.cause, Deal):
            state, events = game.deal(state, step.cause)
        else:
            state, events = game.apply(state, step.seat or 0, step.cause)
        if state != step.state or events != step.events:
            raise broken(game, step.state, f"{step.cause} had another effect the second time.")


# -- refusals ----------------------------------------------------------------------------------------------------------
# Laws of refusing: what is not legal is refused with a code, and nothing changes.

STRANGE_SEATS = (-ENORMOUS, -1, 10**9, 2**63)
CODES = frozenset(Refusal)


def other_actions_are_refused(
    game: AnyGame, state: Any, rng: Random, strangers: Sequence[type[Action]] = (), most: int = 150
) -> None:
    """Protects from everything that clients may send: whatever `legal` does not list is refused by `apply` with a code
    and a sentence, out of turn, before a deal and after the end too. `strangers` are actions of other games."""
    before, always = encoded(state), _general_refusal(game, state)
    made_up, strange = list(invented(game.action_types, rng)), list(invented(strangers, rng))
    for seat in range(state.table.seats):
        legal = game.legal(state, seat)
        allowed = frozenset(legal)
        tried = some(rng, made_up, most) + some(rng, strange, most // 5)
        tried += near_misses(some(rng, legal, 10), rng) + _disguised(some(rng, legal, 3), strangers)
        for action in tried:
            if type(action) not in game.action_types or action not in allowed:
                _refuses_action(game, state, seat, action, always)
    if encoded(state) != before:
        raise broken(game, state, "refusing has changed the state.")


def _disguised(actions: Iterable[Action], strangers: Sequence[type[Action]]) -> list[Action]:
    """The same names and values, but actions of other games."""
    return [
        stranger(**msgspec.structs.asdict(action))
        for action in actions
        for stranger in strangers
        if stranger.__name__ == type(action).__name__ and stranger.__struct_fields__ == action.__struct_fields__
    ]


def _refuses_action(game: AnyGame, state: Any, seat: Seat, action: Action, always: Refusal | None) -> None:
    with located(game, state):
        error = _refusal_of(game.apply, state, seat, action)
    if error is None:
        raise broken(game, state, f"{_shown(action)} by seat {seat} is accepted, but legal({seat}) does not list it.")
    if error.refusal not in CODES or error.seat != seat or not str(error).endswith("."):
        sentence = f"{_shown(action)} by seat {seat} is refused without its seat, a code or a sentence."
        raise broken(game, state, sentence) from error
    if always not in (None, error.refusal):
        raise broken(game, state, f"refused with {error.refusal}, not with {always}: {error}") from error


def _shown(action: Action) -> str:
    try:
        return str(action)
    except ValueError:
        return f"{type(action).__name__} with an enormous number"


def _refusal_of(ask: Callable[..., object], *arguments: object) -> IllegalAction | None:
    try:
        ask(*arguments)
    except IllegalAction as error:
        return error
    return None


def _general_refusal(game: AnyGame, state: Any) -> Refusal | None:
    """The reason that is the same in all games, if there is one."""
    if game.outcome(state) is not None:
        return Refusal.MATCH_OVER
    return Refusal.WAITING_FOR_DEAL if game.deal_request(state) is not None else None


def unknown_seats_are_refused(game: AnyGame, state: Any) -> None:
    """Protects from seats that do not exist: asking for them is refused, never an error of some other kind."""
    actions = [action for seat in range(state.table.seats) for action in game.legal(state, seat)[:1]]
    for seat in (*STRANGE_SEATS, state.table.seats):
        with located(game, state):
            errors = [_refusal_of(ask, state, seat) for ask in (game.legal, game.view)]
            errors += [_refusal_of(game.apply, state, seat, action) for action in actions]
        if any(error is None or error.refusal is not Refusal.NO_SUCH_SEAT for error in errors):
            raise broken(game, state, f"a seat that does not exist is not refused as such: {errors}.")

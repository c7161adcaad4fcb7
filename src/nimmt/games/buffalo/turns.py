"""The course of a turn, the windows in which the team decides about special cards, and their use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from nimmt.games.buffalo.events import (
    CardsRevealed,
    CardSwapped,
    PointsCounted,
    ProposalAgreed,
    ProposalDeclined,
    ProposalWithdrawn,
    SeatPassed,
    SpecialProposed,
    SpecialsRevealed,
    SpecialUsed,
)
from nimmt.games.buffalo.placing import is_open, place, row_for_buffalo, take, target_row
from nimmt.games.buffalo.specials import PIECES, Refused, Special
from nimmt.games.buffalo.types import (
    BUFFALO,
    DOUBLED_SEATS,
    HAND,
    ROWS,
    Agree,
    AnyUse,
    ChooseRow,
    Decline,
    Lift,
    Pass,
    Play,
    PlayCard,
    Proposal,
    Propose,
    State,
    Stop,
    SwapCard,
    Table,
    Take7,
    Use,
    Window,
    Withdraw,
    kind,
)
from nimmt.rules.game import Action, Decision, Event, IllegalAction, Outcome, Refusal, Seat
from nimmt.rules.kit.events import CardChosen, MatchEnded
from nimmt.rules.kit.seats import at, without
from nimmt.rules.kit.secret import check_held, check_row, still_waiting

# -- using -------------------------------------------------------------------------------------------------------------
# Using the special cards that lie face up: what is possible, why something is not, and what it does.

_NOT_FACE_UP: Final = (Refusal.NO_SUCH_SPECIAL, "This special card does not lie face up.")


def piece_for(use: AnyUse) -> Special[Any]:
    return PIECES[type(use).__name__]


def possible_uses(table: Table) -> Iterator[AnyUse]:
    """All that the team could do with special cards now, two cards of one kind counted once."""
    for name in dict.fromkeys(kind(special) for special in table.face_up):
        yield from PIECES[name].uses(table)
    yield from PIECES["Lift"].uses(table)


def anything_possible(table: Table) -> bool:
    return next(possible_uses(table), None) is not None


def refusal(table: Table, use: AnyUse) -> Refused | None:
    """Why the team cannot do this now; None if it can."""
    name = type(use).__name__
    if name != "Lift" and all(kind(special) != name for special in table.face_up):
        return _NOT_FACE_UP
    refused: Refused | None = piece_for(use).refusal(table, use)
    return refused


def carry_out(state: State, seat: Seat, use: AnyUse, events: list[Event]) -> State:
    """The team uses a special card: it is spent and replaced at once, then it acts."""
    events.append(SpecialUsed(seat, use))
    if not isinstance(use, Lift):
        state = _spend(state, use, events)
    acted: State = piece_for(use).act(state, use, events)
    return acted


def _spend(state: State, use: AnyUse, events: list[Event]) -> State:
    table, drawn = state.table, state.specials[:1]
    special = next(special for special in table.face_up if kind(special) == type(use).__name__)
    place = table.face_up.index(special)
    table = replace(table, face_up=(*table.face_up[:place], *drawn, *table.face_up[place + 1 :]))
    if drawn:
        events.append(SpecialsRevealed((kind(drawn[0]),), table.face_up))
    if isinstance(use, Take7 | Stop):
        beside = at(table.beside, use.row - 1, (*table.beside[use.row - 1], special))
        table = replace(table, beside=beside)
    else:
        table = replace(table, used=(*table.used, special))
    return replace(state, table=table, specials=state.specials[1:])


# -- turns -------------------------------------------------------------------------------------------------------------
# The course of a turn: choose, reveal, then a window before each placement and after the last one.

Step = tuple[State, tuple[Event, ...]]

# -- what a seat decides ------------------------------------------------------------------------------------


def choose_card(state: State, seat: Seat, action: PlayCard) -> Step:
    card, waiting = action.card, still_waiting(state.waiting, seat)
    check_held(state.hands[seat], seat, card)
    state = replace(state, chosen=at(state.chosen, seat, card), waiting=waiting)
    events: list[Event] = [CardChosen(seat, card)]
    if not waiting:
        state = _reveal(state, events)
    return state, tuple(events)


def swap_card(state: State, seat: Seat, action: SwapCard) -> Step:
    """The other card is placed at once, before all that still wait."""
    table, card = state.table, action.card
    back = table.known[-1]
    if back.seat != seat:
        raise IllegalAction(Refusal.NOT_YOUR_TURN, seat, "It is another seat that swaps its card.")
    check_held(state.hands[seat], seat, card)
    if card == back.card:
        raise IllegalAction(Refusal.SPECIAL_NOT_POSSIBLE, seat, "The card taken back stays in hand: play another one.")
    known = tuple(play for play in table.known if play.card != card)
    table = replace(table, queue=(Play(seat, card), *table.queue), known=known)
    state = replace(state, table=table, hands=at(state.hands, seat, without(state.hands[seat], card)))
    events: list[Event] = [CardSwapped(seat, card)]
    return place_next(state, events), tuple(events)


def choose_row(state: State, seat: Seat, action: ChooseRow) -> Step:
    table, play = state.table, state.table.queue[0]
    check_row(table.queue, seat, action.row, ROWS)
    if not is_open(table, action.row):
        raise IllegalAction(Refusal.DOES_NOT_FIT, seat, "Nothing can be taken from a stopped row.")
    events: list[Event] = []
    state = replace(state, table=replace(table, queue=table.queue[1:]))
    return go_on(take(state, play, action.row, "too-low", events), events), tuple(events)


# -- what follows from it -----------------------------------------------------------------------------------


def let_all_choose(state: State) -> State:
    table = state.table
    table = replace(table, phase="choose", turn=table.turn + 1, window=None, declined=())
    return replace(state, table=table, chosen=(None,) * table.seats, waiting=tuple(range(table.seats)))


def _reveal(state: State, events: list[Event]) -> State:
    """The buffalo's top card joins those chosen; all lie in order."""
    table, chosen = state.table, [card for card in state.chosen if card is not None]
    plays = [Play(BUFFALO, state.buffalo[0]), *(Play(seat, card) for seat, card in enumerate(chosen))]
    queue = tuple(sorted(plays, key=lambda play: play.card))
    events.append(CardsRevealed(queue))
    known = tuple(play for play in table.known if play.card not in chosen)
    hands = tuple([without(hand, card) for hand, card in zip(state.hands, chosen, strict=True)])
    state = replace(
        state,
        table=replace(table, queue=queue, known=known),
        hands=hands,
        buffalo=state.buffalo[1:],
        chosen=(None,) * table.seats,
    )
    return go_on(state, events)


def go_on(state: State, events: list[Event]) -> State:
    """Between two placements: let the team act if there is anything it could do, else place the next card."""
    table = replace(state.table, window=None)
    if not table.queue and table.turn == HAND:
        # With the last card of the last turn the game is over: nothing could change the points any more.
        return _end(replace(state, table=table), events)
    if anything_possible(table):
        table = replace(table, phase="window", window=new_window(table.seats))
        return replace(state, table=table)
    return after_window(replace(state, table=table), events)


def new_window(seats: int) -> Window:
    return Window(passed=(False,) * seats, proposals=(0,) * seats, proposal=None, stopped=())


def after_window(state: State, events: list[Event]) -> State:
    """The team wants or can do nothing more: the next card is placed, or the turn is over."""
    return place_next(state, events) if state.table.queue else let_all_choose(state)


def place_next(state: State, events: list[Event]) -> State:
    table, play = replace(state.table, window=None), state.table.queue[0]
    row = target_row(table, play.card)
    if row is None and play.seat != BUFFALO:
        return replace(state, table=replace(table, phase="row"))
    state = replace(state, table=replace(table, queue=table.queue[1:]))
    if row is None:
        return go_on(take(state, play, row_for_buffalo(table), "buffalo-too-low", events), events)
    return go_on(place(state, play, row, events), events)


# -- the end ------------------------------------------------------------------------------------------------


def _end(state: State, events: list[Event]) -> State:
    table = replace(state.table, phase="over", declined=())
    outcome = outcome_of(table)
    points = PointsCounted(table.bulls, table.seats <= DOUBLED_SEATS, outcome.points[0], table.buffalo_bulls)
    events += [points, MatchEnded(outcome)]
    return replace(state, table=table)


def team_points(table: Table) -> int:
    return table.bulls * (2 if table.seats <= DOUBLED_SEATS else 1)


def outcome_of(table: Table) -> Outcome:
    """The team wins with fewer points than the buffalo; together, or nobody."""
    points = team_points(table)
    if points < table.buffalo_bulls:
        return Outcome("team", tuple(range(table.seats)), (points,) * table.seats)
    return Outcome("buffalo", (), (points,) * table.seats)


# -- window ------------------------------------------------------------------------------------------------------------
# How the team decides about special cards: somebody proposes and all others agree, or anyone acts alone.

_ANSWERS: Final = (Agree(), Decline())
_WITHDRAW: Final = (Withdraw(),)
_PASS: Final = Pass()


def pending(window: Window) -> tuple[Decision, ...]:
    """With an open proposal all others must answer; without one, everybody who has not passed."""
    seats = range(len(window.passed))
    if window.proposal is not None:
        return tuple(Decision(seat, "answer") for seat in seats if _must_answer(window.proposal, seat))
    return tuple(Decision(seat, "special") for seat in seats if not window.passed[seat])


def legal(table: Table, window: Window, seat: Seat) -> Sequence[Action]:
    if window.proposal is not None:
        if seat == window.proposal.seat:
            return _WITHDRAW
        return _ANSWERS if _must_answer(window.proposal, seat) else ()
    if window.passed[seat]:
        return ()
    if table.options.decide == "anyone":
        return [*map(Use, possible_uses(table)), _PASS]
    if window.proposals[seat] >= table.options.proposals:
        return (_PASS,)
    return [*map(Propose, possible_uses(table)), _PASS]


def decide(state: State, window: Window, seat: Seat, action: Action) -> Step | None:
    """What the action leads to; None if no rule has a use for it now."""
    if _has_spoken(window, seat):
        return None
    if isinstance(action, Pass):
        return _pass(state, window, seat) if window.proposal is None else None
    if state.table.options.decide == "anyone":
        return _use_alone(state, seat, action.use) if isinstance(action, Use) else None
    if isinstance(action, Propose):
        return _propose(state, window, seat, action.use)
    if isinstance(action, Agree | Decline | Withdraw):
        return _answer(state, window, seat, action)
    return None


def _has_spoken(window: Window, seat: Seat) -> bool:
    """A seat that has agreed to the open proposal, or passed while there is none, waits for the others."""
    return window.passed[seat] if window.proposal is None else seat in window.proposal.agreed


def _must_answer(proposal: Proposal, seat: Seat) -> bool:
    return seat != proposal.seat and seat not in proposal.agreed


def _with_window(state: State, window: Window) -> State:
    return replace(state, table=replace(state.table, window=window))


def _pass(state: State, window: Window, seat: Seat) -> Step:
    passed = at(window.passed, seat, True)
    events: list[Event] = [SeatPassed(seat)]
    if all(passed):
        return after_window(state, events), tuple(events)
    return _with_window(state, replace(window, passed=passed)), tuple(events)


def _propose(state: State, window: Window, seat: Seat, use: AnyUse) -> Step:
    if window.proposal is not None:
        raise IllegalAction(Refusal.ALREADY_PROPOSED, seat, "There is already a proposal: it must be settled first.")
    _check_use(state.table, seat, use)
    made = window.proposals[seat]
    if made >= state.table.options.proposals:
        sentence = "You have made all your proposals, until a special card is used or a card is placed."
        raise IllegalAction(Refusal.TOO_MANY_PROPOSALS, seat, sentence)
    window = replace(window, proposals=at(window.proposals, seat, made + 1), proposal=Proposal(seat, use, ()))
    return _with_window(state, window), (SpecialProposed(seat, use),)


def _answer(state: State, window: Window, seat: Seat, action: Agree | Decline | Withdraw) -> Step | None:
    proposal = window.proposal
    if proposal is None:
        raise IllegalAction(Refusal.NOTHING_PROPOSED, seat, "There is no open proposal.")
    if isinstance(action, Withdraw):
        if seat != proposal.seat:
            return None
        return _with_window(state, replace(window, proposal=None)), (ProposalWithdrawn(seat),)
    if seat == proposal.seat:
        return None
    if isinstance(action, Decline):
        table = replace(state.table, declined=(*state.table.declined, proposal.use))
        return _with_window(replace(state, table=table), replace(window, proposal=None)), (ProposalDeclined(seat),)
    return _agree(state, window, proposal, seat)


def _agree(state: State, window: Window, proposal: Proposal, seat: Seat) -> Step:
    agreed = (*proposal.agreed, seat)
    events: list[Event] = [ProposalAgreed(seat)]
    if len(agreed) < state.table.seats - 1:
        proposal = replace(proposal, agreed=agreed)
        return _with_window(state, replace(window, proposal=proposal)), tuple(events)
    return _use(state, proposal.seat, proposal.use, events)


def _use_alone(state: State, seat: Seat, use: AnyUse) -> Step:
    _check_use(state.table, seat, use)
    return _use(state, seat, use, [])


def _check_use(table: Table, seat: Seat, use: AnyUse) -> None:
    refused = refusal(table, use)
    if refused is not None:
        raise IllegalAction(refused[0], seat, refused[1])


def _use(state: State, seat: Seat, use: AnyUse, events: list[Event]) -> Step:
    """A special card is really used: everybody may think again, as long as there is something to think about."""
    state = carry_out(state, seat, use, events)
    if piece_for(use).places:
        state = go_on(state, events)
    elif state.table.window is not None:
        window = replace(new_window(state.table.seats), stopped=state.table.window.stopped)
        state = _with_window(state, window)
        if not anything_possible(state.table):
            state = after_window(state, events)
    return state, tuple(events)

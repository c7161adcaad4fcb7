"""The course of a turn: choose, reveal, then a window before each placement and after the last one."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.rules.game import Event, IllegalAction, Outcome, Refusal, Seat
from nimmt.rules.games.buffalo.actions import ChooseRow, PlayCard, SwapCard
from nimmt.rules.games.buffalo.events import CardsRevealed, CardSwapped, PointsCounted
from nimmt.rules.games.buffalo.options import DOUBLED_SEATS, HAND, ROWS
from nimmt.rules.games.buffalo.placing import is_open, place, row_for_buffalo, take, target_row
from nimmt.rules.games.buffalo.state import BUFFALO, Play, State, Table, Window
from nimmt.rules.games.buffalo.using import anything_possible
from nimmt.rules.kit.events import CardChosen, MatchEnded
from nimmt.rules.kit.seats import at, shown, without

Step = tuple[State, tuple[Event, ...]]

# -- what a seat decides ------------------------------------------------------------------------------------


def choose_card(state: State, seat: Seat, action: PlayCard) -> Step:
    card = action.card
    if card not in state.hands[seat]:
        raise IllegalAction(Refusal.NOT_IN_HAND, seat, f"You have no card {shown(card)} in your hand.")
    chosen = at(state.chosen, seat, card)
    waiting = tuple([other for other in state.waiting if other != seat])
    state = replace(state, chosen=chosen, waiting=waiting)
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
    if card not in state.hands[seat]:
        raise IllegalAction(Refusal.NOT_IN_HAND, seat, f"You have no card {shown(card)} in your hand.")
    if card == back.card:
        raise IllegalAction(Refusal.SPECIAL_NOT_POSSIBLE, seat, "The card taken back stays in hand: play another one.")
    known = tuple(play for play in table.known if play.card != card)
    table = replace(table, queue=(Play(seat, card), *table.queue), known=known)
    state = replace(state, table=table, hands=at(state.hands, seat, without(state.hands[seat], card)))
    events: list[Event] = [CardSwapped(seat, card)]
    return place_next(state, events), tuple(events)


def choose_row(state: State, seat: Seat, action: ChooseRow) -> Step:
    table, play = state.table, state.table.queue[0]
    if play.seat != seat:
        raise IllegalAction(Refusal.NOT_YOUR_TURN, seat, "It is another seat's turn to choose a row.")
    if not 1 <= action.row <= ROWS:
        raise IllegalAction(Refusal.NO_SUCH_ROW, seat, f"There is no row {shown(action.row)}: choose 1 to {ROWS}.")
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


def outcome_of(table: Table) -> Outcome:
    """The team wins with fewer points than the buffalo; together, or nobody."""
    points = table.bulls * (2 if table.seats <= DOUBLED_SEATS else 1)
    if points < table.buffalo_bulls:
        return Outcome("team", tuple(range(table.seats)), (points,) * table.seats)
    return Outcome("buffalo", (), (points,) * table.seats)

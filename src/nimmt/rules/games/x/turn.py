"""A turn from the secret choice to the last card placed, and what ends with it: the round, the match.

Every round ends. With H cards in hands or waiting to be placed and R cards in rows, 4·H + 3·R falls with every card
placed: by 1 if it takes nothing, and by 4, 3, 2, 1 if it takes one, two, three or four cards, as one of them leaves
for an X row and never comes back. From 32 for each seat and 9 for the rows it cannot fall below 9, so no round has more
than 32 turns.
"""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.rules.game import Cards, Event, IllegalAction, Outcome, Refusal, Rows, Seat
from nimmt.rules.games.x.events import CardKept, CardsRevealed, HandsCounted
from nimmt.rules.games.x.options import ROWS
from nimmt.rules.games.x.placing import is_full, target_row
from nimmt.rules.games.x.state import Phase, Play, State, Table, Taking
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import CardChosen, CardPlaced, MatchEnded, RoundEnded
from nimmt.rules.kit.scoring import fewest, totals
from nimmt.rules.kit.seats import at, shown, without

Step = tuple[State, tuple[Event, ...]]


def let_all_choose(table: Table, hands: Rows) -> State:
    return State(replace(table, phase="choose"), hands, (None,) * table.seats, tuple(range(table.seats)))


def _wait(table: Table, phase: Phase, hands: Rows, events: list[Event]) -> Step:
    """Stop until one seat decides, or for a deal, or for ever."""
    return State(replace(table, phase=phase), hands, (None,) * table.seats, ()), tuple(events)


def choose_card(state: State, seat: Seat, card: int) -> Step:
    if card not in state.hands[seat]:
        raise IllegalAction(Refusal.NOT_IN_HAND, seat, f"You have no card {shown(card)} in your hand.")
    chosen = at(state.chosen, seat, card)
    waiting = tuple([other for other in state.waiting if other != seat])
    event = CardChosen(seat, card)
    if waiting:
        return State(state.table, state.hands, chosen, waiting), (event,)
    return _reveal(state, [Play(owner, own) for owner, own in enumerate(chosen) if own is not None], [event])


def _reveal(state: State, plays: list[Play], events: list[Event]) -> Step:
    queue = tuple(sorted(plays, key=lambda play: play.card))
    hands = tuple([without(hand, play.card) for hand, play in zip(state.hands, plays, strict=True)])
    known = tuple(
        without(cards, play.card) if play.card in cards else cards
        for cards, play in zip(state.table.known, plays, strict=True)
    )
    events.append(CardsRevealed(queue))
    return _place_next(replace(state.table, queue=queue, known=known), hands, events)


def _place_next(table: Table, hands: Rows, events: list[Event]) -> Step:
    """Place the lowest card that is left, and so on until somebody has to decide or all lie."""
    if not table.queue:
        return _end_turn(table, hands, events)
    play = table.queue[0]
    row = target_row(table.rows, play.card)
    if row is None:
        return _wait(table, "row", hands, events)
    if is_full(table.rows, row):
        return _take(table, hands, row, "full-row", events)
    events.append(CardPlaced(play.seat, play.card, row, (), 0, "smallest-difference"))
    rows = at(table.rows, row - 1, (*table.rows[row - 1], play.card))
    return _place_next(replace(table, rows=rows, queue=table.queue[1:]), hands, events)


def choose_row(state: State, seat: Seat, row: int) -> Step:
    if state.table.queue[0].seat != seat:
        raise IllegalAction(Refusal.NOT_YOUR_TURN, seat, "It is another seat's turn to choose a row.")
    if not 1 <= row <= ROWS:
        raise IllegalAction(Refusal.NO_SUCH_ROW, seat, f"There is no row {shown(row)}: choose 1 to {ROWS}.")
    return _take(state.table, state.hands, row, "too-low", [])


def _take(table: Table, hands: Rows, row: int, rule: str, events: list[Event]) -> Step:
    """Rules 3 and 4: the next card takes the row and starts it again. A single card needs no decision."""
    play, cards = table.queue[0], table.rows[row - 1]
    events.append(CardPlaced(play.seat, play.card, row, cards, bulls(cards), rule))
    table = replace(table, rows=at(table.rows, row - 1, (play.card,)), queue=table.queue[1:])
    taken = Taking(play.seat, cards)
    if len(cards) == 1:
        return _keep(table, taken, cards[0], hands, events)
    return _wait(replace(table, taken=taken), "keep", hands, events)


def keep_card(state: State, taken: Taking, seat: Seat, card: int) -> Step:
    if taken.seat != seat:
        raise IllegalAction(Refusal.NOT_YOUR_TURN, seat, "Another seat chooses what to keep.")
    if card not in taken.cards:
        raise IllegalAction(Refusal.NOT_AMONG_TAKEN, seat, f"The card {shown(card)} is not among those you took.")
    return _keep(state.table, taken, card, state.hands, [])


def _keep(table: Table, taken: Taking, card: int, hands: Rows, events: list[Event]) -> Step:
    """One card to the X row, which must ascend or be cleared away first; the others to the hand."""
    seat, x_row = taken.seat, table.x_rows[taken.seat]
    rest = without(taken.cards, card)
    discarded = x_row if x_row and card < x_row[-1] else ()
    x_row = (card,) if discarded else (*x_row, card)
    events.append(CardKept(seat, card, x_row, discarded, rest))
    table = replace(
        table,
        taken=None,
        x_rows=at(table.x_rows, seat, x_row),
        x_piles=at(table.x_piles, seat, table.x_piles[seat] + discarded),
        known=_with(table.known, seat, rest),
    )
    return _place_next(table, _with(hands, seat, rest), events)


def _with(hands: Rows, seat: Seat, cards: Cards) -> Rows:
    return at(hands, seat, tuple(sorted(hands[seat] + cards)))


# -- the end of a turn, a round, a match --------------------------------------------------------------------


def _end_turn(table: Table, hands: Rows, events: list[Event]) -> Step:
    if all(hands):
        return let_all_choose(table, hands), tuple(events)
    return _end_round(table, hands, events)


def _end_round(table: Table, hands: Rows, events: list[Event]) -> Step:
    """The hands are laid open and counted. All cards lie as they are until the next deal gathers them."""
    in_hand, in_pile = tuple(map(bulls, hands)), tuple(map(bulls, table.x_piles))
    points = tuple([held + 2 * piled for held, piled in zip(in_hand, in_pile, strict=True)])
    table = replace(table, known=hands, scores=(*table.scores, points))
    events.append(HandsCounted(hands, in_hand, in_pile))
    events.append(RoundEnded(table.round, points, totals(table.scores, table.seats)))
    if table.round < table.options.rounds:
        return _wait(replace(table, round=table.round + 1), "deal", hands, events)
    events.append(MatchEnded(final_outcome(table)))
    return _wait(table, "over", hands, events)


def final_outcome(table: Table) -> Outcome:
    sums = totals(table.scores, table.seats)
    return Outcome("rounds", fewest(sums), sums)

"""X nimmt!: rows of three lengths; who takes keeps one card in the X row and has the rest in hand again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from nimmt.games.x import types as x_options
from nimmt.games.x.after import after, still_known, with_card_kept, with_cards, with_round_ended, with_rows
from nimmt.games.x.placing import foresee, is_full, leaving
from nimmt.games.x.position import check_state
from nimmt.games.x.types import (
    HAND,
    HIGHEST,
    ROWS,
    VARIANTS,
    CardKept,
    CardsRevealed,
    ChooseRow,
    HandsCounted,
    KeepCard,
    Options,
    Phase,
    Play,
    PlayCard,
    State,
    Table,
    Taking,
    View,
    bare_table,
    open_cards,
    places,
)
from nimmt.rules import game
from nimmt.rules.game import Action, Cards, Deal, DealRequest, Decision, Event, Foreseen, Outcome, Rows, Seat, Standing
from nimmt.rules.kit.cards import (
    bulls,
    check_deal,
    closest_row,
    deal_out,
    deck,
    fewest,
    foresee_taking,
    sorted_hands,
    standing,
    totals,
)
from nimmt.rules.kit.events import CardChosen, CardPlaced, MatchEnded, RoundDealt, RoundEnded, round_ended
from nimmt.rules.kit.seats import at, check_seat, out_of_place, shown, without
from nimmt.rules.kit.secret import (
    cards_wanted,
    check_held,
    check_row,
    imagined_choices,
    imagined_hands,
    still_waiting,
)

# -- turn --------------------------------------------------------------------------------------------------------------
# A turn from the secret choice to the last card placed, and what ends with it: the round, the match.
#
# Every round ends. With H cards in hands or waiting to be placed and R cards in rows, 4·H + 3·R falls with every card
# placed: by 1 if it takes nothing, and by 4, 3, 2, 1 if it takes one, two, three or four cards, as one of them leaves
# for an X row and never comes back. From 32 for each seat and 9 for the rows it cannot fall below 9, so no round has
# more than 32 turns.

Step = tuple[State, tuple[Event, ...]]


def let_all_choose(table: Table, hands: Rows) -> State:
    return State(replace(table, phase="choose"), hands, (None,) * table.seats, tuple(range(table.seats)))


def _wait(table: Table, phase: Phase, hands: Rows, events: list[Event]) -> Step:
    """Stop until one seat decides, or for a deal, or for ever."""
    return State(replace(table, phase=phase), hands, (None,) * table.seats, ()), tuple(events)


def choose_card(state: State, seat: Seat, card: int) -> Step:
    check_held(state.hands[seat], seat, card)
    chosen, waiting = at(state.chosen, seat, card), still_waiting(state.waiting, seat)
    event = CardChosen(seat, card)
    if waiting:
        return State(state.table, state.hands, chosen, waiting), (event,)
    return _reveal(state, [Play(owner, own) for owner, own in enumerate(chosen) if own is not None], [event])


def _reveal(state: State, plays: list[Play], events: list[Event]) -> Step:
    queue = tuple(sorted(plays, key=lambda play: play.card))
    hands = tuple([without(hand, play.card) for hand, play in zip(state.hands, plays, strict=True)])
    known = still_known(state.table, queue)
    events.append(CardsRevealed(queue))
    return _place_next(replace(state.table, queue=queue, known=known), hands, events)


def _place_next(table: Table, hands: Rows, events: list[Event]) -> Step:
    """Place the lowest card that is left, and so on until somebody has to decide or all lie."""
    if not table.queue:
        return _end_turn(table, hands, events)
    play = table.queue[0]
    row = closest_row(table.rows, play.card)
    if row is None:
        return _wait(table, "row", hands, events)
    if is_full(table.rows, row):
        return _take(table, hands, row, "full-row", events)
    events.append(CardPlaced(play.seat, play.card, row, (), 0, "smallest-difference"))
    rows = at(table.rows, row - 1, (*table.rows[row - 1], play.card))
    return _place_next(replace(table, rows=rows, queue=table.queue[1:]), hands, events)


def choose_row(state: State, seat: Seat, row: int) -> Step:
    check_row(state.table.queue, seat, row, ROWS)
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
        raise game.IllegalAction(game.Refusal.NOT_YOUR_TURN, seat, "Another seat chooses what to keep.")
    if card not in taken.cards:
        raise game.IllegalAction(
            game.Refusal.NOT_AMONG_TAKEN, seat, f"The card {shown(card)} is not among those you took."
        )
    return _keep(state.table, taken, card, state.hands, [])


def _keep(table: Table, taken: Taking, card: int, hands: Rows, events: list[Event]) -> Step:
    """One card to the X row, which must ascend or be cleared away first; the others to the hand."""
    seat, x_row = taken.seat, table.x_rows[taken.seat]
    rest = without(taken.cards, card)
    discarded = leaving(x_row, card)
    x_row = (card,) if discarded else (*x_row, card)
    kept = CardKept(seat, card, x_row, discarded, rest)
    events.append(kept)
    return _place_next(with_card_kept(table, kept), with_cards(hands, seat, rest), events)


# -- the end of a turn, a round, a match --------------------------------------------------------------------


def _end_turn(table: Table, hands: Rows, events: list[Event]) -> Step:
    if all(hands):
        return let_all_choose(table, hands), tuple(events)
    return _end_round(table, hands, events)


def _end_round(table: Table, hands: Rows, events: list[Event]) -> Step:
    """The hands are laid open and counted. All cards lie as they are until the next deal gathers them."""
    in_hand, in_pile = tuple(map(bulls, hands)), tuple(map(bulls, table.x_piles))
    points = tuple([held + 2 * piled for held, piled in zip(in_hand, in_pile, strict=True)])
    events.append(HandsCounted(hands, in_hand, in_pile))
    number, table = table.round, with_round_ended(replace(table, known=hands), points)
    events += round_ended(number, table.scores, final_outcome(table))
    return _wait(table, table.phase, hands, events)


def final_outcome(table: Table) -> Outcome | None:
    if table.phase != "over":
        return None
    sums = totals(table.scores, table.seats)
    return Outcome("rounds", fewest(sums), sums)


# -- game --------------------------------------------------------------------------------------------------------------

# Legal actions are asked for at every decision: the same few values serve all of them.
_PLAYS: Final = tuple(PlayCard(card) for card in range(HIGHEST + 1))
_KEEPS: Final = tuple(KeepCard(card) for card in range(HIGHEST + 1))
_CHOOSE_ROWS: Final = tuple(ChooseRow(row) for row in range(1, ROWS + 1))


class XNimmt(game.Game[Options, State, View]):
    id = "x"
    name = "X nimmt!"
    names = {"pl": "X bierze!", "ru": "X берёт!"}
    summary = "Three rows that fill up differently: taken cards are played again, and one of them is safe for a while."
    rules_version = 1
    min_seats = x_options.MIN_SEATS
    max_seats = x_options.MAX_SEATS
    variants = VARIANTS
    minutes = 6
    length_option = "rounds"
    takes = "rows"
    rules = {
        "smallest-difference": "Rules 1 and 2: a card joins the row with the closest end that it may follow.",
        "full-row": "Rule 3: the third, fourth or fifth card of row 1, 2 or 3 takes the cards before it.",
        "too-low": "Rule 4: a card that fits no row takes a row of its owner's choice.",
        "x-row": "One card taken joins the X row; if it is too low for that, the X row goes to the X pile first.",
    }
    ends = {"rounds": "All rounds were played; fewest points win."}
    decisions = {
        "card": "choose a card",
        "row": "choose a row to take",
        "keep": "choose which of the cards taken goes to the X row",
    }
    options_type = Options
    state_type = State
    view_type = View
    action_types = (PlayCard, ChooseRow, KeepCard)
    event_types = (
        RoundDealt,
        CardChosen,
        CardsRevealed,
        CardPlaced,
        CardKept,
        HandsCounted,
        RoundEnded,
        MatchEnded,
    )

    # -- beginning ------------------------------------------------------------------------------------------

    def setup(self, options: Options, seats: int) -> State:
        x_options.check(seats)
        return State(bare_table(options, seats), ((),) * seats, (None,) * seats, ())

    def deal_request(self, state: State) -> DealRequest | None:
        return _WHOLE_DECK if state.table.phase == "deal" else None

    def deal(self, state: State, deal: Deal) -> Step:
        """The first eight cards are the hand of seat 0, the next eight of seat 1, …; then the rows from row 1."""
        check_deal(self.deal_request(state), deal)
        packs, rest = deal_out(deal.decks["numbers"], HAND, state.table.seats)
        hands, rows = sorted_hands(packs), tuple((card,) for card in rest[:ROWS])
        table = with_rows(state.table, rows)
        return let_all_choose(table, hands), (RoundDealt(table.round, rows, hands),)

    # -- deciding -------------------------------------------------------------------------------------------

    def pending(self, state: State) -> tuple[Decision, ...]:
        table = state.table
        if table.phase == "choose":
            return cards_wanted(state.waiting)
        if table.phase == "row":
            return (Decision(table.queue[0].seat, "row"),)
        if table.taken is not None:
            return (Decision(table.taken.seat, "keep"),)
        return ()

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        table = state.table
        check_seat(seat, table.seats)
        if table.phase == "choose":
            return [_PLAYS[card] for card in state.hands[seat]]
        if table.phase == "row":
            return _CHOOSE_ROWS if table.queue[0].seat == seat else ()
        if table.taken is not None and table.taken.seat == seat:
            return [_KEEPS[card] for card in table.taken.cards]
        return ()

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        table = state.table
        check_seat(seat, table.seats)
        if table.phase == "choose" and isinstance(action, PlayCard):
            return choose_card(state, seat, action.card)
        if table.phase == "row" and isinstance(action, ChooseRow):
            return choose_row(state, seat, action.row)
        if table.taken is not None and isinstance(action, KeepCard):
            return keep_card(state, table.taken, seat, action.card)
        raise out_of_place(self, state, seat, action)

    # -- looking --------------------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        sizes = tuple(map(len, state.hands))
        if seat is None:
            return View(None, state.table, (), None, state.waiting, sizes)
        check_seat(seat, state.table.seats)
        return View(seat, state.table, state.hands[seat], state.chosen[seat], state.waiting, sizes)

    def foresee(self, view: View, action: Action) -> tuple[Foreseen, ...]:
        rows = view.table.rows
        match action:
            case PlayCard(card=card):
                return foresee(rows, card)
            case ChooseRow(row=row):
                return (foresee_taking(rows, row),)
            case KeepCard(card=card) if view.table.taken:
                discarded = leaving(view.table.x_rows[view.table.taken.seat], card)
                return (Foreseen(None, discarded, bulls(discarded), "x-row"),)
        return ()

    def after(self, view: View, event: Event) -> View:
        return after(view, event)

    def outcome(self, state: State) -> Outcome | None:
        return final_outcome(state.table)

    def standing(self, view: View) -> Standing:
        """Hands are secret until they are counted: only the X piles can be told before."""
        table = view.table
        return standing(table, tuple([2 * bulls(pile) for pile in table.x_piles]), table.options.rounds)

    def cards(self, state: State) -> Mapping[str, Cards]:
        return places(state)

    def unseen(self, view: View) -> Cards:
        table = view.table
        if table.phase == "deal":
            return ()
        seen = set(view.hand).union(*table.known, *open_cards(table).values())
        return tuple(card for card in deck(HIGHEST) if card not in seen)

    def imagine(self, view: View, cards: Sequence[int]) -> State:
        hands, _ = imagined_hands(view, view.table.known, cards)
        return State(view.table, hands, imagined_choices(view, hands), view.waiting)

    def check(self, state: State) -> None:
        check_state(state)


X = XNimmt()
_WHOLE_DECK = DealRequest({"numbers": deck(HIGHEST)})

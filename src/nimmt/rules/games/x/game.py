"""X nimmt!: rows of three lengths; who takes keeps one card in the X row and has the rest in hand again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from nimmt.rules import game
from nimmt.rules.game import Action, Cards, Deal, DealRequest, Decision, Outcome, Rows, Seat
from nimmt.rules.games.x import options as x_options
from nimmt.rules.games.x.actions import ChooseRow, KeepCard, PlayCard
from nimmt.rules.games.x.checking import check_state
from nimmt.rules.games.x.events import CardKept, CardsRevealed, HandsCounted
from nimmt.rules.games.x.options import HAND, HIGHEST, ROWS, VARIANTS, Options
from nimmt.rules.games.x.state import State, Table, View
from nimmt.rules.games.x.turn import Step, choose_card, choose_row, final_outcome, keep_card, let_all_choose
from nimmt.rules.kit.cards import check_deal, deck
from nimmt.rules.kit.events import CardChosen, CardPlaced, MatchEnded, RoundDealt, RoundEnded
from nimmt.rules.kit.seats import check_seat, out_of_place

# Legal actions are asked for at every decision: the same few values serve all of them.
_PLAYS: Final = tuple(PlayCard(card) for card in range(HIGHEST + 1))
_KEEPS: Final = tuple(KeepCard(card) for card in range(HIGHEST + 1))
_CHOOSE_ROWS: Final = tuple(ChooseRow(row) for row in range(1, ROWS + 1))


class XNimmt(game.Game[Options, State, View]):
    id = "x"
    name = "X nimmt!"
    summary = "Three rows that fill up differently: taken cards are played again, and one of them is safe for a while."
    rules_version = 1
    min_seats = x_options.MIN_SEATS
    max_seats = x_options.MAX_SEATS
    variants = VARIANTS
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
        nothing: Rows = ((),) * seats
        table = Table(
            options=options,
            seats=seats,
            phase="deal",
            round=1,
            rows=(),
            queue=(),
            taken=None,
            x_rows=nothing,
            x_piles=nothing,
            known=nothing,
            scores=(),
        )
        return State(table, nothing, (None,) * seats, ())

    def deal_request(self, state: State) -> DealRequest | None:
        return _WHOLE_DECK if state.table.phase == "deal" else None

    def deal(self, state: State, deal: Deal) -> Step:
        """The first eight cards are the hand of seat 0, the next eight of seat 1, …; then the rows from row 1."""
        check_deal(self.deal_request(state), deal)
        seats, order = state.table.seats, deal.decks["numbers"]
        hands = tuple(tuple(sorted(order[HAND * seat : HAND * (seat + 1)])) for seat in range(seats))
        rows = tuple((card,) for card in order[HAND * seats : HAND * seats + ROWS])
        nothing: Rows = ((),) * seats
        table = replace(state.table, rows=rows, x_rows=nothing, x_piles=nothing, known=nothing)
        return let_all_choose(table, hands), (RoundDealt(table.round, rows, hands),)

    # -- deciding -------------------------------------------------------------------------------------------

    def pending(self, state: State) -> tuple[Decision, ...]:
        table = state.table
        if table.phase == "choose":
            return tuple([Decision(seat, "card") for seat in state.waiting])
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

    def outcome(self, state: State) -> Outcome | None:
        return final_outcome(state.table) if state.table.phase == "over" else None

    def cards(self, state: State) -> Mapping[str, Cards]:
        hands = {f"the hand of seat {seat}": hand for seat, hand in enumerate(state.hands)}
        return _open_cards(state.table) | hands

    def unseen(self, view: View) -> Cards:
        table = view.table
        if table.phase == "deal":
            return ()
        seen = set(view.hand).union(*table.known, *_open_cards(table).values())
        return tuple(card for card in deck(HIGHEST) if card not in seen)

    def imagine(self, view: View, cards: Sequence[int]) -> State:
        table, hands = view.table, _imagined_hands(view, cards)
        choosing = table.phase == "choose"
        chosen = [
            view.choice if seat == view.seat
            else hands[seat][0] if choosing and seat not in view.waiting
            else None
            for seat in range(table.seats)
        ]  # fmt: skip
        return State(table, hands, tuple(chosen), view.waiting)

    def check(self, state: State) -> None:
        check_state(self.cards(state), state)


X = XNimmt()
_WHOLE_DECK = DealRequest({"numbers": deck(HIGHEST)})


def _open_cards(table: Table) -> dict[str, Cards]:
    """What lies face up, by place."""
    places = {f"row {row}": cards for row, cards in enumerate(table.rows, 1)}
    places |= {f"the X row of seat {seat}": cards for seat, cards in enumerate(table.x_rows)}
    places |= {f"the X pile of seat {seat}": cards for seat, cards in enumerate(table.x_piles)}
    places["the cards to be placed"] = tuple([play.card for play in table.queue])
    places["the cards taken"] = table.taken.cards if table.taken else ()
    return places


def _imagined_hands(view: View, cards: Sequence[int]) -> Rows:
    """The own hand; for the others what is known of theirs, filled up from `cards`."""
    hands, used = [], 0
    for seat, (size, known) in enumerate(zip(view.hand_sizes, view.table.known, strict=True)):
        if seat == view.seat:
            hands.append(view.hand)
        else:
            hidden = size - len(known)
            hands.append(tuple(sorted((*known, *cards[used : used + hidden]))))
            used += hidden
    return tuple(hands)

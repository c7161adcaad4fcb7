"""Baron Oxx: choose in secret, reveal, place from the lowest to the highest; colour joins colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from nimmt.games.baron import types as baron_options
from nimmt.games.baron.after import after, with_drawn, with_game_ended, with_rows
from nimmt.games.baron.deck import HIGHEST, faces
from nimmt.games.baron.placing import Board, add, fitting_rows, foresee, place, take
from nimmt.games.baron.position import check_state
from nimmt.games.baron.types import (
    HAND,
    ROWS,
    VARIANTS,
    CardPlaced,
    CardReturned,
    CardsDrawn,
    CardsRevealed,
    ChooseRow,
    LeftCounted,
    Options,
    Play,
    PlayCard,
    State,
    StoodStill,
    Table,
    View,
    bare_table,
    draw_pile_size,
    places,
)
from nimmt.rules import game
from nimmt.rules.game import Action, Cards, Deal, DealRequest, Decision, Event, Foreseen, Outcome, Rows, Seat, Standing
from nimmt.rules.kit.cards import check_deal, deal_out, deck, fewest, most, standing, totals
from nimmt.rules.kit.events import CardChosen, MatchEnded, RoundDealt, RoundEnded, round_ended
from nimmt.rules.kit.seats import at, check_seat, out_of_place, without
from nimmt.rules.kit.secret import cards_wanted, check_held, check_row, imagined_choices, still_waiting

# Legal actions are asked for at every decision: the same few values serve all of them.
_PLAYS: Final = tuple(PlayCard(card) for card in range(HIGHEST + 1))
_CHOOSE_ROWS: Final = tuple(ChooseRow(row) for row in range(1, ROWS + 1))

Step = tuple[State, tuple[Event, ...]]


class Baron(game.Game[Options, State, View]):
    id = "baron"
    name = "Baron Oxx"
    names = {"pl": "Byczy Baron", "ru": "Барон Бык"}
    summary = "Bulls in six colours, five rows: a card joins a row whose end shares a colour with it."
    rules_version = 1
    min_seats = baron_options.MIN_SEATS
    max_seats = baron_options.MAX_SEATS
    variants = VARIANTS
    minutes = 6
    length_option = "games"
    takes = "rows"
    rules = {
        "colour": "A card joins a row of its owner's choice whose end shows a colour that the card shows too.",
        "sixth-card": "Rule 1: a row has five places; the sixth card takes what lies there.",
        "six-bulls": "Rule 2: a card that brings a row to six bulls of a colour or more takes all before it.",
        "no-colour": "Rule 3: a card that fits no row takes a row of its owner's choice.",
        "returned": "Bulls are good: a card that fits no row goes under its owner's draw pile.",
    }
    ends = {
        "all-cards": "All cards were played; fewest bulls win.",
        "last-card": "Somebody has added their last card; most points win.",
        "stand-still": "No card could be placed any more; most points win.",
        "games": "All games were played; their points together decide.",
    }
    decisions = {
        "card": "choose a card",
        "row": "choose a row for your card",
        "take": "choose a row to take",
    }
    options_type = Options
    state_type = State
    view_type = View
    action_types = (PlayCard, ChooseRow)
    event_types = (
        RoundDealt,
        CardChosen,
        CardsRevealed,
        CardPlaced,
        CardReturned,
        CardsDrawn,
        StoodStill,
        LeftCounted,
        RoundEnded,
        MatchEnded,
    )

    # -- beginning ------------------------------------------------------------------------------------------

    def setup(self, options: Options, seats: int) -> State:
        baron_options.check(options, seats)
        nothing: Rows = ((),) * seats
        return State(bare_table(options, seats), nothing, nothing, (None,) * seats, ())

    def high_score_wins(self, options: Options) -> bool:
        return options.bulls_are_good

    def deal_request(self, state: State) -> DealRequest | None:
        return _WHOLE_DECK if state.table.phase == "deal" else None

    def deal(self, state: State, deal: Deal) -> Step:
        """Seat after seat gets a draw pile, its first card on top, and draws four from it; then come the five rows."""
        check_deal(self.deal_request(state), deal)
        table = state.table
        piles, rest = deal_out(deal.decks["baron"], draw_pile_size(table.seats), table.seats)
        hands = tuple(tuple(sorted(pile[:HAND])) for pile in piles)
        rows = tuple((card,) for card in rest[:ROWS])
        table = with_rows(table, rows)
        dealt = RoundDealt(table.round, rows, hands)
        return _let_all_choose(table, hands, tuple(pile[HAND:] for pile in piles)), (dealt,)

    # -- deciding -------------------------------------------------------------------------------------------

    def pending(self, state: State) -> tuple[Decision, ...]:
        phase = state.table.phase
        if phase == "choose":
            return cards_wanted(state.waiting)
        if phase == "row":
            return (Decision(state.table.queue[0].seat, "row" if _fitting(state.table) else "take"),)
        return ()

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        check_seat(seat, state.table.seats)
        phase = state.table.phase
        if phase == "choose":
            return [_PLAYS[card] for card in state.hands[seat]]
        if phase == "row" and state.table.queue[0].seat == seat:
            return [_CHOOSE_ROWS[row - 1] for row in _fitting(state.table)] or _CHOOSE_ROWS
        return ()

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        phase = state.table.phase
        check_seat(seat, state.table.seats)
        if phase == "choose" and isinstance(action, PlayCard):
            return _choose_card(state, seat, action.card)
        if phase == "row" and isinstance(action, ChooseRow):
            return _choose_row(state, seat, action.row)
        raise out_of_place(self, state, seat, action)

    # -- looking --------------------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        hand_sizes, draw_sizes = tuple(map(len, state.hands)), tuple(map(len, state.draw_piles))
        if seat is None:
            return View(None, state.table, (), None, state.waiting, hand_sizes, draw_sizes)
        check_seat(seat, state.table.seats)
        return View(seat, state.table, state.hands[seat], state.chosen[seat], state.waiting, hand_sizes, draw_sizes)

    def foresee(self, view: View, action: Action) -> tuple[Foreseen, ...]:
        match action:
            case PlayCard(card=card):
                return foresee(view.table, card)
            case ChooseRow(row=row) if view.table.queue:
                return tuple(one for one in foresee(view.table, view.table.queue[0].card) if one.place == row)
        return ()

    def after(self, view: View, event: Event) -> View:
        return after(view, event)

    def outcome(self, state: State) -> Outcome | None:
        return _outcome(state.table)

    def standing(self, view: View) -> Standing:
        table, options = view.table, view.table.options
        return standing(table, table.bulls, options.games, high_wins=self.high_score_wins(options))

    def cards(self, state: State) -> Mapping[str, Cards]:
        return places(state)

    def unseen(self, view: View) -> Cards:
        table = view.table
        if table.phase in ("deal", "over"):
            return ()
        seen = {*view.hand, *(play.card for play in table.queue)}
        seen.update(*table.rows, *table.piles, *table.returned, *table.known)
        return tuple(card for card in deck(HIGHEST) if card not in seen)

    def imagine(self, view: View, cards: Sequence[int]) -> State:
        table, stock = view.table, iter(cards)
        hands, draw_piles = [], []
        for seat in range(table.seats):
            known, returned = table.known[seat], table.returned[seat]
            strange = range(view.hand_sizes[seat] - len(known))
            hand = view.hand if seat == view.seat else tuple(sorted((*known, *(next(stock) for _ in strange))))
            hands.append(hand)
            strange = range(view.draw_sizes[seat] - len(returned))
            draw_piles.append((*(next(stock) for _ in strange), *returned))
        chosen = imagined_choices(view, tuple(hands))
        return State(table, tuple(hands), tuple(draw_piles), chosen, view.waiting)

    def check(self, state: State) -> None:
        check_state(state)


BARON = Baron()
_WHOLE_DECK = DealRequest({"baron": deck(HIGHEST)})


# -- a turn -------------------------------------------------------------------------------------------------


def _fitting(table: Table) -> list[int]:
    """The rows that the next card to be placed fits."""
    return fitting_rows(faces(table.options.deck), table.rows, table.queue[0].card)


def _let_all_choose(table: Table, hands: Rows, draw_piles: Rows) -> State:
    return State(table, hands, draw_piles, (None,) * table.seats, tuple(range(table.seats)))


def _choose_card(state: State, seat: Seat, card: int) -> Step:
    check_held(state.hands[seat], seat, card)
    chosen, waiting = at(state.chosen, seat, card), still_waiting(state.waiting, seat)
    event = CardChosen(seat, card)
    if waiting:
        return State(state.table, state.hands, state.draw_piles, chosen, waiting), (event,)
    return _reveal(state, [choice for choice in chosen if choice is not None], event)


def _reveal(state: State, chosen: list[int], event: Event) -> Step:
    table = state.table
    queue = tuple([Play(chosen.index(card), card) for card in sorted(chosen)])
    hands = tuple([without(hand, card) for hand, card in zip(state.hands, chosen, strict=True)])
    if any(table.known):
        played = frozenset(chosen)
        known = tuple(tuple(card for card in cards if card not in played) for cards in table.known)
        table = replace(table, known=known)
    board = Board(table, state.draw_piles)
    board.events += [event, CardsRevealed(queue)]
    return _place_all(table, hands, board, queue)


def _choose_row(state: State, seat: Seat, row: int) -> Step:
    table, play = state.table, state.table.queue[0]
    check_row(table.queue, seat, row, ROWS)
    board, fitting = Board(table, state.draw_piles), _fitting(table)
    if not fitting:
        take(board, play, row, "no-colour")
    elif row in fitting:
        add(board, play, row)
    else:
        rows = " or ".join(map(str, fitting))
        raise game.IllegalAction(
            game.Refusal.DOES_NOT_FIT, seat, f"{play.card} has no colour in common with row {row}: choose {rows}."
        )
    return _place_all(table, state.hands, board, table.queue[1:])


def _place_all(table: Table, hands: Rows, board: Board, queue: tuple[Play, ...]) -> Step:
    """Place card after card until one needs its owner's choice or all lie."""
    placed = 0
    while placed < len(queue) and place(board, queue[placed]):
        placed += 1
    queue = queue[placed:]
    table = replace(
        table,
        phase="row" if queue else "choose",
        rows=tuple(board.rows),
        queue=queue,
        bulls=tuple(board.bulls),
        piles=tuple(board.piles),
        returned=tuple(board.returned),
        # A card whose owner may choose a row will find one.
        idle=0 if queue or board.placed else table.idle + 1,
    )
    draw_piles = tuple(board.draw_piles)
    if queue:
        return State(table, hands, draw_piles, (None,) * table.seats, ()), tuple(board.events)
    return _end_turn(table, hands, draw_piles, board.events)


def _end_turn(table: Table, hands: Rows, draw_piles: Rows, events: list[Event]) -> Step:
    """Somebody's last card lies, or nothing moves any more, or the next turn begins."""
    holdings = [len(hand) + len(pile) for hand, pile in zip(hands, draw_piles, strict=True)]
    stands_still = table.idle > 0 and table.idle >= max(holdings)
    if stands_still:
        events.append(StoodStill(table.idle))
    if stands_still or not all(holdings):
        return _end_game(table, hands, draw_piles, events)
    if not all(hands):
        table, hands, draw_piles = _fill_hands(table, hands, draw_piles, events)
    return _let_all_choose(table, hands, draw_piles), tuple(events)


def _fill_hands(table: Table, hands: Rows, draw_piles: Rows, events: list[Event]) -> tuple[Table, Rows, Rows]:
    """Who has an empty hand draws four, or what is left; returned cards that come up are known to all."""
    drawn = tuple(() if hand else pile[:HAND] for hand, pile in zip(hands, draw_piles, strict=True))
    sizes = tuple(map(len, drawn))
    hands = tuple(hand or tuple(sorted(cards)) for hand, cards in zip(hands, drawn, strict=True))
    draw_piles = tuple(pile[size:] for pile, size in zip(draw_piles, sizes, strict=True))
    table = with_drawn(table, tuple(map(len, draw_piles)))
    events.append(CardsDrawn(sizes, tuple(tuple(sorted(cards)) for cards in drawn)))
    return table, hands, draw_piles


# -- the end ------------------------------------------------------------------------------------------------


def _end_game(table: Table, hands: Rows, draw_piles: Rows, events: list[Event]) -> Step:
    nothing: Rows = ((),) * table.seats
    left = tuple(hand + pile for hand, pile in zip(hands, draw_piles, strict=True))
    minus = tuple(map(faces(table.options.deck).worth, left))
    if any(left):
        events.append(LeftCounted(left, minus))
    points = tuple(bulls - less for bulls, less in zip(table.bulls, minus, strict=True))
    number, table = table.round, with_game_ended(replace(table, left=left), points)
    events += round_ended(number, table.scores, _outcome(table))
    return State(table, nothing, nothing, (None,) * table.seats, ()), tuple(events)


def _outcome(table: Table) -> Outcome | None:
    if table.phase != "over":
        return None
    points = totals(table.scores, table.seats)
    winners = most(points) if table.options.bulls_are_good else fewest(points)
    return Outcome(_reason(table), winners, points)


def _reason(table: Table) -> str:
    if table.options.games > 1:
        return "games"
    if not table.options.bulls_are_good:
        return "all-cards"
    return "stand-still" if table.idle else "last-card"

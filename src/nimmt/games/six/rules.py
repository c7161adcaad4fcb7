"""6 nimmt!: choose in secret, reveal, place from the lowest to the highest; the sixth card takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from nimmt.games.six import types as six_options
from nimmt.games.six.after import after, with_round_ended, with_rows
from nimmt.games.six.fans import Board, CowJumped, MarkerMoved
from nimmt.games.six.placing import foresee, foresee_taking, pieces, place, placing_order, take
from nimmt.games.six.position import check_state
from nimmt.games.six.types import (
    HAND,
    ROWS,
    VARIANTS,
    CardChosen,
    CardDrafted,
    CardsRevealed,
    ChooseRow,
    DraftBegun,
    DraftCard,
    History,
    Markers,
    MarkersLaid,
    Options,
    Play,
    PlayCard,
    RowsStarted,
    State,
    Table,
    View,
    bare_table,
    drafted_hands,
    places,
)
from nimmt.rules import game
from nimmt.rules.game import Action, Cards, Deal, DealRequest, Decision, Event, Foreseen, Outcome, Rows, Seat, Standing
from nimmt.rules.kit.cards import HIGHEST, check_deal, deal_out, deck, fewest, sorted_hands, standing, totals
from nimmt.rules.kit.events import CardPlaced, MatchEnded, RoundDealt, RoundEnded, round_ended
from nimmt.rules.kit.seats import at, check_seat, out_of_place, shown, without
from nimmt.rules.kit.secret import (
    cards_wanted,
    check_held,
    check_row,
    imagined_choices,
    imagined_hands,
    still_waiting,
)

# Legal actions are asked for at every decision: the same few values serve all of them.
_PLAYS: Final = tuple(PlayCard(card) for card in range(HIGHEST + 1))
_TWISTS: Final = tuple(PlayCard(card, True) for card in range(100))
_CHOOSE_ROWS: Final = tuple(ChooseRow(row) for row in range(1, ROWS + 1))

Step = tuple[State, tuple[Event, ...]]


class Six(game.Game[Options, State, View]):
    id = "six"
    name = "6 nimmt!"
    names = {"pl": "6. bierze!", "ru": "6-ой берёт!"}
    summary = "Ten cards each, four rows: whoever plays a row's sixth card takes the row and its bulls."
    rules_version = 1
    min_seats = six_options.MIN_SEATS
    max_seats = six_options.MAX_SEATS
    variants = VARIANTS
    minutes = 10
    length_option = "rounds"
    takes = "rows"
    rules = {
        "smallest-difference": "Rules 1 and 2: a card joins the row with the closest end that it may follow.",
        "full-row": "Rule 3: a row has five places; the card that would be one too many takes what lies there.",
        "too-low": "Rule 4: a card that fits no row takes a row of its owner's choice.",
        "cow": "Jumping cow: the cow counts as a card; on a full row it makes the player take all but the highest.",
        "even-odd": "Even/Odd: only numbers of the parity shown may join the marked row.",
        "mountain": "Mountain climbing: in the marked row numbers descend; on a tie this row wins.",
    }
    ends = {
        "target": "Somebody reached the target; fewest bulls win.",
        "rounds": "All rounds were played; fewest bulls win.",
    }
    decisions = {
        "draft": "take a card from the middle",
        "card": "choose a card",
        "row": "choose a row to take",
    }
    options_type = Options
    state_type = State
    view_type = View
    action_types = (PlayCard, ChooseRow, DraftCard)
    event_types = (
        RoundDealt,
        DraftBegun,
        CardDrafted,
        RowsStarted,
        MarkersLaid,
        CardChosen,
        CardsRevealed,
        CardPlaced,
        CowJumped,
        MarkerMoved,
        RoundEnded,
        MatchEnded,
    )

    # -- beginning ------------------------------------------------------------------------------------------

    def setup(self, options: Options, seats: int) -> State:
        six_options.check(options, seats)
        nothing: Rows = ((),) * seats
        return State(bare_table(options, seats), nothing, nothing, (None,) * seats, ())

    def warnings(self, options: Options, seats: int) -> tuple[str, ...]:
        del seats
        if len(options.fan) > 1:
            return ("The rulebook advises one kind of fan card at a time.",)
        return ()

    def deal_request(self, state: State) -> DealRequest | None:
        return _WHOLE_DECK if state.table.phase == "deal" else None

    def deal(self, state: State, deal: Deal) -> Step:
        check_deal(self.deal_request(state), deal)
        table = state.table
        packs, rest = deal_out(deal.decks["numbers"], HAND, table.seats)
        hands, rows = sorted_hands(packs), tuple((card,) for card in rest[:ROWS])
        return _begin_turns(table, hands, rows, [RoundDealt(table.round, rows, hands)])

    # -- deciding -------------------------------------------------------------------------------------------

    def pending(self, state: State) -> tuple[Decision, ...]:
        phase = state.table.phase
        if phase == "choose":
            return cards_wanted(state.waiting)
        if phase == "row":
            return (Decision(state.table.queue[0].seat, "row"),)
        if phase == "draft":
            return (Decision(_drafter(state.table), "draft"),)
        return ()

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        check_seat(seat, state.table.seats)
        phase = state.table.phase
        if phase == "choose":
            hand = state.hands[seat]
            plays: list[Action] = list(map(_PLAYS.__getitem__, hand))
            if state.table.twists[seat]:
                plays += [_TWISTS[card] for card in hand if card < 100]
            return plays
        if phase == "row":
            return _CHOOSE_ROWS if state.table.queue[0].seat == seat else ()
        if phase == "draft" and _drafter(state.table) == seat:
            return [DraftCard(card) for card in state.table.pool]
        return ()

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        phase = state.table.phase
        check_seat(seat, state.table.seats)
        if phase == "choose" and isinstance(action, PlayCard):
            return _choose_card(state, seat, action)
        if phase == "row" and isinstance(action, ChooseRow):
            return _choose_row(state, seat, action)
        if phase == "draft" and isinstance(action, DraftCard):
            return _draft_card(state, seat, action)
        raise out_of_place(self, state, seat, action)

    # -- looking --------------------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        sizes = tuple(map(len, state.hands))
        if seat is None:
            return View(None, state.table, (), (), None, state.waiting, sizes)
        check_seat(seat, state.table.seats)
        hand, pile, choice = state.hands[seat], state.piles[seat], state.chosen[seat]
        return View(seat, state.table, hand, pile, choice, state.waiting, sizes)

    def foresee(self, view: View, action: Action) -> tuple[Foreseen, ...]:
        match action:
            case PlayCard(card=card, twisted=twisted):
                return foresee(view.table, Play(view.seat or 0, card, twisted))
            case ChooseRow(row=row) if view.table.queue:
                return (foresee_taking(view.table, view.table.queue[0], row),)
        return ()

    def after(self, view: View, event: Event) -> View:
        return after(view, event)

    def length(self, options: Options, seats: int) -> game.Length:
        del seats
        return game.Length(options.rounds, None if options.rounds else options.target + options.more_than_target)

    def outcome(self, state: State) -> Outcome | None:
        return _outcome(state.table)

    def standing(self, view: View) -> Standing:
        return standing(view.table, view.table.bulls, view.table.options.rounds)

    def cards(self, state: State) -> Mapping[str, Cards]:
        return places(state)

    def unseen(self, view: View) -> Cards:
        table = view.table
        if table.options.draft or table.phase == "deal":
            return ()
        seen = {*view.hand, *table.taken, *(play.card for play in table.queue)}.union(*table.rows)
        return tuple(card for card in deck(HIGHEST) if card not in seen)

    def imagine(self, view: View, cards: Sequence[int]) -> State:
        table, nothing = view.table, ((),) * view.table.seats
        hands = drafted_hands(table) if table.options.draft else imagined_hands(view, nothing, cards)[0]
        rest = tuple(card for card in table.taken if card not in view.pile)
        others = [seat for seat in range(table.seats) if seat != view.seat]
        piles = [view.pile if seat == view.seat else rest if seat == others[0] else () for seat in range(table.seats)]
        return State(table, hands, tuple(piles), imagined_choices(view, hands, Play), view.waiting)

    def check(self, state: State) -> None:
        check_state(state)


SIX = Six()
_BY_CARD = attrgetter("card")
_WHOLE_DECK = DealRequest({"numbers": deck(HIGHEST)})


# -- the draft ----------------------------------------------------------------------------------------------


def _drafter(table: Table) -> Seat:
    picks = sum(map(len, table.drafted))
    return (table.round - 1 + picks) % table.seats


def _draft_card(state: State, seat: Seat, action: DraftCard) -> Step:
    table, card = state.table, action.card
    if _drafter(table) != seat:
        raise game.IllegalAction(game.Refusal.NOT_YOUR_TURN, seat, "It is another seat's turn to draft.")
    if card not in table.pool:
        raise game.IllegalAction(game.Refusal.NOT_IN_POOL, seat, f"The card {shown(card)} is not among those to draft.")
    hands = at(state.hands, seat, tuple(sorted((*state.hands[seat], card))))
    table = replace(table, pool=without(table.pool, card), drafted=hands)
    drafted = CardDrafted(seat, card)
    if len(table.pool) > ROWS:
        begin = [DraftBegun(table.round, state.table.pool, seat)] if not any(state.hands) else []
        return replace(state, table=table, hands=hands), (*begin, drafted)
    rows = tuple((left,) for left in table.pool)
    return _begin_turns(replace(table, pool=()), hands, rows, [drafted, RowsStarted(table.pool)])


# -- a round ------------------------------------------------------------------------------------------------


def _begin_turns(table: Table, hands: Rows, rows: Rows, events: list[Event]) -> Step:
    """Everybody has ten cards and the rows have begun: lay the fan cards and let all choose."""
    markers, board = Markers(), Board(rows, Markers())
    for fan in pieces(table.options.fan):
        markers = fan.start(markers, board)
    if markers != Markers():
        events.append(MarkersLaid(markers))
    return _let_all_choose(with_rows(table, rows, markers), hands, ((),) * table.seats), tuple(events)


def _let_all_choose(table: Table, hands: Rows, piles: Rows) -> State:
    return State(table, hands, piles, (None,) * table.seats, tuple(range(table.seats)))


def _choose_card(state: State, seat: Seat, action: PlayCard) -> Step:
    card = action.card
    check_held(state.hands[seat], seat, card)
    if action.twisted and not state.table.twists[seat]:
        raise game.IllegalAction(game.Refusal.NO_TWIST_CARD, seat, "You have no twist card left in this round.")
    if action.twisted and card >= 100:
        raise game.IllegalAction(game.Refusal.CANNOT_TWIST, seat, f"{card} has three digits and cannot be twisted.")
    play = Play(seat, card, action.twisted)
    chosen, waiting = at(state.chosen, seat, play), still_waiting(state.waiting, seat)
    event = CardChosen(seat, play)
    if waiting:
        return State(state.table, state.hands, state.piles, chosen, waiting), (event,)
    return _reveal(state, [play for play in chosen if play], [event])


def _reveal(state: State, plays: list[Play], events: list[Event]) -> Step:
    table = state.table
    has_twists = True in table.twists
    queue = tuple(sorted(plays, key=placing_order if has_twists else _BY_CARD))
    hands = tuple([without(hand, play.card) for hand, play in zip(state.hands, plays, strict=True)])
    events.append(CardsRevealed(queue))
    if has_twists and any(play.twisted for play in plays):
        kept = tuple(has and not play.twisted for has, play in zip(table.twists, plays, strict=True))
        table = replace(table, twists=kept)
    past, board = table.history, Board(table.rows, table.markers)
    history = History(past.starts, (*past.turns, queue), past.rows)
    return _place_all(table, hands, state.piles, board, queue, history, events)


def _choose_row(state: State, seat: Seat, action: ChooseRow) -> Step:
    table, play = state.table, state.table.queue[0]
    check_row(table.queue, seat, action.row, ROWS)
    board, fans = Board(table.rows, table.markers), pieces(table.options.fan)
    take(fans, board, seat, play.card, action.row, "too-low")
    past = table.history
    history = History(past.starts, past.turns, (*past.rows, action.row))
    return _place_all(table, state.hands, state.piles, board, table.queue[1:], history, [])


def _place_all(
    table: Table, hands: Rows, piles: Rows, board: Board, queue: tuple[Play, ...], history: History, events: list[Event]
) -> Step:
    """Place card after card until one needs its owner's choice or all lie."""
    fans, placed = pieces(table.options.fan), 0
    for play in queue:
        if not place(fans, board, play):
            break
        placed += 1
    queue = queue[placed:]
    bulls, taken = table.bulls, table.taken
    for loot in board.loot:
        bulls = at(bulls, loot.seat, bulls[loot.seat] + loot.bulls)
        taken += loot.cards
        piles = at(piles, loot.seat, piles[loot.seat] + loot.cards)
    table = replace(
        table,
        phase="row" if queue else "choose",
        rows=tuple(board.rows),
        markers=board.markers,
        queue=queue,
        bulls=bulls,
        taken=taken,
        history=history,
    )
    events += board.events
    if queue:
        return State(table, hands, piles, (None,) * table.seats, ()), tuple(events)
    if any(hands):
        return _let_all_choose(table, hands, piles), tuple(events)
    return _end_round(table, hands, piles, events)


def _end_round(table: Table, hands: Rows, piles: Rows, events: list[Event]) -> Step:
    number, table = table.round, with_round_ended(table)
    events += round_ended(number, table.scores, _outcome(table))
    if table.phase == "draft":
        piles = ((),) * table.seats
    return State(table, hands, piles, (None,) * table.seats, ()), tuple(events)


def _outcome(table: Table) -> Outcome | None:
    if table.phase != "over":
        return None
    sums = totals(table.scores, table.seats)
    return Outcome("target" if table.options.rounds is None else "rounds", fewest(sums), sums)

"""Beat the Buffalo: one team and its special cards against a buffalo that plays what comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from nimmt.games.buffalo import events, turns
from nimmt.games.buffalo import types as buffalo_options
from nimmt.games.buffalo.after import after
from nimmt.games.buffalo.placing import foresee, open_rows
from nimmt.games.buffalo.position import check_state
from nimmt.games.buffalo.turns import Step, choose_card, choose_row, let_all_choose, outcome_of, swap_card
from nimmt.games.buffalo.types import (
    FACE_UP,
    HAND,
    ROWS,
    RULES_VERSION,
    SPECIALS,
    SPECIALS_IN_PLAY,
    VARIANTS,
    Agree,
    ChooseRow,
    Decline,
    Options,
    Pass,
    PlayCard,
    Propose,
    State,
    SwapCard,
    Use,
    View,
    Withdraw,
    before_the_deal,
    kind,
    number_places,
    special_places,
)
from nimmt.rules import game
from nimmt.rules.game import Action, Cards, Deal, DealRequest, Decision, Event, Foreseen, Outcome, Seat, Standing
from nimmt.rules.kit.cards import HIGHEST, check_deal, deal_out, deck, foresee_taking, sorted_hands
from nimmt.rules.kit.events import CardChosen, MatchEnded, RoundDealt
from nimmt.rules.kit.seats import check_seat, out_of_place
from nimmt.rules.kit.secret import cards_wanted, imagined_choices, imagined_hands

SPECIAL_OFFSET: Final = 1000
"""Added to the number of a special card wherever it stands among numbered cards."""

# Legal actions are asked for at every decision: the same few values serve all of them.
_PLAYS: Final = tuple(PlayCard(card) for card in range(HIGHEST + 1))
_SWAPS: Final = tuple(SwapCard(card) for card in range(HIGHEST + 1))
_CHOOSE_ROWS: Final = tuple(ChooseRow(row) for row in range(ROWS + 1))


class BeatTheBuffalo(game.Game[Options, State, View]):
    id = "buffalo"
    name = "Beat the Buffalo"
    names = {"de": "Schlagt den Büffel", "pl": "Ubij bawoła", "ru": "Победи буйвола"}
    summary = "One team against the buffalo: share the bulls, use the special cards, and take fewer than it does."
    rules_version = RULES_VERSION
    min_seats = buffalo_options.MIN_SEATS
    max_seats = buffalo_options.MAX_SEATS
    variants = VARIANTS
    minutes = 10
    cooperative = True
    takes = "rows"
    silent = frozenset({"card", "swap"})
    rules = {
        "smallest-difference": "Rules 1 and 2: a card joins the open row with the closest end below it.",
        "full-row": "Rule 3: a row has five places, six with Take 7!; one card more takes what lies there.",
        "too-low": "Rule 4: a card that fits no open row takes one of its owner's choice.",
        "buffalo-too-low": "Rule 4 for the buffalo: it takes the open row with fewest bulls, on a tie the highest end.",
        "empty-row": "An empty row must take the next card, whoever places it.",
        "insert": "Insert!: the card goes between others; from a full row the team takes all but the last card.",
        "push": "Push!: a card moves to another row; from a full one the team takes all but the last card.",
    }
    ends = {
        "team": "The team has fewer points than the buffalo and wins together.",
        "buffalo": "The team does not have fewer points than the buffalo and loses together.",
    }
    decisions = {
        "card": "choose a card",
        "special": "use a special card or pass",
        "answer": "agree to the proposal or decline it",
        "swap": "choose another card to play instead",
        "row": "choose a row to take",
    }
    options_type = Options
    state_type = State
    view_type = View
    action_types = (PlayCard, ChooseRow, SwapCard, Propose, Agree, Decline, Withdraw, Pass, Use)
    event_types = (
        RoundDealt,
        events.SpecialsRevealed,
        CardChosen,
        events.CardsRevealed,
        events.SpecialProposed,
        events.ProposalAgreed,
        events.ProposalDeclined,
        events.ProposalWithdrawn,
        events.SeatPassed,
        events.SpecialUsed,
        events.SpecialRemoved,
        events.CardTakenBack,
        events.CardSwapped,
        events.CardInserted,
        events.CardPushed,
        events.OrderChanged,
        events.CardPlaced,
        events.PointsCounted,
        MatchEnded,
    )

    # -- beginning ------------------------------------------------------------------------------------------

    def setup(self, options: Options, seats: int) -> State:
        buffalo_options.check(options, seats)
        return before_the_deal(options, seats, self.rules_version)

    def deal_request(self, state: State) -> DealRequest | None:
        return _DECKS if state.table.phase == "deal" else None

    def deal(self, state: State, deal: Deal) -> Step:
        """Numbers: ten cards for each seat in turn, the buffalo's ten from its top, the four rows from row 1.
        Specials: the first two lie face up, the next ones are the deck from its top, the rest is put away."""
        check_deal(self.deal_request(state), deal)
        seats = state.table.seats
        packs, rest = deal_out(deal.decks["numbers"], HAND, seats + 1)
        hands, rows = sorted_hands(packs[:seats]), tuple((card,) for card in rest[:ROWS])
        specials = deal.decks["specials"][: SPECIALS_IN_PLAY[seats]]
        table = replace(state.table, rows=rows, face_up=specials[:FACE_UP])
        state = replace(state, table=table, hands=hands, buffalo=packs[seats], specials=specials[FACE_UP:])
        dealt: list[Event] = [RoundDealt(1, rows, hands)]
        if specials:
            dealt.append(events.SpecialsRevealed(tuple(map(kind, table.face_up)), table.face_up))
        return let_all_choose(state), tuple(dealt)

    # -- deciding -------------------------------------------------------------------------------------------

    def pending(self, state: State) -> tuple[Decision, ...]:
        table = state.table
        if table.phase == "choose":
            return cards_wanted(state.waiting)
        if table.window is not None:
            return turns.pending(table.window)
        if table.phase == "row":
            return (Decision(table.queue[0].seat, "row"),)
        return (Decision(table.known[-1].seat, "swap"),) if table.phase == "swap" else ()

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        table = state.table
        check_seat(seat, table.seats)
        if table.phase == "choose":
            return [_PLAYS[card] for card in state.hands[seat]]
        if table.window is not None:
            return turns.legal(table, table.window, seat)
        if table.phase == "row" and table.queue[0].seat == seat:
            return [_CHOOSE_ROWS[row] for row in open_rows(table)]
        if table.phase == "swap" and table.known[-1].seat == seat:
            return [_SWAPS[card] for card in state.hands[seat] if card != table.known[-1].card]
        return ()

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        table = state.table
        check_seat(seat, table.seats)
        if table.phase == "choose" and isinstance(action, PlayCard):
            return choose_card(state, seat, action)
        if table.phase == "row" and isinstance(action, ChooseRow):
            return choose_row(state, seat, action)
        if table.phase == "swap" and isinstance(action, SwapCard):
            return swap_card(state, seat, action)
        step = turns.decide(state, table.window, seat, action) if table.window is not None else None
        if step is None:
            raise out_of_place(self, state, seat, action)
        return step

    # -- looking --------------------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        hand: Cards = ()
        choice: int | None = None
        if seat is not None:
            check_seat(seat, state.table.seats)
            hand, choice = state.hands[seat], state.chosen[seat]
        return View(
            seat=seat,
            table=state.table,
            hand=hand,
            choice=choice,
            waiting=state.waiting,
            hand_sizes=tuple(map(len, state.hands)),
            buffalo_size=len(state.buffalo),
            specials_left=len(state.specials),
        )

    def foresee(self, view: View, action: Action) -> tuple[Foreseen, ...]:
        match action:
            case PlayCard(card=card) | SwapCard(card=card):
                return foresee(view.table, card)
            case ChooseRow(row=row):
                return (foresee_taking(view.table.rows, row),)
        return ()

    def after(self, view: View, event: Event) -> View:
        return after(view, event)

    def outcome(self, state: State) -> Outcome | None:
        return outcome_of(state.table) if state.table.phase == "over" else None

    def standing(self, view: View) -> Standing:
        table = view.table
        points = (turns.team_points(table), table.buffalo_bulls)
        return Standing(table.turn, HAND, points, unit="turn", sides=("team", "buffalo"))

    def cards(self, state: State) -> Mapping[str, Cards]:
        """Numbered cards by their number, special cards by theirs and a thousand."""
        specials = {place: _offset(cards) for place, cards in special_places(state).items()}
        return number_places(state) | specials

    def unseen(self, view: View) -> Cards:
        """Numbered cards, then special cards with a thousand added."""
        table = view.table
        if table.phase == "deal":
            return ()
        shown = (*table.queue, *table.known)
        seen = {*view.hand, *table.taken, *(play.card for play in shown)}.union(*table.rows)
        seen_specials = {*table.face_up, *table.used}.union(*table.beside)
        numbers = tuple(card for card in deck(HIGHEST) if card not in seen)
        return numbers + _offset(tuple(special for special in SPECIALS if special not in seen_specials))

    def imagine(self, view: View, cards: Sequence[int]) -> State:
        table = view.table
        numbers = [card for card in cards if card <= HIGHEST]
        specials = [card - SPECIAL_OFFSET for card in cards if card > HIGHEST]
        # Cards that were taken back are known to be where they are.
        back = tuple(tuple(play.card for play in table.known if play.seat == seat) for seat in range(table.seats))
        hands, used = imagined_hands(view, back, numbers)
        return State(
            table=table,
            hands=hands,
            buffalo=tuple(numbers[used : used + view.buffalo_size]),
            buffalo_pile=tuple(card for card in table.taken if card not in table.pile),
            specials=tuple(specials[: view.specials_left]),
            chosen=imagined_choices(view, hands),
            waiting=view.waiting,
        )

    def check(self, state: State) -> None:
        check_state(state, self.rules_version)


BUFFALO_GAME = BeatTheBuffalo()
_DECKS = DealRequest({"numbers": deck(HIGHEST), "specials": SPECIALS})


def _offset(specials: Cards) -> Cards:
    return tuple([special + SPECIAL_OFFSET for special in specials])

"""What each event of Beat the Buffalo does to a view."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.games.buffalo import events
from nimmt.games.buffalo.placing import collected, lies_at, removed
from nimmt.games.buffalo.turns import anything_possible, new_window, piece_for
from nimmt.games.buffalo.types import (
    BUFFALO,
    HAND,
    SPECIALS_IN_PLAY,
    AnyUse,
    Lift,
    Play,
    Proposal,
    Stop,
    Table,
    Take7,
    View,
    Window,
    kind,
)
from nimmt.rules.game import Cards, Event, Rows, Seat
from nimmt.rules.kit.events import CardChosen, MatchEnded, RoundDealt
from nimmt.rules.kit.seats import at, without
from nimmt.rules.kit.secret import chosen, dealt, grown, revealed


def after(view: View, event: Event) -> View:
    match event:
        case RoundDealt(rows=rows, hands=hands):
            return _dealt(view, rows, hands)
        case events.SpecialsRevealed():
            return _turned_up(view, event)
        case CardChosen(seat=seat, card=card):
            return chosen(view, seat, card)
        case events.CardsRevealed(plays=plays):
            return _revealed(view, plays)
        case events.SpecialUsed(seat=seat, use=use):
            return _used(view, seat, use)
        case events.CardTakenBack(seat=seat, card=card):
            return _taken_back(view, seat, card)
        case events.CardSwapped(seat=seat, card=card):
            return _swapped(view, seat, card)
        case events.CardPlaced() | events.CardInserted() | events.CardPushed():
            view, row = replace(view, table=_moved(view.table, event)), event.row
            # A Take 7! that leaves with the cards taken is told next; only then can be said how it goes on.
            return view if event.taken and lies_at(view.table, "Take7", row) else _go_on(view)
        case events.OrderChanged(plays=plays):
            return _go_on(replace(view, table=replace(view.table, queue=plays)))
        case events.SpecialRemoved():
            return _go_on(replace(view, table=removed(view.table, event.kind, event.row)))
        case MatchEnded():
            return replace(view, table=replace(view.table, phase="over", declined=()))
    return _decided(view, view.table.window, event)


# -- cards --------------------------------------------------------------------------------------------------


def _dealt(view: View, rows: Rows, hands: tuple[Cards | None, ...]) -> View:
    view = dealt(view, replace(view.table, phase="choose", turn=1, rows=rows), hands, HAND)
    return replace(view, buffalo_size=HAND, specials_left=SPECIALS_IN_PLAY[view.table.seats])


def _revealed(view: View, plays: tuple[Play, ...]) -> View:
    view = revealed(view, plays)
    played = {play.card for play in plays}
    known = tuple(play for play in view.table.known if play.card not in played)
    view = replace(view, table=replace(view.table, known=known), buffalo_size=view.buffalo_size - 1)
    return _go_on(view)


def _taken_back(view: View, seat: Seat, card: int) -> View:
    table = view.table
    queue = tuple(play for play in table.queue if play.card != card)
    table = replace(table, phase="swap", queue=queue, known=(*table.known, Play(seat, card)), window=None)
    hand = tuple(sorted((*view.hand, card))) if seat == view.seat else view.hand
    return replace(view, table=table, hand=hand, hand_sizes=at(view.hand_sizes, seat, view.hand_sizes[seat] + 1))


def _swapped(view: View, seat: Seat, card: int) -> View:
    table = view.table
    known = tuple(play for play in table.known if play.card != card)
    table = replace(table, phase="row", queue=(Play(seat, card), *table.queue), known=known)
    hand = without(view.hand, card) if seat == view.seat else view.hand
    return replace(view, table=table, hand=hand, hand_sizes=at(view.hand_sizes, seat, view.hand_sizes[seat] - 1))


def _moved(table: Table, event: events.CardPlaced | events.CardInserted | events.CardPushed) -> Table:
    row, card, taken = event.row, event.card, event.taken
    if isinstance(event, events.CardPushed):
        source = event.from_row - 1
        table = replace(table, rows=at(table.rows, source, without(table.rows[source], card)))
    else:
        table = replace(table, queue=table.queue[1:])
    if isinstance(event, events.CardPlaced):
        table = replace(table, rows=grown(table.rows, row, card, taken))
        return collected(table, taken, by_buffalo=event.seat == BUFFALO)
    cards = tuple(sorted((*table.rows[row - 1], card))) if event.kept is None else (event.kept,)
    return collected(replace(table, rows=at(table.rows, row - 1, cards)), taken)


# -- special cards ------------------------------------------------------------------------------------------


def _turned_up(view: View, event: events.SpecialsRevealed) -> View:
    table, left = replace(view.table, face_up=event.face_up), view.specials_left - len(event.kinds)
    view = replace(view, table=table, specials_left=left)
    return _go_on(view) if isinstance(_use_going_on(table), Take7 | Stop) else view


def _used(view: View, seat: Seat, use: AnyUse) -> View:
    """The card is spent. Until it has acted the use stays in the window, as the proposal that all agreed to."""
    table, stopped = view.table, view.table.window.stopped if view.table.window else ()
    if isinstance(use, Stop) and table.rules_version == 1:
        stopped = (*stopped, use.row)
    window = replace(new_window(table.seats), proposal=Proposal(seat, use, ()), stopped=stopped)
    table = replace(table if isinstance(use, Lift) else _spent(table, use), window=window)
    view = replace(view, table=table)
    # These two act by lying there: nothing else is told, but for the special card that is turned up instead.
    return _go_on(view) if isinstance(use, Take7 | Stop) and not view.specials_left else view


def _spent(table: Table, use: AnyUse) -> Table:
    special = next(card for card in table.face_up if kind(card) == type(use).__name__)
    table = replace(table, face_up=without(table.face_up, special))
    if isinstance(use, Take7 | Stop):
        return replace(table, beside=at(table.beside, use.row - 1, (*table.beside[use.row - 1], special)))
    return replace(table, used=(*table.used, special))


def _use_going_on(table: Table) -> AnyUse | None:
    """The use that is being carried out."""
    return table.window.proposal.use if table.window and table.window.proposal else None


# -- who is to decide ---------------------------------------------------------------------------------------


def _go_on(view: View) -> View:
    """After a card was placed or a special card has acted: is there anything that the team could do?"""
    table, use = view.table, _use_going_on(view.table)
    if use is None or piece_for(use).places:
        table = replace(table, window=None)
        window = new_window(table.seats)
        if not table.queue and table.turn == HAND:
            return replace(view, table=table)  # the end, which the next events tell
    else:
        # A Stop! laid in this window (version 1) is remembered as long as the window lasts.
        window = replace(new_window(table.seats), stopped=table.window.stopped if table.window else ())
        table = replace(table, window=window)
    if anything_possible(table):
        return replace(view, table=replace(table, phase="window", window=window))
    return _after_window(replace(view, table=table))


def _after_window(view: View) -> View:
    """The next card's owner decides, unless its placement is told next; if all lie, the next turn begins."""
    table = replace(view.table, window=None)
    if table.queue:
        return replace(view, table=replace(table, phase="row"))
    table = replace(table, phase="choose", turn=table.turn + 1, declined=())
    return replace(view, table=table, waiting=tuple(range(table.seats)))


def _decided(view: View, window: Window | None, event: Event) -> View:
    """What a seat says in a window."""
    if window is None:
        return view
    match event:
        case events.SeatPassed(seat=seat):
            window = replace(window, passed=at(window.passed, seat, True))
            if all(window.passed):
                return _after_window(view)
        case events.SpecialProposed(seat=seat, use=use):
            made = at(window.proposals, seat, window.proposals[seat] + 1)
            window = replace(window, proposals=made, proposal=Proposal(seat, use, ()))
        case events.ProposalWithdrawn():
            window = replace(window, proposal=None)
        case events.ProposalDeclined() if window.proposal is not None:
            declined = (*view.table.declined, window.proposal.use)
            view = replace(view, table=replace(view.table, declined=declined))
            window = replace(window, proposal=None)
        case events.ProposalAgreed(seat=seat) if window.proposal is not None:
            proposal = window.proposal
            window = replace(window, proposal=replace(proposal, agreed=(*proposal.agreed, seat)))
    return replace(view, table=replace(view.table, window=window))

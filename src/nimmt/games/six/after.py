"""What each event of 6 nimmt! does to a view, and what begins and ends with a round."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.games.six.fans import CowJumped, MarkerMoved
from nimmt.games.six.types import (
    HAND,
    CardChosen,
    CardDrafted,
    CardsRevealed,
    History,
    Markers,
    MarkersLaid,
    MountainMarker,
    ParityMarker,
    Play,
    RowsStarted,
    Table,
    View,
    highest_card,
)
from nimmt.rules.game import Cards, Event, Rows, Seat
from nimmt.rules.kit.cards import bulls, deck, totals
from nimmt.rules.kit.events import CardPlaced, RoundDealt, RoundEnded
from nimmt.rules.kit.seats import at, without
from nimmt.rules.kit.secret import chosen, dealt, grown, placed, revealed


def after(view: View, event: Event) -> View:
    table = view.table
    match event:
        case RoundDealt(rows=rows, hands=hands):
            return replace(dealt(view, with_rows(table, rows, Markers()), hands, HAND), pile=())
        case CardDrafted(seat=seat, card=card):
            return _drafted(view, seat, card)
        case RowsStarted(cards=cards):
            rows = tuple((card,) for card in cards)
            table = with_rows(replace(table, pool=()), rows, Markers())
            return replace(view, table=table, waiting=tuple(range(table.seats)))
        case CardChosen(seat=seat, play=play):
            return chosen(view, seat, play)
        case CardsRevealed(plays=plays):
            return _revealed(view, plays)
        case CardPlaced():
            return placed(_placed(view, event))
        case CowJumped():
            return _jumped(view, event)
        case MarkersLaid(markers=markers):
            return replace(view, table=replace(table, markers=markers))
        case MarkerMoved():
            return replace(view, table=replace(table, markers=_moved(table.markers, event)))
        case RoundEnded():
            return _round_ended(view)
    return view


# -- a round ------------------------------------------------------------------------------------------------


def with_rows(table: Table, rows: Rows, markers: Markers) -> Table:
    """The table when everybody has ten cards and the rows have begun."""
    return replace(
        table,
        phase="choose",
        rows=rows,
        markers=markers,
        bulls=(0,) * table.seats,
        taken=(),
        twists=("twist" in table.options.fan,) * table.seats,
        history=History(starts=tuple(row[0] for row in rows)),
    )


def with_round_ended(table: Table) -> Table:
    """The table once all cards of a round lie: the match is over, or the next round is due."""
    table = replace(table, scores=(*table.scores, table.bulls))
    if _is_last_round(table):
        return replace(table, phase="over")
    return _next_round(table)


def _is_last_round(table: Table) -> bool:
    options, highest = table.options, max(totals(table.scores, table.seats))
    if options.rounds is not None:
        return table.round >= options.rounds
    return highest > options.target if options.more_than_target else highest >= options.target


def _next_round(table: Table) -> Table:
    """All cards are gathered; where they are dealt, the old rows lie until the deal."""
    if not table.options.draft:
        return replace(table, phase="deal", round=table.round + 1)
    return replace(
        table,
        phase="draft",
        round=table.round + 1,
        rows=(),
        markers=Markers(),
        bulls=(0,) * table.seats,
        taken=(),
        pool=deck(highest_card(table.options, table.seats)),
        drafted=((),) * table.seats,
        history=History(),
    )


def _round_ended(view: View) -> View:
    table = with_round_ended(view.table)
    return replace(view, table=table, pile=() if table.phase == "draft" else view.pile, waiting=())


# -- single steps -------------------------------------------------------------------------------------------


def _drafted(view: View, seat: Seat, card: int) -> View:
    table = view.table
    hand = tuple(sorted((*table.drafted[seat], card)))
    table = replace(table, pool=without(table.pool, card), drafted=at(table.drafted, seat, hand))
    own = hand if seat == view.seat else view.hand
    return replace(view, table=table, hand=own, hand_sizes=at(view.hand_sizes, seat, len(hand)))


def _revealed(view: View, plays: tuple[Play, ...]) -> View:
    view = revealed(view, plays)
    table, past = view.table, view.table.history
    twisters = {play.seat for play in plays if play.twisted}
    twists = tuple(has and seat not in twisters for seat, has in enumerate(table.twists))
    history = History(past.starts, (*past.turns, plays), past.rows)
    return replace(view, table=replace(table, twists=twists, history=history))


def _placed(view: View, event: CardPlaced) -> View:
    table, past, row = view.table, view.table.history, event.row
    table = replace(table, rows=grown(table.rows, row, event.card, event.taken), queue=table.queue[1:])
    if event.rule == "too-low":
        table = replace(table, history=History(past.starts, past.turns, (*past.rows, row)))
    return _collected(replace(view, table=table), event.seat, event.taken)


def _jumped(view: View, event: CowJumped) -> View:
    table = replace(view.table, markers=replace(view.table.markers, cow=event.row))
    if event.kept is not None:
        table = replace(table, rows=at(table.rows, event.row - 1, (event.kept,)))
    return _collected(replace(view, table=table), event.seat, event.taken)


def _collected(view: View, seat: Seat, taken: Cards) -> View:
    table, pile = view.table, view.pile + taken if seat == view.seat else view.pile
    summed = at(table.bulls, seat, table.bulls[seat] + bulls(taken))
    return replace(view, table=replace(table, bulls=summed, taken=table.taken + taken), pile=pile)


def _moved(markers: Markers, event: MarkerMoved) -> Markers:
    if event.fan == "even-odd":
        return replace(markers, even_odd=ParityMarker(event.row, "odd" if event.shows == "odd" else "even"))
    return replace(markers, mountain=MountainMarker(event.row, "up" if event.shows == "up" else "down"))

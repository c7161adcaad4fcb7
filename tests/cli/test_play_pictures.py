"""What is drawn on a terminal: it always fits, nothing is cut off, and events lead where the match really goes."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import pytest
from rich.cells import cell_len

import nimmt
from nimmt.bots import get_bot
from nimmt.clients.terminal.face import Face, Lane, Lanes, Look, face_of
from nimmt.clients.terminal.pieces import PLAIN_SIGNS, number_cards
from nimmt.clients.terminal.screen import frame, picture_of, told
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules.game import Decision, Event, Value
from nimmt.rules.kit.events import RoundEnded
from nimmt.rules.kit.options import variant_options
from nimmt.rules.registry import all_games, get

NAMES = ("Anna", "Ben", "Cleopatra the Second", "安娜", "Ella", "Finn", "Greta", "Hugo", "Ida", "Jonas")
VARIANTS = [
    (game.id, variant.id, seats)
    for game in all_games()
    for variant in game.variants
    for seats in sorted({game.min_seats, variant.max_seats or game.max_seats})
]
STORY = ["Cleopatra the Second: 5 is one too many for row 2 and takes 1 2 3 4 5 (12 bulls)."] * 40
MOVES = 70


class Moment(NamedTuple):
    face: Face[Any]
    before: Value
    decision: Decision
    events: tuple[Event, ...]
    after: Value


def moments(game_id: str, variant: str, seats: int, bot: str = "random", seed: int = 1) -> Iterator[Moment]:
    game, rng = get(game_id), Random(seed)
    names = NAMES[:seats]
    infos = [SeatInfo(name) for name in names]
    match = Match(game, variant_options(game, variant), infos, Dealer(rng.randbytes(32), [""] * seats))
    face, mind = face_of(game, names), get_bot(bot, game)
    for _ in range(MOVES):
        if match.outcome is not None:
            return
        before = match.state
        decision = game.pending(before)[-1]
        action = mind.choose(game.view(before, decision.seat), game.legal(before, decision.seat), rng)
        yield Moment(face, before, decision, match.act(decision.seat, action), match.state)


def told_views(moment: Moment, seat: int | None) -> Iterator[tuple[Event | None, Any]]:
    """What is drawn before anything is told, then with each event that this seat sees."""
    game = moment.face.game
    view = game.view(moment.before, seat)
    yield None, view
    for event in moment.events:
        seen = event.seen_by(seat)
        if seen is not None:
            before, view = view, game.after(view, seen)
            yield seen, moment.face.shown(before, view, seen)


def drawn(face: Face[Any], view: Any) -> tuple[Any, ...]:
    """All that a picture shows, but for whose turn it is and what lies face down."""
    look = Look(view)
    panel = face.panel(look)
    column = {"card": -1}.get(panel.headings[-2])
    seats = [(line.name, line.cells[:column], line.below) for line in panel.lines]
    return face.board(look), face.hand(look), seats, panel.notes


@pytest.mark.parametrize(("game", "variant", "seats"), VARIANTS)
def test_event_after_event_leads_to_the_table_as_it_is(game, variant, seats):
    for moment in moments(game, variant, seats):
        if isinstance(moment.events[-1], RoundEnded):  # what happens then has a test of its own
            continue
        for seat in (None, 0, seats - 1):
            *_, (_, shown) = told_views(moment, seat)
            assert drawn(moment.face, shown) == drawn(moment.face, get(game).view(moment.after, seat))


@pytest.mark.parametrize(("game", "variant"), [("six", "basic"), ("six", "draft"), ("x", "basic")])
def test_what_a_round_ends_with_lies_there_until_all_have_seen_the_points(game, variant):
    """The rules may have gathered the cards, and count the next round already."""
    told, ended = [view for moment in moments(game, variant, 2) for view in told_views(moment, None)], False
    for (_, before), (event, shown) in pairwise(told):
        if isinstance(event, RoundEnded):
            ended = True
            assert (shown.table.rows, shown.table.round) == (before.table.rows, event.round)
            assert shown.table.scores[-1] == event.points
    assert ended


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize(("game", "variant", "seats"), VARIANTS)
def test_every_picture_fits_and_shows_everything(game, variant, seats, size):
    for number, (face, before, decision, _, _) in enumerate(moments(game, variant, seats)):
        if number % 6:
            continue
        view = get(game).view(before, decision.seat)
        look = Look(view, frozenset((decision.seat,)), decision.kind, decision.seat)
        picture = picture_of(face, look)
        lines = frame(picture, STORY, "You cannot do that. Type one of your cards: 1 2 3.", "Anna, choose ›", *size)
        assert len(lines) == size[1]
        assert max(line.cell_len for line in lines) <= size[0]
        text = "\n".join(line.plain for line in lines)
        assert "► Cleopatra" in text  # the latest news
        assert [name for name in face.names if name[:8] not in text] == []
        assert [card.card.name for card in picture.hand.choices if card.card.name not in text] == []
        if isinstance(picture.board, Lanes):
            ends = [lane.cards[-1].name for lane in picture.board.lanes if lane.cards]
            assert [end for end in ends if end not in text] == []
        assert max(map(cell_len, told(picture, 80))) <= 80


def test_a_hand_that_grows_and_grows_still_fits():
    """In 11 nimmt! somebody who only takes has half of the deck at last, and there are ever more piles."""
    for seats in (2, 7):
        game, rng = get("eleven"), Random(seats)
        match = Match(game, variant_options(game, "basic"), [SeatInfo("x")] * seats, Dealer(bytes(32), [""] * seats))
        face, largest = face_of(game, NAMES[:seats]), 0
        while match.outcome is None and len(match.deals) == 1:
            seat = game.pending(match.state)[0].seat
            legal = game.legal(match.state, seat)
            view = game.view(match.state, seat)
            picture = picture_of(face, Look(view, frozenset((seat,)), "turn", seat))
            lines = [line.plain for line in frame(picture, STORY, "", "Anna ›", 80, 24)]
            assert len(lines) == 24
            assert [c.card.flat for c in picture.hand.choices if c.card.name not in "\n".join(lines)] == []
            assert f"{len(view.table.tops)}" in "\n".join(lines)
            largest = max(largest, len(picture.hand.choices))
            takes = [action for action in legal if type(action).__name__ == "TakePile"]
            match.act(seat, rng.choice(takes or list(legal)))
        assert largest > 12


def test_below_every_card_of_eleven_stands_where_it_fits():
    there = nimmt.position("eleven", piles="31 | 96", hands="4 36 58 | 50 60")
    face = face_of(there.game, NAMES[:2])
    choices = face.hand(Look(there.game.view(there.state, 0), frozenset((0,)), "turn", 0)).choices
    assert [choice.wide for choice in choices] == [("→2 on 96",), ("→1 on 31",), ("no pile",)]
    assert [choice.narrow for choice in choices] == [("→2",), ("→1",), ("–",)]


@pytest.mark.parametrize("size", [(1, 1), (10, 3), (40, 12), (79, 23), (300, 100)])
def test_a_window_of_any_size_is_no_reason_to_fail(size):
    for game in all_games():
        moment = next(moments(game.id, "basic", game.max_seats))
        view = game.view(moment.before, 0)
        lines = frame(picture_of(moment.face, Look(view)), STORY, "No. " * 60, "Anna ›", *size)
        assert len(lines) == size[1]
        assert max(line.cell_len for line in lines) <= size[0]


def test_a_long_row_is_cut_at_its_beginning():
    lane = Lane(1, number_cards(range(1, 15)), 0, 30)
    text = "\n".join(line.plain for line in Lanes((lane,)).draw(50, 0))
    assert " +" in text
    assert " 14 " in text
    assert "  1 │" not in text


def test_all_signs_have_plain_ones():
    assert all(plain < 128 for plain in PLAIN_SIGNS.values())
    for game in all_games():
        moment = next(moments(game.id, "basic", game.max_seats))
        picture = picture_of(moment.face, Look(game.view(moment.before, 0), frozenset((0,)), "card", 0))
        lines = frame(picture._replace(names=()), ["A story."], "", "A ›", 80, 24)
        text = "".join(line.plain for line in lines).replace("安娜", "").translate(PLAIN_SIGNS)
        assert text.isascii()


def test_colours_are_letters_too():
    moment = next(moments("baron", "basic", 2))
    board = moment.face.board(Look(get("baron").view(moment.before, 0)))
    assert isinstance(board, Lanes)
    letters = {sign for lane in board.lanes for card in lane.cards for sign in card.bulls.plain}
    assert letters <= set("BYGRKWal6")

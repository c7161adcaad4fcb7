"""`nimmt.position`: a table as somebody would type it, and what is played there."""

import copy
import pickle
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

import nimmt
from nimmt.drawing.pictures import moment
from nimmt.games.buffalo.types import Pass
from nimmt.games.eleven.types import LayCard, TakePile
from nimmt.games.six.types import Markers, PlayCard
from nimmt.rules import registry
from nimmt.rules.game import Refusal
from nimmt.rules.position import to_json, to_text

ROWS = "12 14 15 | 37 | 43 44 | 58 61"
POSITIONS = {
    "six": {"rows": ROWS, "hands": "21 | 26 | 30 | 36"},
    "x": {"rows": "1 7 | 22 46 | 99", "hands": "5 8 | 40 50", "x_rows": "12 14 | .", "x_piles": ". | 3"},
    "eleven": {"piles": "23 | 87", "hands": "5 44 88 | 50 92", "draw": "60 14 71", "bull_cards": "0 1", "turn": "1"},
    "baron": {"rows": "3 | 93 | 84 | 33 | 104", "hands": "11 32 | 30 43", "draw_piles": "60 61 | 62 63"},
    "buffalo": {
        "rows": "70 | 40 | 30 | 90",
        "hands": "3 14 | 2 8 | 1 5",
        "buffalo": "72 4",
        "face_up": "Sort Stop",
        "deck": ["Push"],
        "beside": {"1": "Take7"},
    },
}


def set_up(game: str, **changes) -> nimmt.Position:
    return nimmt.position(game, **POSITIONS[game] | changes)


@pytest.fixture
def six() -> nimmt.Position:
    return set_up("six")


def test_a_turn_is_played(six: nimmt.Position) -> None:
    after = six.play(21, 26, 30, 36)
    assert after.rows == ((30, 36), (37,), (43, 44), (58, 61))
    assert after.bulls == (0, 0, 6, 0)
    assert "Cleo: 30 is one too many for row 1 and takes 12 14 15 21 26 (6 bulls)." in after.tell().splitlines()
    assert [type(event).__name__ for event in after.events].count("CardPlaced") == 4
    assert six.rows[0] == (12, 14, 15)
    assert six.events == ()
    assert after.needs_deal


def test_one_after_the_other_is_the_same(six: nimmt.Position) -> None:
    after = six.apply(0, 21).apply(1, PlayCard(26)).apply(2, {"type": "PlayCard", "card": 30}).apply(3, (36, False))
    assert after == six.play(21, 26, 30, 36)
    assert hash(after) == hash(six.play(21, 26, 30, 36))
    assert after != six


def test_a_new_round_is_dealt_from_a_seed(six: nimmt.Position) -> None:
    after = six.play(21, 26, 30, 36)
    dealt = after.deal(seed := "any words")
    assert [len(hand) for hand in dealt.hands] == [10] * 4
    assert dealt == after.deal(seed) != after.deal(3)
    assert dealt.tell().startswith("Round 2. The rows start with ")
    with pytest.raises(nimmt.InvalidDeal):
        dealt.deal(1)


@pytest.mark.parametrize("game", POSITIONS)
def test_every_game_is_set_up_from_text_and_comes_back(game: str, tmp_path: Path) -> None:
    position = set_up(game)
    assert str(position).startswith(f"nimmt position {game} ")
    assert to_text(position.game, position.state) == f"{position}\n"
    file = tmp_path / "table.txt"
    file.write_text(str(position), "utf-8")
    for again in (nimmt.position(str(position)), nimmt.position(position.to_json()), nimmt.position(file)):
        assert again == position
    assert to_json(position.game, position.state).decode() == position.to_json()
    assert position.seats == len(position.hands)


@pytest.mark.parametrize("game", POSITIONS)
def test_text_and_lists_mean_the_same(game: str) -> None:
    module = registry.part(game, "position")
    assert module is not None
    lists = {
        name: [list(map(int, row.replace(".", "").split())) for row in text.split("|")]
        for name, text in POSITIONS[game].items()
        if isinstance(text, str) and "|" in text
    }
    assert set_up(game, **lists) == set_up(game)


def test_seats_look_and_see_their_own_cards_only(six: nimmt.Position) -> None:
    assert six.view(1).hand == (26,)
    assert six.view().seat is None
    assert six.legal(1) == [PlayCard(26)]
    assert [decision.seat for decision in six.pending] == [0, 1, 2, 3]
    assert repr(six) == "<position of six: Seats 0, 1, 2, 3 must choose a card.>"


def test_options_variants_and_markers_are_taken() -> None:
    by_option = nimmt.position("six", rows=ROWS, hands="24", fan=["cow", "twist"], markers="cow=2")
    assert by_option.markers == Markers(cow=2)
    assert by_option == nimmt.position(
        "six", rows=ROWS, hands=[[24]], options={"fan": ["cow", "twist"]}, markers={"cow": 2}
    )
    twisted = nimmt.position("six", rows=ROWS, hands="24", variant="twist").apply(0, (24, True))
    assert "42" in twisted.tell()


def test_numbers_mean_what_is_asked() -> None:
    eleven = set_up("eleven", turn=0)
    assert eleven.apply(0, (88, 2)) == eleven.apply(0, LayCard(88, 2))
    assert eleven.apply(0, 1) == eleven.apply(0, TakePile(1))
    low = nimmt.position("six", rows=ROWS, hands="3 | 99").play(3, 99)
    assert low.situation == "Seat 0 must choose a row to take."
    assert low.play(2).rows[1] == (3,)
    buffalo = set_up("buffalo").play(3, 2, 1)
    passed = buffalo.apply(0, Pass()).apply(1, {"type": "Pass"}).apply(2, "Pass")
    assert buffalo.play("Pass", "Pass", "Pass") == passed


def test_names_are_told() -> None:
    named = nimmt.position("six", rows=ROWS, hands="21 | 26", names=["Mia", "Tom"]).play(21, 26)
    assert "Tom: 26 goes to row 1." in named.tell()
    with pytest.raises(nimmt.InvalidPosition, match=r"There are 2 seats but 1 name\."):
        nimmt.position("six", rows=ROWS, hands="21 | 26", names=["Mia"])


@pytest.mark.parametrize(
    ("seat", "choice", "refusal", "sentence"),
    [
        (0, 99, Refusal.NOT_IN_HAND, "You have no card 99 in your hand."),
        (0, 10**30, Refusal.NOT_IN_HAND, "You have no card with such a number in your hand."),
        (9, 21, Refusal.NO_SUCH_SEAT, "There is no seat 9: seats are 0 to 3."),
        (0, "EndTurn", Refusal.WRONG_ACTION, "{'type': 'EndTurn'} is not an action of six: "),
        (0, (1, 2, 3), Refusal.WRONG_ACTION, "No action of six is written (1, 2, 3). The actions are: PlayCard"),
        (0, 1.5, Refusal.WRONG_ACTION, "{'type': 'PlayCard', 'card': 1.5} is not an action of six: Expected `int`"),
        (0, object(), Refusal.WRONG_ACTION, "{'type': 'PlayCard', 'card': <object"),
        (0, {"type": "ChooseRow", "row": 1}, Refusal.WRONG_ACTION, "ChooseRow is not possible now."),
    ],
)
def test_what_may_not_be_done_is_refused(six: nimmt.Position, seat, choice, refusal, sentence) -> None:
    with pytest.raises(nimmt.IllegalAction) as caught:
        six.apply(seat, choice)
    assert (caught.value.refusal, caught.value.seat) == (refusal, seat)
    assert str(caught.value).startswith(sentence)


def test_of_several_the_one_who_may_not_is_named(six: nimmt.Position) -> None:
    with pytest.raises(nimmt.IllegalAction, match=r"^Seat 2: You have no card 99 in your hand\.$") as caught:
        six.play(21, 26, 99, 36)
    assert caught.value.seat == 2
    with pytest.raises(ValueError, match=r"^Seats 0, 1, 2, 3 must choose now: give one choice for each, not 1\.$"):
        six.play(21)
    with pytest.raises(nimmt.IllegalAction, match="not dealt yet"):
        six.play(21, 26, 30, 36).play(1)
    with pytest.raises(nimmt.IllegalAction, match="The match is over"):
        nimmt.Match("x", seed=1).play().position.play(1)


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"rows": "12 x", "hands": "3"}, nimmt.InvalidPosition, "rows: '12 x' cannot be read: 'x' is not a number."),
        ({"rows": "12 | 13", "hands": "3"}, nimmt.InvalidPosition, "There must be 4 rows with a card in each."),
        ({"rows": [[1], [2], ["x"], [4]], "hands": "3"}, nimmt.InvalidPosition, "rows: Expected `int`, got `str`"),
        ({"rows": ROWS, "hands": 3}, nimmt.InvalidPosition, "hands: Expected `array`, got `int`"),
        ({"rows": ROWS, "hands": "12"}, nimmt.InvalidPosition, "Card 12 lies in row 1 and in the hand of seat 0."),
        ({"row": "3"}, nimmt.InvalidPosition, "A position of six takes rows, hands, markers, twists and its options"),
        ({"rows": ROWS}, nimmt.InvalidPosition, "The position lacks: hands."),
        ({"rows": ROWS, "hands": "3", "fan": ["horse"]}, nimmt.InvalidOptions, "fan must be any of: cow"),
    ],
)
def test_a_position_that_cannot_be_is_refused(arguments, error, sentence) -> None:
    with pytest.raises(error) as caught:
        nimmt.position("six", **arguments)
    assert str(caught.value).startswith(sentence)


def test_texts_that_are_no_positions_are_refused(six: nimmt.Position) -> None:
    with pytest.raises(nimmt.UnknownGame):
        nimmt.position("chess", rows=ROWS)
    with pytest.raises(nimmt.InvalidPosition, match="Line 1: a position starts with"):
        nimmt.position("nimmt position six")
    with pytest.raises(nimmt.InvalidPosition, match="says everything already"):
        nimmt.position(str(six), rows=ROWS)
    with pytest.raises(AttributeError, match="A position of six has no 'colour'"):
        six.colour  # noqa: B018


def test_a_position_is_a_value(six: nimmt.Position) -> None:
    assert copy.copy(six) == copy.deepcopy(six) == pickle.loads(pickle.dumps(six)) == six
    assert {"rows", "hands", "play", "tell"} <= set(dir(six))
    with pytest.raises(AttributeError):
        six.state = None  # type: ignore[misc]


# -- drawn ------------------------------------------------------------------------------------------------------------

VARIANTS = [(game, variant.id) for game in nimmt.list_games() for variant in nimmt.game(game).variants]


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_every_moment_can_be_drawn(game: str, variant: str) -> None:
    match = nimmt.Match(game, bots=None, seats=max(2, nimmt.game(game).min_seats), variant=variant, seed=5)
    other = nimmt.Match(game, seats=len(match.names), variant=variant, seed=5).play()
    drawn = 0
    for number, (position, happened) in enumerate(_moments(match, other)):
        if number < 40 or happened:
            root = ElementTree.fromstring(position._repr_svg_())
            assert root.tag.endswith("svg")
            drawn += 1
    assert drawn > 5


def _moments(match: nimmt.Match, other: nimmt.Match):
    """All positions of a match, following what others did in it, and whether it is the last one."""
    from nimmt.match.record import decode_action

    yield match.position, False
    for move in other.record.actions:
        match.apply(move.seat, decode_action(match.game, move.action))
        yield match.position, match.outcome is not None


@pytest.mark.parametrize("game", POSITIONS)
def test_a_picture_shows_the_cards_and_says_them(game: str) -> None:
    position = set_up(game)
    root = ElementTree.fromstring(position._repr_svg_())
    texts = {element.text for element in root.iter() if element.tag.endswith("text")}
    lying = position.tops if game == "eleven" else [card for row in position.rows for card in row]
    held = [card for hand in position.hands for card in hand]
    assert {str(card) for card in (*lying, *held)} <= texts
    assert {f"{name}’s hand" for name in position.names[: position.seats]} <= texts
    image = ElementTree.fromstring(position._repr_html_().replace(">", "/>"))
    assert image.get("src", "").startswith("data:image/svg+xml;base64,")
    assert str(lying[0]) in image.get("alt", "")


def test_a_game_without_a_drawing_is_drawn_plainly() -> None:
    table = SimpleNamespace(options=None, rows=((3, 14), (15,)))
    state = SimpleNamespace(table=table, hands=((92,), (65,)))
    picture = moment(SimpleNamespace(id="calf"), state, ("Mia", "Tom"), (0, 1))  # type: ignore[arg-type]
    assert picture.words == "Row 1: 3 14. Row 2: 15."
    assert all(f">{words}<" in picture.box.svg for words in (3, 14, 15, 92, 65, "Mia’s hand", "Tom’s hand"))
    bare = SimpleNamespace(table=SimpleNamespace(options=None), hands=((92,),))
    assert ">92<" in moment(SimpleNamespace(id="calf"), bare, ("Mia",), (0,)).box.svg  # type: ignore[arg-type]


def test_a_match_is_drawn_as_it_ended() -> None:
    match = nimmt.Match("six", seed=1, rounds=1).play()
    assert match._repr_svg_() == match.position._repr_svg_()
    assert match._repr_html_() == match.position._repr_html_()


def test_names_stay_names_in_pictures() -> None:
    evil = ["<script>alert(1)</script>", "x" * 300]
    drawn = nimmt.position("six", rows=ROWS, hands="21 | 26", names=evil)._repr_svg_()
    ElementTree.fromstring(drawn)
    assert "<script" not in drawn
    assert "x" * 20 not in drawn

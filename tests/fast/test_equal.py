"""The kernels do what the rules do: the same deals and choices through both, compared after every single card.

Hundreds of random matches of every variant, with all numbers of seats. They are short, mostly a round, so that so many
of them fit into a test run; with `--soak` they are thousands, and `python -m nimmt.fast.soak` plays whole ones for as
long as one likes.
"""

from random import Random
from typing import Any

import numpy as np
import pytest

from nimmt.fast import kernels, soak
from nimmt.fast.game import get_fast
from nimmt.fast.proof import Comparison, Proof, Unequal, compare_matches
from nimmt.fast.simulation import roll
from nimmt.games.six.fans import CowJumped
from nimmt.games.six.types import ChooseRow, PlayCard
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Deal
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import CardPlaced
from nimmt.rules.kit.options import variant_options

MATCHES, SOAKING = 300, 2000
"""Of each variant."""
THOROUGH = 5
"""Every fifth of them is compared card by card, with all that is legal; the others whenever somebody can see more."""

SHORT: dict[str, dict[str, Any]] = {"six": {"target": 12}, "x": {"rounds": 1}, "eleven": {"rounds": 1}}

VARIANTS = [(game, variant) for game in registry.all_games() for variant in game.variants]
CASES = [pytest.param(game, variant, id=f"{game.id}-{variant.id}") for game, variant in VARIANTS]


def seat_counts(game: AnyGame, most: int | None) -> list[int]:
    """All numbers of seats, small tables more often: there the same time is enough for more matches."""
    every = range(game.min_seats, (most or game.max_seats) + 1)
    return [seats for seats in every for _ in range(1 + every[-1] // (2 * seats))]


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_the_kernels_do_what_the_rules_do(game: AnyGame, variant: Any, soaking: bool) -> None:
    matches = SOAKING if soaking else MATCHES
    fast, rng = get_fast(game.id), Random(f"{game.id} {variant.id}")
    options = variant_options(game, variant.id, **SHORT.get(game.id, {}))
    tables = seat_counts(game, variant.max_seats)
    proof = Proof()
    for number in range(matches):
        seats, quick = tables[number // THOROUGH % len(tables)], number % THOROUGH > 0
        proof = proof.plus(compare_matches(fast, options, seats, rng, 1, quick=quick))
    assert proof.matches == matches
    assert proof.steps >= proof.decisions > proof.rounds >= proof.matches


@pytest.mark.parametrize("game", registry.all_games(), ids=lambda game: game.id)
def test_whole_matches_are_equal_too(game: AnyGame) -> None:
    for variant in game.variants:
        compare_matches(get_fast(game.id), variant_options(game, variant.id), 3, Random(variant.id), 2)


def test_combined_fan_cards_are_equal() -> None:
    """All pairs and triples, also with a draft."""
    game, fast = registry.get("six"), get_fast("six")
    names = ("even-odd", "mountain", "cow", "twist")
    for mask in range(1, 16):
        fan = [name for bit, name in enumerate(names) if mask >> bit & 1]
        for draft in (False, True):
            options = variant_options(game, "basic", fan=fan, draft=draft, rounds=1)
            compare_matches(fast, options, 2 + mask % 5, Random(mask), 20)


def test_another_deck_of_baron_oxx_is_equal() -> None:
    game = registry.get("baron")
    rng, colours = Random(3), ["blue", "yellow", "green", "red", "black", "white"]
    cards = {str(card): [rng.choice(colours) for _ in range(rng.randint(1, 7))] for card in range(1, 111)}
    cards |= {"52": colours, "104": colours}
    for variant in game.variants:
        options = variant_options(game, variant.id, deck={"name": "any", "cards": cards})
        compare_matches(get_fast("baron"), options, 3, rng, 20)


def test_a_deck_of_baron_oxx_with_seven_bulls_of_one_colour_on_every_card_is_equal() -> None:
    """Nowhere can more bulls of a colour come together than when a row of one such card gets another one."""
    game, colours = registry.get("baron"), ["blue", "yellow", "green", "red", "black", "white"]
    cards = {str(card): [colours[card % 6]] * 7 for card in range(1, 111)} | {"52": colours, "104": colours}
    for variant in game.variants:
        options = variant_options(game, variant.id, deck={"name": "sevens", "cards": cards})
        compare_matches(get_fast("baron"), options, 4, Random(7), 20)


OLDER = [(game, version) for game in registry.all_games() for version in range(1, game.rules_version)]


@pytest.mark.parametrize(("game", "version"), [pytest.param(*one, id=f"{one[0].id}-{one[1]}") for one in OLDER])
def test_the_kernels_know_the_older_versions_of_the_rules(game: AnyGame, version: int, soaking: bool) -> None:
    fast = get_fast(game.id)
    for variant in game.variants:
        for seats in range(game.min_seats, (variant.max_seats or game.max_seats) + 1):
            options, rng = variant_options(game, variant.id), Random(f"{version} {seats}")
            times = 5 if soaking else 1
            compare_matches(fast, options, seats, rng, 8 * times, rules_version=version)
            compare_matches(fast, options, seats, rng, 32 * times, quick=True, rules_version=version)


# -- the comparison itself ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("quick", [False, True], ids=["thorough", "quick"])
@pytest.mark.parametrize("game", registry.all_games(), ids=lambda game: game.id)
def test_a_difference_is_found(game: AnyGame, quick: bool) -> None:
    """A card of a row, or a pile, is exchanged for one that is out of play."""
    comparison = Comparison(get_fast(game.id), variant_options(game, game.variants[0].id), 2, Random(1), quick=quick)
    comparison._begin_round()
    flat = comparison.flat[0]
    field = "tops" if game.id == "eleven" else "ends"
    flat[field][0] = flat[field][0] % 90 + 3
    if "rows" in flat.dtype.names:
        flat["rows"][0, 0] = flat[field][0]
    if quick and game.id != "eleven":  # it notices nothing before the cards are on the table
        comparison._decide(1, comparison._choose(1))
    with pytest.raises(Unequal):
        comparison._decide(0, comparison._choose(0))


# -- faster ways to do the same -----------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", registry.get("six").variants, ids=lambda variant: variant.id)
@pytest.mark.parametrize("policy", ["random", "greedy", "cheapest", "in-order"])
def test_whole_turns_are_the_same_as_steps(variant: Any, policy: str) -> None:
    """A rollout, which plays turn after turn, ends as the same decisions one after the other do."""
    fast, params = get_fast("six"), np.zeros(1, np.float32)
    pictures = np.zeros((64, fast.picture_size), np.int8)
    for seats in range(2, (variant.max_seats or 10) + 1):
        flat, codes = fast.template(variant_options(fast.rules, variant.id), seats), fast.policy_codes(policy, seats)
        rng = kernels.seeded(np.uint64(seats), 0)
        kernels.deal_round(flat, rng_deck(seats))
        seat = kernels.who_decides(flat)
        action = kernels.choose_for(flat, seat, codes[seat], params, kernels.seeded(np.uint64(99), 0))
        points = roll(flat, seat, np.array([action]), codes, seed=seats)
        while seat >= 0:
            kernels.step(flat, seat, action, pictures)
            seat = kernels.who_decides(flat)
            if seat >= 0:
                action = kernels.choose_for(flat, seat, codes[seat], params, rng)
        assert points[0, 0].tolist() == flat[0]["points"][:seats].tolist()


def rng_deck(seed: int) -> Any:
    cards = list(range(1, 105))
    Random(seed).shuffle(cards)
    return np.array(cards, np.int8)


@pytest.mark.parametrize("fan", [(), ("cow",), ("even-odd", "mountain"), ("cow", "even-odd", "mountain")])
def test_random_rounds_one_at_a_time_are_rounds_of_the_rules(fan: tuple[str, ...], reference: Any) -> None:
    """The deck that the kernel leaves and the numbers of its generator are all that it takes to play it again."""
    from nimmt.games.six.fast import play_random_rounds

    fast, game = get_fast("six"), registry.get("six")
    options = variant_options(game, "basic", fan=list(fan), rounds=1)
    for number in range(60):
        seats = 2 + number % 9
        rng, cards = kernels.seeded(np.uint64(7), number), fast.sorted_decks()
        chance, order = reference(rng.tolist()), list(range(1, 105))
        points, taken = np.zeros((1, seats), np.int16), np.zeros((1, seats), np.int16)
        play_random_rounds(fast.template(options, seats), cards, rng, points, taken)
        chance.shuffle(order, 10 * seats + 4)
        assert cards.tolist() == order
        rounds = Replay(game, options, seats, order)
        for turn in range(9, -1, -1):
            rounds.play_turn(
                [order[10 * seat + turn] for seat in range(seats)], lambda _, chance=chance: chance.below(4) + 1
            )
        assert points[0].tolist() == list(rounds.state.table.scores[0])
        assert taken[0].tolist() == rounds.rows_taken
        assert rng.tolist() == chance.words


class Replay:
    """A round by the rules from a known deck."""

    def __init__(self, game: AnyGame, options: Any, seats: int, order: list[int]) -> None:
        self.game = game
        self.state, _ = game.deal(game.setup(options, seats), Deal({"numbers": tuple(order)}))
        self.rows_taken = [0] * seats

    def play_turn(self, cards: list[int], choose_row: Any) -> None:
        for seat, card in enumerate(cards):
            self._apply(seat, PlayCard(card))
        while self.state.table.phase == "row":
            queue = self.state.table.queue
            self._apply(queue[0].seat, ChooseRow(choose_row(len(cards) - len(queue))))

    def _apply(self, seat: int, action: Any) -> None:
        self.state, events = self.game.apply(self.state, seat, action)
        for event in events:
            if isinstance(event, CardPlaced | CowJumped) and event.taken:
                self.rows_taken[event.seat] += 1


# -- lanes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cheapest", [False, True])
@pytest.mark.parametrize("seats", range(2, 11))
def test_lanes_are_rounds_of_the_rules(seats: int, cheapest: bool) -> None:
    """Two batches, of which decks, random bits and all that lies on the table are recorded after every placement. Each
    lane is played again by the rules and by the scalar kernels."""
    from nimmt.games.six import lanes as kernel

    lanes, chance = kernel.new_lanes(seats, 0)
    again = kernel.new_lanes(seats, 0)
    points, taken = np.zeros((2 * 64, seats), np.int16), np.zeros((2 * 64, seats), np.int16)
    kernel.play_lanes(*again, seats, cheapest, points, taken)
    for batch in range(2):
        trace = np.zeros((10 * seats + 1, kernel.SLOTS * 64), np.int16)
        kernel.trace_lanes(lanes, chance, seats, cheapest, trace)
        for lane in range(64):
            seen = Lane(trace.reshape(len(trace), kernel.SLOTS, 64)[:, :, lane], seats)
            rows_taken, scores = seen.check(cheapest)
            assert points[64 * batch + lane].tolist() == scores
            assert taken[64 * batch + lane].tolist() == rows_taken


class Lane:
    """What one lane of a batch held: a line for each placement, after it; the first line is the deal."""

    def __init__(self, trace: Any, seats: int) -> None:
        from nimmt.games.six import lanes as kernel

        self.kernel, self.trace, self.seats = kernel, trace.astype(int), seats
        self.order = [card >> 7 for card in self.trace[0, kernel.DECK :].tolist()]

    def check(self, cheapest: bool) -> tuple[list[int], list[int]]:
        game, fast = registry.get("six"), get_fast("six")
        options = variant_options(game, "basic", rounds=1)
        assert sorted(self.order) == list(range(1, 105))
        rules = Replay(game, options, self.seats, self.order)
        flat = fast.template(options, self.seats)
        kernels.deal_round(flat, np.array(self.order, np.int8))
        self._same(0, flat)
        for turn in range(10):
            cards = [self.order[10 * seat + turn] for seat in range(self.seats)]
            first = self.seats * turn + 1
            self._play_flat(flat, cards, first, cheapest)
            rules.play_turn(cards, lambda k, first=first: self._row(first + k, cheapest))
            assert self._rows(first + self.seats - 1) == rows_of(rules.state.table.rows)
        return rules.rows_taken, list(rules.state.table.scores[0])

    def _play_flat(self, flat: Any, cards: list[int], first: int, cheapest: bool) -> None:
        for seat, card in enumerate(cards):
            kernels.act_only(flat, seat, card)
        for k in range(self.seats):
            if not kernels.advance_once(flat):
                seat = int(flat[0]["queue"][flat[0]["placed"]]) & 15
                kernels.act_only(flat, seat, self._row(first + k, cheapest))
            self._same(first + k, flat)
        assert not kernels.advance_once(flat)

    def _row(self, line: int, cheapest: bool) -> int:
        """The row that rule 4 takes: by the random bits before this placement, or the cheapest."""
        if cheapest:
            worth = [number for _, _, number in self._rows(line - 1)]
            return worth.index(min(worth)) + 1
        return int(self.trace[line, self.kernel.BITS] & 3) + 1

    def _rows(self, line: int) -> list[tuple[int, int, int]]:
        """End, cards and bulls of each row."""
        ends, loads = self.trace[line, self.kernel.END :], self.trace[line, self.kernel.LOAD :]
        return [(int(ends[row]) >> 2, int(loads[row]) & 7, int(loads[row]) >> 3) for row in range(4)]

    def _same(self, line: int, flat: Any) -> None:
        s = flat[0]
        rows = list(zip(s["ends"].tolist(), s["lengths"].tolist(), s["worth"].tolist(), strict=True))
        assert self._rows(line) == rows
        scores = self.trace[line, self.kernel.SCORE : self.kernel.SCORE + self.seats]
        assert (scores & 255).tolist() == s["points"][: self.seats].tolist()
        assert (scores >> 8).tolist() == s["rows_taken"][: self.seats].tolist()


def rows_of(rows: Any) -> list[tuple[int, int, int]]:
    return [(cards[-1], len(cards), bulls(cards)) for cards in rows]


@pytest.mark.parametrize("words", [["--matches", "0"], ["--matches", "-5"], ["--matches", "all"], ["--processes", "0"]])
def test_nothing_at_all_is_not_called_equal(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        soak.main(words)
    assert ended.value.code == 2
    assert "must be 1 or more" in capsys.readouterr().err

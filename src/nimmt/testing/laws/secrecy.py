"""Laws of secrets. Two worlds that a seat cannot tell apart must look and sound the same to it, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from random import Random
from typing import Any, NamedTuple

from nimmt.rules.game import Action, AnyGame, Deal, Event, Options, Seat
from nimmt.testing.laws.play import Hooks, broken, encoded, located, named, viewers
from nimmt.testing.random_play import Step, pick, pick_action, play_on, random_deal, shuffled, some


def views_show_only_what_is_seen(game: AnyGame, state: Any, rng: Random) -> None:
    """Protects hands and draw piles: when everything that a seat has not seen is dealt anew, its view is the same to
    the byte, and so is what is asked of it and what it may do."""
    for viewer in viewers(state):
        with located(game, state):
            imagined = _imagined(game, state, viewer, rng)
            game.check(imagined)
        if encoded(game.view(imagined, viewer)) != encoded(game.view(state, viewer)):
            raise broken(game, state, f"the view of {named(viewer)} changes with hidden cards; imagined: {imagined}.")
        if _asked(game, imagined, viewer) != _asked(game, state, viewer):
            raise broken(game, state, f"what {named(viewer)} may do depends on hidden cards; imagined: {imagined}.")


def _imagined(game: AnyGame, state: Any, viewer: Seat | None, rng: Random) -> Any:
    view = game.view(state, viewer)
    unseen = game.unseen(view)
    if list(unseen) != sorted(set(unseen)):
        raise broken(game, state, f"what {named(viewer)} has not seen must be listed once and ascending: {unseen}.")
    return game.imagine(view, tuple(shuffled(rng, unseen)))


def imagined_worlds_can_be_played(game: AnyGame, state: Any, rng: Random, longest: int, most: int = 200) -> None:
    """Protects search: from a world that somebody imagines play goes on as from the true one, to the end or for long,
    through sound states."""
    imagined = _imagined(game, state, pick(rng, viewers(state)), rng)
    with located(game, imagined):
        for step in islice(play_on(game, imagined, rng, longest=longest), most):
            game.check(step.state)


def _asked(game: AnyGame, state: Any, viewer: Seat | None) -> object:
    legal = [] if viewer is None else list(game.legal(state, viewer))
    return game.pending(state), game.deal_request(state), game.outcome(state), legal


def events_tell_no_more_than_views(game: AnyGame, state: Any, rng: Random, most: int = 3) -> None:
    """Protects from events that say more than can be seen: the same action, here and in a world that looks the same to
    somebody, sounds the same to them as long as the worlds still look the same and no hidden card has come to light."""
    for viewer in viewers(state):
        imagined = _imagined(game, state, viewer, rng)
        unseen = game.unseen(game.view(state, viewer))
        for seat in range(state.table.seats):
            for action in some(rng, list(_common_actions(game, (state, imagined), seat)), most):
                with located(game, state):
                    here, there = game.apply(state, seat, action), game.apply(imagined, seat, action)
                view = game.view(here[0], viewer)
                if encoded(view) != encoded(game.view(there[0], viewer)) or game.unseen(view) != unseen:
                    continue
                if heard(here[1], viewer) != heard(there[1], viewer):
                    raise broken(game, state, f"{action} by seat {seat} tells {named(viewer)} too much: {here[1]}.")


def heard(events: Sequence[Event], viewer: Seat | None) -> bytes:
    """What the viewer receives of some events."""
    return encoded([seen for event in events if (seen := event.seen_by(viewer)) is not None])


def secret_choices_stay_secret(game: AnyGame, state: Any, rng: Random, hooks: Hooks) -> None:
    """Protects the secret choice: as long as somebody else still has to choose, nobody can tell from views or events
    what a seat has chosen, nor what it could have chosen from."""
    for seat in _secret_choosers(game, state, hooks):
        chosen = [pick_action(game.legal(state, seat), rng) for _ in range(3)]
        worlds = [game.apply(state, seat, action) for action in chosen]
        for viewer in viewers(state):
            if viewer == seat:
                continue
            imagined = _imagined(game, state, viewer, rng)
            elsewhere = game.apply(imagined, seat, pick_action(game.legal(imagined, seat), rng))
            traffic = {
                (heard(events, viewer), encoded(game.view(after, viewer))) for after, events in (*worlds, elsewhere)
            }
            if len(traffic) != 1:
                raise broken(game, state, f"{named(viewer)} can tell {chosen} of seat {seat} apart: {traffic}.")


def _secret_choosers(game: AnyGame, state: Any, hooks: Hooks) -> list[Seat]:
    """Seats that can choose now without ending the waiting."""
    waited_for = {decision.seat for decision in game.pending(state) if decision.kind not in hooks.open_decisions}
    return [seat for seat in range(state.table.seats) if waited_for - {seat} and game.legal(state, seat)]


# -- laws that do not rely on `imagine` ------------------------------------------------------------------------------


def hidden_cards_are_not_shown(game: AnyGame, steps: Sequence[Step], hooks: Hooks, every: int = 5) -> None:
    """Protects from a view that shows too much and an `unseen` that agrees with it: a card that has been in hidden
    places ever since the deal, and has not left a hand, is unseen; and no such place can be read in the view as it
    is sent."""
    lain: dict[int, tuple[str, ...]] = {}
    dealt = -1
    for number, step in enumerate(steps):
        if isinstance(step.cause, Deal):
            lain, dealt = {}, number
        if dealt < 0:
            continue  # without a deal all cards may have been open
        for place, cards in game.cards(step.state).items():
            for card in cards:
                if place not in (places := lain.get(card, ()))[-1:]:
                    lain[card] = (*places, place)
        if game.pending(step.state) and (number - dealt) % every == 0:
            for viewer in viewers(step.state):
                _check_hidden(game, step.state, viewer, lain, hooks)


def _check_hidden(
    game: AnyGame, state: Any, viewer: Seat | None, lain: dict[int, tuple[str, ...]], hooks: Hooks
) -> None:
    view = game.view(state, viewer)
    unseen, sent = set(game.unseen(view)), encoded(view)
    hidden = {card for card, places in lain.items() if _stayed_hidden(places, viewer, hooks.hides)}
    if not hidden <= unseen:
        raise broken(game, state, f"{named(viewer)} should not have seen {sorted(hidden - unseen)}.")
    for place, cards in game.cards(state).items():
        if len(cards) >= 4 and hidden.issuperset(cards) and encoded(cards) in sent:
            raise broken(game, state, f"{named(viewer)} can read {place} in the view: {sent.decode()}.")


@lru_cache(10_000)  # few paths, of many cards
def _stayed_hidden(places: tuple[str, ...], viewer: Seat | None, hides: Callable[[str, Seat | None], bool]) -> bool:
    left_a_hand = any(place.startswith("the hand of") for place in places[:-1])  # perhaps by way of the table
    return not left_a_hand and all(hides(place, viewer) for place in places)


def swapped_cards_are_not_noticed(
    game: AnyGame, options: Options, seats: int, rng: Random, hooks: Hooks, steps: int = 60
) -> None:
    """Protects every hidden card from the deal on: two matches whose deals differ in two cards that a seat has not
    seen look and sound the same to it, action after action, until it sees one of the two."""
    viewer = pick(rng, [None, *range(seats)])
    here = game.setup(options, seats)
    if rng.random() < 0.3:  # now and then the swap is made in the second round
        here = _to_the_next_deal(game, here, rng)
    request = game.deal_request(here)
    if request is None:
        return
    deal = random_deal(request, rng)
    swap = _hidden_pair(game, game.deal(here, deal)[0], viewer, deal, rng, hooks)
    if swap is None:
        return
    worlds = [game.deal(here, deal), game.deal(here, _swapped(deal, swap))]
    for _ in range(steps):
        _check_same(game, worlds, viewer, swap)
        following = _common_step(game, [state for state, _ in worlds], rng)
        if following is None or not swap.cards <= set(game.unseen(game.view(following[0][0], viewer))):
            return
        worlds = following


class _Swap(NamedTuple):
    deck: str
    places: tuple[int, int]
    """In the order of the deal."""
    cards: frozenset[int]
    """As `Game.cards` numbers them."""


def _to_the_next_deal(game: AnyGame, state: Any, rng: Random) -> Any:
    """The state in which the next deal is due; the same state if the match is over before that."""
    for step in play_on(game, state, rng):
        if game.deal_request(step.state) is not None:
            return step.state
    return state


def _hidden_pair(game: AnyGame, state: Any, viewer: Seat | None, deal: Deal, rng: Random, hooks: Hooks) -> _Swap | None:
    """Two cards of one deck that the viewer has not seen, the first of them in play."""
    unseen = set(game.unseen(game.view(state, viewer)))
    in_play = set(chain.from_iterable(game.cards(state).values()))
    swaps = []
    for deck, cards in deal.decks.items():
        numbers = [hooks.number(deck, card) for card in cards]
        hidden = [place for place, number in enumerate(numbers) if number in unseen]
        played = [place for place in hidden if numbers[place] in in_play]
        if played and len(hidden) > 1:
            first = pick(rng, played)
            second = pick(rng, [place for place in hidden if place != first])
            swaps.append(_Swap(deck, (first, second), frozenset((numbers[first], numbers[second]))))
    return pick(rng, swaps) if swaps else None


def _swapped(deal: Deal, swap: _Swap) -> Deal:
    order, (first, second) = list(deal.decks[swap.deck]), swap.places
    order[first], order[second] = order[second], order[first]
    return Deal(deal.decks | {swap.deck: tuple(order)})


def _check_same(
    game: AnyGame, worlds: Sequence[tuple[Any, tuple[Event, ...]]], viewer: Seat | None, swap: _Swap
) -> None:
    here, there = worlds
    looks = {encoded(game.view(state, viewer)) for state, _ in worlds}
    sounds = {heard(events, viewer) for _, events in worlds}
    if len(looks) > 1 or len(sounds) > 1 or _asked(game, here[0], viewer) != _asked(game, there[0], viewer):
        swapped = " and ".join(map(str, sorted(swap.cards)))
        raise broken(game, here[0], f"{named(viewer)} notices that {swapped} are swapped: {there[0]}, {sounds}.")


def _common_step(game: AnyGame, states: Sequence[Any], rng: Random) -> list[tuple[Any, tuple[Event, ...]]] | None:
    """Both worlds after an action that is possible in both; None if there is none."""
    for decision in shuffled(rng, game.pending(states[0])):
        common = list(_common_actions(game, states, decision.seat))
        if common:
            action = pick_action(common, rng)
            return [game.apply(state, decision.seat, action) for state in states]
    return None


def _common_actions(game: AnyGame, states: Sequence[Any], seat: Seat) -> Iterator[Action]:
    possible_there = set(game.legal(states[1], seat))
    return (action for action in game.legal(states[0], seat) if action in possible_there)

"""What Python needs to know of a game in which all choose a card in secret and place them in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from nimmt.fast.flat import CHOOSE, OVER, PHASES
from nimmt.fast.game import FastGame, field_bytes
from nimmt.fast.jit import Flat, Flats
from nimmt.rules.game import Cards, Event
from nimmt.rules.kit.events import CardChosen


class RowGame(FastGame):
    phases: ClassVar[Mapping[str, int]] = PHASES
    """By the names that the rules have for them."""
    over = OVER
    secret_events: ClassVar[tuple[type[Event], ...]] = (CardChosen,)

    def load_into(self, s: Flat, state: Any) -> None:
        table = state.table
        s["phase"], s["waiting"] = self.phases[table.phase], len(state.waiting)
        for seat, hand in enumerate(state.hands):
            # What all know of a hand comes first, so that hidden cards have places of their own behind it.
            known = self.known(table, seat)
            s["hands"][seat, : len(hand)] = (*known, *(card for card in hand if card not in known))
            s["sizes"][seat] = len(hand)
            s["chosen"][seat] = self.choice_code(state.chosen[seat])
        for row, cards in enumerate(table.rows):
            s["rows"][row, : len(cards)] = cards
            s["lengths"][row] = len(cards)
            s["ends"][row] = cards[-1] if cards else 0
        s["queue"][: len(table.queue)] = list(map(self.play_code, table.queue))
        s["queued"] = len(table.queue)

    def known(self, table: Any, seat: int) -> Cards:
        """The cards of a hand that all know."""
        known: Cards = table.known[seat]
        return known

    def choice_code(self, choice: Any) -> int:
        return choice or 0

    def play_code(self, play: Any) -> int:
        """A play as the queue has it."""
        code: int = play.card << 4 | play.seat
        return code

    # -- worlds --------------------------------------------------------------------------------------------------

    def places(self, view: Any) -> Sequence[Sequence[int]]:
        return ([place for seat in range(view.table.seats) for place in self.hand_places(view, seat)],)

    def hand_places(self, view: Any, seat: int) -> Sequence[int]:
        """Where the cards of a hand go that the view's owner does not know."""
        if seat == view.seat:
            return ()
        first = field_bytes(self.state, "hands") + self.state["hands"].shape[1] * seat
        return range(first + len(self.known(view.table, seat)), first + view.hand_sizes[seat])

    def forget_choices(self, flat: Flats) -> None:
        if flat[0]["phase"] == CHOOSE:
            flat["chosen"] = 0
            flat["waiting"] = flat["seats"]

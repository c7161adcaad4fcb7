"""What happened in turns of 11 nimmt!, with the reasons."""

from __future__ import annotations

from nimmt.clients.referee.ruling import Step
from nimmt.rules.game import Event, Names
from nimmt.rules.games.eleven.events import (
    BullCardGained,
    BullCardMissed,
    CardLaid,
    HandsShown,
    PilesOpened,
    PileTaken,
)
from nimmt.rules.games.eleven.options import HIGHEST, LARGE_PILE
from nimmt.rules.games.eleven.state import distance
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import count


class Story:
    """Steps with reasons. With `blind` nobody knows which cards open new piles."""

    def __init__(self, names: Names, *, blind: bool) -> None:
        self.names = names
        self.blind = blind
        self.steps: list[Step] = []
        self._bases: dict[int, int] = {}
        """By pile: the top that the cards of this turn are measured from."""

    def follow(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case CardLaid():
                    self._laid(event)
                case PileTaken():
                    self._taken(event)
                case BullCardGained() | BullCardMissed():
                    who = self.names[event.seat]
                    self.steps.append(Step(seat=who, rule=event.rule, sentence=event.tell(self.names)))
                case PilesOpened():
                    told = "Cards from the draw pile open new piles." if self.blind else event.tell(self.names)
                    self.steps[-1].notes.append(told)
                case HandsShown():
                    self._over(event)

    def _laid(self, event: CardLaid) -> None:
        if event.rule == "within-ten":  # the first card of a turn
            self._bases = {}
        base = self._bases.setdefault(event.pile, event.on)
        reason = f"{event.card} is {distance(base, event.card)} above {base}"
        reason += f": after {HIGHEST} comes 1" if event.card < base else ""
        reason += f", which was on top before this turn. It follows {event.on}" if base != event.on else ""
        self.steps.append(
            Step(
                seat=self.names[event.seat],
                card=event.card,
                pile=event.pile,
                rule=event.rule,
                sentence=event.tell(self.names),
                reasons=[f"{reason}."],
            )
        )

    def _taken(self, event: PileTaken) -> None:
        cards = event.cards or ()
        large = len(cards) >= LARGE_PILE
        self.steps.append(
            Step(
                seat=self.names[event.seat],
                pile=event.pile,
                taken=cards,
                bulls=bulls(cards),
                rule=event.rule,
                sentence=event.tell(self.names),
                reasons=[] if large else [f"A pile of fewer than {LARGE_PILE} cards brings no bull card."],
            )
        )

    def _over(self, event: HandsShown) -> None:
        done = [name for name, hand in zip(self.names, event.hands, strict=True) if not hand]
        sentence = f"{done[0]} has no card left: the round ends." if done else "No pile is left: the round ends."
        self.steps.append(Step(seat=self.steps[-1].seat, rule=event.rule, sentence=sentence))

    def totals(self) -> list[str]:
        told = []
        for step in self.steps:
            if step.taken:
                cards, bulls_there = count(len(step.taken), "card"), count(bulls(step.taken), "bull")
                told.append(f"{step.seat} has {cards} more in hand, with {bulls_there}.")
        return told

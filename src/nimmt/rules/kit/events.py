"""What happens in more than one game."""

from __future__ import annotations

from nimmt.rules.game import Cards, Event, Names, Outcome, Rows, Seat
from nimmt.rules.kit.cards import totals


def count(number: int, noun: str) -> str:
    """`1 bull`, `2 bulls`."""
    return f"{number} {noun}" if number in (1, -1) else f"{number} {noun}s"


def spaced(cards: Cards) -> str:
    return " ".join(map(str, cards))


def named(names: Names, seats: tuple[Seat, ...]) -> str:
    """`Anna`, `Anna and Ben`, `Anna, Ben and Cem`."""
    words = [names[seat] for seat in seats]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def clean(text: str) -> str:
    """Text from outside, without what would command a terminal."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in text)


def seen_alone(cards: tuple[Cards | None, ...], seat: Seat | None) -> tuple[Cards | None, ...]:
    """Of what each seat sees alone, what this one (None: a spectator) sees."""
    return tuple([own if owner == seat else None for owner, own in enumerate(cards)])


def holdings(names: Names, hands: tuple[Cards | None, ...]) -> list[str]:
    """A sentence for each hand that is seen."""
    return [f"{names[seat]} holds {spaced(hand)}." for seat, hand in enumerate(hands) if hand is not None]


class RoundDealt(Event, frozen=True, gc=False):
    """A round begins: the first cards of the rows for all, a hand for each seat to see alone."""

    round: int
    rows: Rows
    hands: tuple[Cards | None, ...]

    def seen_by(self, seat: Seat | None) -> RoundDealt:
        return RoundDealt(self.round, self.rows, seen_alone(self.hands, seat))

    def tell(self, names: Names) -> str:
        begun = f"Round {self.round}. The rows start with {spaced(tuple(row[0] for row in self.rows))}."
        return "\n".join([begun, *holdings(names, self.hands)])


class CardChosen(Event, frozen=True, gc=False):
    """A seat has chosen a card in secret: only the seat knows which."""

    SECONDS = 0.0

    seat: Seat
    card: int | None

    def seen_by(self, seat: Seat | None) -> CardChosen:
        return self if seat == self.seat else CardChosen(self.seat, None)

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} chooses {'a card' if self.card is None else self.card}."


class CardPlaced(Event, frozen=True, gc=False):
    """A card lies in its row; whatever it took is in its owner's pile. `rule` says why it went like this."""

    HURRIED = 0.5

    seat: Seat
    card: int
    row: int
    taken: Cards
    bulls: int
    rule: str

    def seconds(self) -> float:
        return 1.4 if self.taken else 0.55

    def taker(self) -> Seat | None:
        return self.seat if self.taken else None

    def tell(self, names: Names) -> str:
        who = names[self.seat]
        if not self.taken:
            return f"{who}: {self.card} goes to row {self.row}."
        loot = f"{spaced(self.taken)} ({count(self.bulls, 'bull')})"
        if self.rule == "full-row":
            return f"{who}: {self.card} is one too many for row {self.row} and takes {loot}."
        return f"{who}: {self.card} starts row {self.row} again and takes {loot}."


class RoundEnded(Event, frozen=True, gc=False):
    """The points of the round just played, and of all rounds so far."""

    SECONDS = 5.0

    round: int
    points: Cards
    totals: Cards

    def tell(self, names: Names) -> str:
        scores = [f"{n} {p} ({t})" for n, p, t in zip(names, self.points, self.totals, strict=False)]
        return f"Round {self.round} ends. Points (total): {', '.join(scores)}."


class MatchEnded(Event, frozen=True, gc=False):
    SECONDS = 0.0

    outcome: Outcome

    def tell(self, names: Names) -> str:
        winners = self.outcome.winners
        if not winners:
            return "The match is over: nobody wins."
        verb = "wins" if len(winners) == 1 else "share the win"
        return f"The match is over: {named(names, winners)} {verb}."


def round_ended(number: int, scores: Rows, outcome: Outcome | None) -> list[Event]:
    """A round is over, the last one in `scores`; with an outcome, the match too."""
    points = scores[-1]
    ended = RoundEnded(number, points, totals(scores, len(points)))
    return [ended] if outcome is None else [ended, MatchEnded(outcome)]

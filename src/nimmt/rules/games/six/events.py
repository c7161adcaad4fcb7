"""What happens in 6 nimmt! and in no other game."""

from __future__ import annotations

from nimmt.rules.game import Cards, Event, Names, Seat
from nimmt.rules.games.six.state import Markers, Play
from nimmt.rules.kit.events import spaced


class DraftBegun(Event, frozen=True, gc=False):
    SECONDS = 0.0

    round: int
    pool: Cards
    starter: Seat

    def tell(self, names: Names) -> str:
        return f"Round {self.round}: the draft of 1 to {self.pool[-1]}. {names[self.starter]} begins."


class CardDrafted(Event, frozen=True, gc=False):
    seat: Seat
    card: int

    def tell(self, names: Names) -> str:
        return f"{names[self.seat]} drafts {self.card}."


class RowsStarted(Event, frozen=True, gc=False):
    """The four cards that nobody drafted start the rows."""

    cards: Cards

    def tell(self, names: Names) -> str:
        del names
        return f"The rows start with {spaced(self.cards)}."


class MarkersLaid(Event, frozen=True, gc=False):
    """Where the fan cards lie when the round begins."""

    markers: Markers

    def tell(self, names: Names) -> str:
        del names
        markers, told = self.markers, []
        if markers.even_odd:
            told.append(f"Even/Odd lies at row {markers.even_odd.row}, {markers.even_odd.parity} numbers only")
        if markers.mountain:
            told.append(f"the mountain marker lies at row {markers.mountain.row}, arrows {markers.mountain.arrows}")
        if markers.cow:
            told.append(f"the cow stands in row {markers.cow}")
        sentence = "; ".join(told)
        return f"{sentence[0].upper()}{sentence[1:]}."


class CardChosen(Event, frozen=True, gc=False):
    """A seat has chosen in secret: only the seat knows what."""

    SECONDS = 0.0

    seat: Seat
    play: Play | None

    def seen_by(self, seat: Seat | None) -> CardChosen:
        return self if seat == self.seat else CardChosen(self.seat, None)

    def tell(self, names: Names) -> str:
        if self.play is None:
            return f"{names[self.seat]} chooses a card."
        return f"{names[self.seat]} chooses {self.play.card}{' twisted' if self.play.twisted else ''}."


class CardsRevealed(Event, frozen=True, gc=False):
    """All cards of the turn, in the order in which they will be placed."""

    SECONDS = 1.2

    plays: tuple[Play, ...]

    def tell(self, names: Names) -> str:
        def told(play: Play) -> str:
            twist = f" as {play.value:02}" if play.twisted else ""
            return f"{names[play.seat]} {play.card}{twist}"

        return f"Revealed: {', '.join(map(told, self.plays))}."

"""6 nimmt! at a terminal."""

from __future__ import annotations

from rich.text import Text

from nimmt.clients.terminal.face import (
    Board,
    Face,
    Lane,
    Lanes,
    Look,
    Pool,
    Unclear,
    earlier,
    mark,
    number,
    row_hint,
    turn_shown,
    words,
)
from nimmt.clients.terminal.pieces import BULL, CHOSEN, Card, Choice, Hand, Panel, SeatLine, number_card, number_cards
from nimmt.clients.terminal.words import bulls_told, tr
from nimmt.games.six.placing import foresee
from nimmt.games.six.types import (
    HAND,
    ROW_LIMIT,
    ROWS,
    CardChosen,
    CardsRevealed,
    ChooseRow,
    DraftBegun,
    DraftCard,
    Play,
    PlayCard,
    Table,
    View,
    drafted_hands,
    twisted,
)
from nimmt.rules.game import Action, Seat
from nimmt.rules.kit.cards import bulls, totals
from nimmt.rules.kit.events import RoundDealt, spaced

# -- six ---------------------------------------------------------------------------------------------------------------


class Terminal(Face[View]):
    choices = (CardChosen,)
    round_begins = (RoundDealt, DraftBegun)
    turn_begins = (CardsRevealed,)
    open_kinds = frozenset(("draft",))

    def legend(self) -> tuple[str, ...]:
        return (
            tr("→2 the card would go to row 2; 6{bull} it would take six bulls", bull=BULL),
            tr("any 1{bull}+ it fits no row: you would choose one, for one bull or more", bull=BULL),
            tr("~ the same with the twist card: 24~ counts as 42"),
            tr("cow counts as a card; only even, only odd, descends: the fan cards"),
        )

    # -- looking ------------------------------------------------------------------------------------------------

    def where(self, look: Look[View]) -> str:
        table, sizes = look.view.table, look.view.hand_sizes
        if table.phase == "draft":
            return f"{tr('round {round} · draft', round=table.round)} · {goal(table)}"
        turn = turn_shown(look, HAND - max(sizes))
        played = tr("round {number} · turn {turn} of {turns}", number=table.round, turn=turn, turns=HAND)
        return f"{played} · {goal(table)}"

    def board(self, look: Look[View]) -> Board:
        table = look.view.table
        if table.phase == "draft":
            return Pool(number_cards(table.pool, look.fresh))
        lanes = [_lane(table, row, look.fresh) for row in range(1, len(table.rows) + 1)]
        return Lanes(tuple(lanes))

    def panel(self, look: Look[View]) -> Panel:
        view, table = look.view, look.view.table
        sums = totals((*table.scores, *_current(table)), table.seats)
        lines = [
            SeatLine(
                mark(seat, look.awaited, table.queue),
                self.name(seat, view.seat),
                (str(sums[seat]), str(table.bulls[seat]), _card_cell(view, seat)),
                own=seat == view.seat,
                tail=earlier(table.scores, seat),
            )
            for seat in range(table.seats)
        ]
        if table.phase == "draft":
            picked = [
                line._replace(cells=line.cells[:1], tail=spaced(cards))
                for line, cards in zip(lines, table.drafted, strict=True)
            ]
            return Panel(("", tr("sum"), tr("drafted")), tuple(picked))
        return Panel(("", tr("sum"), tr("now"), tr("card"), tr("rounds") if table.scores else ""), tuple(lines))

    def hand(self, look: Look[View]) -> Hand:
        view = look.view
        if view.seat is None:
            drafted = look.view.table.drafted[look.asked] if look.kind == "draft" and look.asked is not None else ()
            return Hand("", tuple(map(Choice, number_cards(drafted))))
        chosen = view.choice.card if view.choice else None
        choices = [self._choice(view, card, fresh=card == chosen) for card in view.hand]
        return Hand(tr("{name}’s hand", name=self.names[view.seat]), tuple(choices))

    def _choice(self, view: View, card: int, *, fresh: bool) -> Choice:
        shown = number_card(card, fresh=fresh)
        if not self.hints or not view.table.rows or view.seat is None:
            return Choice(shown)
        choice = _hint(view.table, Play(view.seat, card), shown)
        if view.table.twists[view.seat] and card < 100:
            other = _hint(view.table, Play(view.seat, card, twisted=True), shown)
            return _with_twist(choice, other, f"{twisted(card):02}")
        return choice

    def everything(self, view: View) -> list[str]:
        table, lines = view.table, []
        if view.seat is not None:
            pile = f"{spaced(view.pile)} ({bulls_told(bulls(view.pile))})" if view.pile else tr("nothing yet")
            lines.append(tr("Your bull pile of this round, for you alone: {cards}.", cards=pile))
        taken = spaced(table.taken) or tr("nothing yet")
        lines.append(tr("Taken in this round by anybody: {cards}.", cards=taken))
        if table.options.draft:
            lines += ["", tr("All saw the draft, so all hands are known:")]
            lines += [f"  {name}: {spaced(h) or tr('nothing')}" for name, h in self._open_hands(table)]
        if "twist" in table.options.fan:
            left = [name for name, has in zip(self.names, table.twists, strict=True) if has]
            lines.append(tr("Twist cards left: {names}.", names=", ".join(left) or tr("none")))
        return lines

    def _open_hands(self, table: Table) -> list[tuple[str, tuple[int, ...]]]:
        return list(zip(self.names, drafted_hands(table), strict=True))

    # -- asking -------------------------------------------------------------------------------------------------

    def possible(self, look: Look[View]) -> str:
        view = look.view
        if look.kind == "row":
            return tr("Type the number of the row that you take: 1 to {most}.", most=ROWS)
        if look.kind == "draft":
            cards = f"{spaced(view.table.pool[:3])} … {view.table.pool[-1]}"
            return tr("Type one of the open cards, {cards}.", cards=cards)
        twist = ""
        if view.seat is not None and view.table.twists[view.seat]:
            twist = f" {tr('With ~ after it, it is played with the twist card.')}"
        return f"{tr('Type one of your cards: {cards}.', cards=spaced(view.hand))}{twist}"

    def read(self, look: Look[View], text: str) -> Action:
        if look.kind == "row":
            return ChooseRow(self.the_number(look, text, "row", "take"))
        if look.kind == "draft":
            return DraftCard(self.the_number(look, text, "card", "draft", "take"))
        match [word for word in words(text) if word not in ("card", "play")]:
            case [word] if (card := number(word)) is not None:
                return PlayCard(card)
            case [word, "~" | "t" | "twist" | "twisted"] | ["~" | "twist", word] if (card := number(word)) is not None:
                return PlayCard(card, twisted=True)
        raise Unclear(self.possible(look))


# -- what the table shows --------------------------------------------------------------------------------------


def goal(table: Table) -> str:
    options = table.options
    if options.rounds is not None:
        return tr({"one": "{count} round in all", "other": "{count} rounds in all"}, count=options.rounds)
    if options.more_than_target:
        return tr("to more than {target}", target=options.target)
    return tr("to {target}", target=options.target)


def _current(table: Table) -> list[tuple[int, ...]]:
    """The points of the round being played; once it has ended they are among the scores."""
    return [] if len(table.scores) >= table.round else [table.bulls]


def _lane(table: Table, row: int, fresh: int | None) -> Lane:
    cards, markers = table.rows[row - 1], table.markers
    shown = number_cards(cards, fresh)
    remarks = []
    if markers.even_odd is not None and markers.even_odd.row == row:
        only = tr("only even") if markers.even_odd.parity == "even" else tr("only odd")
        remarks.append(Text(only, "magenta"))
    if markers.mountain is not None and markers.mountain.row == row:
        remarks.append(Text(f"{tr('descends')} {'↑' if markers.mountain.arrows == 'up' else '↓'}", "magenta"))
    if markers.cow == row:
        shown = (*shown, Card(tr("cow"), Text(), tr("cow"), "green"))
    return Lane(row, shown, ROW_LIMIT, bulls(cards), tuple(remarks))


def _card_cell(view: View, seat: Seat) -> str:
    for play in view.table.queue:
        if play.seat == seat:
            return f"{play.card}{'~' if play.twisted else ''}"
    if view.table.phase != "choose" or seat in view.waiting:
        return ""
    if seat == view.seat and view.choice is not None:
        return f"{view.choice.card}{'~' if view.choice.twisted else ''}"
    return CHOSEN


def _hint(table: Table, play: Play, shown: Card) -> Choice:
    """What would become of the card if it were placed now."""
    return row_hint(shown, foresee(table, play))


def _with_twist(choice: Choice, other: Choice, value: str) -> Choice:
    """The hint for a card that may be played as it is or with its digits swapped."""
    first, *rest = other.narrow
    return choice._replace(
        words=f"{choice.words}; {tr('as {value}', value=value)} {other.words}",
        wide=(*choice.wide, *[""] * (2 - len(choice.wide)), f"~{value}: {':'.join(other.narrow)}"),
        narrow=(*choice.narrow, f"~{rest[0] if other.costs else first}"),
    )

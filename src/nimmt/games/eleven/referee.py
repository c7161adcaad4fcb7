"""Questions about 11 nimmt!: one turn or several, told as `A: 92@2 98@2 B: take@1`."""

from __future__ import annotations

from typing import NamedTuple

from nimmt.clients.referee import questions
from nimmt.clients.referee.rulings import Ask, Course, Lane, Needs, Ruling, Step, listed
from nimmt.games.eleven.position import table_position
from nimmt.games.eleven.rules import ELEVEN
from nimmt.games.eleven.types import (
    BULL_CARDS,
    HIGHEST,
    LARGE_PILE,
    MIN_SEATS,
    NEW_PILES,
    BullCardGained,
    BullCardMissed,
    CardLaid,
    ChooseGiver,
    EndTurn,
    HandsShown,
    LayCard,
    PilesOpened,
    PileTaken,
    State,
    TakePile,
    distance,
    givers,
    laid_on,
)
from nimmt.rules.game import Cards, IllegalAction, Names, Refusal, Rows, Seat
from nimmt.rules.kit.cards import bulls, deck
from nimmt.rules.kit.events import count, spaced

# -- explaining --------------------------------------------------------------------------------------------------------
# What happened in turns of 11 nimmt!, with the reasons.


class Explainer:
    """Steps with reasons. With `blind` nobody knows which cards open new piles."""

    def __init__(self, names: Names, *, blind: bool) -> None:
        self.names = names
        self.blind = blind
        self.steps: list[Step] = []

    def follow(self, course: Course) -> None:
        for table, event in course.told():
            match event:
                case CardLaid():
                    laid = laid_on(table, event.pile)
                    self._laid(event, laid.on if laid else event.on)
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

    def _laid(self, event: CardLaid, base: int) -> None:
        """`base` is the top that the cards of this turn are measured from."""
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


# -- eleven ------------------------------------------------------------------------------------------------------------

_ASKS = {"giver": Ask("giver", "giver", "seat", ChooseGiver)}
_NOBODY = "somebody"
"""Sits at the table where the question names one seat only: the game needs two."""

_BLIND = "The cards that open new piles are not known: name the next ones of the draw pile with --draw."


class Turn(NamedTuple):
    name: str
    actions: list[LayCard | TakePile]

    def told(self) -> str:
        return f"{self.name} {', '.join(_told(action) for action in self.actions)}"


def settle(
    piles: str | None,
    play: questions.Texts = (),
    take: questions.Texts = (),
    *,
    hand: questions.Texts = (),
    bull_cards: questions.Texts = (),
    draw: str | None = None,
    giver: questions.Texts = (),
) -> Ruling:
    lying = questions.read_rows(piles, "--piles", "31 36 46 | 87")
    turns = _read_turns([*play, *(word.replace(":", ":take@", 1) for word in _pairs(take))], len(lying))
    seats = questions.Seats(ELEVEN, _names(turns, hand, bull_cards))
    choices = questions.Choices(seats)
    for seat, name in choices.pairs(giver, "giver"):
        choices.add("giver", seat, seats.find(name), name)
    question = _Question(lying, turns, seats, hand, draw)
    owned = _bull_cards(bull_cards, seats)

    state = question.position(owned)
    course = Course(ELEVEN, question.names, state)
    for turn in turns:
        if course.open:
            break
        _play(course, turn, choices)
    explainer = Explainer(course.names, blind=question.drawn_blind)
    explainer.follow(course)
    return Ruling(
        game=ELEVEN,
        before=_lanes(state.piles, question.known_hands(state), seats, state),
        after=_lanes(question.known_piles(course.state), question.known_hands(course.state), seats, course.state),
        played="; ".join(turn.told() for turn in turns),
        steps=explainer.steps,
        needs=_needs(course),
        facts={
            "piles": question.known_piles(course.state),
            "hands": question.known_hands(course.state),
            "bull_cards": dict(zip(seats.names, course.state.table.bull_cards, strict=False)),
        },
        totals=explainer.totals(),
        notes=[_BLIND] if question.drawn_blind else [],
        warnings=[] if course.open else choices.warnings(),
    )


# -- reading ----------------------------------------------------------------------------------------------------


def _pairs(texts: questions.Texts) -> list[str]:
    """`A:1` for each pile that is taken; without a name it is P1."""
    return [f"{name or 'P1'}:{word}" for name, words in questions.read_groups(texts) for word in words]


def _read_turns(texts: questions.Texts, piles: int) -> list[Turn]:
    turns: list[Turn] = []
    for name, words in questions.read_groups(texts):
        actions = [_read_action(word, piles) for word in words]
        if turns and turns[-1].name == (name or "P1"):
            turns[-1].actions.extend(actions)
        else:
            turns.append(Turn(name or "P1", actions))
    if not any(turn.actions for turn in turns):
        raise questions.UnclearQuestion(
            'What happens? Say it with --play "A: 92@2" (card and pile) or --take A:1 (pile).'
        )
    return turns


def _read_action(word: str, piles: int) -> LayCard | TakePile:
    card, at, pile = word.partition("@")
    if not at and piles > 1:
        raise questions.UnclearQuestion(f"On which pile goes {word!r:.40}? Write CARD@PILE.")
    number = questions.read_number(pile, "a pile") if at else 1
    return TakePile(number) if card == "take" else LayCard(questions.read_number(card), number)


def _told(action: LayCard | TakePile) -> str:
    return f"{action.card} on pile {action.pile}" if isinstance(action, LayCard) else f"takes pile {action.pile}"


def _names(turns: list[Turn], *others: questions.Texts) -> list[str]:
    """All that are named, in the order in which they take their turns."""
    named = [turn.name for turn in turns] + [
        name or "P1" for texts in others for name, _ in questions.read_groups(texts)
    ]
    return list(dict.fromkeys(named))


def _bull_cards(texts: questions.Texts, seats: questions.Seats) -> list[int]:
    owned = [sum(cards) for cards in questions.read_holdings(texts, seats)]
    if sum(owned) > BULL_CARDS:
        raise questions.UnclearQuestion(f"There are {BULL_CARDS} bull cards, not {sum(owned)}.")
    return owned


class _Question:
    """What is known of the table. What is not known is filled with cards that nobody speaks of."""

    def __init__(
        self, piles: Rows, turns: list[Turn], seats: questions.Seats, hand: questions.Texts, draw: str | None
    ) -> None:
        self.piles = piles
        self.names = (*seats.names, *[_NOBODY] * (MIN_SEATS - len(seats)))
        held = questions.read_holdings(hand, seats)
        self.hands: dict[Seat, Cards] = {
            seat: held[seat] for seat in (seats.find(name) for name, _ in questions.read_groups(hand))
        }
        self.draw = None if draw is None else () if draw.strip() in ("", "none") else questions.read_cards(draw)
        self.played = self._played(turns, seats)
        questions.check_once((*piles, *self.hands.values(), self.draw or ()), ())
        for seat, cards in self.hands.items():
            if not cards:
                raise questions.UnclearQuestion(f"{self.names[seat]} has no card in hand: the round would be over.")
        takings = [turn for turn in turns if any(isinstance(action, TakePile) for action in turn.actions)]
        self.drawn_blind = bool(takings) and self.draw is None
        if self.drawn_blind and takings != turns[-1:]:
            raise questions.UnclearQuestion(
                "After a pile is taken, cards from the draw pile open new ones: name them with --draw."
            )

    def _played(self, turns: list[Turn], seats: questions.Seats) -> dict[Seat, list[int]]:
        """The cards that each seat without a known hand must have held: those it plays and did not pick up."""
        elsewhere = {card for cards in (*self.piles, *self.hands.values(), self.draw or ()) for card in cards}
        played: dict[Seat, list[int]] = {}
        for turn in turns:
            seat = seats.find(turn.name)
            for action in turn.actions:
                if isinstance(action, LayCard) and seat not in self.hands and action.card not in elsewhere:
                    elsewhere.add(action.card)
                    played.setdefault(seat, []).append(action.card)
        return played

    def position(self, bull_cards: list[int]) -> State:
        known = {*(self.draw or ())}.union(*self.piles, *self.hands.values(), *self.played.values())
        spare = [card for card in deck(HIGHEST) if card not in known]
        if len(spare) < len(self.names) + NEW_PILES:
            raise questions.UnclearQuestion("Too many cards are named: some must be left for what nobody knows.")
        hands = [self.hands.get(seat) or (*self.played.get(seat, ()), spare.pop()) for seat in range(len(self.names))]
        drawn = [spare.pop() for _ in range(NEW_PILES)] if self.drawn_blind else self.draw or ()
        owned = [*bull_cards, *[0] * (len(self.names) - len(bull_cards))]
        return table_position(self.piles, hands, drawn, owned)

    def known_piles(self, state: State) -> Rows:
        """Those whose cards are known: not the ones that were opened blindly."""
        return state.piles[:-NEW_PILES] if self.drawn_blind and not state.draw else state.piles

    def known_hands(self, state: State) -> dict[str, Cards]:
        return {self.names[seat]: state.hands[seat] for seat in self.hands}


# -- playing ----------------------------------------------------------------------------------------------------


def _play(course: Course, turn: Turn, choices: questions.Choices) -> None:
    seat = list(course.names).index(turn.name)
    for number, action in enumerate(turn.actions):
        table = course.state.table
        if number and table.phase == "turn" and table.turn != seat:
            raise IllegalAction(Refusal.NOT_YOUR_TURN, seat, f"{turn.name}: {_why_over(turn.actions[number - 1])}")
        course.apply(seat, action)
        course.answer(_ASKS, choices)
    if (more := course.asked("more")) and more.seat == seat:
        course.apply(seat, EndTurn())


def _why_over(last: LayCard | TakePile) -> str:
    if isinstance(last, TakePile):
        return "taking a pile is the whole turn."
    return "without a bull card the turn is one card on one pile."


def _needs(course: Course) -> Needs | None:
    if course.open is None:
        return None
    name = course.names[course.open.seat]
    between = [course.names[giver] for giver in givers(course.state.table)]
    sentence = f"{name} must choose who gives a bull card: {listed(between, 'or')}. Say it with --giver {name}:NAME."
    return Needs(seat=name, choose="giver", between=between, sentence=sentence)


def _lanes(piles: Rows, hands: dict[str, Cards], seats: questions.Seats, state: State) -> list[Lane]:
    lanes = [Lane(f"pile {pile}", spaced(cards), bulls(cards)) for pile, cards in enumerate(piles, 1)]
    owned: dict[str, int] = dict(zip(seats.names, state.table.bull_cards, strict=False))
    for name, number in owned.items():
        remarks = (count(number, "bull card"),) if number else ()
        if name in hands:
            lanes.append(Lane(f"hand of {name}", spaced(hands[name]) or ".", bulls(hands[name]), remarks))
        elif number:
            lanes.append(Lane(name, "", None, remarks))
    return lanes


QUESTION = questions.Question(
    (
        questions.Flag("piles", "PILES", 'the piles, each from the bottom to the top: "31 36 46 | 87"'),
        questions.words_said("play", "CARD@PILE", 'turns, one after the other: "A: 92@2 96@2 B: 47@1 C: take@2"'),
        questions.words_said("take", "SEAT:PILE", "a pile that a seat takes, after what is played"),
        questions.words_said("hand", "CARDS", 'hands that are known: "A: 92 96 5"; repeatable'),
        questions.words_said("bulls", "SEAT:NUMBER", "bull cards that a seat has; repeatable", "bull_cards"),
        questions.Flag("draw", "CARDS", 'the next cards of the draw pile: "12 60", or none'),
        questions.words_said("giver", "SEAT:SEAT", "from whom a seat gets a bull card when none is left"),
    ),
    settle,
    """\
examples:
  nimmt referee eleven --piles "31 36 46 | 87" --hand "A: 92 96 5" \\
      --bulls A:1 --play "A: 92@2 96@2"
  nimmt referee eleven --piles "31 36 46 | 87" --take A:1 --draw "12 60"
  nimmt referee eleven --piles 31 --play "A: 36 B: 46 C: take@1"
""",
)

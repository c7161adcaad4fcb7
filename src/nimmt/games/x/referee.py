"""Questions about X nimmt!"""

from __future__ import annotations

from nimmt.clients.referee import questions
from nimmt.clients.referee.rulings import Ask, Course, Lane, Needs, Ruling, Step, closest, lower_ends, none_lower
from nimmt.games.x.position import table_position
from nimmt.games.x.rules import X
from nimmt.games.x.types import ROWS, CardKept, ChooseRow, KeepCard, PlayCard, State
from nimmt.rules.game import Cards, Names, Rows
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import CardPlaced, count, spaced

_ASKS = {"row": Ask("choose", "row", "row", ChooseRow), "keep": Ask("keep", "keep", "card", KeepCard)}


def settle(
    rows: str | None,
    play: questions.Texts,
    *,
    choose: questions.Texts = (),
    keep: questions.Texts = (),
    x_row: questions.Texts = (),
    x_pile: questions.Texts = (),
) -> Ruling:
    lying = questions.read_rows(rows, "--rows", "5 | 10 18 22 | 70")
    names, words = questions.read_plays(play, "A:3 B:9")
    seats, cards = questions.Seats(X, names), [questions.read_number(word) for word in words]
    x_rows, x_piles = questions.read_holdings(x_row, seats), questions.read_holdings(x_pile, seats)
    questions.check_rows(lying, ROWS, cards)
    questions.check_once((*lying, *x_rows, *x_piles), cards)
    choices = questions.Choices(seats)
    choices.read("choose", choose, "row")
    choices.read("keep", keep, "card")

    state = table_position(lying, [[card] for card in cards], x_rows, x_piles)
    course = Course(X, seats.names, state)
    course.play([PlayCard(card) for card in cards])
    course.answer(_ASKS, choices)
    steps = _steps(course)
    table, picked_up = course.state.table, _picked_up(seats.names, steps)
    return Ruling(
        game=X,
        before=_lanes(state, seats.names),
        after=_lanes(course.state, seats.names),
        played=", ".join(f"{name} {card}" for name, card in zip(names, cards, strict=True)),
        steps=steps,
        needs=_needs(course, steps),
        facts={
            "rows": table.rows,
            "x_rows": dict(zip(names, table.x_rows, strict=True)),
            "x_piles": dict(zip(names, table.x_piles, strict=True)),
            "to_hand": picked_up,
        },
        totals=_totals(picked_up, course.state, seats.names),
        notes=[],
        warnings=[] if course.open else choices.warnings(),
    )


def _needs(course: Course, steps: list[Step]) -> Needs | None:
    table = course.state.table
    if table.phase == "row":
        card = table.queue[0].card
        return course.needs(_ASKS, card, [none_lower(card, table.rows)])
    return course.needs(_ASKS, steps[-1].card or 0) if course.open else None


# -- what happened, and why -------------------------------------------------------------------------------------


def _steps(course: Course) -> list[Step]:
    names, steps = course.names, []
    for table, event in course.told():
        match event:
            case CardPlaced():
                steps.append(_placed(table.rows, event, names))
            case CardKept():
                step = steps[-1]
                step.kept, step.to_hand, step.to_x_pile = event.card, event.to_hand, event.discarded
                step.also.append("x-row")
                step.notes.append(event.tell(names))
                if event.discarded:
                    step.notes.append(f"{event.card} is not higher than {event.discarded[-1]}, the end of the X row.")
    return steps


def _placed(rows: Rows, event: CardPlaced, names: Names) -> Step:
    if event.rule == "too-low":
        reason = none_lower(event.card, rows)
    else:
        reason = closest(event.card, lower_ends(rows, event.card), event.row)
    return Step(
        seat=names[event.seat],
        card=event.card,
        row=event.row,
        taken=event.taken,
        bulls=event.bulls,
        rule=event.rule,
        sentence=event.tell(names),
        reasons=[reason],
    )


def _picked_up(names: Names, steps: list[Step]) -> dict[str, Cards]:
    gained: dict[str, Cards] = dict.fromkeys(names, ())
    for step in steps:
        gained[step.seat] += step.to_hand or ()
    return gained


def _totals(picked_up: dict[str, Cards], state: State, names: Names) -> list[str]:
    told = []
    for name, x_row, x_pile in zip(names, state.table.x_rows, state.table.x_piles, strict=True):
        hand = picked_up[name]
        parts = [f"{spaced(hand)} to the hand ({count(bulls(hand), 'bull')})"] if hand else []
        parts += [f"X row {spaced(x_row)}"] if x_row else []
        parts += [f"X pile {spaced(x_pile)} ({count(bulls(x_pile), 'bull')}, counted twice)"] if x_pile else []
        told.append(f"{name}: {'; '.join(parts) or 'nothing taken'}.")
    return told


def _lanes(state: State, names: Names) -> list[Lane]:
    table = state.table
    lanes = [Lane(f"row {row}", spaced(cards), bulls(cards)) for row, cards in enumerate(table.rows, 1)]
    lanes += [_own("X row", name, cards) for name, cards in zip(names, table.x_rows, strict=True) if cards]
    return lanes + [_own("X pile", name, cards) for name, cards in zip(names, table.x_piles, strict=True) if cards]


def _own(what: str, name: str, cards: Cards) -> Lane:
    return Lane(f"{what} of {name}", spaced(cards), bulls(cards))


QUESTION = questions.Question(
    (
        *questions.rows_and_plays("5 | 10 18 22 | 70", "A:3 B:59"),
        questions.words_said(
            "keep", "SEAT:CARD", "the card that a seat puts into its X row; repeatable, used in order"
        ),
        questions.words_said("x-row", "CARDS", 'what lies in X rows: "A: 4 12"; repeatable'),
        questions.words_said("x-pile", "CARDS", 'what lies in X piles: "A: 7 9"; repeatable'),
    ),
    settle,
    """\
examples:
  nimmt referee x --rows "5 | 10 18 22 | 70" --play 59 \\
      --keep P1:18 --x-row "P1: 4 12"
  nimmt referee x --rows "5 | 59 | 70" --play "A:3 B:43" --choose A:1
""",
)

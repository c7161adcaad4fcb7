"""A lesson at a terminal: the same table and the same words as in a match, with a teacher beside it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from nimmt.clients.terminal.face import Unclear, face_of
from nimmt.clients.terminal.host import Host, Left
from nimmt.clients.terminal.screen import Gone, Screen
from nimmt.clients.terminal.words import bulls_told, cards_told, language, tr
from nimmt.lessons import Lesson, Part, walk
from nimmt.lessons.lesson import SEAT, Language
from nimmt.rules.game import Action, AnyGame, Decision, Event, Foreseen, Outcome, Seat, Value


class Classroom:
    """A table where only what a step asks for can be done. To its host it is a match."""

    opening: tuple[Event, ...] = ()

    def __init__(self, game: AnyGame, part: Part, names: Sequence[str], language: Language) -> None:
        self.game, self.seats, self._language = game, tuple(names), language
        self.part, self.state = part, part.asked
        self.options: Any = part.state.table.options  # type: ignore[attr-defined]

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    def act(self, seat: Seat, action: Action) -> tuple[Event, ...]:
        """All that comes of the right action; anything else is refused, with the reason."""
        part = self.part
        if action not in part.accepted:
            raise Unclear(self._answer(seat, action))
        outcome = part.outcomes[part.accepted.index(action)]
        self.state = outcome[-1].state
        return tuple(event for moment in outcome for event in moment.events)

    def _answer(self, seat: Seat, action: Action) -> str:
        told = [tr("Not this one.")]
        ahead = self.game.foresee(self.game.view(self.state, seat), action)
        told += [_in_words(self.game, foreseen) for foreseen in ahead[:1]]
        if self.part.step.hint:
            told.append(self.part.step.hint.in_language(self._language))
        return " ".join(told)


def _in_words(game: AnyGame, foreseen: Foreseen) -> str:
    rule = game.rules.get(foreseen.rule, "") if language() == "en" else ""
    cards, bulls = cards_told(len(foreseen.takes)), bulls_told(foreseen.bulls)
    taken = tr("It would take {cards} with {bulls}.", cards=cards, bulls=bulls) if foreseen.takes else ""
    return f"{rule} {taken}".strip()


class Adviser:
    """Who says `auto` is shown what was meant."""

    def __init__(self, part: Part) -> None:
        self._part = part

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        del view, legal, rng
        return self._part.accepted[0]


class Teacher:
    def __init__(self, lesson: Lesson, language: Language, screen: Screen) -> None:
        self._walk, self._language, self._screen = walk(lesson), language, screen
        self._names = (tr("Player"), *lesson.names)
        self._face = face_of(self._walk.game, self._names, hints=True)

    def teach(self) -> bool:
        """Whether the lesson came to its end."""
        lesson, steps = self._walk.lesson, len(self._walk.parts)
        try:
            told = tr("{steps} steps, {minutes} minutes.", steps=steps, minutes=lesson.minutes)
            about = [lesson.about.in_language(self._language), "", told]
            self._screen.page(lesson.title.in_language(self._language), about, begins=True)
            for number, part in enumerate(self._walk.parts, 1):
                self._teach(part, f"{number}/{steps}")
        except (Left, Gone):
            return False
        return True

    def _teach(self, part: Part, progress: str) -> None:
        step, game = part.step, self._walk.game
        room = Classroom(game, part, self._names, self._language)
        host = Host(room, self._face, self._screen, [SEAT], {}, Adviser(part), [Random(0)] * len(self._names))
        self._show_before(host, part)
        self._screen.say(f"[{progress}] {step.say.in_language(self._language)}")
        if not part.accepted:
            self._screen.pause(host.picture(), tr("Enter ends the lesson"))
            return
        before, decision = room.state, self._decision(part.asked)
        host.tell_all(before, host.decide(decision))
        if step.why:
            self._screen.say(step.why.in_language(self._language))
            self._screen.pause(host.picture(), tr("Enter goes on"))

    def _show_before(self, host: Host, part: Part) -> None:
        state: Value = part.state
        for moment in part.before:
            host.tell_all(state, moment.events)
            state = moment.state

    def _decision(self, state: Value) -> Decision:
        """What is asked; or what might be done besides, such as proposing something while others are waited for."""
        pending = self._walk.game.pending(state)
        own = [decision for decision in pending if decision.seat == SEAT]
        return own[0] if own else Decision(SEAT, pending[0].kind)

"""Runs a match at a terminal: lets bots decide, asks people, and tells all that happens."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from secrets import token_bytes
from textwrap import wrap
from typing import Any, Protocol

from nimmt.bots import Bot, get_bot
from nimmt.clients.cli.common import CommandError, clean
from nimmt.clients.terminal.coach import Coach, told_practice, told_wishes
from nimmt.clients.terminal.face import NO, YES, Face, Look, Unclear, explained, face_of
from nimmt.clients.terminal.naming import Naming
from nimmt.clients.terminal.pieces import wrapped
from nimmt.clients.terminal.screen import Gone, Screen, picture_of
from nimmt.clients.terminal.texts import WISHES, Telling
from nimmt.clients.terminal.words import language, level_name, page_text, tr
from nimmt.match.match import Match
from nimmt.match.record import Practice, SeatInfo, write_record
from nimmt.match.shuffle import Dealer
from nimmt.rules.game import Action, AnyGame, Decision, Event, IllegalAction, Options, Outcome, Seat, Value
from nimmt.rules.kit.events import MatchEnded
from nimmt.rules.kit.options import option_fields, variant_options

# -- host --------------------------------------------------------------------------------------------------------------

BOW_OUT = ("quit", "exit", "bye")


class Left(Exception):
    """A person has left the table before the end."""


class TakenBack(Exception):
    """A person has taken their last decision back."""


class Playable(Protocol):
    """What is hosted: a match, or something that goes on like one."""

    @property
    def game(self) -> AnyGame: ...
    @property
    def state(self) -> Value: ...
    @property
    def options(self) -> Any: ...
    @property
    def seats(self) -> Sequence[Any]: ...
    @property
    def opening(self) -> tuple[Event, ...]: ...
    @property
    def outcome(self) -> Outcome | None: ...
    def act(self, seat: Seat, action: Action) -> tuple[Event, ...]: ...


class Chooser(Protocol):
    """Whoever decides in somebody's place."""

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action: ...


class Here:
    """A match in this process, as those who look on see it."""

    def __init__(self, match: Playable) -> None:
        self.match, self.game = match, match.game

    @property
    def pending(self) -> Sequence[Decision]:
        return self.game.pending(self.match.state)

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome

    def view(self, seat: Seat | None) -> Any:
        return self.game.view(self.match.state, seat)


class Host(Telling):
    """One match. Bots decide before people do, so that whoever is asked is the one that all wait for."""

    def __init__(self, match: Playable, face: Face[Any], screen: Screen, people: Sequence[Seat],
                 bots: Mapping[Seat, Bot], adviser: Chooser, chance: Sequence[Random],
                 coach: Coach | None = None) -> None:  # fmt: skip
        super().__init__(Here(match), face, screen, people[0] if len(people) == 1 else None)
        self.match, self.people = match, tuple(people)
        self.bots, self.adviser, self.chance, self.coach = bots, adviser, chance, coach
        self.view = self.folded = self.authority.view(self.watcher)
        self.standing: dict[Decision, Action] = {}
        """Answers that hold until the next turn."""

    def run(self) -> None:
        """Play to the end; raises `Left` or `Gone`."""
        game = self.match.game
        self.tell_all(game.setup(self.match.options, len(self.match.seats)), self.match.opening)
        while self.match.outcome is None:
            if self.coach is not None:
                self.coach.look(self.authority.pending, self.turn)
            decision, before = self._next(), self.match.state
            if decision.seat in self.bots:
                self.screen.wait_for(self.picture(), [self.face.names[decision.seat]])
                events = self._let_bot_decide(decision.seat, self.bots[decision.seat])
            else:
                try:
                    events = self.decide(decision)
                except TakenBack:
                    self._go_back(decision.seat)
                    continue
                if self.coach is not None:
                    self.coach.decided(decision.seat)
            self.tell_all(before, events)
        self.pause(tr("That was the match. Enter goes on"))

    def _next(self) -> Decision:
        return min(self.authority.pending, key=lambda decision: decision.seat in self.people)

    # -- showing ------------------------------------------------------------------------------------------------

    def tell_all(self, before: Value, events: Sequence[Event]) -> None:
        """What happened since this state, for whoever looks."""
        self._choose_watcher(events)
        seen = [event.seen_by(self.watcher) for event in events]
        self.tell(self.match.game.view(before, self.watcher), [event for event in seen if event is not None])

    def _choose_watcher(self, events: Sequence[Event]) -> None:
        """Several people: what happens is for all of them, unless the one at the screen is to go on."""
        if len(self.people) == 1 or all(isinstance(event, self.face.choices) for event in events):
            return
        pending = self.authority.pending
        if not any(decision.seat == self.watcher and decision.kind in self.face.going_on for decision in pending):
            self.watcher = None

    def begin_turn(self) -> None:
        self.standing.clear()

    def pause(self, prompt: str) -> None:
        if self.people:
            super().pause(prompt)

    # -- deciding -----------------------------------------------------------------------------------------------

    def _let_bot_decide(self, seat: Seat, bot: Chooser) -> tuple[Event, ...]:
        game, state = self.match.game, self.match.state
        action = bot.choose(game.view(state, seat), game.legal(state, seat), self.chance[seat])
        return self.match.act(seat, action)

    def decide(self, decision: Decision) -> tuple[Event, ...]:
        """Ask a person until there is an answer that can be carried out."""
        seat = decision.seat
        if decision in self.standing:
            return self.match.act(seat, self.standing[decision])
        self._greet(decision)
        message, again = "", False
        while True:
            look = self.look(decision)
            prompt = self.face.asked(look)
            text = self.screen.ask(picture_of(self.face, look), prompt, message, again=again)
            again = True
            if text.casefold() == "auto":
                return self._let_bot_decide(seat, self.adviser)
            message = ""
            if self.coach is not None and text.casefold() in ("hint", "takeback"):
                message = self._ask_coach(self.coach, seat, text.casefold())
            elif not self._obey(text, decision):
                try:
                    return self._act(decision, look, text)
                except Unclear as unclear:
                    message = str(unclear)
                except IllegalAction as refused:
                    message = f"{explained(refused)} {self.face.possible(look)}"

    def _ask_coach(self, coach: Coach, seat: Seat, word: str) -> str:
        """What there is to say about it, if it cannot be done. Raises `TakenBack`."""
        if word == "hint":
            self.screen.page(tr("What the coach says"), coach.hint(seat, Naming(self.face)))
            return ""
        if why_not := coach.why_not():
            return why_not
        raise TakenBack

    def _go_back(self, seat: Seat) -> None:
        assert self.coach is not None
        self.turn = self.coach.take_back()
        self.standing.clear()
        self.chosen.clear()
        self.folded = self.authority.view(self.watcher)
        self.settle()
        self.screen.say(tr("{name} takes the last decision back.", name=self.face.names[seat]))

    def help(self, decision: Decision | None) -> list[str]:
        own = [f"  {word:<8} {meaning}" for word, meaning in told_wishes()] if self.coach else []
        return [*super().help(decision), *([""] if own else []), *own]

    def _act(self, decision: Decision, look: Look[Any], text: str) -> tuple[Event, ...]:
        action = self.face.read(look, text)
        events = self.match.act(decision.seat, action)
        if self.face.standing(look, text):
            self.standing[decision] = action
        return events

    def _greet(self, decision: Decision) -> None:
        """Make sure that the right person sits there, and that they know who has chosen already."""
        seat, names = decision.seat, self.face.names
        if self.watcher != seat and decision.kind not in self.face.open_kinds:
            wanted = f"is to {self.match.game.decisions[decision.kind]}" if language() == "en" else tr("is to decide")
            self.screen.hand_over(names[seat], wanted)
            self.watcher, self.view = seat, self.match.game.view(self.match.state, seat)
        self.mention_chosen()

    # -- words that are no answers ------------------------------------------------------------------------------

    def _obey(self, text: str, decision: Decision) -> bool:
        """Whether the text was a wish, which is now fulfilled."""
        word = text.casefold()
        if word in BOW_OUT or word == "q":
            self._confirm_leaving()
            return True
        return self.fulfil(word, decision)

    def _confirm_leaving(self) -> None:
        message = ""
        while True:
            asked = tr("leave the match, yes or no?")
            answer = self.screen.ask(self.picture(), asked, message, again=True).casefold()
            if answer in YES or answer in BOW_OUT or answer == "q":
                raise Left
            if answer in NO or not answer:
                return
            message = tr("Type yes to leave, or no to play on.")


# -- evening -----------------------------------------------------------------------------------------------------------
# A match from the first word to the last: who plays what, the proof of the deals, the result and the record.

ADVISER = "greedy"
"""Who decides for a person that says `auto`."""


class Evening:
    """All that a match needs, from a seed or from true chance."""

    def __init__(
        self,
        game: AnyGame,
        options: Options,
        seats: Sequence[SeatInfo],
        *,
        seed: str | None,
        hints: bool,
        practice: bool = False,
    ) -> None:
        self.game, self.options, self.seats = game, options, tuple(seats)
        self.secret = token_bytes(32) if seed is None else seed.encode("utf-8", "surrogatepass")
        places = range(len(self.seats))
        dealer = Dealer(self._chance("server"), [self._chance(f"contribution/{seat}").hex()[:16] for seat in places])
        self.match = Match(game, options, self.seats, dealer)
        self.face = face_of(game, [seat.name for seat in self.seats], hints=hints)
        self.people = [place for place in places if self.seats[place].player == "person"]
        self.bots = {place: self._bot(self.seats[place].player) for place in places if place not in self.people}
        self.adviser = self._bot(ADVISER)
        self.coach = Coach(self.match, self.people) if practice else None

    def _chance(self, purpose: str) -> bytes:
        return sha256(b"nimmt play/" + self.secret + f"/{purpose}".encode()).digest()

    def play(self, screen: Screen) -> bool:
        """Whether the match came to its end."""
        chance = [Random(self._chance(f"bot/{place}")) for place in range(len(self.seats))]
        host = Host(self.match, self.face, screen, self.people, self.bots, self.adviser, chance, self.coach)
        try:
            screen.page(self.face.title, self.welcome(), begins=True)
            host.run()
        except (Left, Gone):
            return False
        return True

    def _bot(self, name: str) -> Bot:
        try:
            return get_bot(name, self.game)
        except ImportError as error:  # thinking hard takes libraries that not everybody has installed
            raise CommandError(f"The bot {name!r} cannot play here: {error}.", code="unknown_bot") from None

    # -- words ------------------------------------------------------------------------------------------------------

    def welcome(self) -> list[str]:
        seats = [
            seat.name if seat.player == "person" else f"{seat.name} ({level_name(seat.player)})" for seat in self.seats
        ]
        summary = (page_text(f"{self.game.id}:about.summary") if language() != "en" else None) or self.game.summary
        played = tr("Played: {variant}", variant=self._variant())
        lines = [summary, "", played, tr("At the table: {names}", names=", ".join(seats))]
        if self.match.deals:
            lines += ["", tr("All deals follow from a secret that is shown after the match. Its SHA-256 now:")]
            lines += [f"  {self.match.dealer.fairness(reveal=False).commitment}"]
        if self.coach is not None:
            lines += ["", tr("Practice: type hint to hear the coach, takeback to take your last decision back.")]
        return [*lines, "", tr("Type ? whenever you want to know what can be typed.")]

    def _variant(self) -> str:
        """The name of the variant, or the options that differ from the basic game."""
        for variant in self.game.variants:
            if variant_options(self.game, variant.id) == self.options:
                own = language() != "en"
                name = (page_text(f"{self.game.id}:variant.{variant.id}") if own else None) or variant.name
                summary = page_text(f"{self.game.id}:variant.{variant.id}.summary") if own else None
                return f"{name}. {summary or variant.summary}"
        changed = [
            f"{self._option_name(field.name)}: {_shown(getattr(self.options, field.name))}"
            for field in option_fields(self.game.options_type)
            if getattr(self.options, field.name) != field.default
        ]
        return tr("the basic game with {options}", options="; ".join(changed))

    def _option_name(self, name: str) -> str:
        told = page_text(f"{self.game.id}:option.{name}") if language() != "en" else None
        return told or name.replace("_", " ")

    def say_goodbye(self, screen: Screen, file: Path | None) -> None:
        """The result, on the screen that stays."""
        outcome, width = self.match.outcome, screen.width
        if outcome is None:
            return
        if not screen.story_stays:
            _print(screen, *wrapped(self.face.tell(MatchEnded(outcome)), width))
        if language() == "en":
            _print(screen, *wrapped(self.game.ends[outcome.reason], width))
        _print(screen, "")
        _print(screen, *self.face.scores(self.game.view(self.match.state, None), width), "")
        if isinstance(self.match.practice, Practice):
            _print(screen, *told_practice(self.match.practice, self.face.names, self.people), "")
        if self.match.deals:
            _print(screen, *self._proof(width))
        self._keep(screen, file)

    def _proof(self, width: int) -> list[str]:
        fairness = self.match.dealer.fairness(reveal=True)
        told = tr(
            {
                "one": "The secret behind the {count} deal, whose SHA-256 you saw before the first card:",
                "other": "The secret behind the {count} deals, whose SHA-256 you saw before the first card:",
            },
            count=len(self.match.deals),
        )
        return [*wrap(told, width), f"  {fairness.server_seed}"]

    def break_off(self, screen: Screen, reason: str, file: Path | None) -> None:
        screen.close()
        said = f"{reason}. {tr('The match is not over; thank you for playing.')}"
        _print(screen, *wrapped(said, screen.width))
        if file is not None:
            self._save(screen, file)

    # -- the record -------------------------------------------------------------------------------------------------

    def _keep(self, screen: Screen, file: Path | None) -> None:
        """Write the record where it was wanted; if that was not said, or fails, ask those who are there."""
        asks = bool(self.people) and screen.people_type
        try:
            if file is not None:
                self._save(screen, file)
                return
        except OSError as error:
            if not asks:
                raise
            _print(screen, f"{file}: {error.strerror or error}.")
        if asks:
            self._offer_to_save(screen)

    def _offer_to_save(self, screen: Screen) -> None:
        while True:
            asked = tr("Keep the record of the match? Type the name of a file, or just Enter:")
            print(screen.signs(asked), end=" ", flush=True)
            try:
                name = screen.answer()
                if not name or name.casefold() in NO or name.casefold() in BOW_OUT:
                    return None
                if not _may_be_a_file(name):
                    said = tr(
                        "{name} is no name for a file. If you mean it, type ./{plain}", name=repr(name), plain=name
                    )
                    _print(screen, *wrapped(said, screen.width))
                    continue
                return self._save(screen, Path(name))
            except OSError as error:
                _print(screen, f"{name}: {error.strerror or error}.")
            except (Gone, KeyboardInterrupt):
                return _print(screen, "")

    def _save(self, screen: Screen, file: Path) -> None:
        """Write the record; nothing is overwritten."""
        with file.open("xb") as writing:
            writing.write(write_record(self.match.record()))
        if self.match.outcome and self.match.deals:
            kept = tr("The record is kept. Check every step and every deal with:")
        elif self.match.outcome:
            kept = tr("The record is kept. Check every step with:")
        else:
            kept = tr("What was played is kept. Check every step with:")
        # The command stands on a line of its own, however long: to be copied.
        _print(screen, *wrapped(kept, screen.width))
        _print(screen, f"  nimmt verify {clean(str(file))}")


def _print(screen: Screen, *lines: str) -> None:
    for line in lines:
        print(screen.signs(line))
    sys.stdout.flush()


def _may_be_a_file(name: str) -> bool:
    """Not what people type during a match: whoever goes on typing when it is over means no file."""
    word = name.casefold()
    return not (word.isdecimal() or word in YES or word in WISHES)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or tr("none")
    return str(value) if isinstance(value, int | str) else "own"

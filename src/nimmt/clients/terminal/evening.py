"""A match from the first word to the last: who plays what, the proof of the deals, the result and the record."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from secrets import token_bytes
from textwrap import wrap

from nimmt.bots import Bot, get_bot
from nimmt.clients.cli.common import CommandError, clean
from nimmt.clients.terminal.answers import NO, YES
from nimmt.clients.terminal.face import face_of
from nimmt.clients.terminal.guide import WISHES
from nimmt.clients.terminal.host import BOW_OUT, Host, Left
from nimmt.clients.terminal.pieces import wrapped
from nimmt.clients.terminal.screen import Gone, Screen
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo, write_record
from nimmt.match.shuffle import Dealer
from nimmt.rules.game import AnyGame, Options
from nimmt.rules.kit.events import MatchEnded, count
from nimmt.rules.kit.options import option_fields, variant_options

ADVISER = "greedy"
"""Who decides for a person that says `auto`."""


class Evening:
    """All that a match needs, from a seed or from true chance."""

    def __init__(
        self, game: AnyGame, options: Options, seats: Sequence[SeatInfo], *, seed: str | None, hints: bool
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

    def _chance(self, purpose: str) -> bytes:
        return sha256(b"nimmt play/" + self.secret + f"/{purpose}".encode()).digest()

    def play(self, screen: Screen) -> bool:
        """Whether the match came to its end."""
        chance = [Random(self._chance(f"bot/{place}")) for place in range(len(self.seats))]
        host = Host(self.match, self.face, screen, self.people, self.bots, self.adviser, chance)
        try:
            screen.page(self.game.name, self.welcome(), "begins")
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
        seats = [f"{seat.name}{'' if seat.player == 'person' else f' ({seat.player})'}" for seat in self.seats]
        lines = [self.game.summary, "", f"Played: {self._variant()}", f"At the table: {', '.join(seats)}"]
        if self.match.deals:
            lines += ["", "All deals follow from a secret that is shown after the match. Its SHA-256 now:"]
            lines += [f"  {self.match.dealer.fairness(reveal=False).commitment}"]
        return [*lines, "", "Type ? whenever you want to know what can be typed."]

    def _variant(self) -> str:
        """The name of the variant, or the options that differ from the basic game."""
        for variant in self.game.variants:
            if variant_options(self.game, variant.id) == self.options:
                return f"{variant.name}. {variant.summary}"
        changed = [
            f"{field.name.replace('_', ' ')}: {_shown(getattr(self.options, field.name))}"
            for field in option_fields(self.game.options_type)
            if getattr(self.options, field.name) != field.default
        ]
        return f"the basic game with {'; '.join(changed)}"

    def say_goodbye(self, screen: Screen, file: Path | None) -> None:
        """The result, on the screen that stays."""
        outcome, width = self.match.outcome, screen.width
        if outcome is None:
            return
        if not screen.story_stays:
            _print(screen, *wrapped(MatchEnded(outcome).tell(self.match.names), width))
        _print(screen, *wrapped(self.game.ends[outcome.reason], width), "")
        _print(screen, *self.face.scores(self.game.view(self.match.state, None), width), "")
        if self.match.deals:
            _print(screen, *self._proof(width))
        self._keep(screen, file)

    def _proof(self, width: int) -> list[str]:
        fairness = self.match.dealer.fairness(reveal=True)
        dealt = count(len(self.match.deals), "deal")
        told = f"The secret behind the {dealt}, whose SHA-256 you saw before the first card:"
        return [*wrap(told, width), f"  {fairness.server_seed}"]

    def break_off(self, screen: Screen, reason: str, file: Path | None) -> None:
        screen.close()
        said = f"{reason}. The match is not over; thank you for playing."
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
            print("Keep the record of the match? Type the name of a file, or just Enter: ", end="", flush=True)
            try:
                name = screen.answer()
                if not name or name.casefold() in NO or name.casefold() in BOW_OUT:
                    return None
                if not _may_be_a_file(name):
                    said = f"{name!r} is no name for a file. If you mean it, type ./{name}"
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
        deals = " and every deal" if self.match.outcome and self.match.deals else ""
        kept = "The record is kept" if self.match.outcome else "What was played is kept"
        # The command stands on a line of its own, however long: to be copied.
        _print(screen, *wrapped(f"{kept}. Check every step{deals} with:", screen.width))
        _print(screen, f"  nimmt verify {clean(str(file))}")


def _print(screen: Screen, *lines: str) -> None:
    for line in lines:
        print(screen.signs(line))
    sys.stdout.flush()


def _may_be_a_file(name: str) -> bool:
    """Not what people type during a match: whoever goes on typing when it is over means no file."""
    word = name.casefold()
    return not (word.isdecimal() or word in YES or word in {wish for wish, _ in WISHES})


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value) if isinstance(value, int | str) else "own"

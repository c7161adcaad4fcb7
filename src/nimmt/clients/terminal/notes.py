"""What happens at a server's table besides the game, in words."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt.clients.cli.common import clean
from nimmt.clients.terminal.words import language, page_text, tr
from nimmt.server.tables import messages as m


def told_note(note: m.Note, names: Sequence[str], before: Sequence[str]) -> str:
    """Empty if there is nothing to tell; `before` are the names as they were until then."""
    if isinstance(note, m.SeatsSwapped):
        return tr("{one} and {other} change places.", one=before[note.one], other=before[note.other])
    return _told_coming(note, names) or _told_absence(note, names) or _told_coach(note, names) or _told_table(note)


def _told_coming(note: m.Note, names: Sequence[str]) -> str:
    match note:
        case m.PlayerJoined(name=name):
            return tr("{name} sits down.", name=clean(name))
        case m.PlayerLeft(name=name, removed=True):
            return tr("{name} was sent away by the host.", name=clean(name))
        case m.PlayerLeft(name=name):
            return tr("{name} stands up.", name=clean(name))
        case m.BotJoined(seat=seat):
            return tr("The bot {name} sits down.", name=names[seat])
        case m.BotLeft():
            return tr("A bot leaves.")
        case m.SeatTakenOver(name=name):
            return tr("{name} takes over from a bot.", name=clean(name))
    return ""


def _told_absence(note: m.Note, names: Sequence[str]) -> str:
    match note:
        case m.TimeRanOut(seat=seat, away=True) | m.PlayerAway(seat=seat, reason="time"):
            return tr("{name} missed several decisions and is away.", name=names[seat])
        case m.TimeRanOut(seat=seat):
            return tr("{name} ran out of time; a bot made this decision.", name=names[seat])
        case m.PlayerAway(seat=seat, reason="left"):
            return tr("{name} is away; a bot decides.", name=names[seat])
        case m.PlayerAway(seat=seat):
            return tr("{name} is gone; a bot plays until they are back.", name=names[seat])
        case m.PlayerBack(seat=seat):
            return tr("{name} is back.", name=names[seat])
        case m.StandInWanted(seat=seat, by=by):
            return tr("{name} would let a bot play for {gone}.", name=names[by], gone=names[seat])
    return ""


def _told_coach(note: m.Note, names: Sequence[str]) -> str:
    match note:
        case m.HintGiven(seat=seat):
            return tr("{name} asks the coach.", name=names[seat])
        case m.DecisionTakenBack(seat=seat):
            return tr("{name} takes the last decision back.", name=names[seat])
    return ""


def _told_table(note: m.Note) -> str:
    match note:
        case m.TakeoverAllowed(allowed=True):
            return tr("The seats of bots may be taken over.")
        case m.TakeoverAllowed():
            return tr("The seats of bots can no longer be taken over.")
        case m.MatchStarted():
            return tr("The match begins.")
        case m.ChatSaid():
            return told_chat(note)
        case m.ChatRemoved():
            return tr("A message was removed by whoever runs this server.")
        case m.RematchOffered():
            return tr("A rematch is open.")
        case m.TableClosed():
            return tr("The table is closed.")
    return ""


def told_chat(said: m.ChatSaid) -> str:
    name, text = clean(said.name), wording(said.phrase, clean(said.text).replace("\n", " "))
    if said.seat is None:
        return tr("{name}, who is watching, says: {text}", name=name, text=text)
    return tr("{name} says: {text}", name=name, text=text)


def wording(phrase: str | None, english: str) -> str:
    """What is said with one tap, in the language that is spoken; faces are in brackets, as in English."""
    words = page_text(f"phrases:phrase.{phrase}") if phrase and language() != "en" else None
    if words is None:
        return english
    return f"({words})" if english.startswith("(") else words

"""TypeScript types of everything that goes between server and browser: `python3 dev.py generate types`.

Types of a game carry its name in front (`SixView`, `BaronOptions`), what games and server share does not.
"""

from __future__ import annotations

import inspect as pyinspect
import re
from collections.abc import Iterable
from enum import Enum
from typing import Any

import msgspec
from msgspec import inspect

from nimmt.insight.advice import Hint
from nimmt.match.shuffle import CommitmentList, Fairness
from nimmt.rules import registry
from nimmt.rules.game import Deal, Refusal
from nimmt.server.calls.caller import WaitingTable
from nimmt.server.http import bodies
from nimmt.server.http.errors import Code, ErrorAnswer
from nimmt.server.lessons import LessonInfo, LessonScript, RulesPage
from nimmt.server.people.guests import DeviceInfo
from nimmt.server.people.matches import OwnMatches, OwnStatistics
from nimmt.server.people.moderation import Shunned
from nimmt.server.puzzles import PuzzleAnswer, PuzzleDay, PuzzleSheet
from nimmt.server.reviews import OwnMistakes, ReviewStatus
from nimmt.server.tables import messages
from nimmt.server.warm_up import WarmUpStatus

HEADER = """// Made from the messages of the server by `python3 dev.py generate types`. Do not edit.
"""

MESSAGES: tuple[type[msgspec.Struct], ...] = (
    messages.Snapshot,
    messages.Update,
    messages.Presence,
    messages.OpenHands,
    messages.TableCard,
    LessonInfo,
    LessonScript,
    PuzzleDay,
    PuzzleSheet,
    PuzzleAnswer,
    ReviewStatus,
    Hint,
    RulesPage,
    ErrorAnswer,
    bodies.Me,
    DeviceInfo,
    bodies.LinkCode,
    WaitingTable,
    bodies.CallsInfo,
    bodies.Subscribe,
    bodies.FreshToken,
    bodies.Done,
    bodies.OpenedTable,
    bodies.BroughtMatch,
    bodies.GameInfo,
    bodies.BotInfo,
    WarmUpStatus,
    bodies.Address,
    CommitmentList,
    Fairness,
    Deal,
    bodies.NewGuest,
    bodies.NewToken,
    bodies.NewTable,
    bodies.Join,
    bodies.Contribute,
    bodies.SetPace,
    bodies.AllowTakeover,
    bodies.StandIn,
    bodies.SeatBot,
    bodies.ClearSeat,
    bodies.SwapSeats,
    bodies.Expecting,
    bodies.Act,
    bodies.WantHint,
    bodies.Say,
    bodies.SayPhrase,
    bodies.NewReport,
    bodies.Shun,
    Shunned,
    OwnMatches,
    OwnStatistics,
    OwnMistakes,
)
_GAME_MODULE = re.compile(r"^nimmt\.games\.(\w+)")
_SIMPLE: dict[type[inspect.Type], str] = {
    inspect.AnyType: "unknown",
    inspect.NoneType: "null",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.RawType: "unknown",
}


class Writer:
    """Collects the interfaces that are needed, each once, by name."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Any, str]] = {}

    def text(self) -> str:
        return "\n".join(declaration for _, (_, declaration) in sorted(self._found.items()))

    def need(self, info: inspect.Type) -> str:
        """The TypeScript for this type; structs that it is made of are written down on the way."""
        simple = _SIMPLE.get(type(info))
        if simple is not None:
            return simple
        match info:
            case inspect.Metadata():
                return self.need(info.type)
            case inspect.LiteralType(values=values):
                return " | ".join(_quoted(value) for value in values)
            case inspect.EnumType(cls=cls):
                return " | ".join(_quoted(member.value) for member in cls)
            case inspect.UnionType(types=types):
                return " | ".join(dict.fromkeys(self.need(part) for part in types))
            case inspect.VarTupleType() | inspect.ListType() | inspect.FrozenSetType() | inspect.SetType():
                return f"readonly {_grouped(self.need(info.item_type))}[]"
            case inspect.TupleType(item_types=items):
                return f"readonly [{', '.join(self.need(item) for item in items)}]"
            case inspect.DictType():
                return f"Readonly<Record<{self.need(info.key_type)}, {self.need(info.value_type)}>>"
            case inspect.StructType():
                return self._struct(info)
        raise TypeError(f"There is no TypeScript for {info} yet.")

    def _struct(self, info: inspect.StructType) -> str:
        name = struct_name(info.cls)
        known = self._found.get(name)
        if known is None:
            self._found[name] = (info.cls, "")  # a type may hold itself
            self._found[name] = (info.cls, self._interface(name, info))
        elif known[0] is not info.cls:
            raise TypeError(f"Two types would be called {name}: {known[0]} and {info.cls}.")
        return name

    def _interface(self, name: str, info: inspect.StructType) -> str:
        may_be_missing = issubclass(info.cls, bodies.Body) or info.cls.__struct_config__.omit_defaults
        lines = [f"export interface {name} {{"]
        if info.tag_field is not None:
            lines.append(f"  readonly {info.tag_field}: {_quoted(info.tag)};")
        for field in info.fields:
            optional = "?" if may_be_missing and not field.required else ""
            lines.append(f"  readonly {field.encode_name}{optional}: {self.need(field.type)};")
        return "\n".join([*_comment(info.cls), *lines, "}", ""])


def struct_name(cls: type) -> str:
    """`SixView` for the View of six, `Chair` for what is no game's own."""
    game = _GAME_MODULE.match(cls.__module__)
    return f"{game[1].capitalize()}{cls.__name__}" if game else cls.__name__


def _quoted(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _grouped(text: str) -> str:
    return f"({text})" if " " in text else text


def _comment(cls: type) -> list[str]:
    doc = pyinspect.cleandoc(cls.__doc__ or "")
    return [f"/** {' '.join(doc.split())} */"] if doc else []


def _codes(name: str, codes: Iterable[Enum]) -> str:
    return f"export type {name} =\n  | " + "\n  | ".join(_quoted(code.value) for code in codes) + ";\n"


def typescript() -> str:
    writer = Writer()
    for message in MESSAGES:
        writer.need(inspect.type_info(message))
    unions = []
    for game in registry.all_games():
        prefix = game.id.capitalize()
        writer.need(inspect.type_info(game.view_type))
        writer.need(inspect.type_info(game.options_type))
        for kind, types in (("Action", game.action_types), ("Event", game.event_types)):
            names = [writer.need(inspect.type_info(item)) for item in types]
            unions.append(f"export type {prefix}{kind} =\n  | " + "\n  | ".join(names) + ";\n")
    note = f"export type Note = {writer.need(inspect.type_info(messages.Note))};\n"
    ids = "export type GameId = " + " | ".join(_quoted(game.id) for game in registry.all_games()) + ";\n"
    codes = [_codes("RefusalCode", Refusal), _codes("ErrorCode", Code)]
    return "\n".join([HEADER, ids, *codes, note, *unions, writer.text()])

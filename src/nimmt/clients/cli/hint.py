"""What each card, or whatever else can be done, may be expected to bring in a position: where it goes, points with
their standard error, the risk to take cards in this turn, the chance to win, and why.

Say what lies on the table and what you hold, as the referee is told it, or give a whole position (docs/positions.md).
Nothing is used but what the player could know: what others hold is imagined, over and over again.
"""

from __future__ import annotations

import argparse
from textwrap import fill
from typing import TYPE_CHECKING, Any

from nimmt.clients.cli import flags
from nimmt.clients.cli.common import SUCCESS, CommandError, can_print, draw, get_ready, paint, print_json, read_text
from nimmt.clients.cli.review import width
from nimmt.library.position import Position, position
from nimmt.match.by_hand import parts_of, unknown_cards
from nimmt.rules.game import AnyGame, Cards, InvalidPosition
from nimmt.rules.kit.notation import Unreadable, read

if TYPE_CHECKING:
    from rich.table import Table

    from nimmt.clients.terminal.naming import Naming
    from nimmt.insight.advice import Advice, Hint
    from nimmt.lessons.lesson import Language

EXAMPLES = """\
examples:
  nimmt hint six --rows "12 14 | 37 | 43 44 | 58 61" --hand "3 40 66" --players 4
  nimmt hint x --rows "5 | 10 18 22 | 70" --hands "59 61 | 9 23"
  nimmt hint --position table.txt --seat 1 --language de
  nimmt hint six --help     shows what can be said about a table of six
"""
OWN = "hand"


def configure(parser: flags.Parser) -> None:
    flags.add_game_argument(parser, required=False)
    add = parser.add_argument
    add("--position", metavar="FILE", help="a whole position as text or JSON, - for standard input")
    if parser.game is not None:
        _add_parts(parser, parser.game)
    flags.add_players_argument(parser)
    add(
        "--seat",
        type=flags.whole_number(0, 99),
        metavar="N",
        help="whose decision, from 0 (default: the first who decides)",
    )
    add("--worlds", type=flags.whole_number(10, 20_000), metavar="N", help="imagined worlds (default: 1000)")
    add("--language", choices=("en", "de", "pl", "ru"), default="en", help="the language of the answer")
    flags.add_json_argument(parser)
    parser.epilog = EXAMPLES


def _add_parts(parser: flags.Parser, game: AnyGame) -> None:
    add = parser.group(f"the table of {game.name}")
    add("--hand", metavar="CARDS", help="what you hold; the others hold as many that nobody has seen")
    for name in parts_of(game):
        meaning = "all hands, if they are known" if name == "hands" else "as in positions: cards with blanks and bars"
        add(f"--{name.replace('_', '-')}", dest=f"part_{name}", metavar="TEXT", help=meaning)


def run(args: argparse.Namespace) -> int:
    found = _position(args)
    get_ready(found.game, ["master"])
    # NumPy and Numba: only now that there is something to compute.
    from nimmt.insight.hint import WORLDS, hint

    try:
        said = hint(found, args.seat, worlds=args.worlds or WORLDS, language=args.language)
    except ValueError as error:
        raise CommandError(str(error), code="nothing_to_decide") from None
    if args.json:
        print_json(_data(found, said))
    else:
        _print(found, said, args.language)
    return SUCCESS


# -- the question -----------------------------------------------------------------------------------------------


def _position(args: argparse.Namespace) -> Position:
    game: AnyGame | None = args.game
    said = {name[5:]: value for name, value in vars(args).items() if name.startswith("part_") and value is not None}
    own = getattr(args, OWN, None)
    if args.position is not None:
        if said or own:
            raise CommandError("Give either a whole position, or what lies on the table.")
        found = position(_whole(read_text(args.position)))
        if game is not None and found.game.id != game.id:
            raise CommandError(f"This is a position of {found.game.id}, not of {game.id}.")
        return found
    if game is None:
        raise CommandError("Name a game and say what lies on the table, or give a whole position with --position FILE.")
    options = flags.options_from(args, game)
    if own is not None:
        if "hands" in said:
            raise CommandError("Give --hand, which is yours, or --hands, which are all.")
        cards, lying = _cards("--hand", own), {card for text in said.values() for card in _numbers(text)}
        twice = [card for card in cards if card in lying]
        if twice:
            raise InvalidPosition(f"Card {twice[0]} cannot be in the hand and on the table.")
        hidden = unknown_cards(game, options, cards, flags.players_from(args, game), lying)
        said = {name: value for name, value in hidden.items() if name not in said} | said
    return position(game.id, options=options, **said)


def _whole(text: str) -> str:
    """A position in one word would be taken for the name of a game."""
    return text if len(text.split()) > 1 or text.lstrip().startswith("{") else f"{text} ."


def _cards(flag: str, text: str) -> Cards:
    try:
        cards: Cards = read(text.strip(), Cards)
    except Unreadable as error:
        raise CommandError(f"{flag}: {error}") from None
    return tuple(sorted(cards))


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.replace("|", " ").split() if word.isdecimal() and len(word) < 5]


# -- the answer -------------------------------------------------------------------------------------------------


def _data(found: Position, said: Hint) -> dict[str, Any]:
    """As the library has it, and where each card would go as the table stands."""
    import msgspec

    view = found.view(said.seat)
    data: dict[str, Any] = msgspec.to_builtins(said)
    for one, advice in zip(data["actions"], said.actions, strict=True):
        one["goes"] = msgspec.to_builtins(found.game.foresee(view, advice.action))
    return data


def _print(found: Position, said: Hint, language: Language) -> None:
    words, view = WORDS[language], found.view(said.seat)
    sign = -1 if said.high_wins else 1
    naming = _naming(found, language)
    ordered = sorted(naming.hint(said).actions, key=lambda advice: sign * advice.points)
    names = [naming.of(advice.action, advice.facts) for advice in ordered]
    draw(_table(found, view, ordered, names, words))
    for advice, name in zip(ordered, names, strict=True):
        mark = (
            (" " + words["best"], "green") if advice.best else (" " + words["close"], "yellow") if advice.close else ""
        )
        paint("\n", (name, "bold"), mark)
        print(fill(advice.reason, width(), initial_indent="  ", subsequent_indent="  "))
    print(f"\n{words['exact'] if said.exact else words['judged']} ({said.evaluator})")


def _naming(found: Position, language: Language) -> Naming:
    from nimmt.clients.terminal.naming import Naming
    from nimmt.clients.terminal.words import speak

    speak(language)
    return Naming.at(found.game, found.names)


def _table(found: Position, view: Any, ordered: list[Advice], names: list[str], words: dict[str, str]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("", max_width=28)
    table.add_column(words["goes"], max_width=24)
    for title in ("points", "cost", "risk", "win"):
        table.add_column(words[title], justify="right", no_wrap=True)
    around = "±" if can_print("±") else "+-"
    for advice, name in zip(ordered, names, strict=True):
        cost = "" if advice.best else f"{advice.cost:.2f} {around} {advice.cost_error:.2f}"
        table.add_row(
            Text(name, "bold green" if advice.best else ""),
            _goes(found, view, advice, words),
            f"{advice.points:.2f} {around} {advice.error:.2f}",
            cost,
            f"{100 * advice.risk:.0f} %",
            f"{100 * advice.win:.1f} %",
        )
    return table


def _goes(found: Position, view: Any, advice: Advice, words: dict[str, str]) -> str:
    """As the table stands: what others play may change it."""
    places = [one for one in found.game.foresee(view, advice.action) if one.place is not None]
    told = ", ".join(f"{one.place}{f' ({-one.bulls})' if one.takes else ''}" for one in places)
    kind = words["piles"] if found.game.takes == "piles" else words["rows"]
    return f"{kind} {told}" if told else ""


WORDS = {
    "en": {
        "goes": "goes to", "rows": "row", "piles": "pile", "points": "points to come", "cost": "worse by",
        "risk": "takes", "win": "wins", "best": "best", "close": "as good, as far as can be told",
        "exact": "Nothing is estimated: this ending is solved.", "judged": "Judged in imagined worlds.",
    },
    "de": {
        "goes": "kommt zu", "rows": "Reihe", "piles": "Stapel", "points": "Punkte noch", "cost": "schlechter um",
        "risk": "nimmt", "win": "gewinnt", "best": "am besten", "close": "so gut, wie sich sagen lässt",
        "exact": "Nichts ist geschätzt: Dieses Ende ist gelöst.", "judged": "Beurteilt in vorgestellten Welten.",
    },
    "pl": {
        "goes": "trafia do", "rows": "rząd", "piles": "stos", "points": "punkty do końca", "cost": "gorzej o",
        "risk": "zabiera", "win": "wygrywa", "best": "najlepsze", "close": "nie gorsze, o ile da się ocenić",
        "exact": "Nic nie jest szacowane: ta końcówka jest rozwiązana.", "judged": "Ocenione w wyobrażonych światach.",
    },
    "ru": {
        "goes": "ложится", "rows": "ряд", "piles": "стопка", "points": "очки до конца", "cost": "хуже на",
        "risk": "забирает", "win": "победа", "best": "лучшее", "close": "не хуже, насколько можно судить",
        "exact": "Ничего не оценивается на глаз: этот конец решён.", "judged": "Оценено в воображаемых мирах.",
    },
}  # fmt: skip

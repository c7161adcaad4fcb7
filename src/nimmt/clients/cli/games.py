"""List the games, or tell more about one: its variants, its options and what is allowed in them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from nimmt.clients.cli.common import SUCCESS, can_print, draw, print_json
from nimmt.clients.cli.flags import Parser, add_game_argument, add_json_argument, default_of, flag_of
from nimmt.rules.game import AnyGame, Variant
from nimmt.rules.kit.options import OptionField, option_fields
from nimmt.rules.registry import all_games

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

EXAMPLES = """\
examples:
  nimmt games
  nimmt games six
  nimmt games baron --json
"""


def configure(parser: Parser) -> None:
    add_game_argument(parser, required=False, options=False)
    add_json_argument(parser)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    if args.json:
        print_json(as_data(args.game) if args.game else [as_data(game) for game in all_games()])
    elif args.game:
        draw(*_details(args.game))
    else:
        draw(*_overview())
    return SUCCESS


# -- for programs -----------------------------------------------------------------------------------------------


def as_data(game: AnyGame) -> dict[str, Any]:
    return {
        "id": game.id,
        "name": game.name,
        "summary": game.summary,
        "rules_version": game.rules_version,
        "min_seats": game.min_seats,
        "max_seats": game.max_seats,
        "variants": game.variants,
        "options": [_option_data(field) for field in option_fields(game.options_type)],
        "decisions": dict(game.decisions),
        "rules": dict(game.rules),
        "ends": dict(game.ends),
    }


def _option_data(field: OptionField) -> dict[str, Any]:
    return {
        "name": field.name,
        "flag": flag_of(field),
        "kind": field.kind,
        "description": field.description,
        "default": field.default,
        "allowed": field.allowed,
        "choices": field.choices,
        "least": field.least,
        "most": field.most,
        "optional": field.optional,
    }


# -- for people -------------------------------------------------------------------------------------------------


def _table(*headings: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), header_style="bold", show_header=any(headings))
    for number, heading in enumerate(headings):
        table.add_column(heading, style="bold cyan" if number == 0 else None, no_wrap=number == 0)
    return table


def _overview() -> list[RenderableType]:
    table = _table("game", "name", "players", "in short, and its variants")
    for game in all_games():
        variants = ", ".join(variant.id for variant in game.variants)
        table.add_row(game.id, game.name, players(game), f"{game.summary}\n[dim]variants: {variants}[/]")
        table.add_section()
    return [table, "nimmt games GAME tells more, nimmt rules GAME the rules; nimmt play GAME begins."]


def players(game: AnyGame) -> str:
    return f"{game.min_seats}{'–' if can_print('–') else '-'}{game.max_seats}"


def _details(game: AnyGame) -> list[RenderableType]:
    from rich.text import Text

    parts: list[RenderableType] = [
        Text.assemble((game.name, "bold"), f"  {game.id}, {players(game)} players"),
        Text(game.summary),
        Text("\nVariants: --variant NAME", "bold"),
        _variants(game),
    ]
    fields = option_fields(game.options_type)
    if fields:
        parts += [Text("Options", "bold"), _options(fields)]
    return [*parts, Text("How a match ends", "bold"), *(Text(f"  {end}") for end in game.ends.values())]


def _variants(game: AnyGame) -> Table:
    from rich.text import Text

    table = _table("", "")
    for variant in game.variants:
        table.add_row(variant.id, Text.assemble((variant.name, "bold"), f": {_about(variant)}"))
    return table


def _about(variant: Variant) -> str:
    limit = f" Up to {variant.max_seats} players." if variant.max_seats else ""
    return f"{variant.summary}{limit}"


def _options(fields: tuple[OptionField, ...]) -> Table:
    from rich.text import Text

    table = _table("flag", "meaning", "default")
    for field in fields:
        allowed = "" if field.kind == "flag" else f"\n{field.allowed}{' or none' if field.optional else ''}"
        table.add_row(_flag(field), Text.assemble(field.description, (allowed, "dim")), default_of(field))
    return table


def _flag(field: OptionField) -> str:
    flag = flag_of(field)
    words = {"number": " N", "choice": " WORD", "choices": " WORD,…", "data": " FILE"}
    return f"{flag}{words.get(field.kind, '')}"

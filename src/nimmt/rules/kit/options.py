"""What options a game has, and reading them from what people type or programs send."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import inspect

from nimmt.rules.game import AnyGame, InvalidOptions, Options, Variant

O = TypeVar("O", bound=Options)  # noqa: E741
Kind: TypeAlias = Literal["flag", "number", "choice", "choices", "data"]


class OptionField(msgspec.Struct, frozen=True):
    """One option, as a form or a command line would offer it."""

    name: str
    kind: Kind
    description: str
    default: Any
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    optional: bool = False

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        if self.kind == "flag":
            return "yes or no"
        if self.kind == "number":
            return f"a whole number from {self.least} to {self.most}"
        if self.kind == "data":
            return "a JSON object"
        several = "any of" if self.kind == "choices" else "one of"
        return f"{several}: {', '.join(self.choices)}"


def option_fields(options_type: type[Options]) -> tuple[OptionField, ...]:
    info = inspect.type_info(options_type)
    assert isinstance(info, inspect.StructType)
    return tuple(_describe(field) for field in info.fields)


def _describe(field: inspect.Field) -> OptionField:
    description, bare, optional = "", field.type, False
    if isinstance(bare, inspect.Metadata):
        description = (bare.extra_json_schema or {}).get("description", "")
        bare = bare.type
    if isinstance(bare, inspect.UnionType):
        optional = True
        bare = next(part for part in bare.types if not isinstance(part, inspect.NoneType))
    kind, choices, least, most = _kind(bare)
    return OptionField(field.name, kind, description, field.default, choices, least, most, optional)


def _kind(bare: inspect.Type) -> tuple[Kind, tuple[str, ...], int | None, int | None]:
    match bare:
        case inspect.BoolType():
            return "flag", (), None, None
        case inspect.IntType():
            return "number", (), bare.ge, bare.le
        case inspect.LiteralType():
            return "choice", tuple(map(str, bare.values)), None, None
        case inspect.VarTupleType(item_type=inspect.LiteralType(values=values)):
            return "choices", tuple(map(str, values)), None, None
    return "data", (), None, None


def read_options(options_type: type[O], values: Mapping[str, Any]) -> O:
    """Options from plain data; raises `InvalidOptions`, which says what is allowed."""
    fields = {field.name: field for field in option_fields(options_type)}
    for name in values:
        if name not in fields:
            raise InvalidOptions(f"There is no option {name!r}. The options are: {', '.join(fields) or 'none'}.")
    for name, value in values.items():
        try:
            msgspec.convert({name: value}, options_type)
        except msgspec.ValidationError as error:
            field = fields[name]
            detail = f" ({error})" if field.kind == "data" else ""
            raise InvalidOptions(f"{name} must be {field.allowed}, not {value!r:.60}{detail}.") from None
    return msgspec.convert(dict(values), options_type)


_FLAG_WORDS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def read_word(field: OptionField, word: str) -> Any:
    """An option's value from a word that a person typed; `read_options` then says whether it is allowed."""
    if field.optional and word.lower() in ("", "none"):
        return None
    if field.kind == "flag":
        return _FLAG_WORDS.get(word.lower(), word)
    if field.kind == "number" and word.removeprefix("-").isdecimal() and len(word) < 20:
        return int(word)
    if field.kind == "choices":
        return [part for part in word.split(",") if part]
    return word


def find_variant(game: AnyGame, variant_id: str) -> Variant:
    for variant in game.variants:
        if variant.id == variant_id:
            return variant
    known = ", ".join(variant.id for variant in game.variants)
    raise InvalidOptions(f"{game.id} has no variant {variant_id!r}. The variants are: {known}.")


def variant_of(game: AnyGame, options: Mapping[str, Any]) -> str | None:
    """The variant that says most about these options, and nothing else."""
    fitting = [variant for variant in game.variants if all(_same(options, *item) for item in variant.options.items())]
    return max(fitting, key=lambda variant: len(variant.options)).id if fitting else None


def _same(options: Mapping[str, Any], name: str, value: Any) -> bool:
    return name in options and msgspec.to_builtins(options[name]) == msgspec.to_builtins(value)


def variant_options(game: AnyGame, variant_id: str, **changes: Any) -> Options:
    """The options of a variant, with some of them changed."""
    options: Options = read_options(game.options_type, {**find_variant(game, variant_id).options, **changes})
    return options


def chosen_options(
    game: AnyGame,
    variant_id: str | None,
    options: Options | Mapping[str, Any] | None,
    changes: Mapping[str, Any] = MappingProxyType({}),
) -> Options:
    """Whole options, or those of a variant (the first one, if none is named) with some of them changed. Raises
    `InvalidOptions`."""
    if isinstance(options, game.options_type):
        if variant_id is not None or changes:
            raise ValueError("Give a variant with changes as a mapping, or whole options without a variant.")
        whole: Options = options
        return whole
    if not isinstance(options, Mapping | None):
        raise InvalidOptions(f"options must be a mapping, or {game.id}'s own, not {options!r:.60}.")
    variant = find_variant(game, game.variants[0].id if variant_id is None else variant_id)
    chosen: Options = read_options(game.options_type, {**variant.options, **(options or {}), **changes})
    return chosen

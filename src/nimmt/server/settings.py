"""All settings in one place: flags before environment before file before defaults. `docs/settings.md` lists them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

PREFIX = "NIMMT_"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    host: Annotated[str, Meta(description="Address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="Port to listen on; 0 takes a free one.")] = 8666
    workers: Annotated[int, Meta(ge=1, le=64, description="Processes that share the work.")] = 1
    database: Annotated[
        str, Meta(description="A file for SQLite, `memory`, or a postgresql:// address for PostgreSQL.")
    ] = "nimmt.db"
    public_url: Annotated[
        str, Meta(description="Where people reach the server, if not by the address it listens on.")
    ] = ""
    origins: Annotated[tuple[str, ...], Meta(description="Further web origins whose pages may use this server.")] = ()
    trusted_proxies: Annotated[
        str, Meta(description="Addresses of proxies whose X-Forwarded-For is believed, with commas; `*` for all.")
    ] = ""
    log_level: Annotated[
        str, Meta(description="debug, info, warning or error.", pattern="^(debug|info|warning|error)$")
    ] = "info"
    log_json: Annotated[bool, Meta(description="Log one JSON object a line.")] = False
    bot_processes: Annotated[int, Meta(ge=1, le=64, description="Processes in which bots think, for each worker.")] = 1
    warm_up: Annotated[
        bool, Meta(description="Compile what strong bots think with when the server starts, not when they are needed.")
    ] = True
    tables_in_memory: Annotated[int, Meta(ge=1, description="Tables each process keeps at hand.")] = 2000
    max_sockets: Annotated[int, Meta(ge=1, description="Sockets and streams open at once, for each process.")] = 20_000
    sockets_per_address: Annotated[
        int, Meta(ge=1, description="Sockets and streams open at once from one address.")
    ] = 100
    requests_per_guest: Annotated[int, Meta(ge=1, description="Requests of a guest in 20 seconds.")] = 200
    requests_per_address: Annotated[int, Meta(ge=1, description="Requests from an address in 20 seconds.")] = 1000
    tables_per_address: Annotated[int, Meta(ge=1, description="New tables from an address in a minute.")] = 10
    guests_per_address: Annotated[int, Meta(ge=1, description="New guests from an address in a minute.")] = 30
    messages_per_guest: Annotated[int, Meta(ge=1, description="Chat messages of a guest in 20 seconds.")] = 10
    keep_days: Annotated[int, Meta(ge=1, description="Days after which a finished match is forgotten.")] = 3650


class InvalidSettings(Exception):
    """A setting that does not exist or has a value that is not allowed."""


def descriptions() -> dict[str, tuple[str, Any]]:
    """What each setting is for, and its default."""
    info = msgspec.inspect.type_info(Settings)
    assert isinstance(info, msgspec.inspect.StructType)
    found = {}
    for field in info.fields:
        extra = field.type.extra_json_schema if isinstance(field.type, msgspec.inspect.Metadata) else None
        found[field.name] = ((extra or {}).get("description", ""), field.default)
    return found


def load(flags: Mapping[str, Any], environment: Mapping[str, str] | None = None, file: Path | None = None) -> Settings:
    """Flags that were given (not None), over the environment, over a TOML file, over the defaults."""
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    if file is not None:
        values |= _read_file(file)
    values |= _from_environment(environment)
    values |= {name: value for name, value in flags.items() if value is not None}
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidSettings(str(error)) from None


def _read_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidSettings(f"{file}: {error}") from None


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    known, values = descriptions(), {}
    for variable, text in environment.items():
        name = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and name in known:
            values[name] = text.split(",") if name == "origins" else _plain(text)
    return values


def _plain(text: str) -> Any:
    return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)

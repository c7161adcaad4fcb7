"""All settings in one place: flags before environment before file before defaults. `docs/settings.md` lists them."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, inspect

PREFIX = "NIMMT_"
OTHER_VARIABLES = frozenset(
    PREFIX + word
    for word in (
        "CHROMIUM",
        "FAILED_PICTURES",
        "GAMES",
        "GUESTS",
        "HYPOTHESIS",
        "PUZZLES",
        "RENEW_PICTURES",
        "SERVER",
        "SERVE_SETTINGS",
        "STATIC",
        "WEB_OUT",
        "WITHOUT_PAGE",
    )
)
"""These are no settings: what the server tells its workers, and what builds and tests the page."""

LISTED = ". 'nimmt serve --help' lists them."

OUR_PLACES = ("api", "assets", "carry", "healthz", "learn", "metrics", "new", "puzzles", "readyz", "rules", "t", "you")
"""How paths of this server begin. Behind a public path that begins so, nobody could tell whether a proxy has taken the
public path off or not."""
_PLACE = r"/(?!(?:{})(?:/|$))[\w~-][\w.~-]*(?:/[\w~-][\w.~-]*)*".format("|".join(OUR_PLACES))
_SERVER = r"https?://[^\s/?#@]+"
_IN_WORDS = {
    "public_url": "an address such as https://example.org or https://example.org/nimmt, "
    f"whose path does not begin with /{', /'.join(OUR_PLACES[:-1])} or /{OUR_PLACES[-1]}",
    "origins": "a list of origins such as https://example.org, without a path",
}


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    host: Annotated[str, Meta(description="Address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="Port to listen on; 0 takes a free one.")] = 8666
    workers: Annotated[int, Meta(ge=1, le=64, description="Processes that share the work.")] = 1
    database: Annotated[
        str, Meta(description="A file for SQLite, `memory`, or a postgresql:// address for PostgreSQL.")
    ] = "nimmt.db"
    public_url: Annotated[
        str,
        Meta(
            description="Where people reach the server, if not by the address it listens on; may end in a path.",
            pattern=f"(?a)^({_SERVER}({_PLACE})?/?)?$",
        ),
    ] = ""
    origins: Annotated[
        tuple[Annotated[str, Meta(pattern=f"^{_SERVER}$")], ...],
        Meta(description="Further web origins whose pages may use this server, such as https://club.example.org."),
    ] = ()
    trusted_proxies: Annotated[
        str, Meta(description="Addresses of proxies whose X-Forwarded-For is believed, with commas; `*` for all.")
    ] = ""
    log_level: Annotated[
        str, Meta(description="debug, info, warning or error.", pattern="^(debug|info|warning|error)$")
    ] = "info"
    log_json: Annotated[bool, Meta(description="Log one JSON object a line.")] = False
    metrics_listen: Annotated[
        str,
        Meta(description="Address and port for /metrics alone, such as 127.0.0.1:9100.", pattern=r"^(.+:[0-9]{1,5})?$"),
    ] = ""
    bot_processes: Annotated[int, Meta(ge=1, le=64, description="Processes in which bots think, for each worker.")] = 1
    warm_up: Annotated[
        bool, Meta(description="Compile what strong bots think with when the server starts, not when they are needed.")
    ] = True
    tables_in_memory: Annotated[int, Meta(ge=1, description="Tables each process keeps at hand.")] = 2000
    memory_for_tables: Annotated[
        int, Meta(ge=1, description="Megabytes, about, for the tables that each process keeps at hand.")
    ] = 500
    max_connections: Annotated[
        int, Meta(ge=1, description="Connections open at once, for each process; fewer if the system allows fewer.")
    ] = 20_000
    connections_per_address: Annotated[
        int, Meta(ge=1, description="Connections open at once from one address, for each process.")
    ] = 300
    max_sockets: Annotated[int, Meta(ge=1, description="Sockets and streams open at once, for each process.")] = 20_000
    sockets_per_address: Annotated[
        int, Meta(ge=1, description="Sockets and streams open at once from one address.")
    ] = 100
    requests_per_guest: Annotated[int, Meta(ge=1, description="Requests of a guest in 20 seconds.")] = 200
    requests_per_address: Annotated[int, Meta(ge=1, description="Requests from an address in 20 seconds.")] = 1000
    work_per_guest: Annotated[
        int, Meta(ge=1, description="Milliseconds of computing for a guest in 20 seconds, for each process.")
    ] = 2000
    work_per_address: Annotated[
        int, Meta(ge=1, description="Milliseconds of computing for an address in 20 seconds, for each process.")
    ] = 4000
    kilobytes_per_guest: Annotated[
        int, Meta(ge=1, description="Kilobytes sent to a guest in 20 seconds, by each process.")
    ] = 20_000
    kilobytes_per_address: Annotated[
        int, Meta(ge=1, description="Kilobytes sent to an address in 20 seconds, by each process.")
    ] = 60_000
    tables_per_address: Annotated[int, Meta(ge=1, description="New tables from an address in a minute.")] = 10
    bot_tables_per_address: Annotated[
        int, Meta(ge=0, description="Matches of bots alone that an address may have at once.")
    ] = 5
    max_bot_tables: Annotated[int, Meta(ge=0, description="Matches of bots alone at once, in all processes.")] = 50
    guests_per_address: Annotated[int, Meta(ge=1, description="New guests from an address in a minute.")] = 30
    messages_per_guest: Annotated[int, Meta(ge=1, description="Chat messages of a guest in 20 seconds.")] = 10
    reviews_per_address: Annotated[
        int, Meta(ge=1, description="Reviews of a seat that an address can begin in ten minutes.")
    ] = 60
    uploads_per_guest: Annotated[
        int, Meta(ge=1, description="Records that a guest can bring to be reviewed in ten minutes.")
    ] = 10
    uploads_per_address: Annotated[
        int, Meta(ge=1, description="Records that an address can bring to be reviewed in ten minutes.")
    ] = 30
    hints_per_guest: Annotated[int, Meta(ge=1, description="Hints that a guest can ask for in a minute.")] = 20
    hints_per_address: Annotated[int, Meta(ge=1, description="Hints that an address can ask for in a minute.")] = 60
    reports_per_address: Annotated[
        int, Meta(ge=1, description="Reports of messages and names from an address in an hour.")
    ] = 20
    push: Annotated[
        bool,
        Meta(description="Call people who ask for it by Web Push when it is their turn in a match over days."),
    ] = True
    push_contact: Annotated[
        str,
        Meta(
            description="Where the operators of push services can write to, such as mailto:you@example.org; some "
            "services want it. By default the public address.",
            pattern=r"^((mailto:|https://)\S+)?$",
        ),
    ] = ""
    push_private: Annotated[
        bool,
        Meta(
            description="Send calls to any address, even inside this network: for tests and push services of your own."
        ),
    ] = False
    calls_per_hour: Annotated[int, Meta(ge=1, le=100, description="Calls to a browser within an hour.")] = 12
    keep_guest_days: Annotated[
        int, Meta(ge=1, description="Days after which a guest who has not come is forgotten.")
    ] = 400
    keep_days: Annotated[int, Meta(ge=1, description="Days after which a finished match is forgotten.")] = 3650


class InvalidSettings(Exception):
    """A setting that does not exist or has a value that is not allowed; says where it stands."""


def descriptions() -> dict[str, tuple[str, Any]]:
    """What each setting is for, and its default."""
    found = {}
    for field in _fields():
        extra = field.type.extra_json_schema if isinstance(field.type, inspect.Metadata) else None
        found[field.name] = ((extra or {}).get("description", ""), field.default)
    return found


def _fields() -> tuple[inspect.Field, ...]:
    info = inspect.type_info(Settings)
    assert isinstance(info, inspect.StructType)
    return info.fields


# -- where values come from -------------------------------------------------------------------------------------------


class Given(NamedTuple):
    """A value, and where it stands: to be named if it is wrong."""

    value: Any
    place: str


def load(
    flags: Mapping[str, Any],
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
    warn: Callable[[str], None] = lambda _: None,
) -> Settings:
    """Flags that were given (not None), over the environment, over a TOML file, over the defaults.

    Raises `InvalidSettings`; what may be somebody else's business is only a warning.
    """
    given = {} if file is None else _from_file(file)
    given |= _from_environment(os.environ if environment is None else environment, warn)
    given |= {name: Given(value, f"--{name.replace('_', '-')}") for name, value in flags.items() if value is not None}
    for name, (value, place) in given.items():
        _check(name, value, place)
    return msgspec.convert({name: value for name, (value, _) in given.items()}, Settings, strict=False)


def _from_file(file: Path) -> dict[str, Given]:
    try:
        text = file.read_text("utf-8-sig")
        found = tomllib.loads(text)
    except OSError as error:
        raise InvalidSettings(f"{file}: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise InvalidSettings(f"{file} is not valid UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        said, _, line = str(error).partition(" (at line ")
        where = f", line {line.partition(',')[0]}" if line else ""
        raise InvalidSettings(f"{file}{where}: This is not TOML: {said}.") from None
    given = {name: Given(value, f"{file}{_line(text, name)}") for name, value in found.items()}
    for name, (value, place) in given.items():
        if isinstance(value, dict):
            raise InvalidSettings(f"{place}: Settings belong at the top level, not in a section such as [{name}].")
        if name not in Settings.__struct_fields__:
            raise InvalidSettings(f"{place}: There is no setting {name!r:.40}{_meant(name, repr) or LISTED}")
    return given


def _line(text: str, name: str) -> str:
    """Where a name stands; the reader of TOML does not tell."""
    found = re.search(rf"""^[ \t]*\[?[ \t]*(["']?){re.escape(name)}\1[ \t]*[=.\]]""", text, re.MULTILINE)
    return f", line {text.count(chr(10), 0, found.end()) + 1}" if found else ""


def _from_environment(environment: Mapping[str, str], warn: Callable[[str], None]) -> dict[str, Given]:
    """A variable that is nearly a setting is a slip. Another one may have come from elsewhere: clusters, for one, set
    variables for every service that they know, with its name in front."""
    given = {}
    for variable, text in environment.items():
        name = variable.removeprefix(PREFIX).lower()
        if not variable.startswith(PREFIX) or variable in OTHER_VARIABLES:
            continue
        if name in Settings.__struct_fields__:
            given[name] = Given(_words(text) if name == "origins" else _plain(text), variable)
        elif meant := _meant(name, lambda meant: PREFIX + meant.upper()):
            raise InvalidSettings(f"{variable}: There is no such setting{meant}")
        else:
            warn(f"{variable} is set, but there is no such setting{LISTED}")
    return given


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _plain(text: str) -> Any:
    return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)


def _meant(name: str, shown: Callable[[str], str]) -> str:
    close = get_close_matches(name.lower().replace("-", "_")[:40], Settings.__struct_fields__, 1)
    return f"; did you mean {shown(close[0])}?" if close else ""


def _check(name: str, value: Any, place: str) -> None:
    try:
        msgspec.convert({name: value}, Settings, strict=False)
    except msgspec.ValidationError:
        raise InvalidSettings(f"{place}: {name} must be {_allowed(name)}, not {value!r:.60}.") from None


def _allowed(name: str) -> str:
    """What a setting may be, in words."""
    if name in _IN_WORDS:
        return _IN_WORDS[name]
    (field,) = [field for field in _fields() if field.name == name]
    kind = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
    match kind:
        case inspect.IntType(ge=int(least), le=int(most)):
            return f"a whole number from {least} to {most}"
        case inspect.IntType(ge=least):
            return f"a whole number, {least} or more"
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType(pattern=str()):
            return descriptions()[name][0].rstrip(".")
        case inspect.StrType():
            return "text"
    return "a list of texts"

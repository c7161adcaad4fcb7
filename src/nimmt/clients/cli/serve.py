"""`nimmt serve`: the whole platform on one machine."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

from nimmt.clients.cli.common import CommandError, tell
from nimmt.clients.cli.flags import Parser
from nimmt.rules.registry import all_games

EXAMPLES = """examples:
  nimmt serve                                  on this machine, with a file nimmt.db beside it
  nimmt serve --host 0.0.0.0 --port 80         for everybody in the network
  nimmt serve --workers 4 --database postgresql://nimmt@db/nimmt
  nimmt serve --settings club.toml             settings from a file

Every setting can also come from the environment (NIMMT_PORT=8000) or a TOML file; flags win over the
environment, the environment over the file. docs/settings.md lists them all.

exit codes: 0 stopped as asked, 1 could not start, 2 wrong usage"""


def configure(parser: Parser) -> None:
    from nimmt.server.settings import descriptions

    parser.epilog = EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--settings", type=Path, metavar="FILE", help="a TOML file with settings")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    for name, (text, default) in descriptions().items():
        _add_flag(parser, name, f"{text} (default: {_shown(default)})".replace("%", "%%"), default)


def _add_flag(parser: argparse.ArgumentParser, name: str, text: str, default: Any) -> None:
    flag = "--" + name.replace("_", "-")
    if isinstance(default, bool):
        parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=text)
    elif isinstance(default, tuple):
        parser.add_argument(flag, action="append", metavar="VALUE", help=text)
    else:
        parser.add_argument(flag, metavar="N" if isinstance(default, int) else "VALUE", help=text)


def _shown(default: Any) -> str:
    return str(default) if default not in ("", ()) else "none"


def run(args: argparse.Namespace) -> int:
    from nimmt.server.settings import InvalidSettings, descriptions, load

    flags = {name: getattr(args, name) for name in descriptions()}
    try:
        settings = load(flags, file=args.settings, warn=tell)
    except InvalidSettings as error:
        raise CommandError(str(error), code="invalid_settings") from None
    all_games()  # a broken one is said here, not in the middle of starting
    from nimmt.server.http.security import for_friends
    from nimmt.server.logs import set_up_logging
    from nimmt.server.serve import CannotListen
    from nimmt.server.serve import run as serve
    from nimmt.store import StoreError

    if settings.workers > 1 and settings.database == "memory":
        raise CommandError("Several workers cannot share an in-memory database: name a file or PostgreSQL.", 2)

    set_up_logging(settings)

    def say_where(port: int) -> None:
        url = settings.public_url.rstrip("/") or f"http://{_reachable(settings.host)}:{port}"
        print(f"nimmt is at {url}  (Ctrl-C stops it)", flush=True)
        friends = for_friends(settings, port)
        if friends and not settings.public_url:
            print(f"Friends in your network come in at {friends}", flush=True)
        if args.open and _has_screen():
            webbrowser.open(url)

    try:
        return serve(settings, say_where)
    except StoreError as error:
        raise CommandError(f"Cannot use the database: {error}", 1) from None
    except CannotListen as error:
        raise CommandError(str(error), 1) from None


def _has_screen() -> bool:
    """Without a screen a text browser would take over the terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _reachable(host: str) -> str:
    return "localhost" if host in ("0.0.0.0", "::", "127.0.0.1") else f"[{host}]" if ":" in host else host

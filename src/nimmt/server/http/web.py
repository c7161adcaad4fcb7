"""The page: files that were built from `web/` when the package was, handed out with the right caching."""

from __future__ import annotations

import gzip
import mimetypes
import os
import re
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from litestar import HttpMethod, Request, Response, get, route
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.types import ControllerRouterHandler

STATIC = Path(os.environ.get("NIMMT_STATIC") or Path(__file__).parents[1] / "static")
"""Where the built page lies; the variable is for trying out another build."""
ROUTES = [
    "/",
    "/new",
    "/new/{game_id:str}",
    "/carry",
    "/you",
    "/learn",
    "/learn/{game_id:str}/{lesson_id:str}",
    "/puzzles",
    "/puzzles/{game_id:str}/{which:str}",
    "/rules/{game_id:str}",
    "/t/{table_id:str}",
    "/t/{table_id:str}/replay",
    "/t/{table_id:str}/review",
    "/t/{table_id:str}/review/learn",
]
"""Places inside the program: all of them are the same page."""

VERSION = "nimmt-page"
"""A header: which build of the page this is, whatever else stands in its head. The service worker goes by it."""
_TITLE = re.compile(rb"<title>[^<]*</title>")
_DESCRIPTION = re.compile(rb'<meta name="description"[^>]*>\s*')
_FOR_EVER = "public, max-age=31536000, immutable"
_CHECK_AGAIN = "no-cache"
_ENCODINGS = {"br": ".br", "gzip": ".gz"}
_TYPES = {".webmanifest": "application/manifest+json", ".js": "text/javascript", ".svg": "image/svg+xml"}
_NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>nimmt</title></head>
<body><h1>nimmt</h1>
<p>The server is running, but its page has not been built.</p>
<p>In a checkout, <code>python3 dev.py build</code> builds it; installing the package does so too.</p>
<p><a href="{path}/api/schema/openapi.json">The interface for programs</a> is there.</p>
</body></html>
"""

Asking = Request[Any, Any, State]


class File(msgspec.Struct, frozen=True):
    """A file in all forms it can be sent in; "" is as it is."""

    forms: dict[str, bytes]
    media_type: str
    etag: str
    cache: str


def read_files(folder: Path) -> dict[str, File]:
    """All files below a folder by their address. They are few and small: they stay in memory."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix in _ENCODINGS.values() or path.name.startswith("."):
            continue
        name = "/" + path.relative_to(folder).as_posix()
        found[name] = _read(path, _FOR_EVER if name.startswith("/assets/") else _CHECK_AGAIN)
    return found


def _read(path: Path, cache: str) -> File:
    forms = {"": path.read_bytes()}
    for encoding, suffix in _ENCODINGS.items():
        packed = path.with_name(path.name + suffix)
        if packed.is_file():
            forms[encoding] = packed.read_bytes()
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if kind.endswith("json"):  # Litestar adds the same to all text/…
        kind += "; charset=utf-8"
    return File(forms, kind, _etag(forms[""]), cache)


def below(path: str, index: File) -> File:
    """The page for a server whose paths have this one before them. It is built once, for every place: only here it
    says where it is, and everything else goes by that."""
    content = re.sub(rb'(?<= )((?:href|src|content)=")/', rb"\1" + path.encode() + b"/", index.forms[""])
    forms = {"": content, "gzip": gzip.compress(content, mtime=0)}
    return File(forms, index.media_type, _etag(content), index.cache)


def told(index: File, tags: str) -> File:
    """The page with what messengers show of a link to it, in place of its own title and description."""
    content = _DESCRIPTION.sub(b"", index.forms[""], count=1)
    content = _TITLE.sub(lambda _: tags.encode(), content, count=1)
    forms = {"": content, "gzip": gzip.compress(content, 5, mtime=0)}
    return File(forms, index.media_type, _etag(content), index.cache)


def _etag(content: bytes) -> str:
    return f'"{sha256(content).hexdigest()[:20]}"'


def _accepted(request: Asking) -> set[str]:
    offers = request.headers.get("accept-encoding", "").split(",")
    return {offer.partition(";")[0].strip() for offer in offers if not offer.replace(" ", "").endswith("q=0")}


def send(file: File, request: Asking, status: int = 200) -> Response[bytes]:
    headers = {"cache-control": file.cache, "etag": file.etag, "vary": "accept-encoding"}
    if status == 200 and request.headers.get("if-none-match") == file.etag:
        return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
    accepted = _accepted(request)
    encoding = next((name for name in _ENCODINGS if name in accepted and name in file.forms), "")
    if encoding:
        headers["content-encoding"] = encoding
    return Response(file.forms[encoding], status_code=status, headers=headers, media_type=file.media_type)


def _index(folder: Path, path: str) -> File | None:
    file = folder / "index.html"
    if not file.is_file():
        return None
    index = _read(file, _CHECK_AGAIN)
    return below(path, index) if path else index


Telling = Callable[[Asking], Awaitable[str]]
"""What to write into the head of the page for the place that is asked for."""


def web_routes(
    folder: Path = STATIC, path: str = "", tell: Telling | None = None
) -> list[ControllerRouterHandler | Any]:
    """`path` is what people see before all addresses, see `public_path`."""
    files = read_files(folder)
    files.pop("/index.html", None)
    index = _index(folder, path)

    @route(ROUTES, http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
    async def page(request: Asking) -> Response[Any]:
        if index is None:
            return Response(_NOT_BUILT.format(path=path), media_type="text/html", headers={"cache-control": "no-store"})
        answer = send(told(index, await tell(request)) if tell else index, request)
        answer.headers["vary"] = "accept-encoding, accept-language"
        answer.headers[VERSION] = index.etag
        return answer

    @get(["/assets/{name:str}", *(name for name in files if name.count("/") == 1)], include_in_schema=False)
    async def static_file(request: Asking) -> Response[bytes]:
        file = files.get(request.url.path)
        if file is None:
            raise NotFoundException("There is no such file.")
        return send(file, request)

    return [page, static_file]


Answering = Callable[[Asking, NotFoundException], Response[Any]]


def lost_page(otherwise: Answering, folder: Path = STATIC, path: str = "") -> Answering:
    """People who go where nothing is see the page, which says so; programs get the usual answer."""
    index = _index(folder, path)

    def answer(request: Asking, error: NotFoundException) -> Response[Any]:
        if index is None or request.url.path.startswith("/api/") or not _wants_page(request):
            return otherwise(request, error)
        return send(index, request, 404)

    return answer


def _wants_page(request: Asking) -> bool:
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")

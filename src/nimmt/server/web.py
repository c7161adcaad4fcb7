"""The page."""

from __future__ import annotations

from typing import Any

from litestar import get
from litestar.types import ControllerRouterHandler

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>nimmt</title></head>
<body><h1>nimmt</h1><p>The server is running. Its interface is described at
<a href="/api/schema/openapi.json">/api/schema/openapi.json</a>.</p></body></html>
"""


@get("/", media_type="text/html", include_in_schema=False, sync_to_thread=False)
def page() -> str:
    return _PAGE


def web_routes() -> list[ControllerRouterHandler | Any]:
    return [page]

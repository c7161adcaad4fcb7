"""The list of commitments for everybody: in pages that others may keep, and that tell nothing about a table but that it
was there."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get
from litestar.params import QueryParameter
from litestar.status_codes import HTTP_304_NOT_MODIFIED

from nimmt.match.commitments import CommitmentList
from nimmt.server.asking import Asking, platform
from nimmt.server.commitments import MOST
from nimmt.server.description import ANYBODY

LASTING = 3600
PASSING = 5
"""Seconds for which an answer is good enough: if nothing in it can change but the length of the list, and else."""


class CommitmentController(Controller):
    """What the server has committed itself to."""

    path = "/api"
    tags = ("commitments",)

    @get("/commitments", media_type="application/json", security=ANYBODY)
    async def commitments(
        self,
        request: Asking,
        after: Annotated[int, QueryParameter(ge=0, le=2**31 - 1, description="So many entries are known.")] = 0,
        limit: Annotated[int, QueryParameter(ge=1, le=MOST, description="So many entries at most.")] = MOST,
    ) -> Response[CommitmentList]:
        """The commitments of all tables there ever were, in the order in which they were made, each with the hash of
        the one before: `docs/shuffle.md`. Ask again until all are told."""
        page = await platform(request).tables.commitments.page(after, limit)
        content: Any = msgspec.json.encode(page)
        tag = f'"{sha256(content).hexdigest()[:32]}"'
        headers = {"etag": tag, "cache-control": f"public, max-age={LASTING if _lasts(page, limit) else PASSING}"}
        if request.headers.get("if-none-match") == tag:
            return Response(None, status_code=HTTP_304_NOT_MODIFIED, headers=headers)  # type: ignore[arg-type]
        return Response(content, media_type="application/json", headers=headers)


def _lasts(page: CommitmentList, limit: int) -> bool:
    return len(page.entries) == limit and all(entry.state != "sealed" for entry in page.entries)

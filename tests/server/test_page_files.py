"""Files of the page: packed as the browser likes, kept for ever if their name says what is in them, and no others."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar, Response
from litestar.exceptions import NotFoundException
from litestar.testing import TestClient

from nimmt.server.http.web import lost_page, web_routes

SCRIPT = b"console.log('moo')" * 50


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>nimmt</title>")
    (static / "assets" / "index-AbC123.js").write_bytes(SCRIPT)
    (static / "assets" / "index-AbC123.js.gz").write_bytes(gzip.compress(SCRIPT))
    (static / "manifest.webmanifest").write_text("{}")
    (static / ".hidden").write_text("no")
    (tmp_path / "secret.txt").write_text("no")
    return static


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient[Litestar]]:
    def usual(_: Any, error: NotFoundException) -> Response[str]:
        return Response(error.detail, status_code=error.status_code)

    handlers: Any = {NotFoundException: lost_page(usual, folder)}
    with TestClient(Litestar(web_routes(folder), exception_handlers=handlers)) as client:
        yield client


@pytest.mark.parametrize(
    "path", ["/", "/new", "/carry", "/learn", "/learn/six/basic", "/t/some-table", "/t/some-table/replay"]
)
def test_all_places_are_the_same_page_and_are_checked_again(client: TestClient[Litestar], path: str) -> None:
    answer = client.get(path)
    assert answer.text == "<!doctype html><title>nimmt</title>"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    again = client.get(path, headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, br", "gzip"), ("gzip;q=0.5", "gzip"), ("br", None), ("gzip;q=0", None), ("", None)],
)
def test_files_with_a_hash_are_kept_for_ever_and_packed(
    client: TestClient[Litestar], accepted: str, encoding: str | None
) -> None:
    answer = client.get("/assets/index-AbC123.js", headers={"accept-encoding": accepted})
    assert answer.content == SCRIPT
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_the_manifest_is_what_it_says(client: TestClient[Litestar]) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/nothing.js",
        "/.hidden",
        "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/assets/index-AbC123.js.gz",
        "/t",
    ],
)
def test_nothing_else_is_handed_out(client: TestClient[Litestar], path: str) -> None:
    assert client.get(httpx.URL(f"http://testserver{path}")).status_code == 404


BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/nix", "/t", "/t/some-table/x", "/assets/nothing.js"])
def test_where_nothing_is_people_see_the_page_and_programs_do_not(client: TestClient[Litestar], path: str) -> None:
    answer = client.get(path, headers=BROWSER)
    assert (answer.status_code, answer.text) == (404, "<!doctype html><title>nimmt</title>")
    again = client.get(path, headers={**BROWSER, "if-none-match": answer.headers["etag"]})
    assert again.status_code == 404
    for program in (client.get(path), client.post(path, headers=BROWSER), client.get(f"/api{path}", headers=BROWSER)):
        assert program.status_code in (404, 405)
        assert "<!doctype" not in program.text


def test_without_a_page_the_server_says_what_to_do(tmp_path: Path) -> None:
    with TestClient(Litestar(web_routes(tmp_path / "nowhere"))) as client:
        answer = client.get("/")
    assert "has not been built" in answer.text
    assert answer.headers["cache-control"] == "no-store"

"""What people do with what the server knows of them: log devices out, take their data along, have it deleted."""

import json
from pathlib import Path
from typing import Any

import pytest

from nimmt.testing.servers import ThreadServer

expect = pytest.importorskip("playwright.sync_api").expect


def come_in(page: Any, name: str) -> None:
    answer = page.request.post("/api/guests", data={"name": name})
    assert answer.ok


def open_settings(page: Any) -> None:
    page.goto("/")
    page.get_by_role("button", name="Settings").first.click()


def test_logging_out_everywhere_else(new_page: Any) -> None:
    """This device stays, also its other tab; the phone is told, and only looks on from then."""
    desk, phone = new_page(), new_page()
    come_in(desk, "Anna")
    code = desk.request.post("/api/me/link", data={}).json()["code"]
    assert phone.request.post("/api/me/claim", data={"code": code}).ok
    table = desk.request.post("/api/tables", data={"game": "six", "seats": 2}).json()["id"]
    other_tab = desk.context.new_page()
    for page in (phone, other_tab):
        page.goto(f"/t/{table}")
        expect(page.get_by_text("Anna").first).to_be_visible()
    open_settings(desk)
    expect(desk.get_by_text("Devices that came by your link")).to_be_visible()
    desk.get_by_role("button", name="Log out everywhere else").click()
    desk.locator("dialog[data-kind=logOut]").get_by_role("button", name="Log out everywhere else").click()
    expect(desk.get_by_text("Only this device is you now.").first).to_be_visible()
    expect(desk.get_by_text("Devices that came by your link")).to_have_count(0)
    expect(phone.get_by_text("You were logged out on this device.").first).to_be_visible()
    assert phone.request.get("/api/me").status == 401
    assert desk.request.get("/api/me").json()["name"] == "Anna"
    expect(
        other_tab.get_by_role("button", name="Close the table").or_(other_tab.get_by_text("Anna")).first
    ).to_be_visible()
    expect(other_tab.get_by_text("You were logged out on this device.")).to_have_count(0)


def test_data_can_be_taken_along_and_deleted(new_page: Any, server: ThreadServer, tmp_path: Path) -> None:
    page = new_page()
    come_in(page, "Anna")
    open_settings(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download my data").click()
    file = tmp_path / "data.json"
    download.value.save_as(file)
    assert json.loads(file.read_text("utf-8"))["name"] == "Anna"
    page.get_by_role("button", name="Delete my data").click()
    asked = page.locator("dialog[data-kind=delete]")
    expect(asked).to_contain_text("nobody can undo it")
    asked.get_by_role("button", name="Cancel").click()
    assert page.request.get("/api/me").ok
    page.get_by_role("button", name="Delete my data").click()
    asked.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("Your data is deleted.").first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.request.get("/api/me").status == 401

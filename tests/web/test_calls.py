"""You are called when it is your turn: by title, icon and notification while a page is open, by Web Push while none is;
and asked about it when you wait for others, never when you come."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from nimmt.testing.push import Browser, PushService
from nimmt.testing.servers import ThreadServer
from nimmt.testing.web import settle

playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: python3 dev.py setup")
expect = playwright_api.expect

DESK = {"width": 1280, "height": 800}
CALLED = re.compile("● Your turn · 6 nimmt!")
OVER_DAYS = {"kind": "turns", "hours": 24}

LOOK_AWAY = """(hidden) => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}"""
WORKER = "navigator.serviceWorker.ready.then(() => true)"
NOTIFICATIONS = """async () => {
  const { getNotifications } = ServiceWorkerRegistration.prototype;
  const all = await getNotifications.call(await navigator.serviceWorker.ready);
  return all.map(({ title, body, data }) => ({ title, body, table: data.table }));
}"""
# Chromium forgets a notification that is shown while the list of them is read: nobody may look before it is there.
COUNT_SHOWN = """() => {
  const { showNotification } = ServiceWorkerRegistration.prototype;
  self.shown = 0;
  ServiceWorkerRegistration.prototype.showNotification = async function (...about) {
    await showNotification.apply(this, about);
    self.shown += 1;
  };
}"""
# Nobody's finger: the browser lets the worker bring no window to the front, but it leads to the table.
CLICK = """async () => {
  const [notification] = await registration.getNotifications();
  dispatchEvent(new NotificationEvent('notificationclick', { notification }));
}"""
# As a browser does whose push service has moved: with the new subscription, or without one.
MOVED = """({ described, isGiven }) => {
  const subscription = {
    toJSON: () => ({ endpoint: described.endpoint, keys: { p256dh: described.p256dh, auth: described.auth } }),
  };
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    if (typeof applicationServerKey !== 'string') throw new Error('no key');
    return subscription;
  };
  const event = new ExtendableEvent('pushsubscriptionchange');
  dispatchEvent(Object.assign(event, { newSubscription: isGiven ? subscription : null }));
}"""
# Chromium here has no push service behind it; whatever else happens is real.
PUSH_SERVICE = """(described) => {
  let current = null;
  const subscription = {
    endpoint: described.endpoint,
    toJSON: () => ({ endpoint: described.endpoint, keys: { p256dh: described.p256dh, auth: described.auth } }),
    unsubscribe: async () => ((current = null), true),
  };
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    if (applicationServerKey.length !== 65) throw new Error('no key');
    return (current = subscription);
  };
  PushManager.prototype.getSubscription = async () => current;
}"""


@pytest.fixture(scope="package")
def browser(whole_browser: Any) -> Any:
    return whole_browser


def until_shown(page: Any, scope: Any) -> None:
    """Until the page, or its worker, has shown a notification: `COUNT_SHOWN` was run there."""
    while not scope.evaluate("self.shown"):
        page.wait_for_timeout(20)


def until_closed(page: Any) -> None:
    while page.evaluate(NOTIFICATIONS):
        page.wait_for_timeout(20)


def act(context: Any, table: str, at: str = "") -> None:
    """Play the first thing that can be played."""
    api = context.request
    situation = api.get(f"{at}/api/tables/{table}").json()["situation"]
    body = {"action": situation["legal"][0], "decision": situation["decision"]}
    assert api.post(f"{at}/api/tables/{table}/act", data=body).ok


def two_at_a_table(new_page: Any, tempo: Any = None, **more: Any) -> tuple[Any, Any, str]:
    """Anna looks at a table where Ben plays, too."""
    anna, ben = new_page(viewport=DESK, **more), new_page(**more)
    for page, name in ((anna, "Anna"), (ben, "Ben")):
        assert page.context.request.post("/api/guests", data={"name": name}).ok
    return anna, ben, begun(anna, ben, tempo)


def begun(anna: Any, ben: Any, tempo: Any = None) -> str:
    body = {"game": "six", "seats": 2, "pace": "instant", **({"tempo": tempo} if tempo else {})}
    table: str = anna.context.request.post("/api/tables/", data=body).json()["id"]
    assert ben.context.request.post(f"/api/tables/{table}/join", data={"pace": "instant"}).ok
    assert anna.context.request.post(f"/api/tables/{table}/start", data={}).ok
    return table


def waits(page: Any) -> None:
    expect(page).to_have_title("6 nimmt! · nimmt")


def play_card(page: Any) -> None:
    """As somebody at the page does it: only then it is known there that they have decided."""
    page.locator("[data-hand]:not([aria-disabled=true])").first.click()
    page.get_by_role("button", name=re.compile(r"^Play \d+")).click()


def until_our_turn(anna: Any, ben: Any, table: str) -> None:
    """Ben decides until Anna is asked again."""
    for _ in range(4):
        situation = ben.context.request.get(f"/api/tables/{table}").json()["situation"]
        if situation["you"] in [waiting["seat"] for waiting in situation["waiting"]]:
            act(ben.context, table)
        situation = anna.context.request.get(f"/api/tables/{table}").json()["situation"]
        if situation["you"] in [waiting["seat"] for waiting in situation["waiting"]]:
            return


def test_your_turn_while_the_tab_is_hidden(new_page: Any) -> None:
    anna, ben, table = two_at_a_table(new_page, service_workers="allow")
    anna.context.grant_permissions(["notifications"])
    anna.goto(f"/t/{table}")
    expect(anna).to_have_title(CALLED)
    expect(anna.locator("link[rel=icon]")).to_have_attribute("href", "/icon-turn.svg")
    anna.evaluate("localStorage['nimmt.calls'] = JSON.stringify({ notify: true })")
    anna.reload()
    anna.evaluate(WORKER)
    assert anna.evaluate(NOTIFICATIONS) == []  # she is here: nothing calls but the title
    act(anna.context, table)
    waits(anna)
    expect(anna.locator("link[rel=icon]")).to_have_attribute("href", "/icon.svg")
    anna.evaluate(COUNT_SHOWN)
    anna.evaluate(LOOK_AWAY, True)
    until_our_turn(anna, ben, table)
    expect(anna).to_have_title(CALLED)
    until_shown(anna, anna)
    assert anna.evaluate(NOTIFICATIONS) == [{"title": "6 nimmt!", "body": "It is your turn.", "table": table}]
    anna.evaluate(LOOK_AWAY, False)
    until_closed(anna)


def test_another_table_of_yours_calls_wherever_you_are(new_page: Any) -> None:
    anna, _, table = two_at_a_table(new_page)
    anna.goto("/learn")
    expect(anna).to_have_title(CALLED)
    act(anna.context, table)
    anna.goto("/learn")
    expect(anna).to_have_title("Learn to play · nimmt")


@pytest.mark.soak
def test_who_wants_no_calls_has_none(new_page: Any, axe: Any) -> None:
    anna, _, table = two_at_a_table(new_page)
    anna.goto(f"/t/{table}")
    expect(anna).to_have_title(CALLED)
    anna.get_by_role("button", name="Settings").click()
    anna.get_by_role("checkbox", name="Quiet hours").check()
    expect(anna.get_by_label("From")).to_have_value("22:00")
    anna.get_by_label("From").fill("23:30")
    anna.get_by_label("From").blur()
    assert axe(anna) == []
    anna.get_by_role("checkbox", name="Call me").uncheck()
    expect(anna.get_by_role("checkbox", name="Quiet hours")).to_have_count(0)
    waits(anna)
    anna.reload()
    expect(anna.locator("[data-hand]")).to_have_count(10)
    anna.get_by_role("button", name="Settings").click()
    anna.get_by_role("checkbox", name="Call me").check()
    expect(anna.get_by_label("From")).to_have_value("23:30")
    expect(anna).to_have_title(CALLED)


@pytest.mark.soak
def test_calls_are_offered_to_who_waits_and_never_to_who_comes(new_page: Any, axe: Any) -> None:
    anna, ben, table = two_at_a_table(new_page)
    anna.spent = True
    anna.clock.install()
    anna.goto(f"/t/{table}")
    offer = anna.get_by_role("complementary", name="When it is your turn")
    expect(anna).to_have_title(CALLED)
    act(anna.context, table)  # in another tab: here she has only come
    waits(anna)
    anna.clock.fast_forward(10_000)
    settle(anna)
    expect(offer).to_have_count(0)
    anna.goto(f"/t/{begun(anna, ben)}")
    play_card(anna)
    expect(offer).to_be_visible()
    assert axe(anna) == []
    offer.get_by_role("button", name="Never").click()
    expect(offer).to_have_count(0)
    anna.reload()
    assert anna.evaluate("JSON.parse(localStorage['nimmt.calls']).offer") is None


# -- while no page is open --------------------------------------------------------------------------------------------


@pytest.fixture
def push() -> Iterator[PushService]:
    with PushService() as service:
        yield service


@pytest.fixture
def house() -> Iterator[ThreadServer]:
    with ThreadServer(push_private=True, log_level="warning") as running:
        yield running


def test_over_days_a_yes_is_enough_to_be_called_when_the_page_is_closed(
    push: PushService, house: ThreadServer, new_page: Any
) -> None:
    """From the offer to the notification that the service worker shows; a click on it leads to the table."""
    browser = Browser(push)
    anna, ben, table = two_at_a_table(new_page, OVER_DAYS, base_url=house.url, service_workers="allow")
    anna.context.grant_permissions(["notifications"])
    described = browser.subscription()
    anna.add_init_script(f"({PUSH_SERVICE})({described!r})")
    # What the browser would ask is answered already: only the offer has to think that it has not been asked.
    anna.add_init_script(
        "let asked = false;"
        "Object.defineProperty(Notification, 'permission', { get: () => (asked ? 'granted' : 'default') });"
        "Notification.requestPermission = async () => ((asked = true), 'granted')"
    )
    anna.goto(f"/t/{table}")
    anna.evaluate(WORKER)
    play_card(anna)
    offer = anna.get_by_role("complementary", name="When it is your turn")
    expect(offer).to_contain_text("also when this page is closed")
    offer.get_by_role("button", name="Yes").click()
    expect(anna.get_by_role("button", name="You will be told.")).to_be_visible()
    assert len(anna.context.request.get("/api/me/calls").json()["subscriptions"]) == 1
    anna.goto("about:blank")  # nobody is there any more
    while house.platform.presence.is_connected(table, _guest(anna)):
        anna.wait_for_timeout(20)
    until_our_turn(anna, ben, table)
    (pushed,) = browser.wait()
    message = browser.read(pushed)
    assert message == {"kind": "turn", "game": "six", "table": table}

    anna.goto(house.url + "/learn")
    anna.evaluate(WORKER)
    worker = anna.context.service_workers[0]
    worker.evaluate(COUNT_SHOWN)
    deliver(anna, house.url, message)
    until_shown(anna, worker)
    assert anna.evaluate(NOTIFICATIONS) == [{"title": "6 nimmt!", "body": "It is your turn.", "table": table}]
    worker.evaluate(CLICK)
    expect(anna).to_have_url(f"{house.url}/t/{table}")


@pytest.mark.in_turn("is_given")
@pytest.mark.parametrize("is_given", [False, True], ids=["asked", "given"])
def test_who_is_given_another_address_is_called_there(
    push: PushService, house: ThreadServer, new_page: Any, is_given: bool
) -> None:
    """Push services change addresses by themselves, with no page open: then nobody would be called any more."""
    page = new_page(base_url=house.url, service_workers="allow")
    assert page.request.post("/api/guests", data={"name": "Anna"}).ok
    page.goto("/learn")
    page.evaluate(WORKER)
    browser = Browser(push)
    moved = {"described": browser.subscription(), "isGiven": is_given}
    page.context.service_workers[0].evaluate(MOVED, moved)
    while not (known := page.request.get("/api/me/calls").json()["subscriptions"]):
        page.wait_for_timeout(20)
    assert len(known) == 1


def _guest(page: Any) -> str:
    found: str = page.context.request.get("/api/me").json()["id"]
    return found


def deliver(page: Any, url: str, message: Any) -> None:
    """As the browser's push service would."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": url, "registrationId": found[-1], "data": json.dumps(message)},
    )

/**
 * Keeps what the page is made of, so that it comes up and says what is wrong while the server cannot be reached.
 * The page itself is always fetched first; files with a hash in their name never change; of /api only games, lessons and
 * rules are kept, which are the same for everybody. Tells of calls that come while no page is open.
 */
/** Where the page lives: "/", or below it where others have a place on this host, too. */
const PAGE = new URL('./', location).pathname;
/** All pages of a host share their caches. */
const CACHE = `nimmt-page${PAGE.slice(0, -1)}`;
/** Milliseconds between files that nobody waits for: many visitors may come at once. */
const PAUSE = 500;
/** What calls are shown with, also without a connection. */
const PICTURES = ['icon.svg', 'icon-turn.svg', 'icon-192.png'];

const LANGUAGES = ['en', 'de', 'pl', 'ru'];

const isAsset = (url) => url.origin === location.origin && url.pathname.startsWith(`${PAGE}assets/`);

/** Of what the server says only this is kept: it is the same for everybody. */
const isForAll = ({ pathname }) => /^api\/(games$|lessons|rules\/)/.test(pathname.slice(PAGE.length));

/** Which build a page is: the same at every address, whatever its head tells messengers. */
const version = ({ headers }) => headers.get('nimmt-page') ?? headers.get('etag');

/** A new version of the page: the files of the old one are of no use any more. */
async function keepPage(response) {
  const cache = await caches.open(CACHE);
  const old = await cache.match(PAGE);
  if (old && version(old) !== version(response))
    for (const request of await cache.keys()) await cache.delete(request);
  await cache.put(PAGE, response);
}

async function page(event) {
  try {
    const response = await fetch(event.request);
    if (response.status < 500) {
      if (response.ok) event.waitUntil(keepPage(response.clone()));
      return response;
    }
    return (await caches.match(PAGE)) ?? response;
  } catch (error) {
    const kept = await caches.match(PAGE);
    if (kept) return kept;
    throw error;
  }
}

async function asset(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

/** Pictures and the manifest may change: what is kept is for bad times. */
async function other(request) {
  try {
    const response = await fetch(request);
    if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await caches.match(request);
    if (kept) return kept;
    throw error;
  }
}

/** Returns whether it had to be fetched. */
async function keepAsset(path) {
  const cache = await caches.open(CACHE);
  if (await cache.match(path)) return false;
  await cache.add(path);
  return true;
}

/** What the page had loaded before we were there; then, without haste, all that it may need later. */
async function keep(loaded) {
  if (!(await caches.match(PAGE))) await keepPage(await fetch(PAGE));
  for (const url of loaded.map((address) => new URL(address)))
    if (isAsset(url)) await keepAsset(url.pathname);
  for (const picture of PICTURES) await keepAsset(PAGE + picture);
  for (const path of await (await fetch(`${PAGE}assets.json`)).json())
    if (await keepAsset(PAGE + path)) await new Promise((resolve) => setTimeout(resolve, PAUSE));
  // The rules can be read without a connection, if not with all their pictures.
  const language = LANGUAGES.find((each) => navigator.language.startsWith(each)) ?? 'en';
  for (const { id } of await (await fetch(`${PAGE}api/games`)).json())
    if (await keepAsset(`${PAGE}api/rules/${id}/${language}`))
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
}

/** What a page that was open before has left for us: words in the reader's language, and what games are called. */
async function words() {
  const kept = await (await caches.open('nimmt-calls')).match(`${PAGE}calls.json`);
  return kept ? await kept.json() : { turn: 'It is your turn.', language: 'en', games: {} };
}

/** Somebody is called. The message says which table waits and what is played there, nothing else. */
async function tell({ table, game }) {
  const { turn, language, games } = await words();
  for (const old of await self.registration.getNotifications()) if (old.data?.table === table) old.close();
  await self.registration.showNotification(games[game] ?? 'nimmt', {
    body: turn,
    lang: language,
    tag: `nimmt:${table}`,
    icon: `${PAGE}icon-192.png`,
    badge: `${PAGE}icon-192.png`,
    data: { table },
  });
}

/**
 * The browser's push service has given us another address, or wants to be asked for one: the server has to know, or
 * nobody is called any more. When it is quiet was left with the words.
 */
async function renew({ newSubscription }) {
  const me = `${PAGE}api/me/calls`;
  const ask = async () => {
    const { key } = await (await fetch(me)).json();
    return self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  };
  const { endpoint, keys } = (newSubscription ?? (await ask())).toJSON();
  const { quiet = null } = await words();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  await fetch(me, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth, quiet, zone }),
  });
}

/** To the table: where it is open already, or any page of ours, or a new one. */
async function open(table) {
  const place = `/t/${encodeURIComponent(table)}`;
  const address = PAGE.slice(0, -1) + place;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const ours = pages.filter(({ url }) => new URL(url).pathname.startsWith(PAGE));
  const page = ours.find(({ url }) => new URL(url).pathname === address) ?? ours[0];
  if (!page) return self.clients.openWindow(address);
  page.postMessage({ go: place });
  return page.focus();
}

self.addEventListener('push', (event) => event.waitUntil(tell(event.data.json())));
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { table } = event.notification.data ?? {};
  if (typeof table === 'string') event.waitUntil(open(table));
});

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', (event) => event.waitUntil(keep(event.data).catch(() => undefined)));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.startsWith(`${PAGE}api/`) && !isForAll(url)) return;
  if (request.mode === 'navigate') event.respondWith(page(event));
  else event.respondWith(isAsset(url) ? asset(request) : other(request));
});

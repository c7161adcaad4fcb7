/**
 * Keeps what the page is made of, so that it comes up and says what is wrong while the server cannot be reached.
 * The page itself is always fetched first; files with a hash in their name never change; /api is none of our business.
 */
/** Where the page lives: "/", or below it where others have a place on this host, too. */
const PAGE = new URL('./', location).pathname;
/** All pages of a host share their caches. */
const CACHE = `nimmt-page${PAGE.slice(0, -1)}`;
/** Milliseconds between files that nobody waits for: many visitors may come at once. */
const PAUSE = 500;

const isAsset = (url) => url.origin === location.origin && url.pathname.startsWith(`${PAGE}assets/`);

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
  for (const path of await (await fetch(`${PAGE}assets.json`)).json())
    if (await keepAsset(PAGE + path)) await new Promise((resolve) => setTimeout(resolve, PAUSE));
}

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', (event) => event.waitUntil(keep(event.data).catch(() => undefined)));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith(`${PAGE}api/`))
    return;
  if (request.mode === 'navigate') event.respondWith(page(event));
  else event.respondWith(isAsset(url) ? asset(request) : other(request));
});

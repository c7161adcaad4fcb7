/** The service worker that keeps the page's files for times when the server cannot be reached. */

import { quiet } from './afterwards';
import { to } from './base';
import { go } from './router.svelte';

/** All files that this page is made of so far. */
function loaded(): string[] {
  return performance.getEntriesByType('resource').map(({ name }) => name);
}

async function keep(home: () => Promise<unknown>): Promise<void> {
  await navigator.serviceWorker.register(to('/sw.js'));
  await quiet();
  await home();
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(loaded());
}

/** A notification that was clicked leads to its table, also in a page that has only just come up. */
function follow(event: MessageEvent): void {
  const path = (event.data as { go?: unknown } | null)?.go;
  if (typeof path === 'string') go(path);
}

/** The home comes with it, wherever one has come in: without a connection that is where people go. */
export function keepShell(home: () => Promise<unknown>): void {
  // While developing, files change under the same name.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', follow);
  const start = (): void => void keep(home).catch(() => undefined); // nice to have, not needed
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}

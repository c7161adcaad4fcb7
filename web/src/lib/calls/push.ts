/** Being called while no page is open: this browser's subscription at its push service, and the server's note of it. */
import { api } from '$lib/api';
import type { CallsInfo, Subscribe, SubscriptionInfo } from '$lib/types';
import { preferences } from './preferences.svelte';
import { registration } from './worker';

export function canPush(): boolean {
  return 'PushManager' in globalThis && 'serviceWorker' in navigator;
}

function bytes(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

function described(subscription: PushSubscription): Subscribe {
  const { endpoint, keys } = subscription.toJSON();
  return {
    endpoint: endpoint ?? subscription.endpoint,
    p256dh: keys?.['p256dh'] ?? '',
    auth: keys?.['auth'] ?? '',
    quiet: preferences.quiet && { start: preferences.quiet.start, end: preferences.quiet.end },
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  };
}

async function current(): Promise<PushSubscription | null> {
  return canPush() ? ((await (await registration())?.pushManager.getSubscription()) ?? null) : null;
}

/** Whether this browser is called while no page is open. */
export async function isPushed(): Promise<boolean> {
  return (await current()) !== null;
}

/** Ask the browser and tell the server. Throws if either does not want to. */
export async function startPush(): Promise<SubscriptionInfo> {
  const { key }: CallsInfo = await api.calls();
  const worker = await registration();
  if (!key || !worker) throw new Error('nobody to call');
  const options = { userVisibleOnly: true, applicationServerKey: bytes(key) };
  return api.subscribe(described(await worker.pushManager.subscribe(options)));
}

/** Not any more, in this browser. */
export async function stopPush(): Promise<void> {
  await (await current())?.unsubscribe(); // then the push service tells the server, too
}

/** The server is told anew when somebody comes: they may be somebody else, or somewhere else, by now. */
export async function keepPush(): Promise<void> {
  const subscription = await current();
  if (!subscription) return;
  if (preferences.on && preferences.notify) await api.subscribe(described(subscription));
  else await subscription.unsubscribe();
}

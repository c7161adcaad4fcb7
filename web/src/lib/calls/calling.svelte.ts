/**
 * Calls somebody whose turn it is while the page is open somewhere: title, icon, badge, vibration, notification.
 * Loaded when everything else is there.
 */
import { about, gameNames } from '$games/index';
import { api } from '$lib/api';
import { to } from '$lib/base';
import { me } from '$lib/guest.svelte';
import { language } from '$lib/i18n.svelte';
import { openTable, type Turn } from '$lib/turns.svelte';
import { preferences } from './preferences.svelte';
import { keepPush } from './push';
import { isQuiet, minuteOf } from './quiet';
import { t, texts } from './texts';
import { registration } from './worker';

/** Milliseconds between looks at our other tables. */
const LOOK = 30_000;
const MARK = '●';
/** What the service worker needs to know to tell of a call while no page is open; see public/sw.js. */
const KEPT = 'nimmt-calls';

interface Badging {
  setAppBadge?: (count: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
}

const state = $state<{ elsewhere: readonly Turn[] }>({ elsewhere: [] });

/** The tables that wait for us, the one on the screen first. */
function turns(): readonly Turn[] {
  if (!preferences.on) return [];
  const open = openTable();
  const elsewhere = state.elsewhere.filter(({ table }) => table !== open?.table);
  return open?.decision != null ? [open, ...elsewhere] : elsewhere;
}

async function look(): Promise<void> {
  try {
    if (me() && preferences.on) state.elsewhere = await api.waiting();
  } catch {
    // There will be another look.
  }
}

// -- title and icon --------------------------------------------------------------------------------------

let said = '';
let base = '';

/** Screens say their titles; while we are waited for, that comes instead. */
function keepTitle(): void {
  if (document.title !== said) base = document.title;
  const [first] = turns();
  said = first ? `${MARK} ${t('turn')} · ${about(first.game).name}` : '';
  const title = said || base;
  if (document.title !== title) document.title = title;
}

function keepIcon(waiting: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = to(waiting ? '/icon-turn.svg' : '/icon.svg');
}

function keepBadge(count: number): void {
  const badging = navigator as Badging;
  const done = count ? badging.setAppBadge?.(count) : badging.clearAppBadge?.();
  void done?.catch(() => undefined); // only installed apps have one
}

// -- notifications ---------------------------------------------------------------------------------------

let last: Promise<void> = Promise.resolve();

/** One after the other: Chromium forgets a notification that is shown while the list of them is read. */
function inTurn(work: () => Promise<void>): void {
  last = last.then(work).catch(() => undefined);
}

async function close(table: string): Promise<void> {
  for (const one of (await (await registration())?.getNotifications()) ?? [])
    if ((one.data as { table?: string } | null)?.table === table) one.close();
}

async function notify({ table, game }: Turn): Promise<void> {
  const worker = await registration();
  if (!worker || Notification.permission !== 'granted') return;
  await close(table);
  await worker.showNotification(about(game).name, {
    body: t('turn.body'),
    tag: `nimmt:${table}`,
    icon: to('/icon-192.png'),
    badge: to('/icon-192.png'),
    lang: language(),
    data: { table },
  });
}

/** It has just become our turn there. */
function call(turn: Turn): void {
  const quiet = isQuiet(preferences.quiet, minuteOf(new Date()));
  if (!quiet && preferences.vibrate) navigator.vibrate?.([90, 70, 90]);
  if (!quiet && preferences.notify && document.hidden) inTurn(() => notify(turn));
}

const known = new Map<string, number | null>();

/** Finds out which calls are new. What was there when we came is no news. */
function findNews(): void {
  const waiting = turns();
  const open = openTable();
  for (const turn of waiting) {
    const decision = turn.table === open?.table ? open.decision : null;
    const isNew = !known.has(turn.table) || (decision !== null && known.get(turn.table) !== decision);
    if (isNew && (arrived.has(turn.table) || document.hidden)) call(turn);
    known.set(turn.table, decision);
  }
  for (const table of known.keys())
    if (!waiting.some((turn) => turn.table === table)) {
      known.delete(table);
      inTurn(() => close(table));
    }
  for (const { table } of waiting) arrived.add(table);
  if (open) arrived.add(open.table);
}
/** Tables that have been looked at. */
const arrived = new Set<string>();

// -- all of it -------------------------------------------------------------------------------------------

/** In the language of the reader, for when no page is open. */
async function keepWords(): Promise<void> {
  if (!('caches' in globalThis) || !preferences.notify) return;
  const quiet = preferences.quiet && { start: preferences.quiet.start, end: preferences.quiet.end };
  const words = { turn: t('turn.body'), language: language(), games: gameNames(), quiet };
  await (await caches.open(KEPT)).put(to('/calls.json'), new Response(JSON.stringify(words)));
}

function seen(): void {
  if (document.hidden) return;
  void look();
  const open = openTable();
  if (open) inTurn(() => close(open.table));
}

export async function keepCalling(): Promise<void> {
  await texts.ready();
  setInterval(() => void look(), LOOK);
  document.addEventListener('visibilitychange', seen);
  new MutationObserver(keepTitle).observe(document.head, {
    childList: true,
    subtree: true,
    characterData: true,
  });
  $effect.root(() => {
    $effect(() => {
      if (me()) void look();
      else state.elsewhere = [];
    });
    $effect(keepTitle);
    $effect(() => {
      keepIcon(turns().length > 0);
      keepBadge(turns().length);
    });
    $effect(findNews);
    $effect(() => void keepWords().catch(() => undefined));
    $effect(() => {
      if (me()) void keepPush().catch(() => undefined);
    });
  });
}

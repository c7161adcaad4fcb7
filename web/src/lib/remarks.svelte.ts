/**
 * The first match teaches, too: a remark when a rule applies for the first time. Each comes once, in this browser; to
 * nobody who has learnt the rule in a lesson; and all can be switched off.
 */
import type { GameModule } from '$games/game';
import { announce, front } from './announce.svelte';
import { isDone } from './progress.svelte';
import { settings } from './settings.svelte';

const PLACE = 'nimmt.remarks';
/** Milliseconds that a remark stays, and more for each letter. */
const STAYS = 5000;
const A_LETTER = 60;

export interface Remark {
  readonly game: string;
  readonly rule: string;
  readonly text: string;
}

function read(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.map(String) : []);
  } catch {
    return new Set();
  }
}

let made: ReadonlySet<string> = read();
let current = $state.raw<Remark | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

function keep(id: string): void {
  made = new Set([...read(), ...made, id]); // another tab may have made others
  try {
    localStorage.setItem(PLACE, JSON.stringify([...made]));
  } catch {
    // Then it is remembered until the page is closed.
  }
}

export function remark(): Remark | null {
  return current;
}

/** It has been read. */
export function close(): void {
  clearTimeout(timer);
  current = null;
}

/** No more of them, not only now. */
export function switchOff(): void {
  settings.remarks = false;
  close();
}

/** Whoever is at it needs more time. */
export function hold(): void {
  clearTimeout(timer);
}

export function release(): void {
  clearTimeout(timer);
  if (current) timer = setTimeout(close, STAYS + A_LETTER * current.text.length);
}

/** Something has happened that may be worth a remark: events name the rule that applied. */
export function note(game: string, module: GameModule, event: unknown): void {
  const rule = module.ruleOf?.(event) ?? (event as { readonly rule?: unknown }).rule;
  if (!settings.remarks || typeof rule !== 'string' || current || front() !== undefined) return;
  const id = `${game}.${rule}`;
  if (made.has(id) || isDone(`${game}/${module.taughtIn?.[rule] ?? 'basic'}`)) return;
  const text = module.texts.word(`remark.${rule}`);
  if (text === null) return;
  keep(id);
  current = { game, rule, text };
  announce(text);
  release();
}

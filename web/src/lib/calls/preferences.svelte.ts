/** How somebody wants to be called in this browser; shared by its tabs. */
import type { Quiet } from './quiet';

export interface CallPreferences {
  /** Anything at all. */
  on: boolean;
  /** A notification while the page is in the background. */
  notify: boolean;
  vibrate: boolean;
  quiet: Quiet | null;
  /** When notifications may be offered again, in milliseconds of the epoch; null is never. */
  offer: number | null;
}

const KEY = 'nimmt.calls';
export const NOT_NOW = 7 * 24 * 3_600_000;
const DEFAULTS: CallPreferences = { on: true, notify: false, vibrate: false, quiet: null, offer: 0 };

const isMinute = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 1440;
const isYesNo = (value: unknown): boolean => typeof value === 'boolean';
const ALLOWED: { [K in keyof CallPreferences]: (value: unknown) => boolean } = {
  on: isYesNo,
  notify: isYesNo,
  vibrate: isYesNo,
  quiet: (value) => value === null || (isMinute((value as Quiet)?.start) && isMinute((value as Quiet)?.end)),
  offer: (value) => value === null || typeof value === 'number',
};

/** What was stored, as far as it makes sense. */
export function readPreferences(text: string | null): CallPreferences {
  try {
    const stored = Object.entries(JSON.parse(text ?? '{}') as object);
    const good = stored.filter(
      ([key, value]) => key in ALLOWED && ALLOWED[key as keyof CallPreferences](value),
    );
    return { ...DEFAULTS, ...Object.fromEntries(good) };
  } catch {
    return { ...DEFAULTS };
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // private windows may forbid it
  }
}

export const preferences: CallPreferences = $state(
  readPreferences(typeof localStorage === 'undefined' ? null : stored()),
);

export function prefer(changes: Partial<CallPreferences>): void {
  Object.assign(preferences, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // They hold for this visit then.
  }
}

if (typeof addEventListener !== 'undefined')
  addEventListener('storage', (event) => {
    if (event.key === KEY) Object.assign(preferences, readPreferences(event.newValue));
  });

/** May we offer notifications to somebody who waits for other people? Never to those who have answered. */
export function mayOffer(
  { on, notify, offer }: CallPreferences,
  permission: NotificationPermission | 'unsupported',
  now: number,
): boolean {
  return on && !notify && permission === 'default' && offer !== null && offer <= now;
}

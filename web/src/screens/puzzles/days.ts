/** Days by UTC, as `2026-01-31`. */
import { language } from '$lib/i18n.svelte';

export const isDay = (word: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(word);

const at = (day: string): Date => new Date(`${day}T00:00:00Z`);

function written(day: string, how: Intl.DateTimeFormatOptions): string {
  return at(day).toLocaleDateString(language(), { timeZone: 'UTC', ...how });
}

export const longDate = (day: string): string =>
  written(day, { day: 'numeric', month: 'long', year: 'numeric' });
/** Where there is little room. */
export const shortDate = (day: string): string => written(day, { day: 'numeric', month: 'short' });
export const monthName = (month: string): string =>
  written(`${month}-01`, { month: 'long', year: 'numeric' });

/** The names of the days of a week, from Monday. */
export const weekdays = (): readonly { readonly short: string; readonly long: string }[] =>
  // The fifth of January 2026 was a Monday.
  [5, 6, 7, 8, 9, 10, 11].map((day) => {
    const date = `2026-01-${String(day).padStart(2, '0')}`;
    return { short: written(date, { weekday: 'narrow' }), long: written(date, { weekday: 'long' }) };
  });

/** Some months later, or earlier. */
export function monthFrom(month: string, months: number): string {
  const date = at(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** The days of a month in weeks from Monday to Sunday; null beside its ends. */
export function weeksOf(month: string): readonly (readonly (string | null)[])[] {
  const first = at(`${month}-01`);
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const before = (first.getUTCDay() + 6) % 7;
  const cells: (string | null)[] = Array.from({ length: before }, () => null);
  for (let day = 1; day <= count; day++) cells.push(`${month}-${String(day).padStart(2, '0')}`);
  while (cells.length % 7) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(7 * week, 7 * week + 7));
}

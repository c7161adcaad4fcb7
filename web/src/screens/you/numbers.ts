/** Numbers as the language that is spoken writes them. */
import { language } from '$lib/i18n.svelte';

const formats = new Map<string, Intl.NumberFormat>();

function formatted(value: number, name: string, options: Intl.NumberFormatOptions): string {
  const key = `${language()} ${name}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(language(), options)));
  return format.format(value);
}

export const percent = (share: number): string =>
  formatted(share, 'percent', { style: 'percent', maximumFractionDigits: 0 });

export const decimal = (value: number): string => formatted(value, 'decimal', { maximumFractionDigits: 1 });

export const day = (ms: number): string =>
  new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(ms);

/** The share of something, none of nothing. */
export const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** For each value the average of it and those before it, of so many at most. */
export function running(values: readonly number[], size: number): number[] {
  return values.map((_, index) => {
    const some = values.slice(Math.max(0, index - size + 1), index + 1);
    return some.reduce((sum, value) => sum + value, 0) / some.length;
  });
}

/** A round number at or above: 1, 2, 5, 10, 20, 50, … */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((step) => step * power >= value) ?? 10) * power;
}

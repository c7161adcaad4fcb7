/** What actions are called, and how much they cost, in the language that is spoken. */
import { language } from '$lib/i18n.svelte';
import { t as shared } from '$lib/texts';
import { t } from './texts';

interface AnyAction {
  readonly type: string;
  readonly card?: number;
  readonly twisted?: boolean;
  readonly row?: number;
  readonly pile?: number;
}

/** Both were written by the server, field by field in the same order. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A card is its number, a row is a row; what is neither is called as the server calls it. */
export function nameOf(action: unknown, label = ''): string {
  const { type, card, twisted, row, pile } = action as AnyAction;
  if (typeof card === 'number') {
    const name = `${card}${twisted ? '↻' : ''}`;
    if (typeof pile === 'number') return t('onPile', { card: name, pile });
    return typeof row === 'number' ? t('inRow', { card: name, row }) : name;
  }
  if (typeof row === 'number') return shared('row.name', { row });
  if (typeof pile === 'number') return t('pile', { pile });
  return label || type;
}

export const rounded = (value: number): string =>
  value.toLocaleString(language(), { maximumFractionDigits: 1, minimumFractionDigits: value ? 1 : 0 });

export const signed = (value: number): string =>
  value.toLocaleString(language(), { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

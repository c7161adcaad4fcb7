/** What actions are called, and how much they cost, in the language that is spoken. */
import type { GameModule, Names } from '$games/game';
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

/** An action as the server tells of it. */
interface Told {
  readonly action: unknown;
  /** What its sentences call it. */
  readonly label: string;
}

/** What actions are called at a table: games have words for what is more than a card or a row. */
export class Naming {
  readonly #module: GameModule | null;
  readonly #names: Names;

  constructor(module: GameModule | null, names: Names) {
    this.#module = module;
    this.#names = names;
  }

  of(action: unknown, label = ''): string {
    return this.#module?.called?.(action, this.#names) ?? nameOf(action, label);
  }

  /** A sentence of the server in which these are called as the game calls them. */
  in(sentence: string, ...told: readonly Told[]): string {
    return told.reduce((said, { action, label }) => {
      const name = this.#module?.called?.(action, this.#names);
      return name && label ? said.replaceAll(label, t('quoted', { name })) : said;
    }, sentence);
  }
}

export const rounded = (value: number): string =>
  value.toLocaleString(language(), { maximumFractionDigits: 1, minimumFractionDigits: value ? 1 : 0 });

export const signed = (value: number): string =>
  value.toLocaleString(language(), { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** Where a card would go as the table lies now, and what it would cost, as the server foresees it. */
import type { Playing } from '$games/game';
import { t } from './texts';
import type { Foresight } from './types';

export interface Preview {
  /** The row that the card joins or takes, from 1; null if its owner will have to choose one. */
  readonly row: number | null;
  readonly takes: boolean;
  /** Bulls that it would cost; for a choice the cheapest row. */
  readonly bulls: number;
}

/** What is foreseen of one of the actions that are possible now. */
export function foreseen<A>(
  game: Playing<unknown, A>,
  isMeant: (action: A) => boolean,
): readonly Foresight[] {
  const index = game.legal.findIndex(isMeant);
  return (index >= 0 && game.situation.foreseen?.filter(({ actions }) => actions.includes(index))) || [];
}

/** The same where cards have one row to go to, or their owner has to take one; null if nothing is foreseen. */
export function preview([first, ...others]: readonly Foresight[]): Preview | null {
  if (!first) return null;
  const bulls = (one: Foresight): number => one.bulls ?? 0;
  if (first.rule === 'too-low')
    return { row: null, takes: true, bulls: Math.min(...[first, ...others].map(bulls)) };
  return { row: first.place, takes: first.rule === 'full-row', bulls: bulls(first) };
}

export function inWords(ahead: Preview | null): string {
  if (!ahead) return '';
  const { row, takes, bulls } = ahead;
  const cost = t('bulls', { count: bulls });
  if (row === null) return t('preview.choose', { bulls: cost });
  if (takes) return t('preview.takes', { row, bulls: cost });
  return bulls > 0 ? t('preview.joins.dear', { row, bulls: cost }) : t('preview.joins', { row });
}

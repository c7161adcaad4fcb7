/** A result as steps from what was to be expected to what it became. */
import type { Account } from '$lib/types';

export type Column = 'mean' | 'deal' | 'turns' | 'own' | 'result';

export interface Step {
  readonly column: Column;
  /** What it adds; the first and the last are sums. */
  readonly value: number;
  /** Where its bar begins and ends, in per cent of the width. */
  readonly from: number;
  readonly to: number;
  readonly isSum: boolean;
}

export function steps({ mean, deal_luck, turn_luck, decisions, result }: Account): readonly Step[] {
  const changes = [deal_luck, turn_luck, decisions];
  const stops = changes.reduce<number[]>((sums, change) => [...sums, sums.at(-1)! + change], [mean]);
  const [least, most] = [Math.min(0, ...stops), Math.max(0, ...stops)];
  const place = (value: number): number => (100 * (value - least)) / (most - least || 1);
  const bar = (column: Column, value: number, from: number, to: number, isSum = false): Step => ({
    column,
    value,
    from: Math.min(place(from), place(to)),
    to: Math.max(place(from), place(to)),
    isSum,
  });
  return [
    bar('mean', mean, 0, mean, true),
    bar('deal', deal_luck, stops[0]!, stops[1]!),
    bar('turns', turn_luck, stops[1]!, stops[2]!),
    bar('own', decisions, stops[2]!, stops[3]!),
    bar('result', result, 0, result, true),
  ];
}

/** The chance to win before each decision and at the end, as a line in a box of 100 by 40. */
export function line(chances: readonly number[]): string {
  const step = 100 / Math.max(1, chances.length - 1);
  return chances
    .map((chance, index) => `${(index * step).toFixed(2)},${(40 - 40 * chance).toFixed(2)}`)
    .join(' ');
}

/** Where a card would go as the table lies now: for previews only, the server decides. */
import { bullsOf } from '$lib/cards';
import type { XTable } from '$lib/types';

/** By row: which card of the row takes the ones before it. */
export const TAKING = [3, 4, 5] as const;

export interface Preview {
  /** The row that the card joins or takes, from 1; null if its owner will have to choose one. */
  readonly row: number | null;
  readonly takes: boolean;
  /** Bulls that lie there; for a choice the cheapest row. */
  readonly bulls: number;
}

function targetRow(table: XTable, card: number): number | null {
  let closest = 0;
  let target: number | null = null;
  table.rows.forEach((cards, index) => {
    const end = cards.at(-1)!;
    if (closest < end && end < card) {
      closest = end;
      target = index + 1;
    }
  });
  return target;
}

export function preview(table: XTable, card: number): Preview {
  const row = targetRow(table, card);
  if (row === null) return { row, takes: true, bulls: Math.min(...table.rows.map(bullsOf)) };
  const cards = table.rows[row - 1]!;
  const takes = cards.length + 1 >= TAKING[row - 1]!;
  return { row, takes, bulls: takes ? bullsOf(cards) : 0 };
}

/** Would this card clear the X row away? */
export function breaks(row: readonly number[], card: number): boolean {
  const end = row.at(-1);
  return end !== undefined && card <= end;
}

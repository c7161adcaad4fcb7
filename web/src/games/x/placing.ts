import { closestBelow, preview, type Preview } from '$lib/preview';
import type { XTable } from '$lib/types';

/** By row: which card of the row takes the ones before it. */
export const TAKING = [3, 4, 5] as const;

export function look({ rows }: XTable, card: number): Preview {
  const row = closestBelow(rows, card);
  return preview(rows, row, row === null ? 0 : TAKING[row - 1]! - 1);
}

/** Would this card clear the X row away? */
export function breaks(row: readonly number[], card: number): boolean {
  const end = row.at(-1);
  return end !== undefined && card <= end;
}

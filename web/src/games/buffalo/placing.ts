import { closestBelow, preview, type Preview } from '$lib/preview';
import type { BuffaloTable } from '$lib/types';
import { lies } from './specials';

const ROW_LIMIT = 5;

/** How many cards a row holds before the next one takes it. */
export function limit(table: BuffaloTable, row: number): number {
  return ROW_LIMIT + Number(lies(table, 'Take7', row));
}

/** An empty row must take the next card; nothing goes to a row with a Stop!, nor can it be chosen. */
export function look(table: BuffaloTable, card: number): Preview {
  const { rows } = table;
  const isOpen = (row: number): boolean => !lies(table, 'Stop', row);
  const empty = rows.findIndex((cards) => cards.length === 0);
  const row = empty >= 0 ? empty + 1 : closestBelow(rows, card, isOpen);
  if (row === null)
    return preview(
      rows.filter((_, index) => isOpen(index + 1)),
      null,
      0,
    );
  return preview(rows, row, limit(table, row));
}

import { preview, type Preview } from '$lib/preview';
import type { SixMarkers, SixTable } from '$lib/types';

export const ROW_LIMIT = 5;

/** The number with its two digits swapped. */
export function twistedValue(card: number): number {
  return (card % 10) * 10 + Math.floor(card / 10);
}

function fits(markers: SixMarkers, row: number, end: number, value: number): boolean {
  const descends = markers.mountain?.row === row;
  if (descends ? value >= end : value <= end) return false;
  const marker = markers.even_odd;
  return marker?.row !== row || (value % 2 ? 'odd' : 'even') === marker.parity;
}

function targetRow(table: SixTable, value: number): number | null {
  let best: { row: number; distance: number; descends: boolean } | null = null;
  table.rows.forEach((cards, index) => {
    const row = index + 1;
    const end = cards.at(-1)!;
    if (!fits(table.markers, row, end, value)) return;
    const descends = table.markers.mountain?.row === row;
    const distance = Math.abs(value - end);
    if (!best || distance < best.distance || (distance === best.distance && descends && !best.descends))
      best = { row, distance, descends };
  });
  return best === null ? null : (best as { row: number }).row;
}

export function look(table: SixTable, card: number, twisted: boolean): Preview {
  const row = targetRow(table, twisted ? twistedValue(card) : card);
  return preview(table.rows, row, ROW_LIMIT - Number(row !== null && table.markers.cow === row));
}

import { listed } from '$lib/i18n.svelte';
import { t as shared } from '$lib/texts';
import type { BaronTable } from '$lib/types';
import { bullsOf, COLOURS, fittingRows, takes, type Colour } from './deck';
import { t } from './texts';

/** A card as it is read out: "17: yellow, red, white". */
export function spoken(card: number, colours: readonly Colour[]): string {
  const counted = COLOURS.flatMap((colour) => {
    const count = colours.filter((one) => one === colour).length;
    if (count === 0) return [];
    const name = t(`colour.${colour}`);
    return [count === 1 ? name : `${count} × ${name}`];
  });
  return `${card}: ${listed(counted)}`;
}

/** Where a card would go as the table lies now, and what it would cost. */
export function foretold(table: BaronTable, card: number): string {
  const costs = table.rows.map((cards) => bullsOf(table, cards));
  const bulls = (count: number): string => shared('bulls', { count });
  const rows = fittingRows(table, card);
  if (rows.length === 0)
    return table.options.bulls_are_good
      ? t('preview.returned')
      : t('preview.none', { bulls: bulls(Math.min(...costs)) });
  const dear = rows.filter((row) => takes(table, card, row));
  const priced = dear.map((row) => `${row} (${bulls(costs[row - 1]!)})`);
  return [
    dear.length < rows.length ? t('preview.fits', { rows: rows.join(', ') }) : '',
    dear.length > 0 ? t('preview.takes', { rows: priced.join(', ') }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

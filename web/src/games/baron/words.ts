import { listed } from '$lib/i18n.svelte';
import { t as shared } from '$lib/texts';
import type { Foresight } from '$lib/types';
import { COLOURS, type Colour } from './deck';
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
export function foretold(places: readonly Foresight[]): string {
  const [first] = places;
  if (!first) return '';
  if (first.place === null) return t('preview.returned');
  const bulls = ({ bulls = 0 }: Foresight): string => shared('bulls', { count: bulls });
  if (first.rule === 'no-colour') {
    const cheapest = places.reduce((best, one) => ((one.bulls ?? 0) < (best.bulls ?? 0) ? one : best));
    return t('preview.none', { bulls: bulls(cheapest) });
  }
  const ordered = [...places].sort((one, other) => one.place! - other.place!);
  const dear = ordered.filter(({ takes }) => takes);
  const rows = ordered.map(({ place }) => place).join(', ');
  const priced = dear.map((one) => `${one.place} (${bulls(one)})`).join(', ');
  return [
    dear.length < places.length ? t('preview.fits', { rows }) : '',
    dear.length > 0 ? t('preview.takes', { rows: priced }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

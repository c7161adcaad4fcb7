import { listed } from '$lib/i18n.svelte';
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

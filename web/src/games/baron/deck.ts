/** The colours on the cards: those of the shipped deck, or of the deck that a table brought along. */
import shipped from '../../../../src/nimmt/games/baron/deck.json';
import type { BaronTable } from '$lib/types';

export const COLOURS = ['blue', 'yellow', 'green', 'red', 'black', 'white'] as const;
export type Colour = (typeof COLOURS)[number];

type Cards = Readonly<Record<string, readonly Colour[]>>;

export function coloursOn(table: BaronTable, card: number): readonly Colour[] {
  const cards = table.options.deck?.cards ?? (shipped.cards as Cards);
  return cards[String(card)] ?? [];
}

export function bullsOf(table: BaronTable, cards: readonly number[]): number {
  return cards.reduce((sum, card) => sum + coloursOn(table, card).length, 0);
}

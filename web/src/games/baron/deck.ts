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

/** The rows whose end shows a colour that the card shows, from 1. */
export function fittingRows(table: BaronTable, card: number): number[] {
  const own = new Set(coloursOn(table, card));
  return table.rows.flatMap((cards, index) =>
    coloursOn(table, cards.at(-1)!).some((colour) => own.has(colour)) ? [index + 1] : [],
  );
}

/** Would the card take this row? */
export function takes(table: BaronTable, card: number, row: number): boolean {
  const cards = [...(table.rows[row - 1] ?? []), card];
  if (cards.length > 5 && !table.options.colour_counts) return true;
  const counts = new Map<Colour, number>();
  for (const colour of cards.flatMap((one) => coloursOn(table, one)))
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= 6);
}

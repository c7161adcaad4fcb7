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

/** Bulls of one colour, and how many a card that may come would add. */
export interface Count {
  readonly colour: Colour;
  readonly count: number;
  readonly more: number;
}

/** The bulls of some cards by colour, always in the same order; what is not there is left out. */
export function counts(
  table: BaronTable,
  cards: readonly number[],
  coming?: number | null,
): readonly Count[] {
  const lying = cards.flatMap((card) => coloursOn(table, card));
  const more = coming ? coloursOn(table, coming) : [];
  const of = (colours: readonly Colour[], colour: Colour): number =>
    colours.filter((one) => one === colour).length;
  return COLOURS.map((colour) => ({ colour, count: of(lying, colour), more: of(more, colour) })).filter(
    ({ count, more }) => count + more > 0,
  );
}

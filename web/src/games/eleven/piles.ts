/** The piles as they are shown: in the order of their tops, so that the eye can search them. */
import type { ElevenLayCard, ElevenTable } from '$lib/types';

export interface Pile {
  /** The number that the rules know it by. */
  readonly pile: number;
  readonly top: number;
  /** The cards of the hand that may be laid on it now. */
  readonly fitting: readonly number[];
}

/** Whatever comes and goes, the others keep their order. */
export function inOrder(
  { tops }: Pick<ElevenTable, 'tops'>,
  lays: readonly ElevenLayCard[],
): readonly Pile[] {
  return tops
    .map((top, index) => ({
      pile: index + 1,
      top,
      fitting: lays.filter(({ pile }) => pile === index + 1).map(({ card }) => card),
    }))
    .sort((one, other) => one.top - other.top);
}

export interface Grid {
  /** How many lie side by side, on the table and in the hand. */
  readonly across: number;
  readonly columns: number;
  /** How many lines that makes; those of the hand as high as the ones on the table. */
  readonly lines: number;
  readonly held: number;
}

/** So many lines of the hand are shown at once; the rest is scrolled to. */
const MOST_HELD = 2.6;

/** The more cards there are, the smaller they are, so that all of them can be seen together. */
export function grid(piles: number, hand: number, isWide: boolean): Grid {
  const across = isWide ? (piles > 16 ? 10 : 8) : piles <= 12 ? 4 : piles <= 20 ? 5 : 6;
  const [few, many] = isWide ? [10, 14] : [5, 7];
  const columns = hand <= 10 ? few : many;
  const lines = Math.max(2, Math.ceil(piles / across));
  const held = Math.min(MOST_HELD, (Math.max(1, Math.ceil(hand / columns)) * across) / columns);
  return { across, columns, lines, held };
}

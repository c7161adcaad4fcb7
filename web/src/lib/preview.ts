/** Where a card would go as the table lies now, and what it would cost: for previews only, the server decides. */
import { bullsOf } from './cards';
import { t } from './texts';

export interface Preview {
  /** The row that the card joins or takes, from 1; null if its owner will have to choose one. */
  readonly row: number | null;
  readonly takes: boolean;
  /** Bulls that it would cost; for a choice the cheapest row. */
  readonly bulls: number;
}

type Rows = readonly (readonly number[])[];

/** The row with the closest lower end, of those that are open. */
export function closestBelow(
  rows: Rows,
  card: number,
  isOpen: (row: number) => boolean = () => true,
): number | null {
  let [closest, target]: [number, number | null] = [0, null];
  rows.forEach((cards, index) => {
    const end = cards.at(-1) ?? 0;
    if (closest < end && end < card && isOpen(index + 1)) [closest, target] = [end, index + 1];
  });
  return target;
}

/** What comes of it if a card goes to this row, which holds `most` cards, or if one of these rows must be chosen. */
export function preview(rows: Rows, row: number | null, most: number): Preview {
  if (row === null) return { row, takes: true, bulls: Math.min(...rows.map(bullsOf)) };
  const cards = rows[row - 1]!;
  const takes = cards.length >= most;
  return { row, takes, bulls: takes ? bullsOf(cards) : 0 };
}

export function inWords({ row, takes, bulls }: Preview): string {
  const cost = t('bulls', { count: bulls });
  if (row === null) return t('preview.choose', { bulls: cost });
  return takes ? t('preview.takes', { row, bulls: cost }) : t('preview.joins', { row });
}

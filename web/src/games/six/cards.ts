/** So many cards a row has room for. */
export const ROW_LIMIT = 5;

/** The number with its two digits swapped. */
export function twistedValue(card: number): number {
  return (card % 10) * 10 + Math.floor(card / 10);
}

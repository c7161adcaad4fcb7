/** Bulls on the numbered cards of the family (Baron Oxx has a deck of its own). */
export function bullsOn(card: number): number {
  if (card === 55) return 7;
  if (card % 11 === 0) return 5;
  if (card % 10 === 0) return 3;
  return card % 5 === 0 ? 2 : 1;
}

export function bullsOf(cards: readonly number[]): number {
  return cards.reduce((sum, card) => sum + bullsOn(card), 0);
}

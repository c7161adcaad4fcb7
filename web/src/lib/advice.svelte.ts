/** What a coach says about the cards of the hand, for whoever shows them: nothing, but at practice tables. */

export interface Said {
  /** In the fewest signs, on the card. */
  readonly sign: string;
  readonly best: boolean;
  readonly spoken: string;
}

let cards: ReadonlyMap<number, Said> = $state.raw(new Map());

export function advised(card: number): Said | undefined {
  return cards.get(card);
}

export function advise(said: ReadonlyMap<number, Said>): void {
  cards = said;
}

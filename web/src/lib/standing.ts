/** How a match in a list stands: whose turn it is, who is ahead, who has won. */
import { isAlone } from './presence';
import type { TableCard } from './types';

/** A seat or a side with its points, and its place among all: those with as many points share one. */
export interface Placed {
  readonly index: number;
  readonly points: number;
  readonly place: number;
}

/** Those who are ahead come first. */
export function ranking({ standing }: Pick<TableCard, 'standing'>): readonly Placed[] {
  if (!standing) return [];
  const worth = (points: number): number => (standing.high_wins ? -points : points);
  return standing.points
    .map((points, index) => ({
      index,
      points,
      place: 1 + standing.points.filter((other) => worth(other) < worth(points)).length,
    }))
    .toSorted((one, other) => one.place - other.place || one.index - other.index);
}

/** Does this match wait for whoever looks at it? One that is paused waits for any of its people. */
export function isYourTurn({ phase, you, waiting, paused }: TableCard): boolean {
  return phase === 'playing' && you !== null && (paused || waiting.some(({ seat }) => seat === you));
}

/** When time runs out: for us if it is our turn, otherwise for the first of the others. */
export function deadlineOf(card: TableCard): number | null {
  const mine = card.waiting.filter(({ seat }) => seat === card.you);
  const ends = (mine.length ? mine : card.waiting).flatMap(({ deadline }) => deadline ?? []);
  return ends.length ? Math.min(...ends) : null;
}

/** Those that wait for us first, and of them the most pressing one; tables that have not begun come last. */
export function byUrgency(one: TableCard, other: TableCard): number {
  const rank = (card: TableCard): number => (isYourTurn(card) ? 0 : card.phase === 'playing' ? 1 : 2);
  const end = (card: TableCard): number => (isYourTurn(card) ? (deadlineOf(card) ?? Infinity) : 0);
  const hurry = end(one) === end(other) ? 0 : end(one) - end(other);
  return rank(one) - rank(other) || hurry || other.updated - one.updated;
}

/** Free seats that people can take before the match begins. */
export function freeSeats({ phase, chairs }: TableCard): number {
  return phase === 'waiting' ? chairs.filter(({ kind }) => kind === 'empty').length : 0;
}

/** May whoever looks at it give the match up? */
export function canGiveUp(card: TableCard): boolean {
  return card.phase === 'playing' && isAlone(card.chairs);
}

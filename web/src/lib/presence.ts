/** Who is there. */
import type { Chair } from './types';

/** Milliseconds without a connection after which the others may let a bot play, as the server counts them. */
export const ABSENT_AFTER = 60_000;

/** Does nobody play in this match but one person and bots? */
export function isAlone(chairs: readonly Chair[]): boolean {
  return chairs.filter((chair) => chair.kind === 'person').length === 1;
}

/** Who is there, and how much time we need to watch. */
import type { Speed } from './settings.svelte';
import type { Chair } from './types';

/** Milliseconds without a connection after which the others may let a bot play, as the server counts them. */
export const ABSENT_AFTER = 60_000;

/** What bots are asked to wait, by the speed at which we watch. */
export function paceOf(speed: Speed): Chair['pace'] {
  return speed === 'fast' || speed === 'instant' ? speed : 'normal';
}

/** Does nobody play in this match but one person and bots? */
export function isAlone(chairs: readonly Chair[]): boolean {
  return chairs.filter((chair) => chair.kind === 'person').length === 1;
}

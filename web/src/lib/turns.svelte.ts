/** Whose turn it is, where: what screens know of it, for whoever calls us. */
import type { Situation } from './types';

/** A table that waits for us. */
export interface Turn {
  readonly table: string;
  readonly game: string;
}

interface Open extends Turn {
  /** The decision that is waited for; null if we are not. */
  readonly decision: number | null;
}

const state = $state<{ open: Open | null }>({ open: null });

/** Does this situation wait for the reader? Not if a bot decides for them. */
export function isOurTurn({ phase, you, waiting, paused, chairs }: Situation): boolean {
  if (phase !== 'playing' || you === null || paused) return false;
  const away = chairs[you]?.away;
  return (!away || away === 'time') && waiting.some(({ seat }) => seat === you);
}

/** The table on the screen, as it is told; null when it is left. */
export function noteTable(open: Open | null): void {
  state.open = open;
}

export function openTable(): Open | null {
  return state.open;
}

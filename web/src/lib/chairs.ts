import type { Chair } from './types';

/** What a seat is called: the server sees to it that no two names can be confused. */
export function chairName(chair: Chair): string {
  return chair.kind === 'empty' ? '–' : chair.name;
}

/** How the buffalo feels about the duel: drawn on its face, and told in words. */
import type { BuffaloTable } from '$lib/types';
import type { Focus } from '../game';
import { lead } from './scores';
import { BUFFALO } from './specials';

export const MOODS = ['calm', 'smug', 'worried', 'furious', 'laughing', 'beaten'] as const;
export type Mood = (typeof MOODS)[number];

/** What has just happened moves it most; else who is ahead. */
export function moodOf(table: BuffaloTable, focus: Focus | null): Mood {
  const ahead = lead(table);
  if (table.phase === 'over') return ahead > 0 ? 'beaten' : 'laughing';
  if (focus?.gain) return focus.gain.seat === BUFFALO ? 'furious' : 'laughing';
  if (ahead === 0) return 'calm';
  return ahead > 0 ? 'worried' : 'smug';
}

/** The events of the game in words: `narration.ts` says how. */
import type { SixEvent } from '$lib/types';
import { narrator } from '../narration';
import { narration } from './narration';
import { t } from './texts';

export const narrate = narrator<SixEvent>(narration, t);

/** A match against bots that begins at once. */
import { api } from './api';
import { openTable } from './fair.svelte';
import { comeIn, isKnown, lookUp, me, suggestedName } from './guest.svelte';
import { sensibleLevel } from './levels';
import { go } from './router.svelte';

const SEATS = 4;

/** Newcomers get a name at once; the settings have another. */
export async function playAtOnce(game: string): Promise<void> {
  if (!isKnown()) await lookUp();
  if (!me()) await comeIn(suggestedName());
  const level = sensibleLevel((await api.bots()).map((bot) => bot.level));
  go(`/t/${await openTable({ game, seats: SEATS, bots: Array<string>(SEATS - 1).fill(level) }, true)}`);
}

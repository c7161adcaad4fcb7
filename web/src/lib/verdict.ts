import type { Names } from '$games/game';
import { listed } from './i18n.svelte';
import { t } from './texts';

/** Who won, as one says it to the person who sits at `you`, or to somebody who watched. */
export function verdict(winners: readonly number[], names: Names, you: number | null): string {
  const name = (seat: number): string => names[seat] ?? '';
  const others = winners.filter((seat) => seat !== you).map(name);
  if (winners.length === 0) return t('results.nobody');
  if (others.length === winners.length)
    return t(others.length === 1 ? 'results.wins' : 'results.share', { names: listed(others) });
  if (winners.length === 1) return t('results.youWin');
  return t('results.youShare', { names: listed([t('you'), ...others]) });
}

/** Team against buffalo. */
import type { BuffaloTable, BuffaloView } from '$lib/types';
import type { Scores } from '../game';
import { t } from './texts';

/** Alone and in pairs the team's bulls count twice. */
export const isDoubled = ({ seats }: BuffaloTable): boolean => seats <= 2;

export const teamPoints = (table: BuffaloTable): number => table.bulls * (isDoubled(table) ? 2 : 1);

/** So many bulls the team is ahead of the buffalo; fewer than none if it is behind. */
export const lead = (table: BuffaloTable): number => table.buffalo_bulls - teamPoints(table);

/** Said to the team itself, or to somebody who watched. */
function verdict(ahead: number, isOurs: boolean): string {
  const count = Math.abs(ahead);
  if (ahead > 0) return t(isOurs ? 'verdict.youWon' : 'verdict.won', { count });
  return ahead < 0 ? t('verdict.lost', { count }) : t('verdict.equal');
}

export function scores({ seat, table }: BuffaloView): Scores {
  const ahead = lead(table);
  const isOver = table.phase === 'over';
  return {
    sides: {
      names: [isDoubled(table) ? `${t('team')} (${table.bulls} × 2)` : t('team'), t('buffalo')],
      you: seat === null ? null : 0,
      winners: isOver ? [ahead > 0 ? 0 : 1] : [],
      verdict: isOver ? verdict(ahead, seat !== null) : null,
    },
    rounds: [],
    current: [teamPoints(table), table.buffalo_bulls],
    target: null,
    fewestWin: true,
  };
}

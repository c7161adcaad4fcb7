/** Team against buffalo. */
import type { BuffaloView } from '$lib/types';
import type { Scores } from '../game';
import { t } from './texts';

/** Said to the team itself, or to somebody who watched. */
function verdict(ahead: number, isOurs: boolean): string {
  const count = Math.abs(ahead);
  if (ahead > 0) return t(isOurs ? 'verdict.youWon' : 'verdict.won', { count });
  return ahead < 0 ? t('verdict.lost', { count }) : t('verdict.equal');
}

export function scores({ seat, table }: BuffaloView): Scores {
  const doubled = table.seats <= 2;
  const team = table.bulls * (doubled ? 2 : 1);
  const ahead = table.buffalo_bulls - team;
  const isOver = table.phase === 'over';
  return {
    sides: {
      names: [doubled ? `${t('team')} (${table.bulls} × 2)` : t('team'), t('buffalo')],
      you: seat === null ? null : 0,
      winners: isOver ? [ahead > 0 ? 0 : 1] : [],
      verdict: isOver ? verdict(ahead, seat !== null) : null,
    },
    rounds: [],
    current: [team, table.buffalo_bulls],
    target: null,
    fewestWin: true,
  };
}

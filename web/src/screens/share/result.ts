/** A result in words that can be sent to anybody. */
import type { GameModule, Names } from '$games/game';
import { about } from '$games/index';
import type { Situation } from '$lib/types';
import { verdict } from '$lib/verdict';

/** A match as it ended. */
export interface Ended extends Pick<Situation, 'view' | 'outcome'> {
  readonly game: string;
  readonly names: Names;
}

export function resultText(ended: Ended, module: GameModule, link: string): string {
  const { outcome } = ended;
  const scores = module.scores(ended.view, outcome);
  const sums = scores.rounds.reduce<number[]>(
    (sums, round) => round.map((points, index) => (sums[index] ?? 0) + points),
    [],
  );
  const names = scores.sides?.names ?? ended.names;
  const points = scores.sides ? sums : (outcome?.points ?? sums);
  const lines = names
    .map((name, index) => ({ name, points: points[index] ?? 0 }))
    .toSorted((one, other) => (scores.fewestWin ? 1 : -1) * (one.points - other.points))
    .map(({ name, points }) => `${name} ${points}`);
  // Told to somebody else: nobody in it is "you".
  const won = scores.sides?.verdict ?? verdict(outcome?.winners ?? [], ended.names, null);
  return [`${about(ended.game).name}: ${won}`, ...lines, link].join('\n');
}

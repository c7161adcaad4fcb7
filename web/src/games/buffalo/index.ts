import type { BuffaloAction, BuffaloEvent, BuffaloView } from '$lib/types';
import { defineGame, type Scores, type Tracked } from '../game';
import { narrate } from './narrate';
import { scenes } from './scenes';
import Table from './Table.svelte';
import { t, texts } from './texts';

const rules = import.meta.glob<string>('./rules/*.md', { import: 'default' });

function tracker(view: BuffaloView): readonly Tracked[] {
  const { table } = view;
  const places = new Map<number, Tracked['place']>();
  for (const card of table.taken) places.set(card, 'gone');
  for (const card of [...table.rows.flat(), ...table.queue.map((play) => play.card)])
    places.set(card, 'table');
  for (const card of view.hand) places.set(card, 'hand');
  return Array.from({ length: 104 }, (_, index) => ({
    card: index + 1,
    place: places.get(index + 1) ?? 'unseen',
  }));
}

function scores({ seat, table }: BuffaloView): Scores {
  const doubled = table.seats <= 2;
  const team = table.bulls * (doubled ? 2 : 1);
  const ahead = table.buffalo_bulls - team;
  const verdict = ahead > 0 ? 'verdict.won' : ahead < 0 ? 'verdict.lost' : 'verdict.equal';
  const isOver = table.phase === 'over';
  return {
    sides: {
      names: [doubled ? `${t('team')} (${table.bulls} × 2)` : t('team'), t('buffalo')],
      you: seat === null ? null : 0,
      winners: isOver ? [ahead > 0 ? 0 : 1] : [],
      verdict: isOver ? t(verdict, { count: Math.abs(ahead) }) : null,
    },
    rounds: [],
    current: [team, table.buffalo_bulls],
    target: null,
    fewestWin: true,
  };
}

export default defineGame<BuffaloView, BuffaloEvent, BuffaloAction>({
  texts,
  Table,
  narrate,
  scenes,
  tracker,
  scores,
  progress: ({ table }) => t('progress', { turn: table.turn }),
  rules: async (language) => (await rules[`./rules/${language}.md`]?.()) ?? '',
});

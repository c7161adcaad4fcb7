import type { BuffaloAction, BuffaloEvent, BuffaloView } from '$lib/types';
import { defineGame, type Tracked } from '../game';
import { narrate } from './narrate';
import { scenes } from './scenes';
import { scores } from './scores';
import Table from './Table.svelte';
import { t, texts } from './texts';

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

export default defineGame<BuffaloView, BuffaloEvent, BuffaloAction>({
  texts,
  Table,
  narrate,
  scenes,
  tracker,
  // Alone there are no special cards, and nobody to ask.
  applies: (option, { decide }, seats) => seats > 1 && !(option === 'proposals' && decide === 'anyone'),
  scores,
  progress: ({ table }) => t('progress', { turn: table.turn }),
  taughtIn: { insert: 'insert', push: 'push', 'empty-row': 'push' },
});

import type { SixAction, SixEvent, SixView } from '$lib/types';
import { defineGame, type Tracked } from '../game';
import { narrate } from './narrate';
import { scenes } from './scenes';
import Table from './Table.svelte';
import { t, texts } from './texts';

function tracker(view: SixView): readonly Tracked[] {
  const { table } = view;
  const places = new Map<number, Tracked['place']>();
  for (const card of table.taken) places.set(card, 'gone');
  for (const card of [...table.rows.flat(), ...table.queue.map((play) => play.card)])
    places.set(card, 'table');
  for (const card of view.hand) places.set(card, 'hand');
  const highest = table.options.draft ? 10 * table.seats + 4 : 104;
  return Array.from({ length: highest }, (_, index) => ({
    card: index + 1,
    place: places.get(index + 1) ?? 'unseen',
  }));
}

export default defineGame<SixView, SixEvent, SixAction>({
  texts,
  Table,
  narrate,
  scenes,
  tracker,
  // With a draft only the cards that are needed are in play, and the newer edition has them for six.
  mostSeats: ({ draft, large_draft }) => (draft && !large_draft ? 6 : 10),
  applies(option, { draft, rounds }) {
    if (option === 'large_draft') return Boolean(draft);
    return !(option === 'target' || option === 'more_than_target') || (rounds ?? null) === null;
  },
  scores: ({ table: { options, ...table } }) => ({
    rounds: table.scores,
    current: table.phase === 'over' || table.scores.length === table.round ? null : table.bulls,
    // The edition of 2007 wants more than the target: one bull more is the first number that ends it.
    target: options.rounds === null ? options.target + Number(options.more_than_target) : null,
    fewestWin: true,
  }),
  progress({ table, hand_sizes }) {
    const left = Math.max(...hand_sizes);
    const turn = 10 - left + (table.phase === 'choose' ? 1 : 0);
    if (table.phase === 'draft') return t('progress.draft', { round: table.round });
    if (table.phase === 'over') return t('progress.over', { round: table.round });
    return t('progress', { round: table.round, turn });
  },
  ruleOf: (event) => (event.type === 'MarkerMoved' ? event.fan : null),
  taughtIn: { cow: 'cow', 'even-odd': 'even-odd', mountain: 'mountain' },
});

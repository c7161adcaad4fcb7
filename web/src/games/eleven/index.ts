import type { ElevenAction, ElevenEvent, ElevenView } from '$lib/types';
import { defineGame, type Tracked } from '../game';
import { narrate } from './narrate';
import { scenes } from './scenes';
import Table from './Table.svelte';
import { t, texts } from './texts';

function tracker(view: ElevenView): readonly Tracked[] {
  const places = new Map<number, Tracked['place']>();
  for (const card of view.table.seen) places.set(card, 'gone');
  for (const card of view.table.tops) places.set(card, 'table');
  for (const card of view.hand) places.set(card, 'hand');
  return Array.from({ length: 100 }, (_, index) => ({
    card: index + 1,
    place: places.get(index + 1) ?? 'unseen',
  }));
}

export default defineGame<ElevenView, ElevenEvent, ElevenAction>({
  texts,
  Table,
  narrate,
  scenes,
  tracker,
  scores: ({ table }) => ({ rounds: table.scores, current: null, target: null, fewestWin: true }),
  progress: ({ table }) =>
    table.phase === 'over'
      ? t('progress.over', { round: table.round })
      : t('progress', { round: table.round, rounds: table.options.rounds ?? table.seats }),
  turnOf: (event) => (event.type === 'CardLaid' || event.type === 'PileTaken' ? String(event.seat) : null),
});

import type { ElevenAction, ElevenEvent, ElevenView } from '$lib/types';
import { bullsOf } from '$lib/cards';
import { defineGame, type Names, type Part, type Tracked } from '../game';
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

/** Only hands count; the bull cards that they were played with go back. */
function breakdown({ table }: ElevenView): readonly (readonly Part[])[] | null {
  if (table.shown.length === 0) return null;
  return table.shown.map((cards, seat) => [
    { name: t('hand'), detail: `${cards.length}`, cards, points: bullsOf(cards) },
    { name: t('bullCard'), detail: `${table.bull_cards[seat] ?? 0}`, points: null },
  ]);
}

function called(action: ElevenAction, names: Names): string | null {
  if (action.type === 'ChooseGiver') return names[action.seat] ?? null;
  return action.type === 'EndTurn' ? t('end') : null;
}

export default defineGame<ElevenView, ElevenEvent, ElevenAction>({
  texts,
  Table,
  narrate,
  called,
  scenes,
  tracker,
  breakdown,
  scores: ({ table }) => ({ rounds: table.scores, current: null, target: null, fewestWin: true }),
  progress: ({ table }) =>
    table.phase === 'over'
      ? t('progress.over', { round: table.round })
      : t('progress', { round: table.round, rounds: table.options.rounds ?? table.seats }),
  turnOf: (event) => (event.type === 'CardLaid' || event.type === 'PileTaken' ? String(event.seat) : null),
});

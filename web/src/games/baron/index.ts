import type { BaronAction, BaronEvent, BaronView } from '$lib/types';
import { defineGame, type Part, type Tracked } from '../game';
import { bullsOf } from './deck';
import { narrate } from './narrate';
import { scenes } from './scenes';
import Table from './Table.svelte';
import { t, texts } from './texts';

function tracker(view: BaronView): readonly Tracked[] {
  const { table } = view;
  const places = new Map<number, Tracked['place']>();
  for (const card of [...table.piles, ...table.returned, ...table.known].flat()) places.set(card, 'gone');
  for (const card of [...table.rows.flat(), ...table.queue.map((play) => play.card)])
    places.set(card, 'table');
  for (const card of view.hand) places.set(card, 'hand');
  return Array.from({ length: 110 }, (_, index) => ({
    card: index + 1,
    place: places.get(index + 1) ?? 'unseen',
  }));
}

/** Where bulls are good, what is left over counts against them; else the points say it all. */
function breakdown({ table }: BaronView): readonly (readonly Part[])[] | null {
  if (!table.options.bulls_are_good || table.scores.length < table.round) return null;
  const part = (name: string, cards: readonly number[], sign: 1 | -1): Part => ({
    name,
    detail: t('parts.cards', { count: cards.length }),
    points: cards.length ? sign * bullsOf(table, cards) : 0,
  });
  return table.piles.map((pile, seat) => [
    part(t('parts.pile'), pile, 1),
    part(t('parts.left'), table.left[seat] ?? [], -1),
  ]);
}

export default defineGame<BaronView, BaronEvent, BaronAction>({
  texts,
  Table,
  narrate,
  scenes,
  tracker,
  breakdown,
  scores: ({ table }) => ({
    rounds: table.scores,
    current: table.scores.length >= table.round ? null : table.bulls,
    target: null,
    fewestWin: !table.options.bulls_are_good,
  }),
  progress: ({ table: { round, options } }) => {
    const aim = t(options.bulls_are_good ? 'progress.most' : 'progress.fewest');
    return options.games > 1 ? `${t('progress', { round, games: options.games })} · ${aim}` : aim;
  },
  turnOf: (event) => (event.type === 'CardsRevealed' ? event.plays.map(({ card }) => card).join() : null),
  taughtIn: { returned: 'bulls-are-good' },
});

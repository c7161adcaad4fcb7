import { bullsOf } from '$lib/cards';
import type { XAction, XEvent, XView } from '$lib/types';
import { defineGame, type Part, type Tracked } from '../game';
import { narrate } from './narrate';
import { scenes } from './scenes';
import Table from './Table.svelte';
import { t, texts } from './texts';

function tracker(view: XView): readonly Tracked[] {
  const { table } = view;
  const places = new Map<number, Tracked['place']>();
  for (const card of [...table.x_piles.flat(), ...table.known.flat()]) places.set(card, 'gone');
  const open = [table.rows.flat(), table.x_rows.flat(), table.taken?.cards ?? []];
  for (const card of [...open.flat(), ...table.queue.map((play) => play.card)]) places.set(card, 'table');
  for (const card of view.hand) places.set(card, 'hand');
  return Array.from({ length: 100 }, (_, index) => ({
    card: index + 1,
    place: places.get(index + 1) ?? 'unseen',
  }));
}

/** A hand counts once, the X pile twice, the X row nothing. Hands lie open when they are counted. */
function breakdown({ table }: XView): readonly (readonly Part[])[] | null {
  if (table.scores.length < table.round) return null;
  return table.known.map((hand, seat) => {
    const pile = table.x_piles[seat] ?? [];
    return [
      { name: t('inHand'), cards: hand, points: bullsOf(hand) },
      { name: t('pile.name'), detail: `${bullsOf(pile)} × 2`, cards: pile, points: 2 * bullsOf(pile) },
      { name: t('row'), cards: table.x_rows[seat] ?? [], points: null },
    ];
  });
}

export default defineGame<XView, XEvent, XAction>({
  texts,
  Table,
  narrate,
  scenes,
  tracker,
  breakdown,
  scores: ({ table }) => ({
    rounds: table.scores,
    // Hands are secret until they are counted: only the X piles can be told before.
    current: table.scores.length >= table.round ? null : table.x_piles.map((pile) => 2 * bullsOf(pile)),
    target: null,
    fewestWin: true,
  }),
  progress: ({ table }) =>
    table.phase === 'over'
      ? t('progress.over', { round: table.round })
      : t('progress', { round: table.round, rounds: table.options.rounds }),
  turnOf: (event) => (event.type === 'CardsRevealed' ? event.plays.map(({ card }) => card).join() : null),
});

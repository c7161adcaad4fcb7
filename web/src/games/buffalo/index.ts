import type { BuffaloAction, BuffaloEvent, BuffaloView } from '$lib/types';
import { defineGame, type Names, type Tracked } from '../game';
import { narrate } from './narrate';
import { scenes } from './scenes';
import { scores } from './scores';
import { told, type Kind } from './specials';
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

const ANSWERS = { Agree: 'agree', Decline: 'decline', Withdraw: 'withdraw', Pass: 'pass' } as const;

function called(action: BuffaloAction, names: Names): string | null {
  if (action.type === 'Propose' || action.type === 'Use') return told(action.use, names);
  return action.type in ANSWERS ? t(ANSWERS[action.type as keyof typeof ANSWERS]) : null;
}

/** Lifting a Stop! is told as what that card brought. */
const special = (kind: string): string => t(`kind.${kind === 'Lift' ? 'Stop' : (kind as Kind)}`);

export default defineGame<BuffaloView, BuffaloEvent, BuffaloAction>({
  texts,
  Table,
  narrate,
  called,
  special,
  scenes,
  tracker,
  // Alone there are no special cards, and nobody to ask.
  applies: (option, { decide }, seats) => seats > 1 && !(option === 'proposals' && decide === 'anyone'),
  scores,
  progress: ({ table }) => t('progress', { turn: table.turn }),
  taughtIn: { insert: 'insert', push: 'push', 'empty-row': 'push' },
});

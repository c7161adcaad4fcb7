/** The special cards: two of each kind, numbered from 1 in this order. */
import type { BuffaloProposal, BuffaloTable } from '$lib/types';
import type { Names } from '../game';
import { t } from './texts';

export const KINDS = ['Take7', 'Stop', 'Swap', 'Insert', 'Push', 'First', 'Last', 'Sort'] as const;
export type Kind = (typeof KINDS)[number];
export type AnyUse = BuffaloProposal['use'];

export const BUFFALO = -1;
/** Stands where somebody gains bulls and no single seat does. */
export const TEAM = -2;

export function kindOf(special: number): Kind {
  return KINDS[Math.floor((special - 1) / 2)]!;
}

/** The kind of card that is used, or lifted. */
export function cardOf(use: AnyUse): Kind {
  return use.type === 'Lift' ? 'Stop' : use.type;
}

export function lies(table: BuffaloTable, kind: Kind, row: number): boolean {
  return (table.beside[row - 1] ?? []).some((special) => kindOf(special) === kind);
}

export function nameOf(names: Names, seat: number): string {
  return seat === BUFFALO ? t('buffalo') : (names[seat] ?? '');
}

/** A use of a special card in a few words: "Push!: 7 to row 2". */
export function told(use: AnyUse, names: Names): string {
  switch (use.type) {
    case 'Take7':
    case 'Stop':
    case 'Lift':
    case 'Insert':
      return t(`use.${use.type}`, { row: use.row });
    case 'Push':
      return t('use.Push', { card: use.card, row: use.row });
    case 'Swap':
    case 'First':
    case 'Last':
      return t(`use.${use.type}`, { name: nameOf(names, use.seat) });
    case 'Sort':
      return t('use.Sort', { order: use.order.map((seat) => nameOf(names, seat)).join(' → ') });
  }
}

/** What a use would do, in a sentence: "Swap!: Bruno takes back 35 and plays another card." */
export function explained(use: AnyUse, table: BuffaloTable, names: Names): string {
  const card = (seat: number): number => table.queue.find((play) => play.seat === seat)?.card ?? 0;
  switch (use.type) {
    case 'Take7':
    case 'Stop':
    case 'Lift':
      return t(`means.${use.type}`, { row: use.row });
    case 'Insert':
      return t('means.Insert', { card: table.queue[0]?.card ?? 0, row: use.row });
    case 'Push': {
      const from = table.rows.findIndex((cards) => cards.includes(use.card)) + 1;
      return t('means.Push', { card: use.card, from, row: use.row });
    }
    case 'Swap':
    case 'First':
    case 'Last':
      return t(`means.${use.type}`, { name: nameOf(names, use.seat), card: card(use.seat) });
    case 'Sort':
      return t('means.Sort', { order: use.order.map(card).join(' → ') });
  }
}

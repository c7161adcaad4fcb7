/** The special cards: two of each kind, numbered from 1 in this order. */
import { t as shared } from '$lib/texts';
import type { BuffaloProposal, BuffaloTable } from '$lib/types';
import type { Names } from '../game';
import { t } from './texts';

export const KINDS = ['Take7', 'Stop', 'Swap', 'Insert', 'Push', 'First', 'Last', 'Sort'] as const;
export type Kind = (typeof KINDS)[number];
export type AnyUse = BuffaloProposal['use'];

export const BUFFALO = -1;

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

/** The same where the card is named already: "Row 2". */
export function inShort(use: AnyUse, names: Names): string {
  if ('seat' in use) return nameOf(names, use.seat);
  return 'row' in use && use.type !== 'Lift' ? shared('row.name', { row: use.row }) : told(use, names);
}

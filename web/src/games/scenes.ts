/** Steps that look alike in several games. What happened is in the views that come from the server. */
import type { RoundEnded } from '$lib/types';
import type { Scene } from './game';

interface AnyView {
  readonly table: object;
}

interface RowsView {
  readonly table: { readonly rows: readonly (readonly number[])[]; readonly queue: readonly unknown[] };
}

interface Placed {
  readonly seat: number;
  readonly card: number;
  readonly row: number;
  readonly taken: readonly number[];
  readonly bulls: number;
}

interface Play {
  readonly seat: number;
  readonly card: number;
}

export const seatAt = (seat: number): string => `seat-${seat}`;

/** A picture of the table that differs from a view in something. */
export function on<V extends AnyView>(view: V, change: Partial<V['table']>): V {
  return { ...view, table: { ...view.table, ...change } };
}

export function routes(cards: readonly number[], anchor: string): Record<number, string> {
  return Object.fromEntries(cards.map((card) => [card, anchor]));
}

/** Cards come from the deck. */
export function dealt<V>(cards: readonly number[], after: V): Scene<V> {
  return { view: after, from: routes(cards, 'deck'), sound: 'deal', hold: 0.6 };
}

/** The moment of truth: all cards are turned over, and lie in the order in which they will go. */
export function revealed<V>(
  plays: readonly Play[],
  after: V,
  caption: string,
  at: (seat: number) => string = seatAt,
): Scene<V> {
  const from = Object.fromEntries(plays.map(({ seat, card }) => [card, at(seat)]));
  return { view: after, from, part: 'reveal', turns: true, sound: 'reveal', hold: 1.2, caption };
}

/** A card lies down at the end of a row. If it takes the row, this is to be seen before: both lie there. */
export function laid<V extends RowsView>(
  before: V,
  { seat, card, row, taken }: Placed,
  after: V,
  caption: string,
  hold: number,
  at: (seat: number) => string = seatAt,
): Scene<V> {
  const scene = {
    from: { [card]: at(seat) },
    part: 'card',
    focus: { row, card, seat },
    sound: 'place',
    caption,
  } as const;
  if (taken.length === 0) return { ...scene, view: after, hold };
  const rows = before.table.rows.map((cards, index) => (index === row - 1 ? [...cards, card] : cards));
  const view = { ...before, table: { ...before.table, rows, queue: after.table.queue } };
  return { ...scene, view, hold: 1 };
}

/** How heavy a loss feels, from 0 to 1: that of a row with twenty bulls could not be worse. */
export const weight = (bulls: number): number => Math.min(1, Math.max(0, bulls - 1) / 19);

/** A row goes to whom it was taken by. */
export function taken<V>(
  { seat, row, taken, bulls }: Omit<Placed, 'card'>,
  after: V,
  caption: string,
): Scene<V> {
  return {
    view: after,
    to: routes(taken, seatAt(seat)),
    focus: { row, seat, gain: { seat, bulls } },
    sound: 'take',
    hold: 0.9 + weight(bulls),
    caption,
  };
}

/** All cards lie as they are while the scores are looked at; what the next round begins with comes after that. */
export function roundOver<V extends { readonly table: { readonly scores: unknown } }>(
  before: V,
  event: RoundEnded,
  after: V,
): Scene<V> {
  const view = { ...before, table: { ...before.table, scores: after.table.scores } };
  return { view, hold: 0, interlude: event };
}

import { beforeAll, describe, expect, it } from 'vitest';
import { moodOf } from '$games/buffalo/mood';
import { scenes } from '$games/buffalo/scenes';
import { BUFFALO, explained, TEAM } from '$games/buffalo/specials';
import { texts } from '$games/buffalo/texts';
import type { BuffaloTable, BuffaloView } from '$lib/types';

const table: BuffaloTable = {
  options: { decide: 'agree', proposals: 3 },
  seats: 3,
  phase: 'window',
  turn: 2,
  rows: [[5, 11], [20], [30, 35, 40, 41, 42], [90]],
  beside: [[], [], [], []],
  queue: [
    { seat: 1, card: 35 },
    { seat: BUFFALO, card: 54 },
    { seat: 0, card: 60 },
  ],
  known: [],
  face_up: [5, 9],
  used: [],
  window: null,
  pile: [],
  bulls: 10,
  buffalo_taken: 0,
  buffalo_bulls: 10,
  taken: [],
  declined: [],
  rules_version: 2,
};
const view: BuffaloView = {
  seat: 0,
  table,
  hand: [1, 2],
  choice: null,
  waiting: [],
  hand_sizes: [2, 2, 2],
  buffalo_size: 8,
  specials_left: 2,
};
const after = (change: Partial<BuffaloTable>): BuffaloView => ({ ...view, table: { ...table, ...change } });

beforeAll(() => texts.ready());

describe('the mood of the buffalo', () => {
  it('follows the duel', () => {
    expect(moodOf(table, null)).toBe('calm');
    expect(moodOf({ ...table, bulls: 4 }, null)).toBe('worried');
    expect(moodOf({ ...table, bulls: 14 }, null)).toBe('smug');
  });

  it('counts the bulls of a small team twice', () => {
    expect(moodOf({ ...table, seats: 2, bulls: 5 }, null)).toBe('calm');
    expect(moodOf({ ...table, seats: 2, bulls: 6 }, null)).toBe('smug');
  });

  it('changes for a moment when somebody takes a row', () => {
    expect(moodOf(table, { gain: { seat: BUFFALO, bulls: 7 } })).toBe('furious');
    expect(moodOf(table, { gain: { seat: 1, bulls: 7 } })).toBe('laughing');
    expect(moodOf(table, { gain: { seat: TEAM, bulls: 7 } })).toBe('laughing');
    expect(moodOf(table, { row: 1 })).toBe('calm');
  });

  it('shows who has won; equal is not a win', () => {
    expect(moodOf({ ...table, phase: 'over', bulls: 9 }, null)).toBe('beaten');
    expect(moodOf({ ...table, phase: 'over' }, null)).toBe('laughing');
  });
});

describe('scenes', () => {
  const taken = [30, 35, 40, 41, 42];

  it('a row that the buffalo takes goes to the buffalo, and it is seen how much', () => {
    const event = {
      type: 'CardPlaced',
      seat: BUFFALO,
      card: 54,
      row: 3,
      taken,
      bulls: 8,
      rule: 'full-row',
    } as const;
    const [, second] = scenes(view, event, after({ rows: [[5, 11], [20], [54], [90]] }));
    expect(second!.to).toMatchObject({ 30: 'buffalo', 42: 'buffalo' });
    expect(second!.focus).toMatchObject({ row: 3, gain: { seat: BUFFALO, bulls: 8 } });
  });

  it('what a push squeezes out goes to the team', () => {
    const event = {
      type: 'CardPushed',
      card: 20,
      from_row: 2,
      row: 3,
      taken,
      bulls: 8,
      kept: 42,
      rule: 'push',
    } as const;
    const [only] = scenes(view, event, after({ rows: [[5, 11], [], [42], [90]] }));
    expect(only!.focus?.gain).toEqual({ seat: TEAM, bulls: 8 });
    const [quiet] = scenes(view, { ...event, taken: [], bulls: 0, kept: null }, view);
    expect(quiet!.focus?.gain).toBeUndefined();
  });
});

describe('a proposal in words', () => {
  const names = ['Ada', 'Bruno', 'Cleo'];

  it('names the card and what happens to it', () => {
    const swap = explained({ type: 'Swap', seat: 1 }, table, names);
    expect(swap).toBe('Swap!: Bruno takes back 35 and plays another card.');
    const push = explained({ type: 'Push', card: 11, row: 4 }, table, names);
    expect(push).toBe('Push!: the 11 moves from row 1 to row 4.');
    const sort = explained({ type: 'Sort', order: [BUFFALO, 0, 1] }, table, names);
    expect(sort).toBe('Sort: the cards are placed in the order 54 → 60 → 35.');
  });
});

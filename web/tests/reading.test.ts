import { describe, expect, it } from 'vitest';
import { facts, filled, lanes, remarks, scores, totals, type PlainView } from '../src/games/reading';

const view: PlainView = {
  seat: 0,
  table: {
    seats: 2,
    options: { rows: 3 },
    phase: 'choose',
    rows: [[5, 9], [7]],
    won_piles: [[], [3, 4]],
    discard: [1, 2, 6],
    deck_left: 8,
    trump: 'red',
    doubled: true,
    empty: [],
    points: [0, 2],
  },
  hand: [10, 11],
  choice: null,
  hand_sizes: [2, 2],
};

describe('a view that nothing is known about', () => {
  it('has rows by number, piles by seat, and other cards by name', () => {
    expect(lanes(view)).toEqual([
      { name: 'rows', seat: null, number: 1, cards: [5, 9] },
      { name: 'rows', seat: null, number: 2, cards: [7] },
      { name: 'won piles', seat: 0, number: null, cards: [] },
      { name: 'won piles', seat: 1, number: null, cards: [3, 4] },
      { name: 'discard', seat: null, number: null, cards: [1, 2, 6] },
      { name: 'empty', seat: null, number: null, cards: [] },
    ]);
  });

  it('has facts and figures', () => {
    expect(facts(view)).toEqual([
      { name: 'deck left', value: '8' },
      { name: 'trump', value: 'red' },
      { name: 'doubled', value: '✓' },
    ]);
    expect(remarks(view)).toEqual(['hand sizes 2', 'hand sizes 2']);
  });

  it('has points as the table counts them, or as the outcome says', () => {
    expect(totals(view)).toEqual([0, 2]);
    expect(
      totals({
        ...view,
        table: {
          seats: 2,
          scores: [
            [1, 2],
            [3, 4],
          ],
        },
      }),
    ).toEqual([4, 6]);
    const outcome = { reason: 'end', winners: [1], points: [3, 8] };
    const silent: PlainView = { seat: 0, table: { seats: 2 } };
    expect(scores(silent, null)).toMatchObject({ current: null, fewestWin: true });
    expect(scores(silent, outcome)).toMatchObject({ current: [3, 8], fewestWin: false });
  });

  it('is told in sentences with our names', () => {
    expect(filled('{1} takes from {0}.\n{0} holds 3.', ['Anna', 'Ben'])).toBe('Ben takes from Anna.');
    expect(filled('{7} is nobody.', ['Anna'])).toBe('{7} is nobody.');
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import x from '$games/x';
import { texts } from '$games/x/texts';
import type { XTable, XView } from '$lib/types';

const table: XTable = {
  options: { rounds: 2 },
  seats: 2,
  phase: 'choose',
  round: 1,
  rows: [[80], [20], [60]],
  queue: [],
  taken: null,
  x_rows: [[10, 44], []],
  x_piles: [[11], []],
  known: [[5, 7], []],
  scores: [],
};
const view = (change: Partial<XTable>): XView => ({
  seat: 0,
  table: { ...table, ...change },
  hand: [5, 7],
  choice: null,
  waiting: [],
  hand_sizes: [2, 0],
});

beforeAll(() => texts.ready());

describe('how the points came about', () => {
  it('the hand counts once, the X pile twice, the X row nothing', () => {
    const counted = x.breakdown!(view({ scores: [[13, 0]] }));
    expect(counted![0]!.map(({ points }) => points)).toEqual([3, 10, null]);
    expect(counted![1]!.map(({ points }) => points)).toEqual([0, 0, null]);
    expect(counted![0]![1]!.detail).toBe('5 × 2');
  });

  it('is not told while hands are secret', () => {
    expect(x.breakdown!(view({}))).toBeNull();
  });
});

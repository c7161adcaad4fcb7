/** A review's figures as bars and lines. */
import { describe, expect, it } from 'vitest';
import { line, steps } from '../src/screens/review/ledger';

const account = { mean: 10, deal_luck: -2, turn_luck: 5, decisions: 3, result: 16 };

describe('the ledger', () => {
  it('leads from what was to be expected to the result without a gap', () => {
    const [mean, deal, turns, own, result] = steps(account);
    expect([deal!.to, turns!.from, own!.from]).toEqual([mean!.to, deal!.from, turns!.to]);
    expect(own!.to).toBeCloseTo(result!.to);
    expect(result!.to).toBeCloseTo(100);
  });

  it('stays inside its box when points are below nothing', () => {
    const all = steps({ mean: 3, deal_luck: -4, turn_luck: -9, decisions: 2, result: -8 });
    expect(all.every(({ from, to }) => from >= 0 && to <= 100.001 && from <= to)).toBe(true);
  });

  it('is there even if nothing happened', () => {
    expect(steps({ mean: 0, deal_luck: 0, turn_luck: 0, decisions: 0, result: 0 })).toHaveLength(5);
  });
});

describe('the line of chances', () => {
  it('goes from left to right, up with the chance', () => {
    expect(line([0, 0.5, 1])).toBe('0.00,40.00 50.00,20.00 100.00,0.00');
  });
});

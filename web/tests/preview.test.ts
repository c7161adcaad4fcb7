import { describe, expect, it } from 'vitest';
import { texts as baron } from '$games/baron/texts';
import { foretold } from '$games/baron/words';
import { look as lookAtBuffalo } from '$games/buffalo/placing';
import { look as lookAtX } from '$games/x/placing';
import { inWords } from '$lib/preview';
import { shared } from '$lib/texts';
import type { BaronTable, BuffaloTable, XTable } from '$lib/types';

const [TAKE_7, STOP] = [1, 3];
const FULL = [43, 44, 45, 46, 47];

function buffalo(
  rows: readonly (readonly number[])[],
  beside: readonly (readonly number[])[] = [],
): BuffaloTable {
  return { rows, beside } as BuffaloTable;
}

describe('where a card would go in Beat the Buffalo', () => {
  it('to the closest lower end; the sixth card takes', () => {
    const table = buffalo([[12], [37, 39], FULL, [58]]);
    expect(lookAtBuffalo(table, 40)).toEqual({ row: 2, takes: false, bulls: 0 });
    expect(lookAtBuffalo(table, 48)).toEqual({ row: 3, takes: true, bulls: 10 });
  });

  it('beside a Take 7! the sixth card finds a place', () => {
    expect(lookAtBuffalo(buffalo([[12], [37], FULL, [58]], [[], [], [TAKE_7]]), 48).takes).toBe(false);
    expect(lookAtBuffalo(buffalo([[12], [37], [42, ...FULL], [58]], [[], [], [TAKE_7]]), 48).takes).toBe(
      true,
    );
  });

  it('never to a row with a Stop!, which cannot be chosen either', () => {
    const table = buffalo([[12], [37], FULL, [58]], [[STOP], [], [STOP]]);
    expect(lookAtBuffalo(table, 48).row).toBe(2);
    expect(lookAtBuffalo(table, 20)).toEqual({ row: null, takes: true, bulls: 1 });
    expect(lookAtBuffalo(buffalo([[55], [12], [60, 61], [70]], [[], [STOP]]), 13).bulls).toBe(3);
  });

  it('to an empty row before all, the uppermost first', () => {
    expect(lookAtBuffalo(buffalo([[12], [], FULL, []]), 48)).toEqual({ row: 2, takes: false, bulls: 0 });
  });
});

it('in X nimmt! the third, fourth and fifth card take', () => {
  const table = {
    rows: [
      [10, 11],
      [20, 21],
      [30, 31, 32, 33],
    ],
  } as unknown as XTable;
  expect([12, 22, 34].map((card) => lookAtX(table, card).takes)).toEqual([true, false, true]);
  expect(lookAtX(table, 5)).toEqual({ row: null, takes: true, bulls: 4 });
});

it('is said in words', async () => {
  await shared.ready();
  expect(inWords({ row: 2, takes: true, bulls: 7 })).toMatch(/2.*7 bulls/);
  expect(inWords({ row: null, takes: true, bulls: 3 })).toMatch(/no row.*3 bulls/);
  expect(inWords({ row: 4, takes: false, bulls: 0 })).not.toMatch(/bull/);
});

describe('where a card would go in Baron Oxx', () => {
  const deck = { 1: ['blue'], 2: ['blue', 'blue'], 3: ['red'], 4: ['green'], 5: ['white', 'black', 'white'] };
  const table = (rows: readonly (readonly number[])[], more = {}): BaronTable =>
    ({ rows, options: { deck: { cards: deck }, ...more } }) as unknown as BaronTable;
  const full = [1, 2, 1, 2, 1];

  it('is said with what it would cost', async () => {
    await Promise.all([shared.ready(), baron.ready()]);
    expect(foretold(table([[1], [3], [4]]), 2)).toBe('It fits row 1.');
    expect(foretold(table([full, [3], [1]]), 2)).toBe('It fits row 1, 3. It would take row 1 (7 bulls).');
    expect(foretold(table([full, [3], [4]]), 2)).toBe('It would take row 1 (7 bulls).');
    expect(foretold(table([full, [3, 4], [4]]), 5)).toMatch(/fits no row.* at least 1 bull\.$/);
    expect(foretold(table([full], { bulls_are_good: true }), 5)).not.toMatch(/bull/);
  });
});

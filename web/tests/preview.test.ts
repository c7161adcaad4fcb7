import { beforeAll, describe, expect, it } from 'vitest';
import { texts as baron } from '$games/baron/texts';
import { foretold } from '$games/baron/words';
import type { Playing } from '$games/game';
import { foreseen, inWords, preview } from '$lib/preview';
import { shared } from '$lib/texts';
import type { Foresight } from '$lib/types';

beforeAll(() => Promise.all([shared.ready(), baron.ready()]));

const joins: Foresight = { actions: [0, 2], place: 2, rule: 'smallest-difference' };
const takes: Foresight = { actions: [1], place: 3, rule: 'full-row', takes: [43, 44, 45, 46, 47], bulls: 10 };
const tooLow = [4, 1, 6].map((bulls, index): Foresight => {
  return { actions: [3], place: index + 1, rule: 'too-low', takes: [55], bulls };
});

describe('where a card would go', () => {
  const game = {
    legal: ['three', 'four', 'five', 'one'],
    situation: { foreseen: [joins, takes, ...tooLow] },
  } as unknown as Playing<unknown, string>;
  const look = (card: string) => preview(foreseen(game, (one) => one === card));

  it('is what the server foresees of that action', () => {
    expect(look('five')).toEqual({ row: 2, takes: false, bulls: 0 });
    expect(look('four')).toEqual({ row: 3, takes: true, bulls: 10 });
  });

  it('is open if its owner will have to choose, and then costs at least the cheapest row', () => {
    expect(look('one')).toEqual({ row: null, takes: true, bulls: 1 });
  });

  it('is not told of what cannot be done now, or where nothing is foreseen', () => {
    expect(look('six')).toBeNull();
    expect(preview(foreseen({ ...game, situation: {} } as typeof game, () => true))).toBeNull();
  });
});

it('is said in words', () => {
  expect(inWords({ row: 2, takes: true, bulls: 7 })).toMatch(/2.*7 bulls/);
  expect(inWords({ row: null, takes: true, bulls: 3 })).toMatch(/no row.*3 bulls/);
  expect(inWords({ row: 4, takes: false, bulls: 0 })).not.toMatch(/bull/);
  expect(inWords({ row: 4, takes: false, bulls: 5 })).toMatch(/to row 4.*5 bulls/);
  expect(inWords(null)).toBe('');
});

it('is said in Baron Oxx with what it would cost', () => {
  const fits = (place: number): Foresight => ({ actions: [0], place, rule: 'colour' });
  const full = (place: number, bulls: number): Foresight => {
    return { actions: [0], place, rule: 'sixth-card', takes: [1], bulls };
  };
  const none = (bulls: number): Foresight => ({ ...full(1, bulls), rule: 'no-colour' });
  expect(foretold([fits(1)])).toBe('It fits row 1.');
  expect(foretold([fits(3), full(1, 7)])).toBe('It fits row 1, 3. It would take row 1 (7 bulls).');
  expect(foretold([full(1, 7)])).toBe('It would take row 1 (7 bulls).');
  expect(foretold([none(7), none(1)])).toMatch(/fits no row.* at least 1 bull\.$/);
  expect(foretold([{ actions: [0], place: null, rule: 'returned' }])).not.toMatch(/bull/);
  expect(foretold([])).toBe('');
});

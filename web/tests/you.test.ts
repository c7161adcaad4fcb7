import { beforeAll, describe, expect, it } from 'vitest';
import type { GameModule, Scores } from '$games/game';
import { speak } from '$lib/i18n.svelte';
import { shared } from '$lib/texts';
import { ALL, filterOf, isAll, queryOf } from '../src/screens/you/filters';
import { decimal, percent, roundUp, running, share } from '../src/screens/you/numbers';
import { resultText } from '../src/screens/share/result';

beforeAll(async () => {
  await shared.ready();
  await speak('en');
});

describe('which matches are shown', () => {
  it('stands in the address and comes back from there', () => {
    const filter = {
      game: 'six',
      variant: 'draft',
      company: 'bots',
      result: 'won',
      search: 'Żaneta & co',
    } as const;
    expect(filterOf(`?${queryOf(filter)}`)).toEqual(filter);
  });

  it('is all of them where the address says nothing, or nonsense', () => {
    expect(filterOf('')).toEqual(ALL);
    expect(filterOf('?company=nobody&result=maybe&skip=3')).toEqual(ALL);
    expect(isAll(ALL)).toBe(true);
  });

  it('never asks for more than the server takes', () => {
    expect(filterOf(`?search=${'x'.repeat(500)}`).search).toHaveLength(100);
  });
});

describe('numbers', () => {
  it('are written as the language does', () => {
    expect([percent(0.256), decimal(1.25), percent(share(1, 0))]).toEqual(['26%', '1.3', '0%']);
  });

  it('have averages of the last ones', () => {
    expect(running([2, 4, 9], 2)).toEqual([2, 3, 6.5]);
  });

  it.each([
    [0, 1],
    [0.3, 0.5],
    [7, 10],
    [11, 20],
    [20, 20],
    [21, 50],
  ])('%d is below %d on an axis', (value, top) => {
    expect(roundUp(value)).toBeCloseTo(top);
  });
});

describe('a result in words', () => {
  const module = (scores: Partial<Scores>): GameModule =>
    ({
      scores: () => ({ rounds: [], current: null, target: null, fewestWin: true, ...scores }),
    }) as unknown as GameModule;
  const outcome = { reason: 'points', winners: [1], points: [12, 3, 40] };
  const ended = { game: 'six', names: ['Anna', 'Ben', 'Cem'], view: null, outcome };

  it('names the best first and ends with the link', () => {
    const text = resultText(ended, module({}), 'https://example.org/t/x/replay');
    expect(text.split('\n')).toEqual([
      '6 nimmt!: Ben wins!',
      'Ben 3',
      'Anna 12',
      'Cem 40',
      'https://example.org/t/x/replay',
    ]);
  });

  it('goes by the other end where points are good', () => {
    const text = resultText(
      { ...ended, outcome: { ...outcome, winners: [2] } },
      module({ fewestWin: false }),
      '',
    );
    expect(text.split('\n').slice(0, 2)).toEqual(['6 nimmt!: Cem wins!', 'Cem 40']);
  });

  it('tells sides where points are theirs', () => {
    const sides = { names: ['Team', 'Buffalo'], you: null, winners: [0], verdict: 'The team wins by 5' };
    const text = resultText(ended, module({ sides, rounds: [[4, 9]] } as Partial<Scores>), '');
    expect(text.split('\n').slice(0, 3)).toEqual(['6 nimmt!: The team wins by 5', 'Team 4', 'Buffalo 9']);
  });
});

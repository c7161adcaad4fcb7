import { beforeAll, expect, it } from 'vitest';
import { scores } from '../src/games/buffalo/scores';
import { texts as buffalo } from '../src/games/buffalo/texts';
import { shared } from '$lib/texts';
import type { BuffaloView } from '$lib/types';
import { verdict } from '$lib/verdict';

const NAMES = ['Anna', 'Ben', 'Cem'];
beforeAll(() => Promise.all([shared.ready(), buffalo.ready()]));

it.each([
  [[0], 0, 'You win!'],
  [[0], 1, 'Anna wins!'],
  [[0], null, 'Anna wins!'],
  [[0, 2], 0, 'You and Cem share the win!'],
  [[0, 1, 2], 1, 'You, Anna, and Cem share the win!'],
  [[0, 2], 1, 'Anna and Cem share the win!'],
  [[], 0, 'Nobody wins'],
])('winners %j are told to %s', (winners, you, words) => {
  expect(verdict(winners, NAMES, you)).toBe(words);
});

function result(seat: number | null, bulls: number, buffalo_bulls: number): string | null | undefined {
  const table = { seats: 4, phase: 'over', bulls, buffalo_bulls };
  return scores({ seat, table } as unknown as BuffaloView).sides?.verdict;
}

it('a team is told that it has won, spectators that the team has', () => {
  expect(result(2, 10, 22)).toBe('You beat the buffalo by 12 bulls!');
  expect(result(null, 10, 11)).toBe('The team beats the buffalo by 1 bull!');
  expect(result(2, 12, 10)).toBe('The buffalo wins by 2 bulls.');
  expect(result(null, 10, 10)).toContain('tie');
});

import { expect, it } from 'vitest';
import { changed } from '$lib/changes';
import cases from './changes.json';

// The server's tests read the same cases.
it.each(cases)('$what', ({ before, change, after }) => {
  const old = structuredClone(before);
  expect(changed(before as unknown, change)).toEqual(after);
  expect(before).toEqual(old);
});

it('leaves alone what has not changed', () => {
  const before = { rows: [[12], [37]], options: { target: 66 } };
  const after = changed(before, { rows: { 1: [1, 0, 40] } });
  expect(after.options).toBe(before.options);
  expect(after.rows[0]).toBe(before.rows[0]);
});

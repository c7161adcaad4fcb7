import { expect, it } from 'vitest';
import { shorten } from '$lib/names';

const FAMILY = '👨‍👩‍👧‍👦';

it.each([
  ['Anna', 11, 'Anna'],
  ['Maximiliane', 20, 'Maximiliane'],
  ['Anna-Luise von Ende', 11, 'Anna-Luise…'],
  ['Anna von Ende', 6, 'Anna…'],
  ['WWWWWWWWWWWW', 11, 'WWWWW…'],
  [FAMILY.repeat(3), 11, FAMILY.repeat(3)],
  [FAMILY.repeat(8), 11, `${FAMILY.repeat(5)}…`],
  ['🏳️‍🌈🧑🏽‍🚀 Zoë', 5, '🏳️‍🌈🧑🏽‍🚀…'],
  ['Zoe\u0308 Zoe\u0308 Zoe\u0308', 4, 'Zoe\u0308…'],
  ['王小明王小明', 8, '王小明…'],
])('%s in the room of %i letters', (name, room, short) => {
  expect(shorten(name, room)).toBe(short);
});

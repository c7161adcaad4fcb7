/** The faces of the cards of Baron Oxx. */
import { describe, expect, it } from 'vitest';
import { COLOURS, counts } from '$games/baron/deck';
import { fields, HEIGHT, isBaron, strip, WIDTH } from '$games/baron/faces';
import baron from '$games/baron/index';
import { texts } from '$games/baron/texts';
import type { BaronTable } from '$lib/types';

const table = { options: { deck: null } } as unknown as BaronTable;

describe('a card', () => {
  it.each([1, 2, 3, 4, 5, 6, 7])('of %i bulls shows all of them inside its edges', (count) => {
    const colours = Array.from({ length: count }, (_, index) => COLOURS[index % 6]!);
    for (const shown of [fields(colours), strip(colours)]) {
      expect(shown).toHaveLength(count);
      expect(shown.every(({ x, width }) => x >= 0 && x + width <= WIDTH + 0.01)).toBe(true);
      expect(shown.every(({ size, width, height }) => size < width && size < height)).toBe(true);
    }
    expect(fields(colours).every(({ y, height }) => y >= 0 && y + height <= HEIGHT + 0.01)).toBe(true);
  });

  it('has up to three bulls at its left edge, where the next card does not cover them', () => {
    for (const field of fields(['red', 'blue', 'red'])) expect(field.x + field.width).toBeLessThan(WIDTH / 2);
  });

  it('has equal colours together, always in the same order', () => {
    expect(fields(['red', 'blue', 'red']).map(({ colour }) => colour)).toEqual(['blue', 'red', 'red']);
  });

  it('is the Baron if it shows every colour', () => {
    expect(isBaron(COLOURS)).toBe(true);
    expect(isBaron(['blue', 'blue'])).toBe(false);
  });
});

describe('a row', () => {
  it('counts its bulls by colour, and what a card would add', () => {
    // 13: two blue; 8: blue, yellow and red; 4: red.
    expect(counts(table, [13, 8], 4)).toEqual([
      { colour: 'blue', count: 3, more: 0 },
      { colour: 'yellow', count: 1, more: 0 },
      { colour: 'red', count: 1, more: 1 },
    ]);
  });
});

describe('points', () => {
  // 13: two blue; 8: blue, yellow and red; 4: red.
  const over = (more: object): unknown => ({
    table: {
      options: { deck: null, bulls_are_good: true },
      round: 1,
      scores: [[2, -1]],
      piles: [[13], [8]],
      left: [[], [8, 4]],
      ...more,
    },
  });

  it('are explained where bulls are good: what was taken counts for them, what is left against them', async () => {
    await texts.ready();
    const parts = baron.breakdown!(over({}))!;
    expect(parts.map((seat) => seat.map(({ points }) => points))).toEqual([
      [2, 0],
      [3, -4],
    ]);
    expect(parts[1]!.map(({ detail }) => detail)).toEqual(['1 card', '2 cards']);
  });

  it('say it all otherwise, and before the end of a game there is nothing to explain', () => {
    expect(baron.breakdown!(over({ options: { deck: null, bulls_are_good: false } }))).toBeNull();
    expect(baron.breakdown!(over({ round: 2 }))).toBeNull();
  });
});

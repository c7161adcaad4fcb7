import { describe, expect, it } from 'vitest';
import type { GameModule, Scene } from '$games/game';
import { logUntil, moments } from '$lib/moments';
import { tell, until } from '$lib/story';
import type { Situation, Update } from '$lib/types';

/** A game that counts: an event is seen in so many steps, and told in words unless it is secret. */
interface Added {
  readonly steps: number;
  readonly line: string | null;
}
const counting = {
  narrate: ({ line }: Added) => line,
  scenes: (view: number, { steps }: Added): Scene<number>[] =>
    Array.from({ length: steps }, (_, index) => ({ view: view + index + 1 })),
  progress: () => '',
} as unknown as GameModule;

function update(n: number, view: number, events: Added[], changes?: readonly number[]): Update {
  const situation = { phase: 'playing', chairs: [], view, waiting: [] } as unknown as Situation;
  return { type: 'Update', n, at: n, note: null, events, situation, ...(changes ? { changes } : {}) };
}

const events: Added[] = [
  { steps: 0, line: 'revealed' },
  { steps: 1, line: 'placed' },
  { steps: 0, line: null },
  { steps: 2, line: 'taken' },
  { steps: 0, line: 'over' },
];
const turn = update(2, 33, events, [20, 21, 30, 32]);

describe('a story', () => {
  const { steps, rest } = tell(counting, 10, turn);

  it('tells what happened when the last of it is seen, not before', () => {
    expect(steps.map(({ scene, told, events }) => [scene.view, told, events])).toEqual([
      [21, ['revealed', 'placed'], 2],
      [31, [], 3],
      [32, ['taken'], 4],
    ]);
  });

  it('shows the table before and after each event as the server says', () => {
    const seen: unknown[] = [];
    const watching = {
      ...counting,
      scenes: (before: unknown, _: unknown, after: unknown) => {
        seen.push([before, after]);
        return [];
      },
    } as GameModule;
    tell(watching, 10, turn);
    expect(seen).toEqual([
      [10, 20],
      [20, 21],
      [21, 30],
      [30, 32],
      [32, 33],
    ]);
    seen.length = 0;
    tell(watching, 10, update(2, 33, events));
    expect(seen.slice(-2)).toEqual([
      [10, 10],
      [10, 33],
    ]);
  });

  it('ends with what there is nothing to see of', () => {
    expect(rest).toEqual(['over']);
  });

  it('tells everything at the end where there was nothing to look at', () => {
    expect(tell(counting, null, turn)).toMatchObject({
      steps: [],
      rest: ['revealed', 'placed', 'taken', 'over'],
    });
  });

  it('is in the log as far as it has been seen', () => {
    expect(until(turn, 2).events).toHaveLength(2);
    expect(until(turn, 5)).toBe(turn);
  });

  it('is the same in a replay', () => {
    const before = update(1, 10, []);
    const found = moments(counting, [before, turn]);
    expect(found.map(({ told }) => told)).toEqual([[], ['revealed', 'placed'], [], ['taken'], ['over']]);
    expect(found.map((moment) => logUntil([before, turn], moment).at(-1)!.events.length)).toEqual([
      0, 2, 3, 4, 5,
    ]);
  });
});

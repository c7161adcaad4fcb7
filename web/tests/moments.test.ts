import { describe, expect, it } from 'vitest';
import type { GameModule, Scene } from '$games/game';
import { handsAt, indexOf, logUntil, moments, placeIn, searchFor, turns } from '$lib/moments';
import type { Situation, Update } from '$lib/types';

/** A game that counts: "add" events are seen as so many steps, secret ones not at all. */
type Added = { readonly type: 'Added'; readonly steps: number } | { readonly type: 'Secret' };
const counting = {
  narrate: (event: Added) => (event.type === 'Added' ? `plus ${event.steps}` : null),
  scenes: (view: number, event: Added): Scene<number>[] =>
    event.type === 'Added'
      ? Array.from({ length: event.steps }, (_, index) => ({ view: view + index + 1 }))
      : [],
  progress: (view: number) => `tens: ${Math.floor(view / 10)}`,
} as unknown as GameModule;

function update(n: number, view: number | null, ...events: Added[]): Update {
  const situation = { phase: 'playing', chairs: [], view, waiting: [] } as unknown as Situation;
  const changes = events.slice(0, -1).map((event) => 7 + (event.type === 'Added' ? event.steps : 0));
  return { type: 'Update', n, at: n, note: null, events, situation, changes };
}
const added = (steps: number): Added => ({ type: 'Added', steps });

const match = [
  update(3, null),
  update(4, 7, added(7)),
  update(5, 7, { type: 'Secret' }),
  update(6, 10, added(1), added(2)),
  update(7, 11, added(1)),
];
const found = moments(counting, match);

describe('moments of a match', () => {
  it('are its steps; what nobody sees is none', () => {
    expect(found.map(({ n, part }) => [n, part])).toEqual([
      [4, 0],
      [6, 0],
      [6, 1],
      [6, 2],
      [7, 0],
    ]);
    expect(found.map(({ situation }) => situation.view)).toEqual([7, 8, 9, 10, 11]);
    expect(found.map(({ settled }) => settled)).toEqual([true, false, false, true, true]);
  });

  it('end as the server says, whatever the scenes made of it', () => {
    const odd = moments(counting, [update(1, 0, added(1)), update(2, 99, added(2))]);
    expect(odd.map(({ situation }) => situation.view)).toEqual([0, 1, 99]);
  });

  it('tell each event once', () => {
    expect(found.flatMap(({ told }) => told)).toEqual(['plus 7', 'plus 1', 'plus 2', 'plus 1']);
    expect(logUntil(match, found[1]!).at(-1)!.events).toEqual([added(1)]);
    expect(logUntil(match, found[3]!).at(-1)!.events).toHaveLength(2);
  });

  it('belong to turns', () => {
    expect(turns(counting, found)).toEqual([
      { name: 'tens: 0', from: 0, to: 2, gains: [] },
      { name: 'tens: 1', from: 3, to: 4, gains: [] },
    ]);
  });

  it('say who took what in a turn', () => {
    const took = found.map((moment, index) =>
      index % 2
        ? { ...moment, scene: { ...moment.scene, focus: { gain: { seat: 2, bulls: index } } } }
        : moment,
    );
    expect(turns(counting, took).map(({ gains }) => gains)).toEqual([
      [{ seat: 2, bulls: 1 }],
      [{ seat: 2, bulls: 3 }],
    ]);
  });

  it('are divided by their events where the progress tells only rounds', () => {
    const turnOf = (event: Added): string | null => (event.type === 'Added' ? String(event.steps) : null);
    const divided = { ...counting, turnOf: turnOf as (event: unknown) => string | null };
    const names = turns(divided, moments(divided, match)).map(({ name, from }) => [name, from]);
    expect(names).toEqual([
      ['tens: 0', 0],
      ['tens: 0 · 1', 1],
      ['tens: 0 · 2', 2],
      ['tens: 1', 3],
      ['tens: 1 · 1', 4],
    ]);
  });

  it('show only cards that stay in a hand while others are on their way', () => {
    const hands = [
      { n: 4, hands: [[1, 2]] },
      { n: 6, hands: [[2, 9]] },
    ];
    expect(handsAt(hands, found[1]!)).toEqual([[2]]);
    expect(handsAt(hands, found[3]!)).toEqual([[2, 9]]);
    expect(handsAt([], found[0]!)).toBeNull();
  });
});

describe('links to a moment', () => {
  it.each([
    ['?eyes=open&at=6', { eyes: 'open', n: 6, part: 0 }],
    ['?eyes=2&at=6.3', { eyes: 1, n: 6, part: 3 }],
    ['', { eyes: null, n: null, part: 0 }],
    ['?eyes=0&at=-1', { eyes: null, n: null, part: 0 }],
    ['?eyes=nobody&at=1e9', { eyes: null, n: null, part: 0 }],
  ])('%s', (search, place) => {
    expect(placeIn(search)).toEqual({ decision: null, judged: false, ...place });
  });

  it('may mean a decision, with what it cost', () => {
    expect(placeIn('?eyes=2&decision=17')).toEqual({ eyes: 1, n: null, part: 0, decision: 17, judged: true });
    expect(placeIn(searchFor(1, { n: 6, part: 3 }, true))).toMatchObject({ n: 6, part: 3, judged: true });
    expect(placeIn('?decision=0x9')).toMatchObject({ decision: null });
  });

  it('lead back to where they were made', () => {
    found.forEach((moment, index) => {
      const { n, part, eyes } = placeIn(searchFor(3, moment));
      expect([indexOf(found, n!, part), eyes]).toEqual([index, 3]);
    });
  });

  it('lead to the moment before, if there is none', () => {
    expect(indexOf(found, 5, 0)).toBe(0);
    expect(indexOf(found, 6, 99)).toBe(3);
    expect(indexOf(found, 999, 0)).toBe(4);
    expect(indexOf(found, 1, 0)).toBe(0);
  });
});

/** The piles of 11 nimmt!: in an order that the eye can search. */
import { describe, expect, it } from 'vitest';
import { grid, inOrder } from '$games/eleven/piles';
import { scenes } from '$games/eleven/scenes';
import type { ElevenLayCard, ElevenPileTaken, ElevenView } from '$lib/types';

const lay = (card: number, pile: number): ElevenLayCard => ({ type: 'LayCard', card, pile });
const tops = (...cards: number[]): { tops: number[] } => ({ tops: cards });
const shown = (...cards: number[]): number[] => inOrder(tops(...cards), []).map(({ top }) => top);

describe('piles', () => {
  it('lie in the order of their tops, and are still known by their numbers', () => {
    expect(inOrder(tops(46, 8, 100), [lay(50, 1), lay(9, 2), lay(12, 2)])).toEqual([
      { pile: 2, top: 8, fitting: [9, 12] },
      { pile: 1, top: 46, fitting: [50] },
      { pile: 3, top: 100, fitting: [] },
    ]);
  });

  it('keep their order when others come and go', () => {
    expect(shown(46, 8, 100)).toEqual([8, 46, 100]);
    expect(shown(46, 100, 73, 2)).toEqual([2, 46, 73, 100]);
  });

  it('have room however many there are, and so have hands', () => {
    for (const isWide of [false, true])
      for (let count = 1; count <= 45; count++) {
        const { across, columns, lines, held } = grid(count, count, isWide);
        expect(across * lines).toBeGreaterThanOrEqual(count);
        expect(columns).toBeGreaterThanOrEqual(across > 6 ? 10 : 5);
        expect(held).toBeLessThanOrEqual(2.6);
      }
  });
});

describe('a pile that is taken', () => {
  const event = { type: 'PileTaken', pile: 2, top: 46, count: 3, rule: 'take' } as const;
  const view = (seat: number | null): ElevenView => ({ seat, hand: [] }) as unknown as ElevenView;

  it('shows its taker the cards that were hidden in it', () => {
    const taken: ElevenPileTaken = { ...event, seat: 0, cards: [31, 36, 46] };
    expect(scenes(view(0), taken, view(0))[0]).toMatchObject({ from: { 31: 'piles', 36: 'piles' }, to: {} });
  });

  it('shows everybody else no more than its top', () => {
    const taken: ElevenPileTaken = { ...event, seat: 0, cards: null };
    expect(scenes(view(1), taken, view(1))[0]).toMatchObject({ from: {}, to: { 46: 'seat-0' } });
  });
});

import { describe, expect, it } from 'vitest';
import { scenes } from '$games/six/scenes';
import type { SixTable, SixView } from '$lib/types';

const table: SixTable = {
  options: { draft: false, large_draft: false, fan: [], target: 66, more_than_target: false, rounds: null },
  seats: 2,
  phase: 'choose',
  round: 1,
  rows: [[12], [37, 39], [43, 44, 45, 46, 47], [58]],
  markers: { even_odd: null, mountain: null, cow: null },
  queue: [],
  bulls: [0, 0],
  taken: [],
  twists: [false, false],
  pool: [],
  drafted: [],
  scores: [],
  history: { starts: [12, 37, 43, 58], turns: [], rows: [] },
};
const view: SixView = {
  seat: 0,
  table,
  hand: [3, 48],
  pile: [],
  choice: null,
  waiting: [0, 1],
  hand_sizes: [2, 2],
};

/** What the server says of the table after an event. */
function after(change: Partial<SixTable>, more: Partial<SixView> = {}): SixView {
  return { ...view, ...more, table: { ...table, ...change } };
}

describe('scenes', () => {
  it('a sixth card lies down first, then the row goes to its owner', () => {
    const event = {
      type: 'CardPlaced' as const,
      seat: 0,
      card: 48,
      row: 3,
      taken: [43, 44, 45, 46, 47],
      bulls: 10,
      rule: 'full-row',
    };
    const before = after({ phase: 'row', queue: [{ seat: 0, card: 48, twisted: false }] });
    const then = after({ rows: [[12], [37, 39], [48], [58]], bulls: [10, 0] });
    const [first, second] = scenes(before, event, then);
    expect(first!.view.table.rows[2]).toEqual([43, 44, 45, 46, 47, 48]);
    expect(first!.view.table.queue).toEqual([]);
    expect(first!.view.table.bulls).toEqual([0, 0]);
    expect(second!.view.table).toEqual({ ...then.table, phase: 'row' });
    expect(second!.to).toMatchObject({ 43: 'seat-0', 47: 'seat-0' });
  });

  it('revealed cards come from their seats', () => {
    const plays = [
      { seat: 0, card: 3, twisted: false },
      { seat: 1, card: 50, twisted: false },
    ];
    const then = after({ queue: plays }, { hand: [48] });
    const [scene] = scenes(view, { type: 'CardsRevealed', plays }, then);
    expect(scene!.view).toBe(then);
    expect(scene!.from).toEqual({ 3: 'seat-0', 50: 'seat-1' });
  });

  it('cards lie as they are while the scores are looked at', () => {
    const event = { type: 'RoundEnded' as const, round: 1, points: [10, 0], totals: [10, 0] };
    const [scene] = scenes(view, event, after({ round: 2, phase: 'deal', rows: [], scores: [[10, 0]] }));
    expect(scene!.view.table).toMatchObject({ round: 1, rows: table.rows, scores: [[10, 0]] });
  });
});

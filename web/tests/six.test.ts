import { describe, expect, it } from 'vitest';
import { look } from '$games/six/placing';
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

describe('where a card would go', () => {
  it('joins the closest lower end', () => {
    expect(look(table, 40, false)).toEqual({ row: 2, takes: false, bulls: 0 });
  });
  it('takes a full row', () => {
    expect(look(table, 48, false)).toEqual({ row: 3, takes: true, bulls: 10 });
  });
  it('too low: the owner chooses', () => {
    expect(look(table, 3, false)).toEqual({ row: null, takes: true, bulls: 1 });
  });
  it('obeys even and odd', () => {
    const marked = { ...table, markers: { ...table.markers, even_odd: { row: 1, parity: 'even' as const } } };
    expect(look(marked, 13, false).row).toBeNull();
    expect(look(marked, 14, false).row).toBe(1);
  });
  it('goes down the mountain, which wins a tie', () => {
    const marked = { ...table, markers: { ...table.markers, mountain: { row: 4, arrows: 'up' as const } } };
    expect(look(marked, 57, false).row).toBe(4);
    const tie = { ...marked, rows: [[50], [37], [43], [58]] };
    expect(look(tie, 54, false).row).toBe(4);
  });
  it('counts the cow as a card', () => {
    const rows = [[12], [37, 38, 39, 40], [43], [58]];
    expect(look({ ...table, rows }, 41, false).takes).toBe(false);
    expect(look({ ...table, rows, markers: { ...table.markers, cow: 2 } }, 41, false).takes).toBe(true);
  });
  it('twists', () => {
    expect(look(table, 31, true).row).toBe(1);
  });
});

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
    const [first, second] = scenes(view, event);
    expect(first!.view.table.rows[2]).toEqual([43, 44, 45, 46, 47, 48]);
    expect(second!.view.table.rows[2]).toEqual([48]);
    expect(second!.view.table.bulls).toEqual([10, 0]);
    expect(second!.to).toMatchObject({ 43: 'seat-0', 47: 'seat-0' });
  });

  it('revealed cards leave the hand', () => {
    const plays = [
      { seat: 0, card: 3, twisted: false },
      { seat: 1, card: 50, twisted: false },
    ];
    const [scene] = scenes(view, { type: 'CardsRevealed', plays });
    expect(scene!.view.hand).toEqual([48]);
    expect(scene!.view.table.queue).toEqual(plays);
    expect(scene!.from).toEqual({ 3: 'seat-0', 50: 'seat-1' });
  });
});

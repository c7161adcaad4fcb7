/** What a list says about matches, and what is kept of the tables that were opened. */
import { describe, expect, it } from 'vitest';
import { seated, tableOf, type Choices } from '$lib/opening';
import { byUrgency, deadlineOf, freeSeats, isYourTurn, ranking } from '$lib/standing';
import type { Chair, GameInfo, TableCard } from '$lib/types';

const chair = (kind: Chair['kind'], name = ''): Chair => ({
  kind,
  name,
  level: null,
  away: null,
  missed: 0,
  program: false,
  pace: 'normal',
  wanting_stand_in: [],
  contributed: false,
});
const card = (some: Partial<TableCard>): TableCard => ({
  id: 't',
  game: 'six',
  options: {},
  phase: 'playing',
  tempo: { kind: 'none' },
  chairs: [chair('person', 'Anna'), chair('bot', 'Bruno')],
  updated: 0,
  you: 0,
  waiting: [],
  paused: false,
  standing: null,
  winners: null,
  practice: false,
  ...some,
});
const standing = (points: number[], high_wins = false): TableCard['standing'] => ({
  round: 1,
  rounds: null,
  points,
  high_wins,
  unit: 'round',
  sides: [],
});

describe('who is ahead', () => {
  const places = (points: number[], high = false): number[][] =>
    ranking({ standing: standing(points, high) }).map(({ index, place }) => [index, place]);

  it('has the fewest bulls, or the most points where they are good', () => {
    expect(places([7, 2, 9])).toEqual([
      [1, 1],
      [0, 2],
      [2, 3],
    ]);
    expect(places([7, 2, 9], true)[0]).toEqual([2, 1]);
  });
  it('shares a place with those who have as much', () => {
    expect(places([5, 2, 2])).toEqual([
      [1, 1],
      [2, 1],
      [0, 3],
    ]);
  });
});

describe('whose turn it is', () => {
  it('is ours if we are waited for, or if the match waits for anybody', () => {
    expect(isYourTurn(card({ waiting: [{ seat: 0, deadline: null }] }))).toBe(true);
    expect(isYourTurn(card({ waiting: [{ seat: 1, deadline: null }] }))).toBe(false);
    expect(isYourTurn(card({ paused: true }))).toBe(true);
    expect(isYourTurn(card({ paused: true, you: null }))).toBe(false);
    expect(isYourTurn(card({ phase: 'over', waiting: [{ seat: 0, deadline: null }] }))).toBe(false);
  });
  it('ends with our own time, else with the first of the others', () => {
    const both = [
      { seat: 0, deadline: 9 },
      { seat: 1, deadline: 5 },
    ];
    expect(deadlineOf(card({ waiting: both }))).toBe(9);
    expect(deadlineOf(card({ waiting: both, you: null }))).toBe(5);
    expect(deadlineOf(card({ waiting: [{ seat: 1, deadline: null }] }))).toBe(null);
  });
  it('puts those that wait for us first, the most pressing of them before all', () => {
    const ours = (id: string, deadline: number | null): TableCard =>
      card({ id, waiting: [{ seat: 0, deadline }] });
    const cards = [
      card({ id: 'not begun', phase: 'waiting', updated: 99 }),
      card({ id: 'theirs', waiting: [{ seat: 1, deadline: 1 }], updated: 5 }),
      ours('any time', null),
      card({ id: 'theirs, newer', updated: 7 }),
      ours('later', 20),
      ours('soon', 10),
    ];
    expect(cards.toSorted(byUrgency).map(({ id }) => id)).toEqual([
      'soon',
      'later',
      'any time',
      'theirs, newer',
      'theirs',
      'not begun',
    ]);
  });
  it('has free seats only before the match', () => {
    const chairs = [chair('person'), chair('empty')];
    expect(freeSeats(card({ phase: 'waiting', chairs }))).toBe(1);
    expect(freeSeats(card({ phase: 'playing', chairs }))).toBe(0);
  });
});

describe('a new table', () => {
  const choices: Choices = {
    variant: 'draft',
    changes: { target: 20 },
    seats: 4,
    levels: ['club', 'greedy', 'random'],
    among: 2,
    tempo: { kind: 'turns', hours: 24 },
  };
  const info = { id: 'six', variants: [{ id: 'draft', options: { draft: true } }] } as unknown as GameInfo;

  it('has bots on all seats, or on the last ones beside people', () => {
    expect(seated('bots', choices)).toEqual(['club', 'greedy', 'random']);
    expect(seated('friends', choices)).toEqual([null, 'greedy', 'random']);
    expect(seated('open', { ...choices, among: 0 })).toEqual([null, null, null]);
    expect(seated('friends', { ...choices, among: 9 })).toEqual([null, 'greedy', 'random']);
    expect(seated('bots', { ...choices, levels: ['club'] })).toEqual(['club', 'club', 'club']);
  });
  it('is as chosen; days to decide are for people', () => {
    const options = { draft: true, target: 20 };
    expect(tableOf(info, 'open', choices)).toMatchObject({ options, public: true, tempo: choices.tempo });
    expect(tableOf(info, 'bots', choices)).toMatchObject({ public: false, tempo: { kind: 'none' } });
  });
});

/** A decision is tried: what is told, and that nothing is told before. */
import { describe, expect, it, vi } from 'vitest';
import type { GameModule } from '$games/game';
import type { JudgedDecision, ReviewStatus, Situation, TableInfo, Update } from '$lib/types';
import { decided } from '$lib/moments';
import { decisionAt, exerciseOf, mistakeBeside, mistakesIn } from '../src/screens/review/decisions';
import { grown, isWhole, seatIn } from '../src/screens/review/review.svelte';
import { Naming } from '../src/screens/trying/naming';
import {
  Trying,
  verdictOn,
  type Exercise,
  type Verdict,
  type Worth,
} from '../src/screens/trying/trying.svelte';

vi.mock('$lib/sounds', () => ({ play: () => undefined }));

const card = (number: number): unknown => ({ type: 'PlayCard', card: number, twisted: false });
const worth = (number: number, cost: number, error = 0.2): Worth => ({
  action: card(number),
  cost,
  error,
  why: `why ${number}`,
});
const situation = {
  chairs: [],
  legal: [5, 17, 60, 99].map(card),
  waiting: [{ seat: 0, kind: 'card' }],
} as unknown as Situation;
const exercise: Exercise = {
  table: {} as TableInfo,
  situation,
  worths: [worth(5, 0), worth(17, 0.5), worth(60, 2.4)],
  best: card(5),
};

function tried(number: number): { trying: Trying; answers: [Verdict, number][] } {
  const answers: [Verdict, number][] = [];
  const trying = new Trying(exercise, {} as GameModule, (...answer) => answers.push(answer));
  trying.act(card(number));
  return { trying, answers };
}

describe('a verdict', () => {
  it('calls worse only what surely is, by as much as a review does', () => {
    expect(verdictOn(worth(60, 2.4), card(5))).toBe('worse');
    expect(verdictOn(worth(60, 2.4, 1.1), card(5))).toBe('close');
    expect(verdictOn(worth(60, 0.25, 0), card(5))).toBe('close');
    expect(verdictOn(worth(5, 0), card(5))).toBe('best');
    expect(verdictOn(null, card(5))).toBe('unknown');
  });
});

describe('a decision that is tried', () => {
  it('is open for all that was legal, until something is chosen', () => {
    const trying = new Trying(exercise, {} as GameModule);
    expect(trying.legal).toEqual(situation.legal);
    expect([trying.verdict, trying.isOpen]).toEqual([null, false]);
    trying.act(card(60));
    expect(trying.legal).toEqual([]);
    expect(trying.situation.waiting).toEqual([]);
    trying.act(card(5));
    expect(trying.settled).toEqual(card(60));
  });

  it('does not tell the best after a mistake, only what that costs', () => {
    const { trying, answers } = tried(60);
    expect([trying.verdict, trying.chosen?.cost, trying.isOpen]).toEqual(['worse', 2.4, false]);
    trying.again();
    expect(trying.legal).toEqual(situation.legal);
    trying.act(card(5));
    expect(answers).toEqual([
      ['worse', 1],
      ['best', 1],
    ]);
    expect(trying.isOpen).toBe(true);
  });

  it('takes what cannot be told from the best for right, and says of the unknown that it is', () => {
    expect(tried(17).answers).toEqual([['close', 0]]);
    expect(tried(99).answers).toEqual([['unknown', 1]]);
  });

  it('can be told whatever was chosen', () => {
    const { trying } = tried(60);
    trying.open();
    expect([trying.isOpen, trying.verdict]).toEqual([true, 'worse']);
  });
});

const updates = ['MatchStarted', 'Decided', 'ChatSaid', 'Decided', 'Decided'].map(
  (type, index) =>
    ({ n: index + 3, note: { type }, situation: { ...situation, n: index + 3 } }) as unknown as Update,
);
const judged = (number: number, named = true): JudgedDecision =>
  ({
    number,
    named,
    values: [],
    action: card(17),
    best: card(5),
    exact: false,
    facts: { done: { what: '17' }, best: { what: '5' } },
  }) as unknown as JudgedDecision;
const naming = new Naming(null, []);

describe('a judged decision', () => {
  it('is found in the match by the number of its action, whatever was said in between', () => {
    expect([...decided(updates)]).toEqual([
      [1, 1],
      [2, 3],
      [3, 4],
    ]);
  });

  it('is tried on the board before it', () => {
    const places = decided(updates);
    const found = exerciseOf(judged(2), {} as TableInfo, updates, places, naming);
    expect(found?.situation).toBe(updates[2]!.situation);
    expect(found?.played).toEqual(card(17));
    expect(exerciseOf(judged(9), {} as TableInfo, updates, places, naming)).toBeNull();
  });

  it('is told in the words of the game, where the server has none', () => {
    const proposal = { type: 'Propose', use: { type: 'Stop', row: 2 } };
    const called = (action: unknown): string | null => (action === proposal ? 'Stopp! an Reihe 2' : null);
    const words = new Naming({ called } as unknown as GameModule, []);
    const label = 'Propose use Stop(row=2)';
    expect([words.of(proposal, label), words.of(card(17))]).toEqual(['Stopp! an Reihe 2', '17']);
    const said = words.in(`Mit ${label} kostet es mehr.`, { action: proposal, label });
    expect(said).not.toContain(label);
    expect(words.in('Mit 17 kostet es mehr.', { action: card(17), label: '17' })).toBe(
      'Mit 17 kostet es mehr.',
    );
  });

  it('is worth trying again only if it is called a mistake, in the order of the match', () => {
    const all = [judged(7), judged(2, false), judged(3)];
    expect(mistakesIn(all).map(({ number }) => number)).toEqual([3, 7]);
  });
});

describe('a moment of a replay', () => {
  const boards = new Map([
    [1, 0],
    [2, 0],
    [5, 4],
    [9, 7],
  ]);
  const all = [judged(9), judged(1), judged(5)];

  it('is about the last decision whose board has been seen', () => {
    const at = (index: number): number | undefined => decisionAt(all, boards, index)?.number;
    expect([0, 3, 4, 6, 7, 99].map(at)).toEqual([1, 1, 5, 5, 9, 9]);
    expect(decisionAt([judged(5)], boards, 3)).toBeNull();
  });

  it('knows the mistakes on both sides of it', () => {
    const found = mistakesIn(all);
    expect(mistakeBeside(found, boards, 4, 1)).toBe(7);
    expect(mistakeBeside(found, boards, 4, -1)).toBe(0);
    expect(mistakeBeside(found, boards, 7, 1)).toBeNull();
    expect(mistakeBeside(found, boards, 0, -1)).toBeNull();
  });
});

describe('a review that grows', () => {
  const part = (done: number, ...numbers: number[]): ReviewStatus =>
    ({ rounds: 2, done, decisions: numbers.map((number) => judged(number)) }) as unknown as ReviewStatus;

  it('keeps what it knows, the very same', () => {
    const first = grown(null, part(1, 1, 4));
    const both = grown(first, part(2, 8));
    expect(both.decisions.map(({ number }) => number)).toEqual([1, 4, 8]);
    expect(both.decisions[0]).toBe(first.decisions[0]);
    expect([isWhole(null), isWhole(first), isWhole(both)]).toEqual([false, false, true]);
  });

  it('is that of a seat, counted from 1', () => {
    expect([seatIn('?seat=2'), seatIn('?seat=0'), seatIn('?seat=x'), seatIn('')]).toEqual([
      1,
      null,
      null,
      null,
    ]);
  });
});

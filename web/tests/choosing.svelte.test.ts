import { describe, expect, it } from 'vitest';
import type { Playing } from '$games/game';
import { toasts } from '$lib/announce.svelte';
import { Choosing, points, type SecretView } from '$lib/choosing.svelte';
import { shared } from '$lib/texts';

type Action = { type: string; card?: number; row?: number; twisted?: boolean };
type View = SecretView<{ seat: number; card: number }>;

function table(legal: readonly Action[], more: Partial<View> = {}) {
  const sent: Action[] = [];
  const view: View = {
    hand: [3, 55, 70],
    hand_sizes: [3, 3, 0],
    waiting: [0],
    choice: null,
    table: { phase: 'choose', queue: [] },
    ...more,
  };
  const game = $state({
    view,
    legal,
    situation: { waiting: [{ seat: 0, kind: 'card' }] },
    ready: true,
    replaying: false,
    you: 0 as number | null,
    sent: null as Action | null,
    act: (action: Action) => void sent.push(action),
  });
  const playing = game as unknown as Playing<View, Action>;
  return {
    game,
    sent,
    choosing: new Choosing(
      () => playing,
      () => 'not now',
      (action) => !action.twisted,
    ),
  };
}

const plays = (...cards: number[]): Action[] =>
  cards.flatMap((card) => [true, false].map((twisted) => ({ type: 'PlayCard', card, twisted })));

describe('a card in secret', () => {
  it('is picked up first and played by a second touch, in the way that is meant', () => {
    const { choosing, sent } = table(plays(3, 55));
    choosing.pick(55);
    expect([choosing.picked, choosing.lifted, sent]).toEqual([55, 55, []]);
    choosing.pick(3);
    expect([choosing.picked, sent]).toEqual([3, []]);
    choosing.pick(3);
    expect([choosing.picked, sent]).toEqual([null, [{ type: 'PlayCard', card: 3, twisted: false }]]);
  });

  it('that cannot be played stays where it is, and it is said why', () => {
    const { choosing, sent } = table(plays(3));
    choosing.pick(70);
    expect([choosing.picked, sent, toasts.at(-1)?.text]).toEqual([null, [], 'not now']);
  });

  it('is put down when it leaves the hand, and cannot be played while others are at it', () => {
    const { choosing, game } = table(plays(3, 55));
    choosing.pick(55);
    game.legal = [];
    expect([choosing.picked, choosing.lifted]).toEqual([55, null]);
    game.view = { ...game.view, hand: [3, 70] };
    expect(choosing.picked).toBeNull();
  });

  it('is the chosen one only when the server has it', () => {
    const { choosing, game } = table(plays(3, 55), { choice: { card: 70 } });
    game.sent = { type: 'PlayCard', card: 3 };
    expect([choosing.chosen, choosing.sending]).toEqual([70, 3]);
    game.sent = null;
    game.view = { ...game.view, choice: 3 };
    expect([choosing.chosen, choosing.sending]).toEqual([3, null]);
  });

  it('can be changed as long as there is another', async () => {
    await shared.ready();
    expect(table(plays(3)).choosing.said).toBe('');
    expect(table(plays(3, 55), { choice: 3 }).choosing.said).toContain('still change');
    const last = { hand: [3], choice: 3 };
    expect(table([{ type: 'PlayCard', card: 3 }], last).choosing.said).toBe('You chose 3, your last card.');
    expect(table(plays(3), last).choosing.said).toContain('still change'); // twisted, or not
  });

  it('lies face down before those who have chosen and hold cards', async () => {
    await shared.ready();
    const { choosing } = table(plays(3), { table: { phase: 'choose', queue: [{ seat: 1, card: 9 }] } });
    expect([0, 1, 2].map((seat) => choosing.hasChosen(seat))).toEqual([false, true, false]);
    expect([0, 1].map((seat) => choosing.lying(seat)?.card)).toEqual([undefined, 9]);
    expect([0, 1].map((seat) => choosing.told(seat))).toEqual(['', 'plays 9']);
    expect(table(plays(3)).choosing.told(1)).toBe('has chosen');
  });

  it('is not asked of somebody who only looks on', () => {
    const { choosing, game } = table([]);
    game.you = null;
    expect([choosing.kind, choosing.whyNot()]).toEqual([null, expect.stringMatching(/./)]);
    game.replaying = true;
    expect(choosing.whyNot()).toBe('');
  });
});

it('rows that can be chosen are told from cards', () => {
  const { choosing } = table([{ type: 'ChooseRow', row: 2 }, { type: 'KeepCard', card: 3 }, ...plays(55)]);
  expect([[...choosing.rows], [...choosing.playable]]).toEqual([[2], [55]]);
});

it('points of a round are counted once', () => {
  const scores = [[5, 0]];
  const during = points({ scores, round: 2, phase: 'choose' }, [3, 4]);
  expect(during).toEqual([
    { round: 3, total: 8 },
    { round: 4, total: 4 },
  ]);
  const after = points({ scores: [...scores, [3, 4]], round: 2, phase: 'choose' }, [3, 4]);
  expect(after).toEqual([
    { round: 0, total: 8 },
    { round: 0, total: 4 },
  ]);
});

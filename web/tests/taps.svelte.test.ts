import { afterEach, describe, expect, it } from 'vitest';
import { told } from '$lib/announce.svelte';
import { settings } from '$lib/settings.svelte';
import { Taps } from '$lib/taps.svelte';
import { shared } from '$lib/texts';

type Action = { type: string; row: number };
const take = (row: number): Action => ({ type: 'ChooseRow', row });

function asked() {
  const sent: Action[] = [];
  const game = $state({
    legal: [take(1), take(2)],
    situation: { decision: 7 as number | null },
    act: (action: Action) => void sent.push(action),
  });
  const taps = new Taps<Action>(() => game as never);
  return { game, taps, sent };
}

afterEach(() => {
  settings.confirm = true;
});

describe('two taps', () => {
  it('tell first and do then', async () => {
    await shared.ready();
    const { taps, sent } = asked();
    taps.on(take(2)).tap('Take row 2');
    expect([taps.meant?.words, sent]).toEqual(['Take row 2', []]);
    expect(told.at(-1)?.text).toContain('Take row 2?');
    expect([taps.on(take(1)).pressed, taps.on(take(2)).pressed]).toEqual([false, true]);
    taps.on(take(2)).tap('Take row 2');
    expect([taps.meant, sent]).toEqual([null, [take(2)]]);
  });

  it('mean the same thing twice', () => {
    const { taps, sent } = asked();
    taps.on(take(2)).tap('');
    taps.on(take(1)).tap('');
    expect([taps.meant?.action, sent]).toEqual([take(1), []]);
    taps.confirm();
    expect(sent).toEqual([take(1)]);
    taps.confirm();
    expect(sent).toHaveLength(1);
  });

  it('can be taken back, and are one if that is set', () => {
    const { taps, sent } = asked();
    taps.on(take(2)).tap('');
    taps.cancel();
    taps.on(take(2)).tap('');
    expect(sent).toEqual([]);
    settings.confirm = false;
    expect(taps.on(take(1)).pressed).toBeUndefined();
    taps.on(take(1)).tap('');
    expect(sent).toEqual([take(1)]);
  });

  it('answer one question: the first tap does not count for the next one, nor while nothing is asked', () => {
    const { game, taps, sent } = asked();
    taps.on(take(2)).tap('');
    game.legal = [];
    expect(taps.meant).toBeNull();
    taps.confirm();
    [game.legal, game.situation] = [[take(2)], { decision: 8 }];
    expect(taps.on(take(2)).pressed).toBe(false);
    taps.on(take(2)).tap('');
    expect(sent).toEqual([]);
  });

  it('are about one thing at a time', () => {
    const { taps } = asked();
    taps.pick(55);
    expect([taps.card, taps.meant]).toEqual([55, null]);
    taps.on(take(2)).tap('');
    expect([taps.card, taps.meant?.action]).toEqual([null, take(2)]);
  });
});

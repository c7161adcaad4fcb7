import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GameModule, Scene } from '$games/game';
import { told } from '$lib/announce.svelte';
import { LiveTable } from '$lib/table.svelte';
import type { RoundEnded, Situation, Snapshot, Update } from '$lib/types';

/** A game that counts in two steps an event; after a round it waits for somebody to go on. */
interface Added {
  readonly to: number;
  readonly round?: number;
}
const ended = (round: number) => ({ type: 'RoundEnded', round, points: [], totals: [] }) as RoundEnded;
const counting = {
  narrate: ({ to }: Added) => `to ${to}`,
  scenes: (view: number, { to, round }: Added): Scene<number>[] => [
    { view: view + 0.5 },
    round === undefined ? { view: to } : { view: to, interlude: ended(round) },
  ],
} as unknown as GameModule;
vi.mock('$games/index', () => ({ game: () => Promise.resolve(counting) }));

const page = Object.assign(new EventTarget(), { hidden: false });

function situation(view: number, phase = 'playing'): Situation {
  const fair = { commitment: '' };
  return { phase, chairs: [], view, waiting: [], you: null, legal: [], fair } as unknown as Situation;
}
function snapshot(n: number, phase?: string): Snapshot {
  const table = { game: 'counting', tempo: { kind: 'none' } };
  return { type: 'Snapshot', n, table, chat: [], situation: situation(n, phase) } as unknown as Snapshot;
}
function update(n: number, more: Omit<Added, 'to'> = {}, phase?: string): Update {
  const events = [{ to: n, ...more }];
  return { type: 'Update', n, at: n, note: null, events, situation: situation(n, phase) };
}
const news = (table: LiveTable) => table.log.map(({ n, events }) => [n, events.length]);
const settled = (table: LiveTable) => vi.waitFor(() => expect(table.ready).toBe(true));
const interlude = (table: LiveTable, round: number) =>
  vi.waitFor(() => expect(table.stage.interlude?.round).toBe(round));

describe('a live table', () => {
  let table: LiveTable;
  beforeEach(async () => {
    vi.stubGlobal('document', page);
    told.length = 0;
    table = new LiveTable('t');
    table.news(snapshot(1));
    await vi.waitFor(() => expect(table.shown).not.toBeNull());
  });

  it('keeps log and announcements in step with what is shown', async () => {
    table.news(update(2));
    table.news(update(3, { round: 1 }));
    table.news(update(4, {}, 'over'));
    await interlude(table, 1);
    expect([table.shown?.view, table.live?.view]).toEqual([3, 4]);
    expect(news(table)).toEqual([
      [2, 1],
      [3, 1],
    ]);
    expect(told.map(({ text }) => text)).toEqual(['to 2', 'to 3']);
    expect(table.situation.phase).toBe('playing'); // no result before the last card has been seen
    table.stage.goOn();
    await settled(table);
    expect([table.situation.phase, table.shown?.view]).toEqual(['over', 4]);
    expect(told.map(({ text }) => text)).toEqual(['to 2', 'to 3', 'to 4']);
  });

  it('forgets what it was about to show when it is told anew how things are', async () => {
    table.news(update(2, { round: 1 }));
    table.news(update(3));
    await interlude(table, 1);
    table.news(snapshot(40));
    await settled(table);
    expect([table.shown?.view, table.live?.view, news(table)]).toEqual([40, 40, []]);
    table.news(update(41));
    await vi.waitFor(() => expect(news(table)).toEqual([[41, 1]]));
    await settled(table);
    expect([table.shown?.view, told.at(-1)?.text]).toEqual([41, 'to 41']);
  });

  it('does not stop at old rounds when it is far behind', async () => {
    table.news(update(2, { round: 1 }));
    await interlude(table, 1);
    for (let n = 3; n < 60; n++) table.news(update(n, n === 5 ? { round: 2 } : {}));
    table.stage.goOn();
    await vi.waitFor(() => expect(table.shown?.view).toBe(59));
    expect(table.stage.interlude).toBeNull();
    expect(told.at(-1)?.text).toBe('to 59');
  });
});

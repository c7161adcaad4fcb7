/** The shuffle of this page is that of docs/shuffle.md, by the vectors that the server's own tests read there. */
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keep, keepHands, kept } from '$lib/fair.svelte';
import { check, isHandOf, type MatchRecord, type Question } from '$lib/proof';
import { sha256, sha256ByHand } from '$lib/sha256';
import {
  commitment,
  dealt,
  entryHash,
  hex,
  numbers,
  publicName,
  root,
  shuffle,
  unhex,
  type Entry,
} from '$lib/shuffle';

const DOCS = join(import.meta.dirname, '../../docs');
const PAGE = readFileSync(join(DOCS, 'shuffle.md'), 'utf8');
type Table = Record<string, never>;

/** As much TOML as there is on the page: tables, lists of tables, and values that are also JSON. */
function vectors(): Record<string, Table & Table[]> {
  const found: Record<string, unknown> = {};
  let table: Record<string, unknown> = {};
  const blocks = [...PAGE.matchAll(/^```toml\n(.*?)^```/gms)].map(([, text]) => text!);
  for (const line of blocks.join('\n').split('\n')) {
    const [, many, one] = /^(?:\[\[(\w+)\]\]|\[(\w+)\])$/.exec(line) ?? [];
    if (many) ((found[many] ??= []) as unknown[]).push((table = {}));
    else if (one) found[one] = table = {};
    const [, key, value] = /^(\w+) = (.*)$/.exec(line) ?? [];
    if (key) table[key] = JSON.parse(value!);
  }
  return found as Record<string, Table & Table[]>;
}
const V = vectors() as {
  match: { server_seed: string; contributions: string[]; commitment: string; root: string };
  another_root: { contributions: string[]; root: string };
  stream: { deal: number; deck: string; numbers: number[] }[];
  shuffle: { deal: number; deck: string; highest: number; first: number[] }[];
  rejection: { numbers: number[]; cards: number[]; result: number[] };
  entry: Entry & { table_id: string; hash: string };
} & Record<string, unknown>;
const SEED = unhex(V.match.server_seed)!;
const ROOT = unhex(V.match.root)!;

describe('the vectors of docs/shuffle.md', () => {
  it('commitment and root', async () => {
    expect(await commitment(SEED)).toBe(V.match.commitment);
    expect(hex(await root(SEED, V.match.contributions))).toBe(V.match.root);
    expect(hex(await root(SEED, V.another_root.contributions))).toBe(V.another_root.root);
  });

  it.each(V.stream)('stream of $deck in deal $deal', async ({ deal, deck, numbers: expected }) => {
    const stream = numbers(ROOT, deal, deck);
    for (const number of expected) expect((await stream.next()).value).toBe(number);
  });

  it.each(V.shuffle)('$highest cards in deal $deal', async ({ deal, deck, highest, first }) => {
    const cards = Array.from({ length: highest }, (_, index) => highest - index);
    const order = await dealt(ROOT, deal, deck, cards);
    expect(order.slice(0, first.length)).toEqual(first);
    expect(order.toSorted((a, b) => a - b)).toEqual(cards.toReversed());
  });

  it('passes over a number that is not fair', async () => {
    const left = [...V.rejection.numbers];
    const stream = { next: () => Promise.resolve({ value: left.shift()!, done: false as const }) };
    expect(await shuffle(V.rejection.cards, stream)).toEqual(V.rejection.result);
    expect(left).toEqual([]);
  });

  it('an entry of the list', async () => {
    expect(await publicName(V.entry.table_id)).toBe(V.entry.table);
    expect(await entryHash(V.entry)).toBe(V.entry.hash);
  });
});

describe('SHA-256 without Web Crypto', () => {
  it('is the same for all lengths around a block', async () => {
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) % 256);
      const expected = createHash('sha256').update(bytes).digest('hex');
      expect(hex(sha256ByHand(bytes))).toBe(expected);
      expect(hex(await sha256(bytes))).toBe(expected);
    }
  });

  it('is used where there is none', async () => {
    vi.stubGlobal('crypto', {});
    expect(await commitment(SEED)).toBe(V.match.commitment);
    vi.unstubAllGlobals();
  });
});

// A match that the server's own code has recorded.
const RECORD = JSON.parse(readFileSync(join(DOCS, 'examples/six.json'), 'utf8')) as MatchRecord;
const FAIRNESS = RECORD.fairness!;

async function question(changes: Partial<Question> = {}): Promise<Question> {
  const facts = {
    index: 1,
    table: await publicName('t1'),
    commitment: FAIRNESS.commitment,
    at: 5,
    previous: '0'.repeat(64),
  };
  const entry = {
    ...facts,
    hash: await entryHash(facts),
    state: 'opened' as const,
    server_seed: FAIRNESS.server_seed,
  };
  const order = RECORD.deals[0]!.decks['numbers']!;
  const known = {
    commitment: FAIRNESS.commitment,
    early: true,
    contribution: FAIRNESS.contributions[1]!,
    hands: { 0: order.slice(10, 20).toSorted((a, b) => a - b) },
  };
  return { id: 't1', you: 1, known, record: RECORD, entry, ...changes };
}

describe('the check of a match', () => {
  it('finds nothing wrong with an honest one', async () => {
    expect(await check(await question())).toEqual({
      all: 'ok',
      kept: 'ok',
      seed: 'ok',
      yours: 'ok',
      hands: 'ok',
      list: 'ok',
      deals: [{ right: 'ok', cards: 104 }],
    });
  });

  it('says less where this browser saw less', async () => {
    const known = { ...(await question()).known!, early: false };
    expect(await check(await question({ known }))).toMatchObject({ all: 'unknown', kept: 'unknown' });
    const stranger = await question({ known: null, you: null, entry: undefined });
    expect(await check(stranger)).toMatchObject({
      all: 'unknown',
      yours: 'unknown',
      hands: 'unknown',
      list: 'unknown',
      seed: 'ok',
    });
  });

  const changed = (fairness: Partial<typeof FAIRNESS>): { record: MatchRecord } => ({
    record: { ...RECORD, fairness: { ...FAIRNESS, ...fairness } },
  });
  const seed = 'ab'.repeat(32);
  const swapped = RECORD.deals[0]!.decks['numbers']!.with(0, RECORD.deals[0]!.decks['numbers']![1]!).with(
    1,
    RECORD.deals[0]!.decks['numbers']![0]!,
  );

  it.each<[string, Partial<Question>, object]>([
    ['another seed', changed({ server_seed: seed }), { seed: 'bad', deals: [{ right: 'bad', cards: 104 }] }],
    ['another commitment', changed({ commitment: seed }), { kept: 'bad', seed: 'bad', list: 'bad' }],
    ['another contribution', changed({ contributions: ['a', 'b'] }), { yours: 'bad' }],
    ['two cards', { record: { ...RECORD, deals: [{ decks: { numbers: swapped } }] } }, { seed: 'ok' }],
    ['another algorithm', changed({ algorithm: 'mine' }), { seed: 'bad' }],
    ['no entry in the list', { entry: null }, { list: 'bad', seed: 'ok' }],
  ])('notices %s', async (_, changes, found) => {
    expect(await check(await question(changes))).toMatchObject({ ...found, all: 'bad' });
  });

  it('notices hands that come from another deal', async () => {
    const known = { ...(await question()).known!, hands: { 0: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } };
    expect(await check(await question({ known }))).toMatchObject({ hands: 'bad', all: 'bad' });
  });

  it('a match without a seed proves nothing', async () => {
    expect(await check(await question(changed({ server_seed: null })))).toBeNull();
    expect(await check(await question({ record: { ...RECORD, fairness: null } }))).toBeNull();
  });

  it('knows whose hand is where', () => {
    const order = [5, 3, 9, 1, 7, 2, 8, 4];
    expect(isHandOf(0, [3, 5], order)).toBe(true);
    expect(isHandOf(1, [1, 9], order)).toBe(true);
    expect(isHandOf(1, [2, 7], order)).toBe(true); // a part of a pile of four
    expect(isHandOf(2, [2, 7], order)).toBe(true);
    expect(isHandOf(0, [1, 9], order)).toBe(false);
    expect(isHandOf(2, [1, 9], order)).toBe(false);
    expect(isHandOf(1, [3, 9], order)).toBe(false);
    expect(isHandOf(1, [9, 99], order)).toBe(false);
  });
});

describe('what this browser keeps', () => {
  const store = new Map<string, string>();
  beforeEach(() => {
    store.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => void store.set(key, value),
    });
  });

  it('the first commitment stays', () => {
    expect(keep('a', { commitment: 'x' }, true)).toBe(true);
    expect(keep('a', { commitment: 'x' }, false)).toBe(true);
    expect(keep('a', { commitment: 'y' }, false)).toBe(false);
    expect(kept('a')).toEqual({ commitment: 'x', early: true });
    expect(kept('b')).toBeNull();
  });

  it('the hand that was dealt first', () => {
    keep('a', { commitment: 'x' }, true);
    const event = (round: number, hand: number[]): object => ({
      type: 'RoundDealt',
      round,
      hands: [null, hand],
    });
    keepHands('a', null, [event(1, [1])]);
    keepHands('a', 0, [event(1, [1])]);
    expect(kept('a')!.hands).toBeUndefined();
    keepHands('a', 1, [event(1, [1, 2]), { type: 'CardPlayed' }, event(2, [3])]);
    keepHands('a', 1, [event(1, [9])]);
    expect(kept('a')!.hands).toEqual({ 0: [1, 2], 1: [3] });
  });

  it('so many tables at most', () => {
    for (let number = 0; number < 250; number++) keep(`t${number}`, { commitment: 'x' }, true);
    expect(kept('t0')).toBeNull();
    expect(kept('t249')).not.toBeNull();
  });

  it('nonsense in the storage does no harm', () => {
    for (const text of ['no JSON', 'null', '7', '[]']) {
      store.set('nimmt.fair', text);
      expect(kept('a')).toBeNull();
    }
  });
});

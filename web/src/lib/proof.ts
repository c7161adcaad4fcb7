/** Checks what the server has to show for a finished match: docs/shuffle.md says what that proves. */
import { api } from './api';
import { kept, type Kept } from './fair.svelte';
import { commitment, dealt, entryHash, publicName, root, unhex } from './shuffle';
import type { Deal, Fairness, ListedCommitment } from './types';

/** The part of a record that proves the deals. */
export interface MatchRecord {
  readonly fairness: Fairness | null;
  readonly deals: readonly Deal[];
}

/** `unknown`: this browser cannot tell, which is no proof of anything. */
export type Finding = 'ok' | 'bad' | 'unknown';

export interface Report {
  /** All in all; `unknown` if the deals follow from the seed, but this browser did not see enough to say more. */
  readonly all: Finding;
  readonly kept: Finding;
  readonly seed: Finding;
  readonly yours: Finding;
  readonly deals: readonly { readonly right: Finding; readonly cards: number }[];
  /** Whether the hands that we saw are those of the deals. */
  readonly hands: Finding;
  readonly list: Finding;
}

export interface Question {
  readonly id: string;
  readonly you: number | null;
  readonly known: Kept | null;
  readonly record: MatchRecord;
  /** The entry in the server's list; null if there is none, undefined if it could not be asked. */
  readonly entry: ListedCommitment | null | undefined;
}

const of = (is: boolean): Finding => (is ? 'ok' : 'bad');

function equal(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function checkKept(known: Kept | null, fairness: Fairness): Finding {
  if (!known) return 'unknown';
  if (known.commitment !== fairness.commitment) return 'bad';
  return known.early ? 'ok' : 'unknown';
}

function checkYours({ known, you }: Question, fairness: Fairness): Finding {
  if (you === null || known?.contribution === undefined) return 'unknown';
  return of(fairness.contributions[you] === known.contribution);
}

/** In all games a seat's hand is a run of cards in the deck, and those of the seats before it come first. */
export function isHandOf(seat: number, hand: readonly number[], order: readonly number[]): boolean {
  const from = Math.min(...hand.map((card) => order.indexOf(card)));
  const run = order.slice(Math.max(from, 0), from + hand.length);
  const ascending = (cards: readonly number[]): number[] => cards.toSorted((one, other) => one - other);
  if (from < 0 || !equal(ascending(run), ascending(hand))) return false;
  return seat === 0 ? from === 0 : from % seat === 0 && from / seat >= hand.length;
}

function checkHands({ known, you }: Question, orders: readonly (readonly number[])[]): Finding {
  const hands = Object.entries(known?.hands ?? {}).filter(([deal]) => orders[Number(deal)]);
  if (you === null || hands.length === 0) return 'unknown';
  return of(hands.every(([deal, hand]) => isHandOf(you, hand, orders[Number(deal)]!)));
}

async function checkList({ id, entry }: Question, fairness: Fairness): Promise<Finding> {
  if (entry === undefined) return 'unknown';
  if (entry === null) return 'bad';
  const isOurs = entry.commitment === fairness.commitment && entry.table === (await publicName(id));
  return of(isOurs && entry.hash === (await entryHash(entry)));
}

/** Check everything that this browser can. */
export async function check(question: Question): Promise<Report | null> {
  const { fairness, deals } = question.record;
  const seed = unhex(fairness?.server_seed ?? '');
  if (!fairness || !seed?.length) return null;
  const matchRoot = await root(seed, fairness.contributions);
  const rightOrders: (readonly number[])[] = [];
  const found: { right: Finding; cards: number }[] = [];
  for (const [number, { decks }] of deals.entries()) {
    let right = true;
    let cards = 0;
    for (const [deck, order] of Object.entries(decks)) {
      const proper = await dealt(matchRoot, number, deck, order);
      // Hands are dealt from the largest deck.
      if (proper.length > (rightOrders[number]?.length ?? 0)) rightOrders[number] = proper;
      right &&= equal(proper, order);
      cards += order.length;
    }
    found.push({ right: of(right), cards });
  }
  const parts = {
    kept: checkKept(question.known, fairness),
    seed: of(
      fairness.algorithm === 'nimmt-shuffle-1' &&
        seed.length === 32 &&
        (await commitment(seed)) === fairness.commitment,
    ),
    yours: checkYours(question, fairness),
    hands: checkHands(question, rightOrders),
    list: await checkList(question, fairness),
  };
  const findings = [...Object.values(parts), ...found.map(({ right }) => right)];
  const sure = parts.kept === 'ok' && parts.yours === 'ok';
  const all = findings.includes('bad') ? 'bad' : sure ? 'ok' : 'unknown';
  return { ...parts, deals: found, all };
}

/** The entry of a table in the server's list, as far as it can be had. */
async function findEntry(listed: number | null): Promise<ListedCommitment | null | undefined> {
  if (listed === null) return undefined;
  try {
    return (await api.commitments(listed - 1, 1)).entries[0] ?? null;
  } catch {
    return undefined;
  }
}

export interface Proof {
  readonly record: MatchRecord;
  readonly report: Report | null;
}

/** Fetch what the server has to show for a finished match, and check it. */
export async function prove(id: string, you: number | null, listed: number | null): Promise<Proof> {
  const [record, entry] = await Promise.all([api.matchRecord(id), findEntry(listed)]);
  return { record, report: await check({ id, you, known: kept(id), record, entry }) };
}

/**
 * What this browser does so that nobody can choose the cards: it keeps the commitment of every table, contributes to the
 * shuffle once it has, and checks everything when the match is over. docs/shuffle.md says what that proves.
 */
import { api, randomKey } from './api';
import { commitment, dealt, entryHash, publicName, root, unhex } from './shuffle';
import type { Deal, Done, Fair, Fairness, ListedCommitment, NewTable, OpenedTable, Situation } from './types';

const KEY = 'nimmt.fair';
/** So many tables are remembered, those that were seen first go first. */
const MOST = 200;

/** What this browser knows of a table, from the moment when it first saw it. */
export interface Kept {
  readonly commitment: string;
  /** Seen before the first card was dealt. */
  readonly early: boolean;
  /** What this browser last sent as its contribution. */
  readonly contribution?: string;
  /** It was not random, but somebody's own words. */
  readonly own?: boolean;
  /** The hands that were dealt to us, by the number of the deal. */
  readonly hands?: Readonly<Record<number, readonly number[]>>;
}
type Memory = Record<string, Kept>;

/** For this visit, where nothing can be stored. */
let fallback: Memory = {};
/** What is shown of the memory follows it. */
let changes = $state(0);

function remembered(): Memory {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return parsed && typeof parsed === 'object' ? (parsed as Memory) : {};
  } catch {
    return fallback;
  }
}

function remember(id: string, kept: Kept): void {
  const memory = { ...remembered(), [id]: kept };
  fallback = Object.fromEntries(Object.entries(memory).slice(-MOST));
  try {
    localStorage.setItem(KEY, JSON.stringify(fallback));
  } catch {
    // It holds for this visit then.
  }
  changes++;
}

export function kept(id: string): Kept | null {
  void changes;
  return remembered()[id] ?? null;
}

/** Keep a commitment when it is first seen. Whether it is still the one that was kept. */
export function keep(id: string, shown: Pick<Fair, 'commitment'>, early: boolean): boolean {
  const known = kept(id);
  if (known) return known.commitment === shown.commitment;
  remember(id, { commitment: shown.commitment, early });
  return true;
}

/** Keep the hands that we are dealt: what we saw must be what is proven in the end. */
export function keepHands(id: string, you: number | null, events: readonly unknown[]): void {
  if (you === null) return;
  for (const event of events as readonly { type: string; round?: number; hands?: readonly unknown[] }[]) {
    const hand = event.hands?.[you];
    if (!/^(Round|Hands)Dealt$/.test(event.type) || !Array.isArray(hand) || !event.round) continue;
    const known = kept(id);
    if (!known || known.hands?.[event.round - 1]) continue;
    remember(id, { ...known, hands: { ...known.hands, [event.round - 1]: hand as number[] } });
  }
}

// -- contributing -----------------------------------------------------------------------------------------

/** Contribute to a table whose commitment was kept: our own words, or something random. */
export async function contribute(id: string, words?: string): Promise<Done> {
  const contribution = words ?? randomKey();
  const done = await api.contribute(id, contribution);
  noteContribution(id, contribution, words !== undefined);
  return done;
}

/** Sit down with something random. */
export async function join(id: string, seat: number | null): Promise<Done> {
  const contribution = randomKey();
  const done = await api.join(id, seat, contribution);
  noteContribution(id, contribution, false);
  return done;
}

function noteContribution(id: string, contribution: string, own: boolean): void {
  const known = kept(id);
  if (known) remember(id, { ...known, contribution, own });
}

/** A new table: first its commitment, then our part in the shuffle, then perhaps the start. Returns its id. */
export async function openTable(data: NewTable, start: boolean): Promise<string> {
  return begun(await api.open(data), start);
}

export async function openRematch(id: string): Promise<string> {
  return begun(await api.rematch(id), false);
}

/** The table is there in any case: what goes wrong now can be done in its waiting room. */
async function begun(opened: OpenedTable, start: boolean): Promise<string> {
  keep(opened.id, opened, true);
  try {
    const { n } = await contribute(opened.id);
    if (start) await api.start(opened.id, n);
  } catch {
    // The waiting room contributes, and has a button.
  }
  return opened.id;
}

/** We sit there before the start, and nothing of ours is in the shuffle. */
export function owesContribution({ phase, you, chairs }: Situation): boolean {
  return phase === 'waiting' && you !== null && !chairs[you]?.contributed;
}

// -- checking ---------------------------------------------------------------------------------------------

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

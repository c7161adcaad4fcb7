/**
 * The shuffle of docs/shuffle.md once more, so that this page can check what the server dealt. The test vectors of that
 * page prove it equal to the server's.
 */
import { sha256 } from './sha256';

const ALGORITHM = 'nimmt-shuffle-1';
const LIST = 'nimmt-commitments-1';
const NUMBERS = 2 ** 32;

const utf8 = new TextEncoder();

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes that are written so; null if it is no such text. */
export function unhex(text: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const hashOf = async (text: string): Promise<string> => hex(await sha256(utf8.encode(text)));

export async function commitment(seed: Uint8Array): Promise<string> {
  return hex(await sha256(seed));
}

/** What all decks of the match follow from. */
export async function root(seed: Uint8Array, contributions: readonly string[]): Promise<Uint8Array> {
  const parts = await Promise.all([ALGORITHM, ...contributions].map((text) => sha256(utf8.encode(text))));
  return sha256(joined([parts[0]!, seed, ...parts.slice(1)]));
}

/** An endless stream of 32-bit numbers for one deck of one deal. */
export async function* numbers(
  matchRoot: Uint8Array,
  deal: number,
  deck: string,
): AsyncGenerator<number, never> {
  for (let block = 0; ; block++) {
    const bytes = await sha256(joined([matchRoot, utf8.encode(`/${deal}/${deck}/${block}`)]));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length; at += 4) yield view.getUint32(at);
  }
}

/** Fisher and Yates, from the last place down. A number that would favour some places is passed over. */
export async function shuffle(cards: readonly number[], stream: AsyncIterator<number>): Promise<number[]> {
  const order = [...cards];
  for (let last = order.length - 1; last >= 1; last--) {
    const places = last + 1;
    const fair = NUMBERS - (NUMBERS % places);
    let number: number;
    do number = (await stream.next()).value as number;
    while (number >= fair);
    const chosen = number % places;
    [order[last], order[chosen]] = [order[chosen]!, order[last]!];
  }
  return order;
}

/** What a deck of a deal must look like, whatever order its cards are said to have. */
export function dealt(
  matchRoot: Uint8Array,
  deal: number,
  deck: string,
  cards: readonly number[],
): Promise<number[]> {
  return shuffle(
    cards.toSorted((one, other) => one - other),
    numbers(matchRoot, deal, deck),
  );
}

// -- the server's list of commitments ----------------------------------------------------------------------

/** What the list calls a table. */
export const publicName = (tableId: string): Promise<string> => hashOf(`${LIST}/table/${tableId}`);

export interface Entry {
  readonly index: number;
  readonly table: string;
  readonly commitment: string;
  readonly at: number;
  readonly previous: string;
}

export const entryHash = (entry: Entry): Promise<string> =>
  hashOf([LIST, entry.index, entry.table, entry.commitment, entry.at, entry.previous].join('/'));

/**
 * What this browser does so that nobody can choose the cards: it keeps the commitment of every table, contributes to the
 * shuffle once it has, and checks everything when the match is over (`proof.ts`). docs/shuffle.md says what that proves.
 */
import { api, randomKey } from './api';
import type { Done, Fair, NewTable, OpenedTable, Situation } from './types';

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

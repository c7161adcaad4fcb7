/** Opening a table: what was chosen for each game last time is kept in this browser and used again. */
import { api, Refusal } from './api';
import { openTable } from './fair.svelte';
import { comeIn, isKnown, lookUp, me, suggestedName } from './guest.svelte';
import { sensibleLevel } from './levels';
import { go } from './router.svelte';
import { offeredGames } from './terms';
import type { GameInfo, NewTable } from './types';

/** Whom one plays with: bots at once, friends who get the link, or whoever comes along. */
export type Way = 'bots' | 'friends' | 'open';
export const WAYS: readonly Way[] = ['bots', 'friends', 'open'];

/** What can be chosen for a table, whoever plays there. */
export interface Choices {
  /** A variant by its id; empty for a mix of one's own. */
  readonly variant: string;
  /** Options that are not as the variant has them. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly seats: number;
  /** The bots of the seats behind the first one. */
  readonly levels: readonly string[];
  /** So many bots, on the last seats, sit down with people. */
  readonly among: number;
  readonly tempo: NonNullable<NewTable['tempo']>;
}

const KEY = 'nimmt.openings';
const SEATS = 4;

/** For this visit, where nothing can be stored. */
let fallback: Record<string, unknown> = {};

function remembered(): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return parsed && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : {};
  } catch {
    return fallback;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isRecord = (value: unknown): boolean => value !== null && typeof value === 'object';

function isChoices(value: unknown): value is Choices {
  const one = value as Choices | null;
  if (!one || !isRecord(one) || !isText(one.variant) || !isRecord(one.changes) || !isRecord(one.tempo))
    return false;
  if (!Number.isInteger(one.seats) || !Number.isInteger(one.among)) return false;
  return Array.isArray(one.levels) && one.levels.every(isText);
}

/** What was chosen for this game last time, if anything was. */
export function lastChoices(game: string): Choices | null {
  const found = remembered()[game];
  return isChoices(found) ? found : null;
}

export function keepChoices(game: string, choices: Choices): void {
  fallback = { ...remembered(), [game]: choices };
  try {
    localStorage.setItem(KEY, JSON.stringify(fallback));
  } catch {
    // It holds for this visit then.
  }
}

/** What is played unless somebody wants it otherwise. */
export function standardChoices(info: GameInfo, level: string): Choices {
  const seats = Math.min(Math.max(SEATS, info.min_seats), info.max_seats);
  const levels = Array<string>(seats - 1).fill(level);
  return {
    variant: info.variants[0]?.id ?? '',
    changes: {},
    seats,
    levels,
    among: 0,
    tempo: { kind: 'none' },
  };
}

export function optionsOf({ variants }: GameInfo, { variant, changes }: Choices): Record<string, unknown> {
  return { ...variants.find(({ id }) => id === variant)?.options, ...changes };
}

/** What variants are about: it is chosen with them, and not a second time. */
export function ofVariants({ variants }: GameInfo): ReadonlySet<string> {
  return new Set(variants.flatMap(({ options }) => Object.keys(options)));
}

/** The bots of all seats but the first; seats for people have none. */
export function seated(way: Way, { seats, levels, among }: Choices): readonly (string | null)[] {
  const level = levels.at(-1) ?? null;
  const people = way === 'bots' ? 0 : Math.max(seats - 1 - among, 1);
  return Array.from({ length: seats - 1 }, (_, index) => (index < people ? null : (levels[index] ?? level)));
}

/** The table that is opened. Days to decide are for people: bots do not need them, and nobody waits for oneself. */
export function tableOf(info: GameInfo, way: Way, choices: Choices, practice = false): NewTable {
  const { tempo } = choices;
  return {
    game: info.id,
    options: optionsOf(info, choices),
    seats: choices.seats,
    public: way === 'open',
    tempo: way === 'bots' && tempo.kind === 'turns' ? { kind: 'none' } : tempo,
    bots: seated(way, choices),
    practice,
  };
}

/** Newcomers get a name at once; the settings have another. */
async function introduce(): Promise<void> {
  if (!isKnown()) await lookUp();
  if (!me()) await comeIn(suggestedName());
}

/** Open a table, and go there. */
export async function open(
  info: GameInfo,
  way: Way,
  choices: Choices,
  replace = false,
  practice = false,
): Promise<void> {
  await introduce();
  const id = await openTable(tableOf(info, way, choices, practice), way === 'bots');
  go(`/t/${id}`, { replace });
}

/** What was kept may come from another version of the server, which had other options or bots. */
const isOutdated = (error: unknown): boolean =>
  error instanceof Refusal && ['bad_options', 'unknown_level', 'bad_request'].includes(error.code);

/** A match against bots that begins at once, as last time. */
export async function playAtOnce(game: string): Promise<void> {
  const [games, bots] = await Promise.all([offeredGames(), api.bots()]);
  const info = games.find(({ id }) => id === game)!;
  const standard = standardChoices(info, sensibleLevel(bots.map(({ level }) => level)));
  const last = lastChoices(game);
  try {
    await open(info, 'bots', last ?? standard);
  } catch (error) {
    if (!last || !isOutdated(error)) throw error;
    await open(info, 'bots', standard);
  }
}

/** What can be told of a view whose game this page knows nothing about: from the names and the forms of its fields. */
import type { Outcome } from '$lib/types';
import type { Scores } from './game';

type Fields = Readonly<Record<string, unknown>>;

/** A view as every game has one. */
export interface PlainView extends Fields {
  readonly seat: number | null;
  readonly table: PlainTable;
  readonly hand?: readonly number[];
  readonly choice?: unknown;
}

export interface PlainTable extends Fields {
  readonly seats: number;
  readonly round?: number;
  readonly points?: readonly number[];
  readonly scores?: readonly (readonly number[])[];
}

/** Cards that lie together: a row, a pile, or what somebody has. */
export interface Lane {
  /** The name of the field, in words. */
  readonly name: string;
  /** Whose they are, if each seat has some. */
  readonly seat: number | null;
  /** Which of several it is, from 1. */
  readonly number: number | null;
  readonly cards: readonly number[];
}

/** What is a single word or number. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What is shown in a place of its own, or need not be. */
const ELSEWHERE = new Set([
  ...['table', 'seat', 'seats', 'options', 'phase', 'hand', 'choice', 'waiting'],
  ...['points', 'scores', 'round'],
]);

export const spoken = (name: string): string => name.replaceAll('_', ' ');

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number');
const isRows = (value: unknown): value is readonly (readonly number[])[] =>
  Array.isArray(value) && value.length > 0 && value.every(isNumbers);

function fields(view: PlainView): (readonly [string, unknown])[] {
  return [...Object.entries(view.table), ...Object.entries(view)].filter(([name]) => !ELSEWHERE.has(name));
}

function lanesOf(name: string, value: unknown, seats: number): readonly Lane[] {
  const lane = (cards: readonly number[], seat: number | null, number: number | null): Lane => ({
    name: spoken(name),
    seat,
    number,
    cards,
  });
  if (isRows(value)) {
    const isTheirs = value.length === seats && name !== 'rows';
    return value.map((cards, index) => lane(cards, isTheirs ? index : null, isTheirs ? null : index + 1));
  }
  return isNumbers(value) && value.length !== seats ? [lane(value, null, null)] : [];
}

export function lanes(view: PlainView): readonly Lane[] {
  return fields(view).flatMap(([name, value]) => lanesOf(name, value, view.table.seats));
}

export function facts(view: PlainView): readonly Fact[] {
  return fields(view).flatMap(([name, value]) =>
    typeof value === 'number' || (typeof value === 'string' && value) || value === true
      ? [{ name: spoken(name), value: value === true ? '✓' : String(value) }]
      : [],
  );
}

/** Numbers of each seat, such as how many cards it holds. */
export function remarks(view: PlainView): readonly string[] {
  const { seats } = view.table;
  const theirs = fields(view).filter(([, value]) => isNumbers(value) && value.length === seats);
  return Array.from({ length: seats }, (_, seat) =>
    theirs.map(([name, value]) => `${spoken(name)} ${(value as readonly number[])[seat]}`).join(', '),
  );
}

/** Points as the table counts them, or as they are told at the end. */
export function scores({ table }: PlainView, outcome: Outcome | null = null): Scores {
  const rounds = table.scores ?? [];
  const final = outcome && outcome.winners.map((seat) => outcome.points[seat] ?? 0);
  return {
    rounds,
    current: rounds.length > 0 ? null : (table.points ?? outcome?.points ?? null),
    target: null,
    fewestWin: !outcome || !final?.length || final[0] === Math.min(...outcome.points),
  };
}

export function totals(view: PlainView): readonly number[] {
  const { rounds, current } = scores(view);
  return Array.from({ length: view.table.seats }, (_, seat) =>
    rounds.reduce((sum, round) => sum + (round[seat] ?? 0), current?.[seat] ?? 0),
  );
}

/** A sentence of the server: it leaves the names to us. Only its first line: what lies on the table need not be told. */
export function filled(sentence: string, names: readonly string[]): string {
  const [first = ''] = sentence.split('\n');
  return first.replace(/\{(\d+)\}/g, (place, seat: string) => names[Number(seat)] ?? place);
}

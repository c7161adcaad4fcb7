/** Where in a match a judged decision was made, and as what it can be tried again. */
import type { JudgedDecision, TableInfo, Update } from '$lib/types';
import type { Naming } from '../trying/naming';
import type { Exercise, Worth } from '../trying/trying.svelte';

export function worths({ values, best, facts }: JudgedDecision, naming: Naming): readonly Worth[] {
  const top = { action: best, label: facts.best.what };
  return values.map(({ action, cost, error, facts: { what: label }, why }) => ({
    action,
    cost,
    error,
    label: naming.of(action, label),
    why: naming.in(why, { action, label }, top),
  }));
}

/** What was done and what was best, in words. */
export function namesIn(
  { action, best, facts }: JudgedDecision,
  naming: Naming,
): { readonly done: string; readonly best: string } {
  return { done: naming.of(action, facts.done.what), best: naming.of(best, facts.best.what) };
}

/** Why, if there was something better. */
export function reasonOf({ action, best, facts, reason }: JudgedDecision, naming: Naming): string {
  return naming.in(reason, { action, label: facts.done.what }, { action: best, label: facts.best.what });
}

/** The table before the decision, as its seat saw it: `updates` are those of that seat. Null if that is not known. */
export function exerciseOf(
  decision: JudgedDecision,
  table: TableInfo,
  updates: readonly Update[],
  places: ReadonlyMap<number, number>,
  naming: Naming,
): Exercise | null {
  const index = places.get(decision.number) ?? 0;
  const before = updates[index - 1];
  if (!before || before.situation.legal.length === 0) return null;
  return {
    table,
    situation: before.situation,
    worths: worths(decision, naming),
    best: decision.best,
    played: decision.action,
    exact: decision.exact,
  };
}

/** What is worth trying again, as the match went. */
export function mistakesIn(decisions: readonly JudgedDecision[]): readonly JudgedDecision[] {
  return decisions.filter(({ named }) => named).toSorted((one, other) => one.number - other.number);
}

/** The decision that a moment is about: the last one whose board has been seen. */
export function decisionAt(
  decisions: readonly JudgedDecision[],
  boards: ReadonlyMap<number, number>,
  index: number,
): JudgedDecision | null {
  const board = ({ number }: JudgedDecision): number => boards.get(number) ?? Infinity;
  return (
    decisions
      .filter((one) => board(one) <= index)
      .toSorted((one, other) => one.number - other.number)
      .at(-1) ?? null
  );
}

/** The next mistake behind a moment, or the last one before it. */
export function mistakeBeside(
  mistakes: readonly JudgedDecision[],
  boards: ReadonlyMap<number, number>,
  index: number,
  by: 1 | -1,
): number | null {
  const places = mistakes.map(({ number }) => boards.get(number) ?? Infinity).filter(Number.isFinite);
  const found = by > 0 ? places.find((place) => place > index) : places.findLast((place) => place < index);
  return found ?? null;
}

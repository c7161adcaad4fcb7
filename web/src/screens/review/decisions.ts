/** Where in a match a judged decision was made, and as what it can be tried again. */
import type { JudgedDecision, TableInfo, Update } from '$lib/types';
import type { Exercise, Worth } from '../trying/trying.svelte';

/** The index of the update in which each action happened, by the number of the action (from 1). */
export function decided(updates: readonly Update[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  updates.forEach(({ note }, index) => {
    if (note?.type === 'Decided') found.set(found.size + 1, index);
  });
  return found;
}

export function worths({ values }: JudgedDecision): readonly Worth[] {
  return values.map(({ action, cost, error, facts, why }) => ({
    action,
    cost,
    error,
    label: facts.what,
    why,
  }));
}

/** The table before the decision, as its seat saw it: `updates` are those of that seat. Null if that is not known. */
export function exerciseOf(
  decision: JudgedDecision,
  table: TableInfo,
  updates: readonly Update[],
  places: ReadonlyMap<number, number>,
): Exercise | null {
  const index = places.get(decision.number) ?? 0;
  const before = updates[index - 1];
  if (!before || before.situation.legal.length === 0) return null;
  return {
    table,
    situation: before.situation,
    worths: worths(decision),
    best: decision.best,
    played: decision.action,
    exact: decision.exact,
  };
}

/** What is worth trying again, as the match went. */
export function mistakesIn(decisions: readonly JudgedDecision[]): readonly JudgedDecision[] {
  return decisions.filter(({ named }) => named).toSorted((one, other) => one.number - other.number);
}

/**
 * A decision to try at a real table: the board as a seat saw it, everything that could be done, and what each of it is
 * worth. Nothing of that is told before something was chosen. For reviews, puzzles, and whoever has such data.
 */
import type { GameModule, Names, Playing } from '$games/game';
import { chairName } from '$lib/chairs';
import { play } from '$lib/sounds';
import { Staged } from '$lib/stage.svelte';
import type { Situation, TableInfo } from '$lib/types';
import { isSame } from './naming';

/** What is known of an action. */
export interface Worth {
  readonly action: unknown;
  /** Points that the best would save, or bring; 0 for the best. */
  readonly cost: number;
  /** Its standard error. */
  readonly error: number;
  /** What it is called where it is neither a card nor a row. */
  readonly label?: string;
  /** Why, in the language that is spoken. */
  readonly why: string;
}

export interface Exercise {
  readonly table: TableInfo;
  /** Before the decision, with the seat's own eyes: its view, what is legal, and what can be foreseen of that. */
  readonly situation: Situation;
  readonly worths: readonly Worth[];
  readonly best: unknown;
  /** What was done in the match, if it comes from one. */
  readonly played?: unknown;
  /** Nothing had to be estimated. */
  readonly exact?: boolean;
}

/** How good an answer is: `close` cannot be told from the best; `unknown` was not among what was tried. */
export type Verdict = 'best' | 'close' | 'worse' | 'unknown';

/** Standard errors, and points, below which nothing is called worse: those of a review. */
const SURE = 2;
const THRESHOLD = 0.3;

export function verdictOn(worth: Worth | null, best: unknown): Verdict {
  if (!worth) return 'unknown';
  if (isSame(worth.action, best)) return 'best';
  return worth.cost - SURE * worth.error > THRESHOLD ? 'worse' : 'close';
}

const NOTHING: readonly unknown[] = [];

export class Trying extends Staged implements Playing {
  exercise: Exercise;
  readonly module: GameModule;
  readonly replaying = false;
  readonly ready = true;
  /** What was chosen, while its worth is asked for: a second answer would come too late. */
  sent: unknown = $state.raw(null);
  /** What was chosen: the match does not go on from here. */
  settled: unknown = $state.raw(null);
  /** The solution is told. */
  isOpen = $state(false);
  /** How often something was chosen that is worse. */
  misses = $state(0);
  readonly names: Names;
  readonly situation: Situation = $derived.by(() => {
    const { situation } = this.exercise;
    const isAsked = this.settled === null && !this.isOpen && this.sent === null;
    return isAsked ? situation : { ...situation, legal: NOTHING, waiting: [] };
  });
  readonly chosen: Worth | null = $derived.by(
    () => this.exercise.worths.find(({ action }) => isSame(action, this.settled)) ?? null,
  );
  readonly verdict: Verdict | null = $derived.by(() =>
    this.settled === null ? null : verdictOn(this.chosen, this.exercise.best),
  );
  readonly #onanswer: ((verdict: Verdict, misses: number) => void) | undefined;

  constructor(exercise: Exercise, module: GameModule, onanswer?: (verdict: Verdict, misses: number) => void) {
    super();
    this.exercise = $state.raw(exercise);
    this.module = module;
    this.#onanswer = onanswer;
    this.names = exercise.situation.chairs.map(chairName);
  }

  // -- what a game's component sees ------------------------------------------------------------------

  get info(): TableInfo {
    return this.exercise.table;
  }
  get legal(): readonly unknown[] {
    return this.situation.legal;
  }
  timeLeft(): number {
    return 0;
  }

  // -- trying ----------------------------------------------------------------------------------------

  act(action: unknown): void {
    if (this.legal.length === 0) return;
    this.settled = action;
    const verdict = this.verdict!;
    const isRight = verdict === 'best' || verdict === 'close';
    if (isRight) this.isOpen = true;
    else this.misses++;
    play(isRight ? 'round' : 'no');
    this.#onanswer?.(verdict, this.misses);
  }

  again(): void {
    this.settled = null;
  }

  /** Tell the solution, whatever was chosen. */
  open(): void {
    this.isOpen = true;
  }
}

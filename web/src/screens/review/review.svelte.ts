/** The review of a match, seat by seat: what is known of it and, while somebody waits for it, what comes. */
import { untrack } from 'svelte';
import { api, Refusal } from '$lib/api';
import { language } from '$lib/i18n.svelte';
import { explain } from '$lib/refusals';
import { t as shared } from '$lib/texts';
import type { ReviewStatus } from '$lib/types';
import { t } from './texts';

/** Milliseconds between two looks at how far it is: before anything is there, and then. */
const AT_ONCE = 250;
const SOON = 700;

/** What is known with what has come: decisions that were known are not told again. */
export function grown(known: ReviewStatus | null, found: ReviewStatus): ReviewStatus {
  return known ? { ...found, decisions: [...known.decisions, ...found.decisions] } : found;
}

export const isWhole = (status: ReviewStatus | null | undefined): boolean =>
  !!status && status.done === status.rounds;

/** What is going on, as long as it is not all there. */
export function working(status: ReviewStatus | null): string {
  if (!status) return shared('loading');
  const { done, rounds } = status;
  return t('working', { round: Math.min(done + 1, rounds), rounds });
}

/** Seats count from 1 in links, as people count. */
export function seatIn(search: string): number | null {
  const told = new URLSearchParams(search).get('seat') ?? '';
  return /^[1-9]\d?$/.test(told) ? Number(told) - 1 : null;
}

interface Known {
  /** The language of its reasons. */
  readonly spoken: string;
  readonly status: ReviewStatus;
}

export class MatchReview {
  readonly id: string;
  failure = $state('');
  #known: Readonly<Record<number, Known>> = $state.raw({});

  constructor(id: string) {
    this.id = id;
  }

  of(seat: number): ReviewStatus | null {
    return this.#known[seat]?.status ?? null;
  }

  /** Fetch what is known, and let it go on if `asks`. */
  async #fetch(seat: number, spoken: string, asks: boolean): Promise<ReviewStatus> {
    const before = untrack(() => this.#known[seat]); // whoever waits for it must not begin anew when it comes
    const known = before?.spoken === spoken ? before.status : null;
    const fetch = asks ? api.askForReview : api.review;
    const found = await fetch(this.id, seat, spoken, known?.decisions.length ?? 0);
    const status = grown(known, found);
    // Whoever asked twice at once must not be told twice.
    if (this.#known[seat] === before) this.#known = { ...this.#known, [seat]: { spoken, status } };
    return status;
  }

  /** Only look; nothing is computed for it. */
  async look(seat: number): Promise<ReviewStatus | null> {
    try {
      return await this.#fetch(seat, language(), false);
    } catch {
      return null; // whoever wants it judged is told why that is not possible
    }
  }

  /** Let the rounds of a seat be judged, as long as somebody waits; returns how to stop. */
  ask(seat: number): () => void {
    const spoken = language();
    this.failure = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    const go = async (): Promise<void> => {
      let wait = SOON;
      try {
        const status = await this.#fetch(seat, spoken, true);
        if (gone) return;
        this.failure = '';
        if (isWhole(status)) return;
        if (status.done === 0) wait = AT_ONCE;
      } catch (error) {
        if (gone) return;
        const isAnswer = error instanceof Refusal && error.status > 0;
        this.failure = isAnswer ? explain(error) : shared('offline');
        if (isAnswer && error.code !== 'busy' && error.code !== 'too_many') return;
        wait = 1000 * ((isAnswer ? error.retryAfter : null) ?? 3);
      }
      timer = setTimeout(() => void go(), wait);
    };
    void go();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }
}

let latest: MatchReview | null = null;

/** What is known of the match that is looked at: several parts of a screen ask for it, and the next screen does. */
export function reviewOf(id: string): MatchReview {
  if (latest?.id !== id) latest = new MatchReview(id);
  return latest;
}

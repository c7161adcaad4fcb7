/** Two taps, where they are wanted: the first shows what would be done, the second does it. For all games alike. */
import type { Playing } from '$games/game';
import { announce } from './announce.svelte';
import { settings } from './settings.svelte';
import { play } from './sounds';
import { t } from './texts';

/** Something on the table that does something when it is tapped. */
export interface Tappable {
  /** It was tapped once; undefined where once is enough. */
  readonly pressed: boolean | undefined;
  /** `words` say what it does: "Take row 2: 5 bulls". */
  tap(words: string): void;
}

/** What was tapped once, for whoever asks whether it is meant. */
export interface Meant {
  readonly meant: { readonly words: string } | null;
  confirm(): void;
  cancel(): void;
}

interface Tapped<A> {
  /** The question that it answers: another one may come while somebody still thinks. */
  readonly decision: number | null;
  /** A card of the hand, of which the game itself shows what would come of it. */
  readonly card: number | null;
  readonly action: A | null;
  readonly words: string;
}

type Asking<A> = Pick<Playing<unknown, A>, 'situation' | 'legal' | 'act'>;

const key = (action: unknown): string => JSON.stringify(action);

export class Taps<A> implements Meant {
  readonly #game: () => Asking<A>;
  #tapped: Tapped<A> | null = $state.raw(null);
  readonly #open = $derived.by(() => {
    const { situation, legal } = this.#game();
    return legal.length > 0 && situation.decision === this.#tapped?.decision;
  });

  /** The card that is picked up. */
  readonly card = $derived.by(() => this.#tapped?.card ?? null);
  /** What a second tap would do, as long as it may be done. */
  readonly meant = $derived.by(() => (this.#tapped?.action && this.#open ? this.#tapped : null));

  constructor(game: () => Asking<A>) {
    this.#game = game;
  }

  on(action: A): Tappable {
    const pressed = this.meant !== null && key(this.meant.action) === key(action);
    return {
      pressed: settings.confirm ? pressed : undefined,
      tap: (words) => (pressed || !settings.confirm ? this.#do(action) : this.#mean(action, words)),
    };
  }

  /** Pick up a card of the hand. */
  pick(card: number): void {
    this.#tapped = { decision: this.#game().situation.decision, card, action: null, words: '' };
    play('choose');
  }

  confirm(): void {
    if (this.meant) this.#do(this.meant.action!);
  }

  cancel(): void {
    this.#tapped = null;
  }

  #mean(action: A, words: string): void {
    this.#tapped = { decision: this.#game().situation.decision, card: null, action, words };
    announce(t('taps.once', { what: words }));
    play('choose');
  }

  #do(action: A): void {
    this.#tapped = null;
    this.#game().act(action);
  }
}

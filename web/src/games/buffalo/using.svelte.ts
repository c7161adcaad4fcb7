/** Using a special card by hand: it is picked up, then tapped onto the row or the card that it acts on. */
import type { Playing } from '$games/game';
import type { Tappable, Taps } from '$lib/taps.svelte';
import type { BuffaloAction, BuffaloPropose, BuffaloUse, BuffaloView } from '$lib/types';
import { told, type AnyUse, type Kind } from './specials';

type Offer = BuffaloPropose | BuffaloUse;

/** What is tapped next: a row, a card still to be placed, a card in a row, or all cards one after another. */
export type Aim = 'row' | 'play' | 'card' | 'order';

const AIMS: Readonly<Record<Kind, Aim>> = {
  Take7: 'row',
  Stop: 'row',
  Insert: 'row',
  Push: 'card',
  Swap: 'play',
  First: 'play',
  Last: 'play',
  Sort: 'order',
};

interface Picked {
  /** The question in which it was picked up: another one may come meanwhile. */
  readonly decision: number | null;
  readonly kind: Kind;
  /** Push!: the card to be moved. */
  readonly card: number | null;
  /** Sort: who comes first, second, … so far. */
  readonly order: readonly number[];
}

/** Something to tap, and what it would do in words. */
export interface Target extends Tappable {
  readonly words: string;
}

export class Using {
  readonly #game: () => Playing<BuffaloView, BuffaloAction>;
  readonly #taps: Taps<BuffaloAction>;
  #picked: Picked | null = $state.raw(null);

  readonly #offers = $derived.by(() => this.#game().legal.filter(isOffer));
  /** The special cards that can be used now. */
  readonly kinds: ReadonlySet<Kind> = $derived.by(
    () => new Set(this.#offers.flatMap(({ use }) => (use.type === 'Lift' ? [] : [use.type]))),
  );
  readonly #now = $derived.by(() => {
    const picked = this.#picked;
    const isOpen = picked?.decision === this.#game().situation.decision && this.kinds.has(picked.kind);
    return isOpen ? picked : null;
  });
  readonly kind = $derived.by(() => this.#now?.kind ?? null);
  /** The card that is being pushed. */
  readonly pushed = $derived.by(() => this.#now?.card ?? null);
  readonly aim: Aim | null = $derived.by(() => {
    if (this.kind === null) return null;
    return this.pushed === null ? AIMS[this.kind] : 'row';
  });
  readonly order: readonly number[] = $derived.by(() => this.#now?.order ?? []);
  readonly #cards: ReadonlySet<number> = $derived.by(
    () => new Set(this.#offers.flatMap(({ use }) => (use.type === 'Push' ? [use.card] : []))),
  );

  constructor(game: () => Playing<BuffaloView, BuffaloAction>, taps: Taps<BuffaloAction>) {
    this.#game = game;
    this.#taps = taps;
  }

  /** Pick a special card up, or put it back. */
  pick(kind: Kind): void {
    this.#taps.cancel();
    this.#picked = this.kind === kind ? null : this.#with({ kind });
  }

  putBack(): void {
    this.#taps.cancel();
    this.#picked = null;
  }

  #with(change: Pick<Picked, 'kind'> & Partial<Picked>): Picked {
    return { decision: this.#game().situation.decision, card: null, order: [], ...change };
  }

  /** A row that the card can act on. */
  row(row: number): Target | null {
    if (this.aim !== 'row') return null;
    return this.#target(
      (use) => use.type === this.kind && 'row' in use && use.row === row && this.#isPushed(use),
    );
  }

  #isPushed(use: AnyUse): boolean {
    return use.type !== 'Push' || use.card === this.pushed;
  }

  /** A Stop! that can be lifted. */
  lift(row: number): Target | null {
    return this.#target((use) => use.type === 'Lift' && use.row === row);
  }

  /** A card in a row that can be pushed. */
  canPush(card: number): boolean {
    return this.kind === 'Push' && (this.pushed === null || this.pushed === card) && this.#cards.has(card);
  }

  push(card: number): void {
    this.#taps.cancel();
    this.#picked = this.#with({ kind: 'Push', card: this.pushed === card ? null : card });
  }

  /** A card still to be placed that the special card can act on. */
  play(seat: number): Target | null {
    if (this.aim === 'order') return this.#sorting(seat);
    if (this.aim !== 'play') return null;
    return this.#target((use) => use.type === this.kind && 'seat' in use && use.seat === seat);
  }

  /**
   * All orders there are would be thousands: one is put together by tapping the cards one after another. The last one
   * follows from the others; tapping on any of them then confirms or begins anew.
   */
  #sorting(seat: number): Target {
    const done = this.#sorted();
    const words = done ? this.#told(done.use) : '';
    if (done && this.order.at(-1) === seat) return { ...this.#taps.on(done), words };
    return { pressed: this.order.includes(seat), tap: () => this.#sort(seat), words };
  }

  #sort(seat: number): void {
    const order = this.#sorted() || this.order.includes(seat) ? [seat] : [...this.order, seat];
    const rest = this.#game().view.table.queue.filter((play) => !order.includes(play.seat));
    this.#taps.cancel();
    const all = rest.length <= 1 ? [...order, ...rest.map((play) => play.seat)] : order;
    this.#picked = this.#with({ kind: 'Sort', order: all });
    const done = this.#sorted();
    if (done) this.#taps.on(done).tap(this.#told(done.use));
  }

  /** The order that was put together. */
  #sorted(): Offer | null {
    const { order } = this;
    const sort = this.#offers.find(({ use }) => use.type === 'Sort');
    if (!sort || order.length < this.#game().view.table.queue.length) return null;
    return { ...sort, use: { type: 'Sort', order: [...order] } };
  }

  #target(isMeant: (use: AnyUse) => boolean): Target | null {
    const action = this.#offers.find(({ use }) => isMeant(use));
    return action ? { ...this.#taps.on(action), words: this.#told(action.use) } : null;
  }

  #told(use: AnyUse): string {
    return told(use, this.#game().names);
  }
}

function isOffer(action: BuffaloAction): action is Offer {
  return action.type === 'Propose' || action.type === 'Use';
}

/** The row that a use is about, to be marked while it is talked about; and the seats. */
export function rowOf(use: AnyUse | null): number | null {
  return use && 'row' in use ? use.row : null;
}

export function isAbout(use: AnyUse | null, seat: number): boolean {
  return use !== null && 'seat' in use && use.seat === seat;
}

/** Choosing a card in secret, as most of the games do: it is picked up, played, and may be changed until all have chosen. */
import type { Playing } from '$games/game';
import { toast } from './announce.svelte';
import { foreseen } from './preview';
import { settings } from './settings.svelte';
import { Taps, type Tappable } from './taps.svelte';
import { t } from './texts';
import type { Foresight } from './types';

interface Play {
  readonly seat: number;
  readonly card: number;
}

/** What those games have in common. */
export interface SecretView<P extends Play> {
  readonly hand: readonly number[];
  readonly hand_sizes: readonly number[];
  readonly waiting: readonly number[];
  readonly choice: number | { readonly card: number } | null;
  readonly table: { readonly phase: string; readonly queue: readonly P[] };
}

interface AnyAction {
  readonly type: string;
  readonly card?: number;
  readonly row?: number;
}

/** How cards of a hand are chosen. */
export interface Choice {
  /** The card that is picked up, not played yet. */
  readonly picked: number | null;
  /** The card that was chosen, as the server knows; often it may still be changed. */
  readonly chosen: number | null;
  /** The card that is on its way to the server. */
  readonly sending?: number | null;
  readonly playable: ReadonlySet<number>;
  pick(card: number): void;
  /** Why a card cannot be picked. */
  whyNot(): string;
}

export class Choosing<P extends Play, A extends AnyAction> implements Choice {
  readonly #game: () => Playing<SecretView<P>, A>;
  readonly #otherwise: () => string;
  readonly #fits: (action: A) => boolean;
  readonly #view = $derived.by(() => this.#game().view);
  readonly #plays = $derived.by(() => this.#game().legal.filter(playsCard));
  /** Everything that is tapped at this table: one thing at a time. */
  readonly taps: Taps<A>;

  /** What is asked of us. */
  readonly kind = $derived.by(() => {
    const { situation, you } = this.#game();
    return situation.waiting.find(({ seat }) => seat === you)?.kind ?? null;
  });
  /** Cards that can be played now, and rows that can be chosen. */
  readonly playable: ReadonlySet<number> = $derived.by(() => new Set(this.#plays.map(({ card }) => card!)));
  readonly rows: ReadonlySet<number> = $derived.by(
    () => new Set(this.#game().legal.flatMap(({ type, row }) => (type === 'ChooseRow' ? [row!] : []))),
  );
  /** The card that is picked up, while it is in the hand. */
  readonly picked = $derived.by(() => {
    const { card } = this.taps;
    return card !== null && this.#view.hand.includes(card) ? card : null;
  });
  /** The same, if it can be played. */
  readonly lifted = $derived.by(() =>
    this.picked !== null && this.playable.has(this.picked) ? this.picked : null,
  );
  /** The card that was chosen, once the server has it. */
  readonly chosen = $derived.by(() => {
    const { settled } = this.#game();
    if (settled && playsCard(settled)) return settled.card ?? null;
    const { choice } = this.#view;
    return typeof choice === 'number' ? choice : (choice?.card ?? null);
  });
  /** What we chose, and that we may still choose otherwise if there is something else to choose. */
  readonly said = $derived.by(() => {
    const { hand, table } = this.#view;
    if (table.phase !== 'choose' || this.chosen === null || this.#game().settled) return '';
    const isOpen = hand.length > 1 || this.#plays.length > 1;
    return t(isOpen ? 'chosen.open' : 'chosen.last', { card: this.chosen });
  });
  /** The card that is on its way there. */
  readonly sending = $derived.by(() => {
    const { sent } = this.#game();
    return sent && playsCard(sent) ? (sent.card ?? null) : null;
  });

  /** `otherwise` says why nothing can be played in the midst of things; `fits`, which play of a card is meant. */
  constructor(
    game: () => Playing<SecretView<P>, A>,
    otherwise: () => string,
    fits: (action: A) => boolean = () => true,
  ) {
    this.#game = game;
    this.#otherwise = otherwise;
    this.#fits = fits;
    this.taps = new Taps(game);
  }

  /** The card that lies before a seat, waiting to be placed. */
  lying(seat: number): P | undefined {
    return this.#view.table.queue.find((item) => item.seat === seat);
  }

  hasChosen(seat: number): boolean {
    const { table, waiting, hand_sizes: sizes } = this.#view;
    return (
      table.phase === 'choose' && this.#game().ready && !waiting.includes(seat) && (sizes[seat] ?? 0) > 0
    );
  }

  /** What can be said of a seat's card. */
  told(seat: number): string {
    const lying = this.lying(seat);
    if (lying) return t('seat.plays', { card: lying.card });
    return this.hasChosen(seat) ? t('seat.chosen') : '';
  }

  whyNot(): string {
    const { replaying, you, ready, isHeldUp } = this.#game();
    if (replaying || this.#view.table.phase === 'over') return '';
    if (you === null) return t('why.watching');
    if (isHeldUp) return t('sent.heldUp');
    return ready ? this.#otherwise() : t('why.placing');
  }

  /** Pick it up; a second time plays it. */
  pick(card: number): void {
    if (!this.playable.has(card)) {
      const reason = this.whyNot();
      if (reason) toast(reason);
    } else if (card === this.picked || !settings.confirm) this.send(card);
    else this.taps.pick(card);
  }

  /** Where a card would go if it were played, as the table lies. */
  foreseen(card: number): readonly Foresight[] {
    return foreseen(this.#game(), (one) => playsCard(one) && one.card === card && this.#fits(one));
  }

  /** A row that can be chosen now. */
  row(row: number): Tappable | null {
    const action = this.#game().legal.find((one) => one.type === 'ChooseRow' && one.row === row);
    return action ? this.taps.on(action) : null;
  }

  send(card: number): void {
    const action = this.#plays.find((one) => one.card === card && this.#fits(one));
    if (action) this.#game().act(action);
    this.taps.cancel();
  }
}

const playsCard = ({ type }: AnyAction): boolean => type === 'PlayCard' || type === 'SwapCard';

/** Points of the round that is played, and all that were ever counted. */
export function points(
  table: { readonly scores: readonly (readonly number[])[]; readonly round: number; readonly phase: string },
  round: readonly number[],
): { round: number; total: number }[] {
  const counted = table.scores.length >= table.round || table.phase === 'over';
  return round.map((taken, seat) => {
    const now = counted ? 0 : taken;
    return { round: now, total: table.scores.reduce((sum, scores) => sum + (scores[seat] ?? 0), now) };
  });
}

/** Somebody who plays by keyboard is taken to what must be chosen. */
export function leadTo(selector: string): void {
  const at = document.activeElement;
  if (at === document.body || at?.closest('[role=toolbar]'))
    document.querySelector<HTMLElement>(selector)?.focus();
}

/** A puzzle at the real table: what is best is not even in the browser before something was chosen. */
import type { GameModule } from '$games/game';
import { t } from '$lib/texts';
import type { PuzzleAnswer, PuzzleSheet, Situation } from '$lib/types';
import { isSame, Naming } from '../trying/naming';
import { Trying, type Verdict } from '../trying/trying.svelte';

/** The server does not know what the reader is called in their language. */
function withYou(situation: Situation): Situation {
  const chairs = situation.chairs.map((chair, seat) =>
    seat === situation.you ? { ...chair, name: t('you') } : chair,
  );
  return { ...situation, chairs };
}

export class Solving extends Trying {
  readonly sheet: PuzzleSheet;
  /** Asks the server what an action is worth. */
  readonly #ask: (action: unknown) => Promise<PuzzleAnswer>;
  readonly #onfail: (error: unknown) => void;
  answer: PuzzleAnswer | null = $state.raw(null);

  constructor(
    sheet: PuzzleSheet,
    module: GameModule,
    ask: (action: unknown) => Promise<PuzzleAnswer>,
    onanswer: (verdict: Verdict, misses: number) => void,
    onfail: (error: unknown) => void,
  ) {
    super(
      { table: sheet.table, situation: withYou(sheet.situation), worths: [], best: null },
      module,
      onanswer,
    );
    this.sheet = sheet;
    this.#ask = ask;
    this.#onfail = onfail;
  }

  /** Rejects if the server cannot be asked; then nothing was chosen. Whoever tries again need not ask again. */
  async choose(action: unknown): Promise<void> {
    if (this.legal.length === 0) return;
    if (this.answer === null) {
      this.sent = action;
      try {
        await this.#learn(action);
      } finally {
        this.sent = null;
      }
    }
    super.act(action);
  }

  /** The reasons again, in the language that is spoken now. */
  async retell(): Promise<void> {
    if (this.answer !== null) await this.#learn(this.settled ?? this.answer.best);
  }

  override act(action: unknown): void {
    this.choose(action).catch(this.#onfail);
  }

  async #learn(action: unknown): Promise<void> {
    const answer = await this.#ask(action);
    const naming = new Naming(this.module, this.names);
    const best = answer.options.find((one) => isSame(one.action, answer.best));
    this.exercise = {
      ...this.exercise,
      best: answer.best,
      worths: answer.options.map(({ action, cost, error, label, why }) => ({
        action,
        cost,
        error,
        label: naming.of(action, label),
        why: best ? naming.in(why, { action, label }, best) : why,
      })),
    };
    this.answer = answer;
  }
}

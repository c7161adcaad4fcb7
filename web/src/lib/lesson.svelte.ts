/** A lesson at a real table: what is to be done is said, what is done is shown, and what goes wrong gets an answer. */
import type { GameModule, Names, Playing } from '$games/game';
import { game as loadGame } from '$games/index';
import { announce } from './announce.svelte';
import { api } from './api';
import { chairName } from './chairs';
import { language } from './i18n.svelte';
import { inWords, preview } from './preview';
import { finish, noteStep, stepOf } from './progress.svelte';
import { isAnswer, whyNot } from './refusals';
import { play } from './sounds';
import { Staged } from './stage.svelte';
import { tell } from './story';
import { t } from './texts';
import type { LessonScript, LessonStep, Situation, TableInfo, Text, Update } from './types';

/** What the teacher is about: asking, showing what comes of an answer, waiting until it has been read, or done. */
type Phase = 'asking' | 'showing' | 'told' | 'done';

const NOTHING: readonly unknown[] = [];

export class Learning extends Staged implements Playing {
  readonly id: string;
  /** The one rule that is tried here; null for the whole lesson. */
  readonly rule: string | null;
  readonly replaying = false;
  readonly sent = null;
  module: GameModule | null = $state.raw(null);
  failure: string | null = $state(null);
  phase: Phase = $state('showing');
  index = $state(0);
  /** What would have come of a wrong answer. */
  wrong = $state('');
  #script: LessonScript | null = $state.raw(null);
  #shown: Situation | null = $state.raw(null);
  #isOver = false;
  /** The first step and the last one. */
  #range = { from: 0, to: 0 };
  readonly #chairs = $derived(this.#shown?.chairs);
  readonly names: Names = $derived((this.#chairs ?? []).map(chairName));
  readonly step: LessonStep | null = $derived(this.#script?.steps[this.index] ?? null);
  readonly ready = $derived(this.phase !== 'showing');
  readonly legal: readonly unknown[] = $derived((this.phase === 'asking' && this.#shown?.legal) || NOTHING);
  /** What the teacher says now. */
  readonly said = $derived.by(() => {
    const { step, phase, wrong } = this;
    if (!step) return '';
    if (phase === 'done' && this.rule) return step.why ? inLanguage(step.why) : t('lesson.tried');
    if (phase === 'told' && step.why) return inLanguage(step.why);
    // What was asked must not be lost with the answer to a wrong try.
    return wrong ? `${wrong} ${inLanguage(step.hint ?? step.say)}` : inLanguage(step.say);
  });

  constructor(id: string, rule: string | null = null) {
    super();
    this.id = id;
    this.rule = rule;
  }

  // -- what a game's component sees ------------------------------------------------------------------

  get script(): LessonScript | null {
    return this.#script;
  }
  /** How many steps there are, and how many of them lie behind us. */
  get steps(): { readonly all: number; readonly passed: number } {
    const { from, to } = this.#range;
    return { all: to - from + 1, passed: this.index - from };
  }
  get info(): TableInfo {
    return this.#script!.table;
  }
  get situation(): Situation {
    return this.#shown!;
  }
  get isShown(): boolean {
    return this.#shown !== null;
  }
  timeLeft(): number {
    return 0;
  }

  // -- going through it ------------------------------------------------------------------------------

  /** Returns whether there is nothing left to fetch. */
  async open(): Promise<boolean> {
    try {
      const script = await api.lesson(this.id);
      this.module = await loadGame(script.info.game);
      this.#range = rangeOf(script, this.rule);
      this.#script = script;
      this.failure = null;
      void this.begin(this.rule ? this.#range.from : lastStart(script, stepOf(this.id)));
      return true;
    } catch (error) {
      this.failure = whyNot(error);
      return isAnswer(error);
    }
  }

  stop(): void {
    this.#isOver = true;
    this.stage.skip();
    this.stage.goOn();
  }

  /** A step that sets the table up, or goes on where the last one ended. */
  async begin(index: number): Promise<void> {
    this.index = index;
    const { step } = this;
    if (!step) return;
    if (!this.rule) noteStep(this.id, index);
    this.phase = 'showing';
    this.wrong = '';
    if (step.start) this.#shown = named(step.start);
    await this.#perform(step.before);
    if (this.#isOver) return;
    const isLast = index === this.#range.to;
    this.phase = step.accepted.length ? 'asking' : isLast ? 'done' : 'told';
    if (this.phase === 'done') this.#finish();
    announce(this.said);
  }

  act(action: unknown): void {
    const { step } = this;
    if (!step || this.phase !== 'asking') return;
    const right = step.accepted.findIndex((one) => isSame(one, action));
    if (right >= 0) void this.#goRight(step, right);
    else this.#goWrong(action);
  }

  #goWrong(action: unknown): void {
    const index = this.situation.legal.findIndex((one) => isSame(one, action));
    const ahead = this.situation.foreseen?.filter(({ actions }) => actions.includes(index)) ?? [];
    this.wrong = [t('lesson.wrong'), inWords(preview(ahead))].filter(Boolean).join(' ');
    play('no');
    announce(this.said);
  }

  async #goRight(step: LessonStep, right: number): Promise<void> {
    this.wrong = '';
    this.phase = 'showing';
    play('choose');
    await this.#perform(step.outcomes[right] ?? []);
    if (this.#isOver) return;
    if (!step.why || (this.rule && this.index === this.#range.to)) return this.next();
    this.phase = 'told';
    announce(this.said);
  }

  async next(): Promise<void> {
    if (this.index < this.#range.to) return this.begin(this.index + 1);
    this.phase = 'done';
    this.#finish();
    if (this.rule) announce(this.said);
  }

  /** From its beginning. */
  again(): void {
    void this.begin(this.#range.from);
  }

  #finish(): void {
    if (!this.rule) finish(this.id);
    play('round');
  }

  /** What happens is shown as at any table. */
  async #perform(updates: readonly Update[]): Promise<void> {
    for (const update of updates) {
      for (const { scene, told } of tell(this.module!, this.view, { ...update, note: null }).steps) {
        const { interlude, ...rest } = scene;
        await this.stage.perform(interlude ? { ...rest, hold: 2 } : rest, () => {
          this.#shown = { ...this.situation, view: scene.view };
          told.forEach(announce);
        });
        if (this.#isOver) return;
      }
      this.#shown = named(update.situation);
    }
    this.stage.rest();
  }
}

function inLanguage(text: Text): string {
  return text[language()];
}

/** The server does not know who learns. */
function named(situation: Situation): Situation {
  const [own, ...others] = situation.chairs;
  return { ...situation, chairs: [{ ...own!, name: t('you') }, ...others] };
}

/** Whoever comes back goes on from where the table was last set up. */
function lastStart(script: LessonScript, step: number): number {
  let start = 0;
  script.steps.forEach(({ start: situation }, index) => {
    if (situation && index <= step) start = index;
  });
  return start;
}

/** The whole lesson, or the steps of one rule: from where their table is set up to the last of them in a row. */
function rangeOf(script: LessonScript, rule: string | null): { from: number; to: number } {
  const first = rule === null ? -1 : script.steps.findIndex(({ rules }) => rules.includes(rule));
  if (first < 0) return { from: 0, to: script.steps.length - 1 };
  let to = first;
  while (script.steps[to + 1]?.rules.includes(rule!)) to++;
  return { from: lastStart(script, first), to };
}

/** Both were written by the server, field by field in the same order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

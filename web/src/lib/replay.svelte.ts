/** A finished match that is looked at again. For a game's component it is a table where nobody can do anything. */
import type { Focus, GameModule, Names, Playing } from '$games/game';
import { game as loadGame } from '$games/index';
import { announce } from './announce.svelte';
import { api, Refusal } from './api';
import { chairName } from './chairs';
import {
  decisive,
  handsAt,
  indexOf,
  logUntil,
  moments,
  turns,
  type Eyes,
  type Moment,
  type Place,
} from './moments';
import { explain, isAnswer, whyNot } from './refusals';
import { Stage } from './stage.svelte';
import { t } from './texts';
import type { OpenHands, Situation, Snapshot, TableInfo, Update } from './types';

/** Autoplay stays at least so long at a moment, however fast cards fly. */
const SHORTEST = 450;

export class Replay implements Playing {
  readonly id: string;
  readonly stage = new Stage();
  readonly replaying = true;
  readonly legal = [];
  readonly sent = null;
  module: GameModule | null = $state.raw(null);
  failure: string | null = $state(null);
  /** The match is still being played: there is nothing to see yet. */
  tooEarly = $state(false);
  eyes: Eyes = $state('open');
  index = $state(0);
  playing = $state(false);
  #snapshot: Snapshot | null = $state.raw(null);
  #updates: readonly Update[] = $state.raw([]);
  #hands: readonly OpenHands[] = $state.raw([]);
  readonly #seen = new Map<Eyes, readonly Update[]>();
  #flight: Promise<void> = Promise.resolve();

  readonly moments = $derived(this.module ? moments(this.module, this.#updates) : []);
  readonly turns = $derived(this.module ? turns(this.module, this.moments) : []);
  readonly moment: Moment | null = $derived(
    this.moments[Math.min(this.index, this.moments.length - 1)] ?? null,
  );
  /** The board of each action: the last moment before it. */
  readonly boards = $derived(decisive(this.#updates, this.moments));
  /** Whose decisions are looked at: those of the eyes we look with, else our own. */
  readonly judged: number = $derived(this.eyes === 'open' ? (this.#snapshot?.situation.you ?? 0) : this.eyes);
  readonly #chairs = $derived(this.moment?.situation.chairs);
  readonly names: Names = $derived((this.#chairs ?? []).map(chairName));
  readonly log = $derived(this.moment ? logUntil(this.#updates, this.moment) : []);
  readonly hands = $derived(this.eyes === 'open' && this.moment ? handsAt(this.#hands, this.moment) : null);

  constructor(id: string) {
    this.id = id;
  }

  // -- what a game's component sees ------------------------------------------------------------------

  get info(): TableInfo {
    return this.#snapshot!.table;
  }
  get situation(): Situation {
    return this.moment!.situation;
  }
  get view(): unknown {
    return this.situation.view;
  }
  get ready(): boolean {
    return this.moment!.settled;
  }
  get you(): number | null {
    return this.situation.you;
  }
  get focus(): Focus | null {
    return this.moment?.scene.focus ?? null;
  }
  get caption(): string {
    const moment = this.moment!;
    if (moment.scene.interlude) return t('roundOver', { round: moment.scene.interlude.round });
    return moment.scene.caption ?? moment.told.at(-1) ?? '';
  }
  act(): void {
    // What happened cannot be changed.
  }
  skip(): void {
    this.stage.skip();
  }
  timeLeft(): number {
    return 0;
  }

  // -- fetching --------------------------------------------------------------------------------------

  /** Returns whether there is nothing left to fetch: another try makes sense only if the server was not there. */
  async open(place: Place): Promise<boolean> {
    try {
      const snapshot = await api.look(this.id);
      this.#snapshot = snapshot;
      if (snapshot.situation.phase !== 'over') {
        this.tooEarly = true;
        return true;
      }
      this.module = await loadGame(snapshot.table.game);
      const eyes = place.eyes ?? snapshot.situation.you ?? 'open';
      await this.#look(eyes === 'open' || eyes < snapshot.table.seats ? eyes : 'open');
      const board = place.decision === null ? undefined : this.boards.get(place.decision);
      this.index = board ?? (place.n === null ? 0 : indexOf(this.moments, place.n, place.part));
      this.failure = null;
      return true;
    } catch (error) {
      this.failure = whyNot(error);
      return isAnswer(error);
    }
  }

  /** Look at the same moment with other eyes. */
  async lookWith(eyes: Eyes): Promise<void> {
    this.pause();
    try {
      await this.#look(eyes);
    } catch (error) {
      announce(error instanceof Refusal ? explain(error) : t('error.offline'));
    }
  }

  async #look(eyes: Eyes): Promise<void> {
    const here = this.moment;
    const seen = this.#seen.get(eyes) ?? (await api.steps(this.id, eyes === 'open' ? null : eyes));
    if (eyes === 'open' && this.#hands.length === 0) this.#hands = await api.hands(this.id);
    this.#seen.set(eyes, seen);
    this.#updates = seen;
    this.eyes = eyes;
    if (here) this.index = indexOf(this.moments, here.n, here.part);
  }

  // -- moving ----------------------------------------------------------------------------------------

  get last(): number {
    return Math.max(0, this.moments.length - 1);
  }

  get turn(): number {
    return this.turns.findIndex(({ to }) => this.index <= to);
  }

  /** Be at a moment, without anything flying. */
  jump(index: number): void {
    this.pause();
    this.index = Math.min(Math.max(0, index), this.last);
    this.#tell();
  }

  back(): void {
    this.jump(this.index - 1);
  }

  forward(): void {
    this.pause();
    this.#step();
  }

  /** To the beginning of the next turn, or of this one, or of the one before. */
  jumpTurn(by: 1 | -1): void {
    const here = this.turns[this.turn];
    if (by < 0 && here && this.index > here.from) return this.jump(here.from);
    this.jump(this.turns[this.turn + by]?.from ?? (by > 0 ? this.last : 0));
  }

  /** Cards fly to the next moment; whatever is still flying lands first. */
  #step(): Promise<void> {
    this.#flight = this.#flight.then(async () => {
      const next = this.moments[this.index + 1];
      if (!next) return;
      this.stage.rest();
      // The interlude of a live table waits for somebody; here it is a moment like others.
      const { interlude, ...scene } = next.scene;
      await this.stage.perform(interlude ? { ...scene, hold: 3 } : scene, () => {
        this.index++;
        this.#tell();
      });
    });
    return this.#flight;
  }

  async play(): Promise<void> {
    if (this.playing) return;
    if (this.index >= this.last) this.index = 0;
    this.playing = true;
    while (this.playing && this.index < this.last)
      await Promise.all([this.#step(), new Promise((resolve) => setTimeout(resolve, SHORTEST))]);
    this.playing = false;
  }

  pause(): void {
    this.playing = false;
    this.stage.skip();
  }

  #tell(): void {
    const { moment, module } = this;
    if (!moment || !module) return;
    announce(moment.told.join(' ') || this.caption || module.progress(moment.situation.view));
  }
}

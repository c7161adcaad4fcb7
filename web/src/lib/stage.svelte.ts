/** Where scenes are played: sets what is shown, lets the cards fly, waits, and can be skipped. */
import { flushSync } from 'svelte';
import type { Focus, Scene } from '$games/game';
import { weight } from '$games/scenes';
import { drawn, Flights, spots } from './flight';
import { isStill, settings, type Speed } from './settings.svelte';
import { play } from './sounds';
import { BEAT, FLIGHT, Tempo } from './tempo';
import type { RoundEnded, Situation } from './types';

/** Milliseconds between the last card of a round and its scores. */
const BREATH = 700;
const FACTOR: Record<Speed, number> = { slow: 1.9, normal: 1, fast: 0.45, instant: 0 };

export class Stage {
  focus: Focus | null = $state.raw(null);
  caption = $state('');
  /** Something is being shown, and can be skipped. */
  isBusy = $state(false);
  /** The last card of a round lies: a moment to breathe, before the scores. */
  isRoundOver = $state(false);
  /** The end of a round, shown until somebody goes on. */
  interlude: RoundEnded | null = $state.raw(null);
  #flights: Flights | null = null;
  #skipping = false;
  #wake: (() => void) | null = null;
  #continue: (() => void) | null = null;
  readonly #tempo = new Tempo();
  /** When the last scene had been shown. */
  #rested = 0;
  /** Milliseconds after which an interlude ends by itself. */
  patience: number | null = null;

  /** The element that cards fly over. */
  attach(root: HTMLElement): () => void {
    const layer = document.getElementById('flights')!;
    const flights = new Flights(root, layer);
    this.#flights = flights;
    // Nobody looks any more: nothing is to be played out, and nothing flies in a window that is not drawn.
    const look = (): void => {
      if (document.hidden) this.#land();
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      flights.land();
      if (this.#flights === flights) this.#flights = null;
    };
  }

  get hurried(): boolean {
    return this.#skipping || settings.speed === 'instant' || document.hidden || !this.#flights;
  }

  /** Show everything that has happened at once. */
  skip(): void {
    this.#skipping = true;
    this.#land();
  }

  #land(): void {
    this.#flights?.land();
    this.#wake?.();
  }

  goOn(): void {
    this.#continue?.();
  }

  /** All that happened has been shown. */
  rest(): void {
    this.#skipping = false;
    this.focus = null;
    this.caption = '';
  }

  /** These scenes come next, one after another. What we waited for a bot in between is time of the turn as well. */
  plan(scenes: readonly Scene[], isByBot = false): void {
    const speed = FACTOR[settings.speed];
    if (isByBot && speed > 0) this.#tempo.spend((performance.now() - this.#rested) / speed);
    this.#tempo.plan(scenes);
  }

  async perform(scene: Scene, show: () => void): Promise<void> {
    const speed = FACTOR[settings.speed];
    const factor = this.#tempo.next(scene) * speed;
    const begun = performance.now();
    this.isBusy = true;
    await this.#move(scene, show, factor);
    // Where nothing flies there is the same time to see what has changed, and to read of it.
    const still = isStill() ? FLIGHT : 0;
    if (!this.hurried) await this.#pause((still + BEAT * (scene.hold ?? 1)) * factor);
    this.#rested = performance.now();
    if (speed > 0) this.#tempo.spend((this.#rested - begun) / speed);
    if (scene.interlude && !document.hidden) await this.#pauseForInterlude(scene.interlude);
    this.isBusy = false;
  }

  async #move(scene: Scene, show: () => void, factor: number): Promise<void> {
    const flights = this.hurried || isStill() ? null : this.#flights;
    const [from, to] = [scene.from ?? {}, scene.to ?? {}];
    const force = weight(scene.focus?.gain?.bulls ?? 0);
    const before = flights ? spots(flights.root) : null;
    if (!this.hurried) {
      this.focus = scene.focus ?? null;
      this.caption = scene.caption ?? '';
      if (scene.sound) play(scene.sound, force);
    }
    const kept = flights && before ? await flights.keep(before, to) : null;
    if (!this.hurried) await drawn(); // the focus is seen, and touches are heard, before the cards move
    show();
    if (flights && before && kept && !this.hurried) {
      flushSync();
      await flights.fly(before, kept, { from, to, force, turns: scene.turns, ms: FLIGHT * factor });
    }
    for (const picture of kept?.values() ?? []) picture.remove();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      const wake = (): void => done();
      this.#wake = wake;
      const end = (): void => {
        clearTimeout(timer);
        resolve();
      };
      function done(): void {
        end();
      }
    });
  }

  async #breatheOut(): Promise<void> {
    if (this.hurried) return;
    this.isRoundOver = true;
    await this.#pause(BREATH * FACTOR[settings.speed]);
    this.isRoundOver = false;
  }

  async #pauseForInterlude(event: RoundEnded): Promise<void> {
    this.focus = null;
    this.caption = '';
    play('round');
    await this.#breatheOut();
    this.interlude = event;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#continue = resolve;
      if (this.patience !== null) timer = setTimeout(resolve, this.patience);
    });
    clearTimeout(timer);
    this.#continue = null;
    this.interlude = null;
    this.#skipping = false;
  }
}

/** A table whose events are played on a stage: what a game's component sees of it follows from the situation shown. */
export abstract class Staged {
  readonly stage = new Stage();
  abstract readonly situation: Situation;

  get view(): unknown {
    return this.situation.view;
  }
  get you(): number | null {
    return this.situation.you;
  }
  get focus(): Focus | null {
    return this.stage.focus;
  }
  get caption(): string {
    return this.stage.caption;
  }
  skip(): void {
    this.stage.skip();
  }
}

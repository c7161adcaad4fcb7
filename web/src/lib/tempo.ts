/**
 * How long things may take to watch. A turn of four cards takes four seconds at most, one of ten seven, whatever
 * happens in it: where rows are taken one after another, everything goes a little faster.
 */
import type { Scene } from '$games/game';

/** Milliseconds at normal speed: a flight, and a beat, in which scenes count how long they stay. */
export const FLIGHT = 340;
export const BEAT = 420;
/** What a turn may take, and what it may take more for each card. */
const TURN = 1300;
const CARD = 500;
/** Nothing is so hurried that it could not be seen. */
const FASTEST = 0.28;

type Timed = Pick<Scene, 'hold' | 'interlude' | 'part'>;

/** As long as a scene takes when there is time. */
export const easy = ({ hold = 1 }: Timed): number => FLIGHT + BEAT * hold;

/** Divides the time of a turn among what happens in it. What the page itself needs is counted, too. */
export class Tempo {
  #left = Number.POSITIVE_INFINITY;
  #coming: readonly Timed[] = [];

  /** These come next. */
  plan(scenes: readonly Timed[]): void {
    this.#coming = scenes;
    const cards = this.#turn.filter(({ part }) => part === 'card').length;
    if (scenes.some(({ part }) => part === 'reveal')) this.#left = TURN;
    this.#left += CARD * cards;
  }

  /** How fast this one goes: 1 at its ease, 0.5 in half the time. */
  next(scene: Timed): number {
    const at = this.#coming.indexOf(scene);
    if (at < 0) return 1;
    const passed = this.#coming.slice(0, at);
    if (scene.interlude || passed.some(({ interlude }) => interlude)) this.#left = Number.POSITIVE_INFINITY;
    this.#coming = this.#coming.slice(at);
    const needed = this.#turn.reduce((sum, one) => sum + easy(one), 0);
    this.#coming = this.#coming.slice(1);
    return Math.min(1, Math.max(FASTEST, this.#left / needed));
  }

  /** So many milliseconds have gone by, counted at normal speed. */
  spend(ms: number): void {
    this.#left -= ms;
  }

  /** What is still to come of this turn: with the end of a round there is no hurry any more. */
  get #turn(): readonly Timed[] {
    const end = this.#coming.findIndex(({ interlude }) => interlude);
    return end < 0 ? this.#coming : this.#coming.slice(0, end);
  }
}

/**
 * How long things may take to watch. A turn of four cards takes four seconds at most, one of ten seven, whatever
 * happens in it: where rows are taken one after another, everything goes a little faster.
 */
import type { Scene } from '$games/game';
import { weight } from '$games/scenes';

/** Milliseconds at normal speed: a flight, and a beat, in which scenes count how long they stay. */
export const FLIGHT = 340;
export const BEAT = 420;
/** What a turn may take, and what it may take more for each card. */
const TURN = 1840;
const CARD = 462;
/** Nothing is so hurried that it could not be seen. */
const FASTEST = 0.28;
/** Milliseconds that the page itself needs for a scene, however fast that goes: some frames to draw what changes. */
export const DRAWING = 60;

type Timed = Pick<Scene, 'hold' | 'interlude' | 'part' | 'turns' | 'from' | 'to' | 'focus'>;

/** How many flights long it takes until all cards of a scene have landed, one after another: see `flight.ts`. */
function flights({ turns, to, focus }: Timed): number {
  if (turns) return 2;
  return to && Object.keys(to).length ? 1.85 + 0.5 * weight(focus?.gain?.bulls ?? 0) : 1;
}

/** As long as a scene takes when there is time. */
export const easy = (scene: Timed): number => FLIGHT * flights(scene) + BEAT * (scene.hold ?? 1);
/** What a card takes that nothing is known of yet: as a rule it just lies down. */
const PLAIN = easy({ hold: 0.5 });

/** Divides the time of a turn among what happens in it. What the page itself needs is counted, too. */
export class Tempo {
  #left = Number.POSITIVE_INFINITY;
  #coming: readonly Timed[] = [];
  /** Cards of this turn that are still to be told of: perhaps a row must be chosen first. */
  #untold = 0;

  /** These come next. */
  plan(scenes: readonly Timed[]): void {
    this.#coming = scenes;
    const reveal = scenes.find(({ part }) => part === 'reveal');
    if (reveal) {
      this.#untold = Object.keys(reveal.from ?? {}).length;
      this.#left = TURN + CARD * this.#untold;
    }
    const cards = this.#turn.filter(({ part }) => part === 'card').length;
    this.#untold = Math.max(0, this.#untold - cards);
  }

  /** How fast this one goes: 1 at its ease, 0.5 in half the time. */
  next(scene: Timed): number {
    const at = this.#coming.indexOf(scene);
    if (at < 0) return 1;
    const passed = this.#coming.slice(0, at);
    if (scene.interlude || passed.some(({ interlude }) => interlude)) this.#left = Number.POSITIVE_INFINITY;
    this.#coming = this.#coming.slice(at);
    const needed = this.#turn.reduce((sum, one) => sum + easy(one), PLAIN * this.#untold);
    const left = this.#left - DRAWING * (this.#turn.length + this.#untold);
    this.#coming = this.#coming.slice(1);
    return Math.min(1, Math.max(FASTEST, left / needed));
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

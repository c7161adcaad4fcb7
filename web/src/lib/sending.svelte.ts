/** A decision on its way to the server: kept until the server has it or refuses it, or until it is taken back. */
import { Refusal } from './api';
import { untilDone } from './patience';

/** What stands between us and the server says so with these; 0 is no answer at all. */
const NOT_THROUGH = new Set([0, 502, 503, 504]);

function isNoAnswer(error: unknown): boolean {
  return !(error instanceof Refusal) || NOT_THROUGH.has(error.status);
}

export class Sending<A> {
  action: A | null = $state.raw(null);
  /** No answer came. It is sent again, and must be the same to the server, until one comes. */
  isHeldUp = $state(false);
  #run: (() => void) | null = null;
  #stop: (() => void) | null = null;

  /** `refused` is told of a refusal, and whether it came after we were cut off. */
  start(action: A, send: () => Promise<unknown>, refused: (error: Refusal, wasLate: boolean) => void): void {
    this.takeBack();
    this.action = action;
    let isUnderWay = false;
    let isOver = false;
    const attempt = async (): Promise<boolean> => {
      isUnderWay = true;
      try {
        await send();
      } catch (error) {
        if (!isOver && isNoAnswer(error)) {
          this.isHeldUp = true;
          return false;
        }
        if (!isOver) refused(error as Refusal, this.isHeldUp);
      } finally {
        isUnderWay = false;
      }
      if (!isOver) this.takeBack();
      return true;
    };
    let giveUp = (): void => undefined;
    this.#run = () => {
      if (isUnderWay) return;
      giveUp();
      giveUp = untilDone(attempt);
    };
    this.#stop = () => {
      isOver = true;
      giveUp();
    };
    this.#run();
  }

  /** There is a connection again: no need to wait any longer. */
  hurry(): void {
    if (this.isHeldUp) this.#run?.();
  }

  /** Send it no more. If it was under way, the server may have it all the same, and will say so. */
  takeBack(): void {
    this.#stop?.();
    this.#run = this.#stop = null;
    this.action = null;
    this.isHeldUp = false;
  }
}

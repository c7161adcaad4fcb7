/**
 * Cards that fly. Everything with `data-card` is a card, everything with `data-anchor` a place that cards may come from
 * or go to. Where they are is measured before and after the page changes; the difference is the flight.
 */
export interface Spot {
  readonly node: HTMLElement;
  readonly rect: DOMRect;
  readonly parent: Element | null;
}
export type Spots = ReadonlyMap<string, Spot>;
export type Route = Readonly<Record<number, string>>;
/** Where cards come from and go to, and how they fly. */
export interface Journey {
  readonly from: Route;
  readonly to: Route;
  /** Milliseconds. */
  readonly ms: number;
  /** They come face down and are turned over on their way. */
  readonly turns?: boolean | undefined;
  /** How hard they hit where they go, from 0 to 1. */
  readonly force?: number;
}
/** Pictures of cards, by what is on them. */
export type Pictures = ReadonlyMap<string, HTMLElement>;

const EASE = 'cubic-bezier(.3,.7,.2,1)';
/** Each begins so much later than the one before, as a part of a flight; all together so much at most. */
const STAGGER = 0.1;
const STAGGERED = 0.6;
/** So many are drawn or begin to fly in one go; then whoever touches the screen is heard. */
const AT_ONCE = 3;
const FRAME_TIMEOUT = 100;

export const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Until what has changed so far is on the screen; a window that nobody looks at draws nothing, and does not wait long. */
export const drawn = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME_TIMEOUT);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });

/** A few, then they are drawn, then the next few. */
async function fewAtOnce<T>(items: readonly T[], each: (item: T) => void): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % AT_ONCE === 0) await drawn();
    each(item);
  }
}

interface Plan {
  /** A card that stays invisible until its picture has flown to its place. */
  readonly hidden?: HTMLElement;
  /** Nothing jumps or vanishes if it begins a little later. */
  readonly waits?: boolean;
  begin(delay: number): Promise<void>;
}

const cardsIn = (root: ParentNode): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('[data-card]')];

export function spots(root: ParentNode): Spots {
  const found = new Map<string, Spot>();
  for (const node of cardsIn(root)) {
    const rect = node.getBoundingClientRect();
    if (rect.width) found.set(node.dataset['card']!, { node, rect, parent: node.parentElement });
  }
  return found;
}

function anchor(root: ParentNode, name: string): DOMRect | null {
  const node = root.querySelector(`[data-anchor="${name}"]`);
  return node?.getBoundingClientRect() ?? null;
}

/** A picture of the card above everything else, at the place where it will be in the end. */
function ghost(layer: HTMLElement, node: HTMLElement, rect: DOMRect): HTMLElement {
  const wrapper = document.createElement('div');
  wrapper.className = 'ghost';
  const picture = node.cloneNode(true) as HTMLElement;
  picture.style.visibility = ''; // the card itself may be hidden while its picture flies
  wrapper.append(picture);
  wrapper.style.left = `${rect.left}px`;
  wrapper.style.top = `${rect.top}px`;
  wrapper.style.width = `${rect.width}px`;
  wrapper.style.height = `${rect.height}px`;
  layer.append(wrapper);
  return wrapper;
}

function offset(from: DOMRect, to: DOMRect, scale = from.width / to.width): string {
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  return `translate(${x}px, ${y}px) scale(${scale})`;
}

function moved(one: DOMRect, other: DOMRect): boolean {
  return Math.hypot(one.left - other.left, one.top - other.top) > 2 || Math.abs(one.width - other.width) > 2;
}

export class Flights {
  readonly #running = new Set<Animation>();
  #landed = false;

  constructor(
    readonly root: HTMLElement,
    readonly layer: HTMLElement,
  ) {}

  /** Everything lands at once. */
  land(): void {
    this.#landed = true;
    for (const animation of this.#running) animation.finish();
  }

  /**
   * From where cards were to where they are now. Resolves when all have landed. Changing the page, measuring it and
   * each few flights are done apart, so that a phone can answer a touch in between.
   */
  async fly(before: Spots, kept: Pictures, journey: Journey): Promise<void> {
    this.#landed = false;
    const gone = this.#gone(kept);
    const arriving = this.#hide(before);
    await breath();
    const plans = this.#landed ? [] : this.#plan(before, gone, journey);
    const flying = new Set(plans.map(({ hidden }) => hidden));
    for (const node of arriving) if (!flying.has(node)) node.style.visibility = '';
    const flights = plans.map(({ waits, begin }) => (waits ? null : begin(0)));
    const later = plans.filter(({ waits }) => waits);
    const between = journey.ms * Math.min(STAGGER, STAGGERED / later.length);
    const begun = performance.now();
    await fewAtOnce([...later.entries()], ([index, { begin }]) => {
      // What has been waited for the few before counts.
      if (!this.#landed) flights.push(begin(Math.max(0, index * between - (performance.now() - begun))));
    });
    await Promise.all(flights);
    for (const node of arriving) node.style.visibility = '';
  }

  /** Cards that are about to leave will still be seen where they were: as pictures of themselves, drawn beforehand. */
  async keep(before: Spots, to: Route): Promise<Pictures> {
    const pictures = new Map<string, HTMLElement>();
    const leaving = [...before].filter(([card]) => to[Number(card)]);
    await fewAtOnce(leaving, ([card, { node, rect }]) => pictures.set(card, ghost(this.layer, node, rect)));
    return pictures;
  }

  /** Cards that are new, or lie elsewhere now, are not to be seen before their pictures have flown there. */
  #hide(before: Spots): readonly HTMLElement[] {
    const arriving = cardsIn(this.root).filter(
      (node) => before.get(node.dataset['card']!)?.parent !== node.parentElement,
    );
    for (const node of arriving) node.style.visibility = 'hidden';
    return arriving;
  }

  /** The pictures of cards that have left; if a card is still there, its picture is not needed. */
  #gone(kept: Pictures): Pictures {
    const here = new Set(cardsIn(this.root).map((node) => node.dataset['card']));
    for (const [card, picture] of kept) if (here.has(card)) picture.remove();
    return new Map([...kept].filter(([card]) => !here.has(card)));
  }

  /** All measuring comes before anything is changed: else the browser would lay out the page again for every card. */
  #plan(before: Spots, gone: Pictures, { from, to, ms, turns = false, force = 0 }: Journey): Plan[] {
    const after = spots(this.root);
    const plans: Plan[] = [];
    for (const [card, now] of after) {
      const old = before.get(card);
      const start = old?.rect ?? anchor(this.root, from[Number(card)] ?? '');
      if (!start || !moved(start, now.rect)) continue;
      if (old && old.parent === now.parent) plans.push({ begin: () => this.#shift(now, start, ms) });
      else if (old || !turns)
        plans.push({ hidden: now.node, waits: true, begin: (delay) => this.#send(now, start, ms, delay) });
      else plans.push({ hidden: now.node, waits: true, begin: (delay) => this.#turn(now, start, ms, delay) });
    }
    for (const [card, picture] of gone) {
      const goal = anchor(this.root, to[Number(card)] ?? '');
      const { rect } = before.get(card)!;
      if (goal)
        plans.push({
          waits: true,
          begin: (delay) => this.#dismiss(picture, rect, goal, { ms, delay, force }),
        });
    }
    return plans;
  }

  async #run(node: HTMLElement, frames: Keyframe[], options: KeyframeAnimationOptions): Promise<void> {
    const animation = node.animate(frames, { easing: EASE, fill: 'backwards', ...options });
    this.#running.add(animation);
    try {
      await animation.finished;
    } catch {
      // Cancelled because the page went on without it.
    } finally {
      this.#running.delete(animation);
    }
  }

  #shift(now: Spot, start: DOMRect, ms: number): Promise<void> {
    return this.#run(now.node, [{ transform: offset(start, now.rect) }, { transform: 'none' }], {
      duration: ms * 0.6,
    });
  }

  async #send(now: Spot, start: DOMRect, ms: number, delay: number): Promise<void> {
    const picture = ghost(this.layer, now.node, now.rect);
    await this.#arrive(picture, now, start, ms, delay);
  }

  /** Its back is seen first, then its face. */
  async #turn(now: Spot, start: DOMRect, ms: number, delay: number): Promise<void> {
    const picture = ghost(this.layer, now.node, now.rect);
    const back = this.root.querySelector('[data-back] > *')?.cloneNode(true);
    if (back instanceof HTMLElement) {
      const face = picture.firstElementChild as HTMLElement;
      picture.append(back);
      const half = { duration: ms / 2, delay: delay + ms * 0.2, easing: 'ease-in', fill: 'both' } as const;
      void this.#run(back, [{ transform: 'none' }, { transform: 'scaleX(0)' }], half);
      const rest = { ...half, delay: half.delay + half.duration, easing: 'ease-out' };
      void this.#run(face, [{ transform: 'scaleX(0)' }, { transform: 'none' }], rest);
    }
    await this.#arrive(picture, now, start, ms * 1.4, delay);
  }

  async #arrive(picture: HTMLElement, now: Spot, start: DOMRect, ms: number, delay: number): Promise<void> {
    const scale = Math.min(start.width / now.rect.width, 1.6);
    const frames = [
      { transform: offset(start, now.rect, scale) },
      { transform: 'translate(0, 0) scale(1.12)', offset: 0.82 },
      { transform: 'none' },
    ];
    await this.#run(picture, frames, { duration: ms, delay });
    now.node.style.visibility = '';
    picture.remove();
  }

  /** The more it hurts, the higher they are lifted before they come down, and the larger they are when they do. */
  async #dismiss(
    picture: HTMLElement,
    start: DOMRect,
    goal: DOMRect,
    { ms, delay, force }: { ms: number; delay: number; force: number },
  ): Promise<void> {
    const frames = [
      { transform: 'none', opacity: 1 },
      {
        transform: `translate(0, ${-6 - 16 * force}px) scale(${1.06 + 0.22 * force})`,
        opacity: 1,
        offset: 0.2 + 0.15 * force,
      },
      { transform: offset(goal, start, 0.35 + 0.3 * force), opacity: 0.2 },
    ];
    await this.#run(picture, frames, {
      duration: ms * (1.25 + 0.5 * force),
      delay: delay * 1.5,
      fill: 'both',
    });
    picture.remove();
  }
}

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

const EASE = 'cubic-bezier(.3,.7,.2,1)';
const STAGGER = 35;
/** So many flights begin in one go; then whoever touches the screen is heard. */
const AT_ONCE = 3;

export const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

interface Plan {
  /** The card that stays invisible while its picture flies to its place. */
  readonly hidden?: HTMLElement;
  begin(index: number): Promise<void>;
}

export function spots(root: ParentNode): Spots {
  const found = new Map<string, Spot>();
  for (const node of root.querySelectorAll<HTMLElement>('[data-card]')) {
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

  /** From where cards were to where they are now. Resolves when all have landed. */
  async fly(before: Spots, from: Route, to: Route, ms: number): Promise<void> {
    this.#landed = false;
    const plans = this.#plan(before, from, to, ms);
    for (const { hidden } of plans) hidden?.style.setProperty('visibility', 'hidden');
    const flights: Promise<void>[] = [];
    for (const [index, { begin }] of plans.entries()) {
      if (index && index % AT_ONCE === 0) await breath();
      if (this.#landed) break;
      flights.push(begin(index));
    }
    await Promise.all(flights);
    for (const { hidden } of plans) hidden?.style.removeProperty('visibility');
  }

  /** All measuring comes before anything is changed: else the browser would lay out the page again for every card. */
  #plan(before: Spots, from: Route, to: Route, ms: number): Plan[] {
    const after = spots(this.root);
    const plans: Plan[] = [];
    for (const [card, now] of after) {
      const old = before.get(card);
      const start = old?.rect ?? anchor(this.root, from[Number(card)] ?? '');
      if (!start || !moved(start, now.rect)) continue;
      if (old && old.parent === now.parent) plans.push({ begin: () => this.#shift(now, start, ms) });
      else plans.push({ hidden: now.node, begin: (index) => this.#send(now, start, ms, index) });
    }
    for (const [card, old] of before) {
      const goal = after.has(card) ? null : anchor(this.root, to[Number(card)] ?? '');
      if (goal) plans.push({ begin: (index) => this.#dismiss(old, goal, ms, index) });
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

  async #send(now: Spot, start: DOMRect, ms: number, index: number): Promise<void> {
    const picture = ghost(this.layer, now.node, now.rect);
    const scale = Math.min(start.width / now.rect.width, 1.6);
    const frames = [
      { transform: offset(start, now.rect, scale) },
      { transform: 'translate(0, 0) scale(1.12)', offset: 0.82 },
      { transform: 'none' },
    ];
    await this.#run(picture, frames, { duration: ms, delay: index * STAGGER });
    now.node.style.visibility = '';
    picture.remove();
  }

  async #dismiss(old: Spot, goal: DOMRect, ms: number, index: number): Promise<void> {
    const picture = ghost(this.layer, old.node, old.rect);
    const frames = [
      { transform: 'none', opacity: 1 },
      { transform: 'translate(0, -6px) scale(1.06)', opacity: 1, offset: 0.2 },
      { transform: offset(goal, old.rect, 0.35), opacity: 0.2 },
    ];
    await this.#run(picture, frames, { duration: ms * 1.25, delay: index * STAGGER * 1.5, fill: 'both' });
    picture.remove();
  }
}

/**
 * A finished match as a row of moments that can be stepped through. The server tells a match in updates, and one update
 * may be a whole turn; a game's scenes divide it, so that every card that is laid is a moment of its own.
 */
import type { Focus, GameModule, Scene } from '$games/game';
import { tell, until } from './story';
import type { OpenHands, Situation, Update } from './types';

export interface Moment {
  /** The update it belongs to, and which part of that it is: together they name the moment in links. */
  readonly n: number;
  readonly part: number;
  /** As the table is then. */
  readonly situation: Situation;
  /** How it gets there from the moment before. */
  readonly scene: Scene;
  /** What has happened since the moment before, in words. */
  readonly told: readonly string[];
  /** How many of the update's events have happened. */
  readonly events: number;
  /** Which turn it belongs to, where the progress of the game tells only rounds. */
  readonly turn: string;
  /** Nothing is under way: the situation is the server's. */
  readonly settled: boolean;
}

/** Moments that belong together: "Round 2, turn 4". */
export interface Turn {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Who took how many bulls, in the order in which it happened. */
  readonly gains: readonly Gain[];
}

type Gain = NonNullable<Focus['gain']>;

type Draft = Omit<Moment, 'part' | 'settled'>;

function momentsOf(
  module: GameModule,
  before: Situation | null,
  update: Update,
  previous: string,
): readonly Draft[] {
  const { note, steps, rest } = tell(module, before?.view ?? null, update);
  if (!note && !steps.length && !rest.length && before !== null) return [];
  const { n, situation, events } = update;
  const turnAt = (event: number): string =>
    events.slice(0, event + 1).reduce<string>((turn, one) => module.turnOf?.(one) ?? turn, previous);
  const drafts: Draft[] = steps.map(({ event, ...step }) => ({
    ...step,
    n,
    situation: { ...before!, view: step.scene.view },
    turn: turnAt(event),
  }));
  if (rest.length || !steps.length) {
    const scene = { view: situation.view };
    drafts.push({ n, situation, scene, told: rest, turn: turnAt(events.length), events: events.length });
  }
  return drafts.map((draft, index) =>
    index === 0 && note ? { ...draft, told: [note, ...draft.told] } : draft,
  );
}

/** In the end an update looks as the server says. */
function settle(drafts: readonly Draft[], update: Update): readonly Moment[] {
  const last = drafts.length - 1;
  return drafts.map((draft, part) =>
    part < last
      ? { ...draft, part, settled: false }
      : { ...draft, part, settled: true, situation: update.situation, events: update.events.length },
  );
}

/** Secret choices and the like, of which nothing can be seen, are no moments. */
export function moments(module: GameModule, updates: readonly Update[]): readonly Moment[] {
  let before: Situation | null = null;
  const found: Moment[] = [];
  for (const update of updates) {
    if (update.situation.view === null) continue;
    found.push(...settle(momentsOf(module, before, update, found.at(-1)?.turn ?? ''), update));
    before = update.situation;
  }
  return found;
}

export function turns(module: GameModule, all: readonly Moment[]): readonly Turn[] {
  const found: Turn[] = [];
  let [round, turn, count] = ['', '', 0];
  all.forEach((moment, index) => {
    const name = module.progress(moment.situation.view);
    const { gain } = moment.scene.focus ?? {};
    const gains = gain ? [gain] : [];
    const last = found.at(-1);
    if (last && name === round && moment.turn === turn) {
      found[found.length - 1] = { ...last, to: index, gains: [...last.gains, ...gains] };
      return;
    }
    count = name === round ? count + 1 : 0;
    found.push({ name: count ? `${name} · ${count}` : name, from: index, to: index, gains });
    [round, turn] = [name, moment.turn];
  });
  return found;
}

/** The log as far as it has happened. */
export function logUntil(updates: readonly Update[], { n, events }: Moment): readonly Update[] {
  return updates
    .filter((update) => update.n <= n)
    .map((update) => (update.n === n ? until(update, events) : update));
}

/** All hands in a moment: while things happen, only what is held before and after. */
export function handsAt(
  hands: readonly OpenHands[],
  { n, settled }: Moment,
): readonly (readonly number[])[] | null {
  const index = hands.findLastIndex((item) => item.n <= n);
  const now = hands[index];
  if (!now) return null;
  const before = hands[index - 1];
  if (settled || !before) return now.hands;
  return now.hands.map((hand, seat) => hand.filter((card) => before.hands[seat]?.includes(card)));
}

// -- decisions -----------------------------------------------------------------------------------------

/** The index of the update in which each action happened, by the number of the action (from 1). */
export function decided(updates: readonly Update[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  updates.forEach(({ note }, index) => {
    if (note?.type === 'Decided') found.set(found.size + 1, index);
  });
  return found;
}

/** The last moment before each action, as the table lay when it was decided. */
export function decisive(updates: readonly Update[], all: readonly Moment[]): ReadonlyMap<number, number> {
  return new Map(
    [...decided(updates)].map(([number, index]) => [number, indexOf(all, updates[index]!.n - 1, Infinity)]),
  );
}

// -- links ---------------------------------------------------------------------------------------------

/** Whose eyes we look with: a seat's, or all cards lie open. */
export type Eyes = number | 'open';

export interface Place {
  readonly eyes: Eyes | null;
  readonly n: number | null;
  readonly part: number;
  /** The number of an action: we look at the table as it was decided. */
  readonly decision: number | null;
  /** What decisions cost is shown beside it. */
  readonly judged: boolean;
}

/** Seats count from 1 in links, as people count. */
export function placeIn(search: string): Place {
  const params = new URLSearchParams(search);
  const eyes = params.get('eyes') ?? '';
  const [, n, part] = /^(\d{1,6})(?:\.(\d{1,4}))?$/.exec(params.get('at') ?? '') ?? [];
  const decision = params.get('decision') ?? '';
  const seat = /^[1-9]\d?$/.test(eyes) ? Number(eyes) - 1 : null;
  return {
    eyes: eyes === 'open' ? 'open' : seat,
    n: n === undefined ? null : Number(n),
    part: Number(part ?? 0),
    decision: /^[1-9]\d{0,5}$/.test(decision) ? Number(decision) : null,
    judged: params.has('judged') || decision !== '',
  };
}

export function searchFor(eyes: Eyes, { n, part }: Pick<Moment, 'n' | 'part'>, judged = false): string {
  const at = part ? `${n}.${part}` : n;
  return `?eyes=${eyes === 'open' ? eyes : eyes + 1}&at=${at}${judged ? '&judged' : ''}`;
}

/** The moment that a link means; the last one before it, if other eyes see more. */
export function indexOf(all: readonly Moment[], n: number, part: number): number {
  const found = all.findLastIndex((moment) => moment.n < n || (moment.n === n && moment.part <= part));
  return Math.max(0, found);
}

/** What a game's folder must offer, and what it gets from the table it is shown on. */
import type { Component } from 'svelte';
import type { Sound } from '$lib/sounds';
import type { ChatSaid, Outcome, RoundEnded, Situation, TableInfo } from '$lib/types';

export type Names = readonly string[];

/** What a scene draws attention to. */
export interface Focus {
  /** A row or pile, numbered from 1. */
  readonly row?: number;
  readonly seat?: number;
  readonly card?: number;
  /** Bulls (or points) that fly to a seat: shown beside it for a moment, and felt: many weigh more than few. */
  readonly gain?: { readonly seat: number; readonly bulls: number };
}

/** One step of an animation: how the table looks after it, and how cards get there. */
export interface Scene<V = unknown> {
  readonly view: V;
  /** Cards that were not to be seen before: the anchor they come from (`seat-2`, `deck`). */
  readonly from?: Readonly<Record<number, string>>;
  /** Cards that will not be seen any more: the anchor they go to. */
  readonly to?: Readonly<Record<number, string>>;
  /** The rule that applied, in a few words. */
  readonly caption?: string;
  readonly focus?: Focus;
  readonly sound?: Sound;
  /** Cards are turned over on their way. */
  readonly turns?: boolean;
  /** Of a turn in which all cards are revealed and then go one by one: so the time that it may take is known. */
  readonly part?: 'reveal' | 'card';
  /** How long to stay after everything has landed, in beats; 1 unless told. */
  readonly hold?: number;
  /** The end of a round: wait until the player goes on. */
  readonly interlude?: RoundEnded;
}

/** Who plays against whom, where points are not each seat's own. */
export interface Sides {
  readonly names: Names;
  /** The side we are on. */
  readonly you: number | null;
  readonly winners: readonly number[];
  /** Who won by how much, when the match is over. */
  readonly verdict: string | null;
}

/** Points of all rounds, for the table of scores and the chart. */
export interface Scores {
  /** Whose points they are, if not the seats'. */
  readonly sides?: Sides;
  /** For each finished round the points of each seat (or side). */
  readonly rounds: readonly (readonly number[])[];
  /** Points in the round that is being played. */
  readonly current: readonly number[] | null;
  /** The match ends when somebody gets there. */
  readonly target: number | null;
  readonly fewestWin: boolean;
}

/** A card in the tracker. */
export interface Tracked {
  readonly card: number;
  readonly place: 'hand' | 'table' | 'gone' | 'unseen';
}

/** One thing that a seat's points of a round are made of: the cards left in its hand, or what it has taken. */
export interface Part {
  readonly name: string;
  /** In a few words, where the cards do not say it: "5 cards", "9 × 2". */
  readonly detail?: string;
  readonly cards?: readonly number[];
  /** Null if it is shown, but counts nothing. */
  readonly points: number | null;
}

/** A table as a game's component sees it; live or in a replay. */
export interface Playing<V = unknown, A = unknown> {
  readonly info: TableInfo;
  /** As it is shown now: while things happen, `view` is somewhere between two situations. */
  readonly situation: Situation;
  readonly view: V;
  /** What may be done now; empty until all that happened has been shown. */
  readonly legal: readonly A[];
  /** Everything that happened has been shown. */
  readonly ready: boolean;
  /** Nobody can do anything here: it is a replay. */
  readonly replaying: boolean;
  readonly names: Names;
  readonly you: number | null;
  readonly focus: Focus | null;
  readonly caption: string;
  /** All hands by seat, if they lie open: in a replay without a seat of one's own. */
  readonly hands?: readonly (readonly number[])[] | null;
  /** An action on its way to the server. */
  readonly sent: A | null;
  /** What was decided here for good, where nothing is sent to a server. */
  readonly settled?: A | null;
  /** There is no connection: what was decided waits to be sent. */
  readonly isHeldUp?: boolean;
  /** Do not send it. */
  takeBack?(): void;
  act(action: A): void;
  skip(): void;
  /** What people have just said with one tap, by seat. */
  readonly bubbles?: ReadonlyMap<number, ChatSaid>;
  /** The people who are not connected, by seat. */
  readonly gone?: ReadonlyMap<number, number>;
  /** Milliseconds until the deadline of a seat's decision, by the server's clock. */
  timeLeft(deadline: number): number;
}

export interface GameModule<V = unknown, E = unknown, A = unknown> {
  /**
   * All words of the game. `variant.<id>`, `variant.<id>.summary`, `option.<name>`, `option.<name>.hint` and
   * `choice.<option>.<value>` name what can be chosen for a new table.
   */
  readonly texts: { ready(): Promise<unknown>; word(key: string): string | null };
  /** The felt: seats, what lies on the table, what is asked, the hand. */
  readonly Table: Component<{ game: Playing<V, A> }>;
  /** An event in the language that is spoken; null if it is not worth a line. */
  narrate(event: E, names: Names): string | null;
  /** What an action is called, where it is more than a card or a row; null if it is not. */
  called?(action: A, names: Names): string | null;
  /** What a special card is called that a review tells of. */
  special?(kind: string): string;
  /** An event as steps that can be watched: how the table looked before it, and how it looks then. */
  scenes(before: V, event: E, after: V): readonly Scene<V>[];
  /** With the outcome, once the match is over. */
  scores(view: V, outcome?: Outcome | null): Scores;
  /** How the points of the round that is over came about, by seat; null where the points say it all. */
  breakdown?(view: V): readonly (readonly Part[])[] | null;
  /** Where we are in the match: "Round 2, turn 4". */
  progress(view: V): string;
  /** Where that tells only rounds: which turn an event belongs to, if it can be told from it. */
  turnOf?(event: E): string | null;
  /** So many may play with these options, where not every variant is for as many. */
  mostSeats?(options: Readonly<Record<string, unknown>>): number;
  /** Does an option mean anything with these options and so many seats? What does not is not offered. */
  applies?(option: string, options: Readonly<Record<string, unknown>>, seats: number): boolean;
  tracker?(view: V): readonly Tracked[];
  /** The rule that an event shows, where it does not name it itself. */
  ruleOf?(event: E): string | null;
  /** Rules, as events name them, that are not taught by the lesson `basic`, and the lesson that teaches them. */
  readonly taughtIn?: Readonly<Record<string, string>>;
}

/** Typed inside its folder, the same for everybody outside. */
export function defineGame<V, E, A>(module: GameModule<V, E, A>): GameModule {
  return module as unknown as GameModule;
}

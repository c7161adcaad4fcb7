/**
 * How the events of a game are put into words, as data: which text, and what it is filled with. The page reads it here
 * (`narration.ts`), the terminal where the build has put it, so that a story is written once for both.
 */

/**
 * What a place in a text is filled with.
 * - `'card'`, `'play.card'`, `'pool.-1'`: what is there in the event; `*` is the place in the list of `each`, or, where
 *   there is none, all of a list. Behind a bar stands how it is said: `'seat|name'`.
 * - a list: its parts with blanks between them.
 * - `text`: another text; `{path}` in its name is filled in.
 * - `each`: said for each item of a list, and joined.
 */
export type Param = string | readonly Param[] | Said | Each;

export interface Each {
  readonly each: string;
  readonly say: Param;
  /** `listed` for "1, 2 and 3"; otherwise what stands between them, by default a comma. */
  readonly join?: string;
}

/** A text of the game, or with `shared` one that all games share; said only if all of `when` is so. */
export interface Said {
  readonly text?: string;
  readonly shared?: string;
  readonly with?: Readonly<Record<string, Param>>;
  /** By path: something is there, nothing is there, it is this word, or with `!` another one. */
  readonly when?: Readonly<Record<string, boolean | string>>;
}

/** Sentences for an event; those that fit are said one after the other. None: nothing is said. */
export type Telling = readonly (Said | Each)[];

export interface Narration {
  /** What a seat below 0 is called. */
  readonly nobody?: string;
  readonly events: Readonly<Record<string, Telling>>;
}

/** A narration that has something to say, or says nothing on purpose, about every kind of event. */
export type NarrationOf<E extends { readonly type: string }> = Narration & {
  readonly events: Readonly<Record<Exclude<E['type'], keyof typeof COMMON>, Telling>>;
};

/** What is told alike everywhere. */
export const COMMON = {
  RoundEnded: [
    {
      shared: 'log.roundEnded',
      with: {
        round: 'round',
        points: { each: 'points', say: ['*|name', 'points.*', 'totals.*|bracketed'] },
      },
    },
  ],
  MatchEnded: [
    { shared: 'results.nobody', when: { 'outcome.winners.0': false } },
    {
      shared: 'log.won',
      with: { names: 'outcome.winners|names' },
      when: { 'outcome.winners.0': true, 'outcome.winners.1': false },
    },
    { shared: 'log.shared', with: { names: 'outcome.winners|names' }, when: { 'outcome.winners.1': true } },
  ],
} as const satisfies Readonly<Record<string, Telling>>;

/** The cards of a turn as they are revealed: "Anna 12, Ben 40". */
export const PLAYS = { each: 'plays', say: ['plays.*.seat|name', 'plays.*.card'] } as const satisfies Param;

/** What most sentences about a card that was placed are filled with. */
export const PLACED = {
  name: 'seat|name',
  card: 'card',
  row: 'row',
  cards: 'taken|commas',
  bulls: 'bulls|bulls',
} as const satisfies Record<string, Param>;

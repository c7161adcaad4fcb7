/**
 * How an update is told: step by step, live and in a replay. What is read and heard never runs ahead of what is seen:
 * an event gets its line, and is announced, with the last of its scenes.
 */
import type { GameModule, Names, Scene } from '$games/game';
import { filled } from '$games/reading';
import { chairName } from './chairs';
import { changed } from './changes';
import { narrateNote } from './narrate';
import type { Update } from './types';

/** Letters that are read in a beat. */
const READ_IN_A_BEAT = 40;

export interface Step {
  readonly scene: Scene;
  /** Which of the update's events it shows. */
  readonly event: number;
  /** What has happened when it is seen, in words. */
  readonly told: readonly string[];
  /** So many of the update's events have happened by then. */
  readonly events: number;
}

export interface Story {
  /** What happened at the table besides the game; it comes first. */
  readonly note: string;
  readonly steps: readonly Step[];
  /** What is left to say when all has been seen. */
  readonly rest: readonly string[];
}

/** One of the update's events in words: ours, or those of the server about a game that we have no words for. */
export function lineOf(module: GameModule, update: Update, index: number, names: Names): string | null {
  const line = module.narrate(update.events[index], names);
  const sentence = update.told?.[index];
  return sentence === undefined || line === null ? line : filled(sentence, names);
}

/** How the table looks after one of the update's events. A game that does not tell is seen again when all is over. */
function viewAfter({ events, changes, situation }: Update, index: number, before: unknown): unknown {
  if (index === events.length - 1) return situation.view;
  return changes ? changed(before, changes[index]) : before;
}

/** An update as a story that begins at this view; nothing can be seen of it where there was none. */
export function tell(module: GameModule, view: unknown, update: Update): Story {
  const names = update.situation.chairs.map(chairName);
  const steps: Step[] = [];
  let told: readonly string[] = [];
  update.events.forEach((event, index) => {
    const line = lineOf(module, update, index, names);
    const before = view;
    view = before === null ? null : viewAfter(update, index, before);
    const scenes = before === null || (update.told && !line) ? [] : module.scenes(before, event, view);
    scenes.forEach((scene, part) => {
      const last = part === scenes.length - 1;
      if (last && line) told = [...told, line];
      if (update.told && line) scene = { ...scene, caption: line, hold: 1 + line.length / READ_IN_A_BEAT };
      steps.push({ scene, event: index, told, events: index + Number(last) });
      told = [];
    });
    if (scenes.length === 0 && line) told = [...told, line];
  });
  return { note: update.note ? narrateNote(update.note, names) : '', steps, rest: told };
}

/** The update for the log, as far as it has happened. */
export function until(update: Update, events: number): Update {
  return events === update.events.length ? update : { ...update, events: update.events.slice(0, events) };
}

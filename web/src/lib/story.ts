/**
 * How an update is told: step by step, live and in a replay. What is read and heard never runs ahead of what is seen:
 * an event gets its line, and is announced, with the last of its scenes.
 */
import type { GameModule, Scene } from '$games/game';
import { chairName } from './chairs';
import { narrateNote } from './narrate';
import type { Update } from './types';

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

/** An update as a story that begins at this view; nothing can be seen of it where there was none. */
export function tell(module: GameModule, view: unknown, update: Update): Story {
  const names = update.situation.chairs.map(chairName);
  const steps: Step[] = [];
  let told: readonly string[] = [];
  update.events.forEach((event, index) => {
    const line = module.narrate(event, names);
    const scenes = view === null ? [] : module.scenes(view, event, names);
    scenes.forEach((scene, part) => {
      const last = part === scenes.length - 1;
      if (last && line) told = [...told, line];
      steps.push({ scene, event: index, told, events: index + Number(last) });
      view = scene.view;
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

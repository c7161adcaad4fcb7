/** How far somebody has come in the lessons: kept in this browser, as it is nobody else's business. */
const PLACE = 'nimmt.lessons';

interface Progress {
  /** The step to go on with. */
  readonly step: number;
  readonly done: boolean;
}

function read(): Record<string, Progress> {
  try {
    return (JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Record<string, Progress> | null) ?? {};
  } catch {
    return {};
  }
}

let known: Readonly<Record<string, Progress>> = $state.raw(read());

function write(id: string, progress: Progress): void {
  known = { ...known, [id]: progress };
  try {
    localStorage.setItem(PLACE, JSON.stringify(known));
  } catch {
    // Then it is remembered until the page is closed.
  }
}

export function stepOf(id: string): number {
  return known[id]?.step ?? 0;
}

export function isDone(id: string): boolean {
  return known[id]?.done ?? false;
}

export function isBegun(id: string): boolean {
  return stepOf(id) > 0;
}

export function noteStep(id: string, step: number): void {
  write(id, { step, done: isDone(id) });
}

/** From now on it begins at its beginning again. */
export function finish(id: string): void {
  write(id, { step: 0, done: true });
}

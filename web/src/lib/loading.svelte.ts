/** Parts of the page that are fetched when they are needed; without a connection, as soon as there is one again. */
import { to } from './base';
import { untilDone } from './patience';

/** Milliseconds in which a page does not become out of date: loading it once more would not help. */
const FRESH = 30_000;

const state = $state({ waiting: 0 });

/** Something could not be fetched; it will be, by itself. */
export function isWaiting(): boolean {
  return state.waiting > 0;
}

async function serverAnswers(): Promise<boolean> {
  return (await fetch(to('/api/bots'), { cache: 'no-store' })).ok;
}

async function again<T>(load: () => Promise<T>, use: (part: T) => void): Promise<boolean> {
  if (!(await serverAnswers())) return false;
  try {
    use(await load());
    return true;
  } catch {
    // There is a newer version of the page, or the browser is one of those that never ask for a module twice.
    if (performance.now() > FRESH) location.reload();
    return false;
  }
}

export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    state.waiting++;
    const part = await new Promise<T>((resolve) => untilDone(() => again(load, resolve)));
    state.waiting--;
    return part;
  }
}

/** What can wait until everything that somebody came for is there. */

/** Milliseconds without anything being fetched, and how long that is waited for at most: some pages always fetch. */
const QUIET = 1000;
const PATIENCE = 5000;

/** Resolves when the page has fetched nothing for a while. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => {
    const end = setTimeout(done, PATIENCE);
    let timer = setTimeout(done, QUIET);
    const watching = new PerformanceObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(done, QUIET);
    });
    watching.observe({ type: 'resource' });
    function done(): void {
      clearTimeout(end);
      clearTimeout(timer);
      watching.disconnect();
      resolve();
    }
  });
}

/** Fetches parts that may be needed soon, one after another: then they are there at once, with a connection or without. */
export async function warm(loads: readonly (() => Promise<unknown>)[]): Promise<void> {
  await quiet();
  try {
    for (const load of loads) await load();
  } catch {
    // Without a connection there will be another try when they are needed.
  }
}

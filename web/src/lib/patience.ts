/** Try until it works: at once when the connection or the window comes back, otherwise ever more slowly. */
const MIN_DELAY = 1000;
const MAX_DELAY = 15_000;

/** `attempt` says whether it worked. Returns how to give up. */
export function untilDone(attempt: () => Promise<boolean>, maxDelay = MAX_DELAY): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let running = false;
  let done = false;

  async function go(): Promise<void> {
    if (running || done) return;
    running = true;
    clearTimeout(timer);
    const worked = await attempt().catch(() => false);
    running = false;
    if (worked) stop();
    else if (!done) timer = setTimeout(() => void go(), Math.min(maxDelay, MIN_DELAY * 2 ** tries++));
  }
  function hurry(): void {
    if (document.hidden) return;
    tries = 0;
    void go();
  }
  function stop(): void {
    done = true;
    clearTimeout(timer);
    removeEventListener('online', hurry);
    document.removeEventListener('visibilitychange', hurry);
  }
  addEventListener('online', hurry);
  document.addEventListener('visibilitychange', hurry);
  void go();
  return stop;
}

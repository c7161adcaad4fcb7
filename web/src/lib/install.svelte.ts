/** Keeping the page as an app: offered after a match, until somebody says no. */

/** Browsers that can install a page say so with an event of this kind, soon after it was loaded. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

const KEY = 'nimmt.install';
const state = $state<{ event: InstallEvent | null; isRefused: boolean }>({ event: null, isRefused: false });

export function keepInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault(); // not now: nobody knows yet whether they like it here
    state.event = event as InstallEvent;
  });
  addEventListener('appinstalled', () => (state.event = null));
}

export function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iP(hone|ad|od)/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

function isInstalled(): boolean {
  const onIos = (navigator as { standalone?: boolean }).standalone === true;
  return onIos || matchMedia('(display-mode: standalone)').matches;
}

function wasRefused(): boolean {
  try {
    return state.isRefused || localStorage.getItem(KEY) === 'no';
  } catch {
    return state.isRefused;
  }
}

/** How it can be installed here, if it can and may be offered. */
export function wayToInstall(): 'ask' | 'ios' | null {
  if (isInstalled() || wasRefused()) return null;
  if (state.event) return 'ask';
  return isIos() ? 'ios' : null;
}

export async function install(): Promise<void> {
  const { event } = state;
  state.event = null; // it can be used once
  await event?.prompt();
}

/** For good. */
export function refuseInstall(): void {
  state.isRefused = true;
  try {
    localStorage.setItem(KEY, 'no');
  } catch {
    // For this visit then.
  }
}

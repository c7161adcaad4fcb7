import { front } from '$lib/announce.svelte';
import { patiently } from '$lib/loading.svelte';

/** The coach with its words: fetched at practice tables only. */
export async function coachBar(): Promise<(typeof import('./Coach.svelte'))['default']> {
  addEventListener('keydown', pressed);
  const [{ default: bar }, { texts }, { texts: tried }] = await patiently(() =>
    Promise.all([import('./Coach.svelte'), import('./texts'), import('../trying/texts')]),
  );
  await Promise.all([texts.ready(), tried.ready()]);
  removeEventListener('keydown', pressed);
  return bar;
}

let wished = false;

/** Whoever asks for a hint while the coach is on its way. */
function pressed({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
  const isTyping = target instanceof Element && target.closest(TYPING) !== null;
  if (key === 'h' && !ctrlKey && !metaKey && !altKey && !isTyping && front() === undefined) wished = true;
}

/** Has somebody asked meanwhile? */
export function takeWish(): boolean {
  const was = wished;
  wished = false;
  return was;
}

/** Where keys are letters. */
export const TYPING = 'input, textarea, select';

import { patiently } from '$lib/loading.svelte';

/** The coach with its words: fetched at practice tables only. */
export async function coachBar(): Promise<(typeof import('./Coach.svelte'))['default']> {
  const [{ default: bar }, { texts }] = await patiently(() =>
    Promise.all([import('./Coach.svelte'), import('./texts')]),
  );
  await texts.ready();
  return bar;
}

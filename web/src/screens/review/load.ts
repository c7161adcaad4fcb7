import { patiently } from '$lib/loading.svelte';

/** What has to do with reviews, with its words. */
export async function judged<T>(part: Promise<T>): Promise<T> {
  const [{ texts }, { texts: tried }] = await Promise.all([import('./texts'), import('../trying/texts')]);
  await Promise.all([texts.ready(), tried.ready()]);
  return part;
}

/** What a replay shows of decisions: fetched when somebody wants to see it. */
export const lens = (): Promise<typeof import('./Lens.svelte')> =>
  patiently(() => judged(import('./Lens.svelte')));

import { patiently } from '$lib/loading.svelte';

/** The dialog with its words: few share, so it is fetched when somebody does. */
export async function shareDialog(): Promise<(typeof import('./ShareDialog.svelte'))['default']> {
  const [{ default: dialog }, { texts }] = await patiently(() =>
    Promise.all([import('./ShareDialog.svelte'), import('./texts')]),
  );
  await texts.ready();
  return dialog;
}

/** Screens that are fetched when somebody goes there. */
import type { Component } from 'svelte';
import { patiently } from '$lib/loading.svelte';

export interface Screen {
  readonly default: Component<{ id: string }>;
}
type Late = 'new' | 'table' | 'replay' | 'carry';

const loaders: Record<Late, () => Promise<unknown>> = {
  new: () => import('./NewTable.svelte'),
  table: () => import('./TableScreen.svelte'),
  replay: () => import('./Replay.svelte'),
  carry: () => import('./Carry.svelte'),
};

/** Those that need no id do not mind getting one. */
export async function lateScreen(name: Late): Promise<Screen> {
  return (await patiently(loaders[name])) as Screen;
}

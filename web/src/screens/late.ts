/** Screens that are fetched when somebody goes there. */
import type { Component } from 'svelte';

type Screen = Promise<{ default: Component<{ id: string }> }>;

export const lateScreens: Record<'new' | 'table' | 'replay' | 'carry', () => Screen> = {
  new: () => import('./NewTable.svelte') as Screen,
  table: () => import('./TableScreen.svelte') as Screen,
  replay: () => import('./Replay.svelte') as Screen,
  carry: () => import('./Carry.svelte') as Screen,
};

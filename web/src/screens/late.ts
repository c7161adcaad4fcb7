/** Screens that are fetched when somebody goes there. */
import type { Component } from 'svelte';
import { patiently } from '$lib/loading.svelte';
import type { Route } from '$lib/router.svelte';
import { judged } from './review/load';

export interface Screen {
  readonly default: Component<{ id: string }>;
  /** Words of its own. */
  readonly texts?: { ready(): Promise<unknown> };
}
type LateRoute = Exclude<Route, { screen: 'lost' }>;

/** Puzzles have words of their own. */
async function puzzling(screen: Promise<unknown>): Promise<unknown> {
  const [{ texts }, { texts: tried }] = await Promise.all([
    import('./puzzles/texts'),
    import('./trying/texts'),
  ]);
  await Promise.all([texts.ready(), tried.ready()]);
  return screen;
}

const loaders: Record<LateRoute['screen'], () => Promise<unknown>> = {
  lobby: () => import('./home/Home.svelte'),
  new: () => import('./opening/NewTable.svelte'),
  table: () => import('./TableScreen.svelte'),
  replay: () => import('./Replay.svelte'),
  carry: () => import('./Carry.svelte'),
  learn: () => import('./Learn.svelte'),
  lesson: () => import('./Lesson.svelte'),
  you: async () => {
    const [screen, { texts }] = await Promise.all([import('./you/You.svelte'), import('./you/texts')]);
    await texts.ready();
    return screen;
  },
  rules: () => import('./Rules.svelte'),
  review: () => judged(import('./review/Review.svelte')),
  puzzles: () => puzzling(import('./puzzles/Puzzles.svelte')),
  puzzle: () => puzzling(import('./puzzles/PuzzleScreen.svelte')),
  mistakes: () => judged(import('./review/Mistakes.svelte')),
};

/**
 * A screen with what it is to show: both change together, so that no screen is ever given the id of something else.
 * Those that need no id do not mind getting one.
 */
export async function lateScreen(
  route: LateRoute,
): Promise<{ readonly screen: Screen; readonly id: string }> {
  const screen = (await patiently(loaders[route.screen])) as Screen;
  await screen.texts?.ready();
  return { screen, id: 'id' in route ? route.id : '' };
}

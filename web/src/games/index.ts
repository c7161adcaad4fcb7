/** The games, by folder: a new folder is found by itself. A game without one gets a plain table. */
import { language, type Language } from '$lib/i18n.svelte';
import { patiently } from '$lib/loading.svelte';
import type { GameInfo } from '$lib/types';
import { SvelteMap } from 'svelte/reactivity';
import type { GameModule } from './game';

/** What names things can be asked for. */
export type Wordy = Pick<GameModule, 'texts'>;

export interface About {
  readonly name: string;
  /** How it is played, in a sentence. */
  readonly summary: string;
  /** What it is like, in a line. */
  readonly like?: string;
}

const abouts = import.meta.glob<Record<Language, About>>('./*/about.ts', { eager: true, import: 'default' });
const words = import.meta.glob<Wordy['texts']>('./*/texts.ts', { import: 'texts' });
const loaders = import.meta.glob<GameModule>('./*/index.ts', { import: 'default' });

/** What the server says about its games, for those that we have no folder for. */
const told = new SvelteMap<string, About>();

export function learn(games: readonly GameInfo[]): void {
  for (const { id, name, summary } of games) told.set(id, { name, summary });
}

/** Name and one sentence; small enough to be there from the start. */
export function about(id: string): About {
  return abouts[`./${id}/about.ts`]?.[language()] ?? told.get(id) ?? { name: id, summary: '' };
}

/** What all games are called, for whoever tells of them when no page is open. */
export function gameNames(): Record<string, string> {
  const ids = Object.keys(abouts).map((path) => path.split('/')[1]!);
  return Object.fromEntries(ids.map((id) => [id, about(id).name]));
}

const loaded = new Map<string, Promise<GameModule>>();

async function load(id: string): Promise<GameModule> {
  const loader = loaders[`./${id}/index.ts`] ?? (async () => (await import('./plain')).plainGame(id));
  const module = await patiently(loader);
  await module.texts.ready();
  return module;
}

/** A game's component and texts, fetched when they are needed. */
export function game(id: string): Promise<GameModule> {
  let module = loaded.get(id);
  if (!module) {
    module = load(id);
    loaded.set(id, module);
    module.catch(() => loaded.delete(id));
  }
  return module;
}

/** A game's words without the rest of it. */
export async function gameWords(id: string): Promise<Wordy> {
  const texts = await (words[`./${id}/texts.ts`] ?? (async () => (await import('./plain')).plainWords(id)))();
  await texts.ready();
  return { texts };
}

export function variantText(module: Wordy, id: string): About | null {
  const name = module.texts.word(`variant.${id}`);
  return name === null ? null : { name, summary: module.texts.word(`variant.${id}.summary`) ?? '' };
}

export function optionText(module: Wordy, name: string): { name: string; hint: string } {
  return {
    name: module.texts.word(`option.${name}`) ?? name,
    hint: module.texts.word(`option.${name}.hint`) ?? '',
  };
}

export function choiceText(module: Wordy, option: string, value: string): string {
  return module.texts.word(`choice.${option}.${value}`) ?? value;
}

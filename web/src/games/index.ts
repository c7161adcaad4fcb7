/** The games, by folder: a new folder is found by itself. */
import { language, type Language } from '$lib/i18n.svelte';
import { Refusal } from '$lib/api';
import { patiently } from '$lib/loading.svelte';
import type { GameModule } from './game';

/** What names things can be asked for. */
export type Wordy = Pick<GameModule, 'texts'>;

export interface About {
  readonly name: string;
  readonly summary: string;
}

const abouts = import.meta.glob<Record<Language, About>>('./*/about.ts', { eager: true, import: 'default' });
const words = import.meta.glob<Wordy['texts']>('./*/texts.ts', { import: 'texts' });
const loaders = import.meta.glob<GameModule>('./*/index.ts', { import: 'default' });

/** Name and one sentence; small enough to be there from the start. */
export function about(id: string): About {
  return abouts[`./${id}/about.ts`]?.[language()] ?? { name: id, summary: '' };
}

export function isShown(id: string): boolean {
  return `./${id}/index.ts` in loaders;
}

const loaded = new Map<string, Promise<GameModule>>();

async function load(id: string): Promise<GameModule> {
  const loader = loaders[`./${id}/index.ts`];
  if (!loader) throw new Refusal('unknown_game', `This page does not know the game ${id}.`, 404);
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
  const texts = await words[`./${id}/texts.ts`]?.();
  if (!texts) throw new Error(`There are no words for the game ${id} yet.`);
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

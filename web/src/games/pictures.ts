/** The pictures of the games, for the screens that show them. */
import type { Component } from 'svelte';
import { patiently } from '$lib/loading.svelte';

type Variant = Component<{ variant: string }>;

const pictures = import.meta.glob<Component>('./*/Picture.svelte', { eager: true, import: 'default' });
const variants = import.meta.glob<Variant>('./*/Variant.svelte', { import: 'default' });

/** What is peculiar to the game, drawn; null for games that we have no folder for. */
export function picture(id: string): Component | null {
  return pictures[`./${id}/Picture.svelte`] ?? null;
}

/** Its variants, drawn; fetched when they are to be chosen from. */
export function variantPicture(id: string): Promise<Variant> | null {
  const load = variants[`./${id}/Variant.svelte`];
  return load ? patiently(load) : null;
}

import { Area } from '$lib/i18n.svelte';
import type en from './texts/en';

/** What the coach of a practice table says: loaded there only. */
export const texts = new Area<keyof typeof en>(import.meta.glob('./texts/*.ts'));
export const t = texts.t;

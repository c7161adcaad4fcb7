import { Area } from '$lib/i18n.svelte';
import type en from './texts/en';

/** What is said with one tap, in the reader's language: loaded with a table. */
export const texts = new Area<keyof typeof en>(import.meta.glob('./texts/*.ts'));
export const t = texts.t;

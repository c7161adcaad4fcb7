import { Area } from '$lib/i18n.svelte';
import type en from './texts/en';

/** What is said about being called, installing and being offline. */
export const texts = new Area<keyof typeof en>(import.meta.glob('./texts/*.ts'));
export const t = texts.t;

import { Area } from '$lib/i18n.svelte';
import type en from './texts/en';

/** The words for sharing a result. */
export const texts = new Area<keyof typeof en>(import.meta.glob('./texts/*.ts'));
export const t = texts.t;

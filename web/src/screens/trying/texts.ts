import { Area } from '$lib/i18n.svelte';
import type en from './texts/en';

/** The words of trying a decision, and of what was found out about its actions. */
export const texts = new Area<keyof typeof en>(import.meta.glob('./texts/*.ts'));
export const t = texts.t;

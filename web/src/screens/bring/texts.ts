import { Area } from '$lib/i18n.svelte';
import type en from './texts/en';

export const texts = new Area<keyof typeof en>(import.meta.glob('./texts/*.ts'));
export const t = texts.t;

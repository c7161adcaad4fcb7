import { Area } from './i18n.svelte';
import type en from './texts/en';

export type SharedKey = keyof typeof en;

/** The texts that all screens share. */
export const shared = new Area<SharedKey>(import.meta.glob('./texts/*.ts'));
export const t = shared.t;

import { Area, type Language } from './i18n.svelte';
import type en from './texts/en';

export type SharedKey = keyof typeof en;

/** The texts that all screens share. */
export const shared = new Area<SharedKey>(import.meta.glob('./texts/*.ts'));
export const t = shared.t;

/** The same as `t('offline')`, for when not even the texts could be fetched. */
export const NO_CONNECTION: Readonly<Record<Language, string>> = {
  en: 'No connection. As soon as there is one, everything goes on.',
  de: 'Keine Verbindung. Sobald wieder eine da ist, geht es weiter.',
  pl: 'Brak połączenia. Gdy tylko wróci, gra potoczy się dalej.',
  ru: 'Нет связи. Как только она появится, игра продолжится.',
};

import type { Language } from '$lib/i18n.svelte';
import type { About } from '../index';

const about: Record<Language, About> = {
  en: {
    name: 'Beat the Buffalo',
    summary: 'Together against the buffalo: make it take more bulls than your team.',
  },
  de: {
    name: 'Schlagt den Büffel',
    summary: 'Gemeinsam gegen den Büffel: Er soll mehr Hornochsen nehmen als euer Team.',
  },
  pl: {
    name: 'Ubij bawoła',
    summary: 'Razem przeciw bawołowi: niech zbierze więcej byków niż wasza drużyna.',
  },
  ru: {
    name: 'Победи буйвола',
    summary: 'Вместе против буйвола: пусть он возьмёт больше быков, чем ваша команда.',
  },
};
export default about;

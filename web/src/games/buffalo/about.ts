import type { Language } from '$lib/i18n.svelte';
import type { About } from '../index';

const about: Record<Language, About> = {
  en: {
    like: 'All together against one stubborn buffalo, with tricks up your sleeve.',
    name: 'Beat the Buffalo',
    summary: 'Together against the buffalo: make it take more bulls than your team.',
  },
  de: {
    like: 'Alle zusammen gegen einen sturen Büffel, mit ein paar Tricks im Ärmel.',
    name: 'Schlagt den Büffel',
    summary: 'Gemeinsam gegen den Büffel: Er soll mehr Hornochsen nehmen als euer Team.',
  },
  pl: {
    like: 'Wszyscy razem przeciw upartemu bawołowi, z kilkoma sztuczkami w rękawie.',
    name: 'Ubij bawoła',
    summary: 'Razem przeciw bawołowi: niech zbierze więcej byków niż wasza drużyna.',
  },
  ru: {
    like: 'Все вместе против упрямого буйвола, с парой хитростей в рукаве.',
    name: 'Победи буйвола',
    summary: 'Вместе против буйвола: пусть он возьмёт больше быков, чем ваша команда.',
  },
};
export default about;
